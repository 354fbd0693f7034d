//! Items that chunks keep open: whether they become START, deltas and END, or stay as they came, is
//! known when they are closed, or not at the end of the input.

use super::{Pushed, RunBuffer, changes_of};
use crate::compact::arrived::{Arrived, ArrivedEvent};
use crate::compact::barrier::Writes;
use crate::compact::delta::{DeltaFields, PendingDelta};
use crate::compact::emit::{write_delta, write_end, write_start};
use crate::compact::open_spans::{ChunkPart, ChunkSpan, Description, OpenSpan, RawChunks};
use crate::replay::ItemKind;
use crate::sequence::{Beginning, Id};

impl RunBuffer {
    pub(super) fn open_chunks(
        &mut self,
        arrived: &Arrived<'_>,
        beginning: &Beginning<'_>,
        fields: &DeltaFields<'_>,
    ) {
        let (kind, id) = (beginning.kind, beginning.id);
        let place = self.next_place(arrived);
        let item = ChunkSpan {
            lane: fields.subagent_run_id.map(Id::from),
            description: match arrived.event {
                ArrivedEvent::Typed(event) => Description::of(event),
                ArrivedEvent::Delta(_) => Description::default(),
            },
            start: self.reserve(kind),
            parts: vec![ChunkPart {
                delta: PendingDelta::of_opener(fields, place),
                slot: None,
            }],
            raw: RawChunks::of(place, arrived.text),
            movable: Vec::new(),
            is_kept: arrived.is_kept,
        };
        let item = OpenSpan::Chunks(Box::new(item));
        self.items.push(arrived.arrival, kind, id, item);
        if self.items.is_shared(kind, id) || arrived.is_kept || !fields.extra.is_empty() {
            self.write_pending(kind, id);
        }
    }

    /// A further chunk, or an explicit delta, of an item that chunks keep open.
    pub(super) fn continue_chunks(
        &mut self,
        arrived: &Arrived<'_>,
        kind: ItemKind,
        id: &str,
        fields: &DeltaFields<'_>,
    ) -> Pushed {
        let is_delta = fields.is_delta();
        let stands_alone = self.items.is_shared(kind, id)
            || arrived.is_kept
            || (is_delta && (self.closes_kept || !fields.extra.is_empty()));
        if stands_alone {
            self.write_pending(kind, id);
            if is_delta {
                self.bar(&Writes::of_progress(kind, id));
            }
        }
        let place = self.next_place(arrived);
        let Some(OpenSpan::Chunks(item)) = self.items.get_mut(kind, id) else {
            return Ok(());
        };
        item.raw.push(place, arrived.text);
        item.is_kept |= arrived.is_kept;
        if let Some(part) = item.pending() {
            part.delta.join(fields, place)?;
        } else if is_delta {
            item.parts.push(ChunkPart {
                delta: PendingDelta::of(fields, place),
                slot: None,
            });
            self.items.note_pending(kind, id);
        }
        if stands_alone {
            self.write_pending(kind, id);
        }
        Ok(())
    }

    /// Ends the pending part of a chunk item, whose delta is written when the item is closed.
    pub(super) fn end_part(&mut self, kind: ItemKind, id: &str) {
        let slot = self.slots.len();
        let Some(OpenSpan::Chunks(item)) = self.items.get_mut(kind, id) else {
            return;
        };
        let Some(part) = item.pending() else {
            return;
        };
        part.slot = Some(slot);
        let delta = part.delta.clone();
        self.items.note_written(kind, id);
        self.reserve(kind);
        if delta.count == 0 {
            return;
        }
        self.say(kind, id, &delta);
        if !delta.has_chunks {
            self.note_movable(None, slot, delta.place);
        }
    }

    /// Ends an item that chunks kept open: it gets START, deltas and END, unless the caller keeps one
    /// of its chunks. It stays as it came, then, and all that would close it stands before it.
    pub(super) fn close(&mut self, kind: ItemKind, id: &str) {
        if let Some(OpenSpan::Chunks(item)) = self.items.get_mut(kind, id)
            && item.is_kept
        {
            let lane = item.lane.clone();
            self.write_lane(lane.as_deref());
        }
        self.bar(&Writes::of_progress(kind, id));
        self.end_part(kind, id);
        let Some(OpenSpan::Chunks(item)) = self.items.remove(kind, id) else {
            return;
        };
        if item.is_kept {
            self.closes_kept = true;
            self.restore(kind, &item);
            return;
        }
        let ChunkSpan {
            lane,
            description,
            start,
            parts,
            ..
        } = *item;
        for (number, part) in parts.into_iter().enumerate() {
            let mut delta = part.delta;
            if number == 0 {
                let text = self
                    .write(|out| write_start(out, kind, id, &description, lane.as_deref(), &delta));
                self.fill(start, text);
            }
            if delta.count == 0 {
                continue;
            }
            if number == 0 || delta.has_chunks {
                delta.timestamp = None;
            }
            // A chunk that names no owner belongs to the lane of the parent agent.
            delta.subagent_run_id = lane.clone().filter(|_| delta.has_chunks);
            let text = self.write(|out| write_delta(out, kind, id, &delta));
            if let Some(slot) = part.slot {
                self.fill(slot, text);
            }
        }
        let text = self.write(|out| write_end(out, kind, id, lane.as_deref()));
        self.place(text, changes_of(kind), false);
    }

    /// Puts an item back as it came, and before it what would close it.
    pub(super) fn restore(&mut self, kind: ItemKind, item: &ChunkSpan) {
        for (slot, place) in &item.movable {
            self.late.push((*place, *slot));
        }
        for (place, text) in item.raw.iter() {
            let text = self.add(text);
            self.place_late(place, text, changes_of(kind), true);
        }
    }
}
