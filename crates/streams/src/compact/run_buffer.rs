//! The run in progress: its events as slots, of which some are filled or emptied later.

mod chunks;

use std::ops::Range;

use super::arrived::{Arrived, ArrivedEvent};
use super::barrier::Writes;
use super::compacted_run::{CompactedRun, Placed};
use super::delta::{DeltaFields, PendingDelta, Place};
use super::emit::write_delta;
use super::open_spans::{OpenSpan, OpenSpans};
use super::state_fold::{StateFold, StateOutcome};
use crate::header::EventKind;
use crate::replay::{Carried, Conversation, ItemKind};
use crate::sequence::{Beginning, ItemKey, Opening, Part, Step};
use chatstate_json::Rejection;
use chatstate_json::Value;
use chatstate_types::generated::roles::{ReplayedPart, Subject, Writes as RoleWrites};
use chatstate_types::generated::{Event, StateDeltaEvent, StateSnapshotEvent};

/// How much memory for texts, in bytes, stays from one run or delta to the next.
pub(super) const MOST_KEPT: usize = 1024 * 1024;

type Pushed = Result<(), Rejection>;

/// The compacted events of the run in progress.
#[derive(Default)]
pub(super) struct RunBuffer {
    /// The texts of all events, in the order in which they were known.
    texts: String,
    /// The events in their order, once that is known.
    events: Vec<Placed>,
    /// An empty one is not taken, or not any more.
    slots: Vec<Placed>,
    /// The slots of events that stand elsewhere: before a slot that is not the last.
    late: Vec<(Place, usize)>,
    items: OpenSpans,
    state: StateFold,
    /// What the run's path says up to here.
    pub conversation: Conversation,
    /// Whether the event that is taken has closed an item with a chunk that the caller keeps.
    closes_kept: bool,
    /// The first rejection of a step.
    failed: Option<Rejection>,
}

impl RunBuffer {
    /// Begins the run with an event.
    pub fn begin(&mut self, text: &str, conversation: Conversation, is_kept: bool) {
        self.begin_inside(conversation);
        let text = self.add(text);
        self.place(text, None, is_kept);
    }

    /// Begins with a run whose first event is elsewhere.
    pub fn begin_inside(&mut self, conversation: Conversation) {
        // A large run should not hold its memory until the end of the log.
        let mut texts = std::mem::take(&mut self.texts);
        texts.clear();
        texts.shrink_to(MOST_KEPT);
        *self = Self {
            texts,
            conversation,
            ..Self::default()
        };
        self.conversation.keep_remarks();
    }

    /// Takes a step of the event that has come.
    pub fn step(&mut self, arrived: &Arrived<'_>, step: &Step<'_>) {
        match step {
            Step::Begin(beginning) if is_streamed(beginning.kind) => {
                self.begin_item(arrived, beginning, step);
            }
            Step::Append(part) => self.append(arrived, part, step),
            // A chunk that says nothing leaves nothing, unless the caller keeps it.
            Step::Idle(part) if arrived.is_kept => self.append(arrived, part, step),
            Step::End(part) if is_streamed(part.kind) => self.end_item(arrived, part, step),
            Step::Close(part) => self.close(part.kind, part.id),
            Step::Begin(_) | Step::Idle(_) | Step::End(_) | Step::Left(..) => {}
        }
    }

    /// Takes the event itself, whose steps are taken; the terminal event goes to [`Self::end`].
    pub fn take(&mut self, arrived: &Arrived<'_>, carried: Carried<'_>) -> Pushed {
        if let Some(rejection) = self.failed.take() {
            return Err(rejection);
        }
        self.conversation.take_place(arrived.arrival);
        let taken = match arrived.event {
            ArrivedEvent::Typed(event) if !is_of_item(arrived.header.kind) => match event {
                Event::StateSnapshot(event) => {
                    self.state_snapshot(arrived, event, carried.state);
                    Ok(())
                }
                Event::StateDelta(patch) => self.state_delta(arrived, event, patch),
                _ => self.other(arrived, event, carried),
            },
            _ => Ok(()),
        };
        self.closes_kept = false;
        taken
    }

    /// The run with its terminal event.
    pub fn end(&mut self, arrived: &Arrived<'_>, event: &Event) -> Pushed {
        if let Some(rejection) = self.failed.take() {
            return Err(rejection);
        }
        self.write_all_pending();
        self.write_state();
        let text = self.add(arrived.text);
        self.place(text, None, arrived.is_kept);
        self.conversation.event(event, Carried::default())?;
        self.put_in_order();
        Ok(())
    }

    /// The events of the run that has ended.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        let events = self.events.iter();
        events.map(|event| &self.texts[event.text.clone()])
    }

    /// The run that has ended, to keep.
    pub fn take_run(&mut self) -> CompactedRun {
        CompactedRun {
            texts: std::mem::take(&mut self.texts),
            events: std::mem::take(&mut self.events),
        }
    }

    /// Ends the run, which is not over. What is open goes where it was last.
    pub fn finish(&mut self) {
        let mut items = std::mem::take(&mut self.items);
        for (ItemKey { kind, id, .. }, item) in items.take() {
            match item {
                OpenSpan::Explicit(None) => {}
                OpenSpan::Explicit(Some(delta)) => {
                    let text = self.write(|out| write_delta(out, kind, &id, &delta));
                    self.place_late(delta.place, text, changes_of(kind), false);
                }
                OpenSpan::Chunks(item) => self.restore(kind, &item),
            }
        }
        if let Some(state) = self.state.take() {
            let text = self.write(|out| state.write(out));
            self.place_late(state.place, text, state_changes(), false);
        }
        self.put_in_order();
    }

    /// Puts what is late where it belongs.
    fn put_in_order(&mut self) {
        let mut late = std::mem::take(&mut self.late);
        late.sort_unstable();
        let mut slots = std::mem::take(&mut self.slots);
        let mut events = Vec::with_capacity(slots.len());
        let mut late = late.into_iter().peekable();
        for number in 0..slots.len() {
            while let Some((_, slot)) = late.next_if(|(place, _)| place.slot <= number) {
                events.push(slots[slot].take());
            }
            // A late event has left its slot empty by now.
            events.push(slots[number].take());
        }
        events.retain(|event| !event.text.is_empty());
        self.events = events;
    }

    /// A START, or the chunk that opens an item.
    fn begin_item(&mut self, arrived: &Arrived<'_>, beginning: &Beginning<'_>, step: &Step<'_>) {
        let parent = match beginning.opening {
            Opening::Call { parent, .. } => parent,
            _ => None,
        };
        let (kind, id) = (beginning.kind, beginning.id);
        self.bar(&Writes::of_beginning(kind, id, parent));
        self.apply(arrived, step);
        if let Some(fields) = arrived.delta_fields() {
            self.open_chunks(arrived, beginning, &fields);
        } else {
            let text = self.add(arrived.text);
            self.place(text, arrived.header.kind.role().changes, arrived.is_kept);
            let item = OpenSpan::Explicit(None);
            self.items.push(arrived.arrival, kind, id, item);
        }
    }

    /// A delta event, or a chunk that continues an item. The delta of the chunk that opens an item is
    /// there by now.
    fn append(&mut self, arrived: &Arrived<'_>, part: &Part<'_>, step: &Step<'_>) {
        let Some(fields) = arrived.delta_fields() else {
            return;
        };
        let (kind, id) = (part.kind, part.id);
        let taken = match self.items.get(kind, id) {
            Some((begun, _)) if begun == arrived.arrival => Ok(()),
            Some((_, OpenSpan::Chunks(_))) => self.continue_chunks(arrived, kind, id, &fields),
            Some((_, OpenSpan::Explicit(_))) => self.delta(arrived, part, &fields, step),
            None => Ok(()),
        };
        if let Err(rejection) = taken {
            self.failed.get_or_insert(rejection);
        }
    }

    /// An explicit delta: merged, or alone in its place.
    fn delta(
        &mut self,
        arrived: &Arrived<'_>,
        part: &Part<'_>,
        fields: &DeltaFields<'_>,
        step: &Step<'_>,
    ) -> Pushed {
        let (kind, id) = (part.kind, part.id);
        let stands_alone = arrived.is_kept
            || self.closes_kept
            || !fields.extra.is_empty()
            || self.items.is_shared(kind, id);
        if stands_alone {
            self.write_pending(kind, id);
            self.bar(&Writes::of(arrived.header));
            let text = self.add(arrived.text);
            self.place(text, arrived.header.kind.role().changes, arrived.is_kept);
            self.apply(arrived, step);
            return Ok(());
        }
        let place = self.next_place(arrived);
        match self.items.get_mut(kind, id) {
            Some(OpenSpan::Explicit(Some(delta))) => return delta.join(fields, place),
            Some(OpenSpan::Explicit(none)) => *none = Some(PendingDelta::of(fields, place)),
            _ => {}
        }
        self.items.note_pending(kind, id);
        Ok(())
    }

    fn end_item(&mut self, arrived: &Arrived<'_>, part: &Part<'_>, step: &Step<'_>) {
        self.bar(&Writes::of(arrived.header));
        self.write_pending(part.kind, part.id);
        self.items.remove(part.kind, part.id);
        let text = self.add(arrived.text);
        self.place(text, arrived.header.kind.role().changes, arrived.is_kept);
        self.apply(arrived, step);
    }

    /// Lets the conversation know what a step says.
    fn apply(&mut self, arrived: &Arrived<'_>, step: &Step<'_>) {
        match arrived.event {
            ArrivedEvent::Typed(event) => self.conversation.step(event, step),
            ArrivedEvent::Delta(delta) => self.conversation.step(&delta.event(), step),
        }
    }

    /// An event that is about no item of its own.
    fn other(&mut self, arrived: &Arrived<'_>, event: &Event, carried: Carried<'_>) -> Pushed {
        match arrived.header.kind.role().writes {
            RoleWrites::All => self.write_all_pending(),
            RoleWrites::Members(_) => self.bar(&Writes::of(arrived.header)),
        }
        let text = self.add(arrived.text);
        self.place(text, arrived.header.kind.role().changes, arrived.is_kept);
        self.conversation.event(event, carried)
    }

    fn state_snapshot(&mut self, arrived: &Arrived<'_>, event: &StateSnapshotEvent, state: Value) {
        let place = self.next_place(arrived);
        let is_kept = arrived.is_kept || self.closes_kept;
        if self.conversation.works_out_state() {
            self.conversation.state_said(state.clone());
        }
        let (vanished, outcome) = self
            .state
            .snapshot(arrived.text, event, state, place, is_kept);
        self.vanish(&vanished);
        self.settle_state(arrived, &outcome);
    }

    fn state_delta(
        &mut self,
        arrived: &Arrived<'_>,
        event: &Event,
        patch: &StateDeltaEvent,
    ) -> Pushed {
        let place = self.next_place(arrived);
        let is_kept = arrived.is_kept || self.closes_kept;
        let outcome = self.state.delta(patch, place, is_kept)?;
        self.conversation.event(event, Carried::default())?;
        let failure = self.state.failure.take();
        self.conversation
            .state_folded(&patch.delta, failure.as_ref());
        self.settle_state(arrived, &outcome);
        Ok(())
    }

    /// Writes a state event that is not folded, and what was folded before it.
    fn settle_state(&mut self, arrived: &Arrived<'_>, outcome: &StateOutcome) {
        if matches!(outcome, StateOutcome::Folded) {
            return;
        }
        self.write_state();
        let text = self.add(arrived.text);
        let slot = self.place(text, state_changes(), arrived.is_kept);
        match outcome {
            StateOutcome::Bars => self.state = StateFold::default(),
            _ if !(arrived.is_kept || self.closes_kept) => self.state.standing.push(slot),
            _ => {}
        }
    }

    fn vanish(&mut self, standing: &[usize]) {
        for slot in standing {
            self.slots[*slot].text = 0..0;
        }
    }

    /// Writes the folded state, if there is one.
    fn write_state(&mut self) {
        let Some(state) = self.state.take() else {
            return;
        };
        let text = self.write(|out| state.write(out));
        let slot = self.place(text, state_changes(), false);
        self.note_movable(state.subagent_run_id.as_deref(), slot, state.place);
        self.state.standing.push(slot);
    }

    /// Writes the pending deltas of all other kinds of items with the ids that are written.
    fn bar(&mut self, writes: &Writes<'_>) {
        let kinds = ItemKind::ALL.into_iter().filter(|kind| is_streamed(*kind));
        let mut barred = Vec::new();
        for id in writes.ids.iter().flatten() {
            for kind in kinds.clone().filter(|kind| writes.kind != Some(*kind)) {
                let arrival = self.items.arrival(kind, id);
                barred.extend(arrival.map(|arrival| (arrival, kind, *id)));
            }
        }
        barred.sort_unstable_by_key(|(arrival, ..)| *arrival);
        for (_, kind, id) in barred {
            self.write_pending(kind, id);
        }
    }

    fn write_all_pending(&mut self) {
        for ItemKey { kind, id, .. } in self.items.pending() {
            self.write_pending(kind, &id);
        }
    }

    /// Ends the pending delta of an item: it is here, unless it would close what chunks keep
    /// open since it was last.
    fn write_pending(&mut self, kind: ItemKind, id: &str) {
        let delta = match self.items.get_mut(kind, id) {
            Some(OpenSpan::Explicit(delta)) => delta.take(),
            Some(OpenSpan::Chunks(_)) => return self.end_part(kind, id),
            None => None,
        };
        let Some(delta) = delta else {
            return;
        };
        self.items.note_written(kind, id);
        self.say(kind, id, &delta);
        let text = self.write(|out| write_delta(out, kind, id, &delta));
        let slot = self.place(text, changes_of(kind), false);
        self.note_movable(delta.subagent_run_id.as_deref(), slot, delta.place);
    }

    /// Writes what would close a lane by standing any later: the pending deltas and the folded state.
    fn write_lane(&mut self, lane: Option<&str>) {
        for ItemKey { kind, id, .. } in self.items.pending_in(lane) {
            self.write_pending(kind, &id);
        }
        if self.state.closes(lane) {
            self.write_state();
        }
    }

    /// Notes that what takes a slot closes a lane in which chunks keep an item open. If the item is
    /// not spelled out, it has to stand where it stood before the chunks.
    fn note_movable(&mut self, lane: Option<&str>, slot: usize, place: Place) {
        if let Some(item) = self.items.holder_mut(lane) {
            item.movable.push((slot, place));
        }
    }

    /// Lets the conversation know what a merged delta says.
    fn say(&mut self, kind: ItemKind, id: &str, delta: &PendingDelta) {
        let part = Part {
            kind,
            id,
            subagent_run_id: None,
        };
        let metadata = delta.metadata.as_ref();
        self.conversation
            .continued(&part, Some(&delta.text), metadata);
    }

    fn next_place(&self, arrived: &Arrived<'_>) -> Place {
        Place {
            slot: self.slots.len(),
            arrival: arrived.arrival,
        }
    }

    fn write(&mut self, write: impl FnOnce(&mut String)) -> Range<usize> {
        let start = self.texts.len();
        write(&mut self.texts);
        start..self.texts.len()
    }

    fn add(&mut self, text: &str) -> Range<usize> {
        self.write(|out| out.push_str(text))
    }

    fn place(&mut self, text: Range<usize>, changes: Option<ReplayedPart>, is_kept: bool) -> usize {
        self.slots.push(Placed {
            text,
            changes,
            is_kept,
        });
        self.slots.len() - 1
    }

    fn place_late(
        &mut self,
        place: Place,
        text: Range<usize>,
        changes: Option<ReplayedPart>,
        is_kept: bool,
    ) {
        let slot = self.place(text, changes, is_kept);
        self.late.push((place, slot));
    }

    /// A slot for an event of an item that is filled later, if it is.
    fn reserve(&mut self, kind: ItemKind) -> usize {
        self.place(0..0, changes_of(kind), false)
    }

    fn fill(&mut self, slot: usize, text: Range<usize>) {
        self.slots[slot].text = text;
    }
}

/// Whether an item is streamed into messages.
fn is_streamed(kind: ItemKind) -> bool {
    kind.appends().is_some()
}

/// Whether an event begins, continues or ends an item that is streamed into messages, so that its
/// steps say all.
fn is_of_item(kind: EventKind) -> bool {
    matches!(kind.role().subject, Subject::Item(item) if is_streamed(item))
}

/// What the events of an item change.
fn changes_of(kind: ItemKind) -> Option<ReplayedPart> {
    kind.begins().role().changes
}

/// What events of the state change.
fn state_changes() -> Option<ReplayedPart> {
    EventKind::StateSnapshot.role().changes
}
