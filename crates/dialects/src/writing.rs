//! A canonical document as one of a dialect, and what is lost on the way.

mod extension;

use super::canonical;
use super::loss::{ConversionLoss, Loss};
use super::path::{Path, Segment};
use super::reading::{fits, kind_of};
use super::table::{Absent, MemberRow, NamePair, ObjectTable, Rest, Rule, Union, ValueShape};
use chatstate_json::{Object, Value, parse};

/// A value that the dialect cannot say. What holds it says what becomes of that.
#[derive(Debug)]
pub(super) struct Unsayable {
    pub(super) class: ConversionLoss,
    pub(super) at: String,
    pub(super) why: String,
}

/// Writes one document, and notes what is lost.
pub(super) struct Writing {
    dialect: &'static str,
    canonical: Path,
    pub(super) losses: Vec<Loss>,
}

impl Writing {
    pub(super) fn new(dialect: &'static str) -> Self {
        Self {
            dialect,
            canonical: Path::default(),
            losses: Vec::new(),
        }
    }

    pub(super) fn value(&mut self, shape: &ValueShape, value: Value) -> Result<Value, Unsayable> {
        match (shape, value) {
            (ValueShape::TextOf, value) => Ok(self.text_of(value)),
            (ValueShape::ParsedObject, value) => self.parsed(&value),
            (ValueShape::Opaque(_), value) => Ok(self.opaque(value)),
            (ValueShape::Name(names), Value::String(name)) => self.known_name(names, &name),
            (ValueShape::Wrapped(member, shape), value) => {
                let value = self.value(shape, value)?;
                Ok(Value::Object([(*member, value)].into_iter().collect()))
            }
            (ValueShape::Each(shape), Value::Array(items)) => Ok(self.each(shape, items)),
            (ValueShape::Single(shape), Value::Array(mut items)) if items.len() == 1 => {
                self.canonical.enter(Segment::Item(0));
                let item = self.value(shape, items.pop().unwrap_or_default());
                self.canonical.leave();
                item
            }
            (ValueShape::Single(_), _) => {
                Err(self.unsayable(format!("`{}` has one item here", self.dialect)))
            }
            (ValueShape::Of(table), Value::Object(object)) => {
                self.object(table, object).map(Value::Object)
            }
            (ValueShape::Whole(table), Value::Object(object)) => self.whole(table, object),
            (ValueShape::Filled, Value::String(text)) if text.trim().is_empty() => {
                Err(self.unsayable(format!("`{}` has no blank text here", self.dialect)))
            }
            (ValueShape::OneOf(union), Value::Object(object)) => {
                self.one_of(union, object).map(Value::Object)
            }
            (ValueShape::Checked(check), value)
                if fits(&check.shape, &value) && !(check.holds)(&value) =>
            {
                Err(self.unsayable(format!("`{}` has {} here", self.dialect, check.words)))
            }
            (shape, value) if fits(shape, &value) => Ok(value),
            (shape, value) => Err(self.wrong_kind(shape, &value)),
        }
    }

    fn wrong_kind(&self, shape: &ValueShape, value: &Value) -> Unsayable {
        let (dialect, kind) = (self.dialect, kind_of(shape));
        self.unsayable(format!("`{dialect}` has {kind} here, not {}", value.kind()))
    }

    fn unsayable(&self, why: String) -> Unsayable {
        Unsayable {
            class: ConversionLoss::Value,
            at: self.canonical.pointer(),
            why,
        }
    }

    fn lose(&mut self, class: ConversionLoss, at: String, why: impl Into<String>) {
        let why = why.into();
        self.losses.push(Loss { class, at, why });
    }

    fn lose_unsayable(&mut self, it: Unsayable, what_then: &str) {
        let why = format!("{}; {what_then}", it.why);
        self.lose(it.class, it.at, why);
    }

    /// Text as it is, and the JSON of what is not text.
    fn text_of(&mut self, value: Value) -> Value {
        if matches!(value, Value::String(_)) {
            return value;
        }
        let why = format!(
            "`{}` has only text here; the value is written as its JSON",
            self.dialect
        );
        self.lose(ConversionLoss::Form, self.canonical.pointer(), why);
        value.to_json().into()
    }

    /// A value that only an agent understands, as it is. The SDK has no number, true or false here.
    fn opaque(&mut self, value: Value) -> Value {
        if matches!(value, Value::Number(_) | Value::Bool(_)) {
            return self.text_of(value);
        }
        if canonical::has_messages(&value) {
            let why = format!(
                "`{}` knows no messages in the state of this channel; they stay in the canonical form",
                self.dialect
            );
            self.lose(ConversionLoss::Form, self.canonical.pointer(), why);
        }
        value
    }

    /// The object that a text holds.
    fn parsed(&mut self, value: &Value) -> Result<Value, Unsayable> {
        match value.as_str().map(parse) {
            Some(Ok(object @ Value::Object(_))) => {
                let why = format!(
                    "`{}` has only an object here; the spelling of the text is not kept",
                    self.dialect
                );
                self.lose(ConversionLoss::Form, self.canonical.pointer(), why);
                Ok(object)
            }
            _ => Err(self.unsayable(format!(
                "`{}` has only an object here, and the text is not one",
                self.dialect
            ))),
        }
    }

    fn known_name(&self, names: &NamePair, name: &str) -> Result<Value, Unsayable> {
        if let Some((foreign, _)) = names.pairs.iter().find(|(_, canonical)| *canonical == name) {
            return Ok((*foreign).into());
        }
        if names.open && names.pair(name).is_none() {
            return Ok(name.into());
        }
        Err(self.unsayable(format!("`{}` has no `{name}` here", self.dialect)))
    }

    /// Writes the member of a canonical object that is the whole value in the dialect.
    fn whole(&mut self, table: &'static ObjectTable, object: Object) -> Result<Value, Unsayable> {
        let mut object = self.object(table, object)?;
        let whole = object.remove("@").map(|(_, value)| value);
        self.canonical.enter(Segment::Row("ext"));
        if !object.is_empty() {
            self.lose_foreign(self.dialect.into(), &Value::Object(object));
        }
        self.canonical.leave();
        Ok(whole.unwrap_or_default())
    }

    /// Writes the items that the dialect can say.
    fn each(&mut self, shape: &ValueShape, items: Vec<Value>) -> Value {
        let mut written = Vec::with_capacity(items.len());
        for (index, item) in items.into_iter().enumerate() {
            self.canonical.enter(Segment::Item(index));
            match self.value(shape, item) {
                Ok(item) => written.push(item),
                Err(it) => self.lose_item(&it),
            }
            self.canonical.leave();
        }
        Value::Array(written)
    }

    /// Leaves out the item at hand. What was noted within it goes with it.
    fn lose_item(&mut self, it: &Unsayable) {
        let at = self.canonical.pointer();
        let inside = format!("{at}/");
        self.losses.retain(|loss| !loss.at.starts_with(&inside));
        let why = format!("{}; the whole item is left out", it.why);
        self.lose(ConversionLoss::Item, at, why);
    }

    fn one_of(&mut self, union: &Union, mut object: Object) -> Result<Object, Unsayable> {
        let tag = object.remove("type").map(|(_, tag)| tag);
        let tag = tag.as_ref().and_then(Value::as_str).unwrap_or_default();
        if let Some(variant) = union.canonical_variant(tag) {
            let mut written = self.object(variant.table, object)?;
            if variant.foreign.is_empty() {
                return Ok(written);
            }
            if let Some(why) = variant.downgrade {
                let at = self.canonical.pointer_to(&Segment::Row("type"));
                self.lose(ConversionLoss::Form, at, why);
            }
            written.insert_at(0, union.tag, variant.foreign.into());
            return Ok(written);
        }
        let kept = self.kept(&mut object);
        if union.closed || kept.get(union.tag).is_none() {
            let why = format!("`{}` has no {} `{tag}`", self.dialect, union.name);
            return Err(self.unsayable(why));
        }
        self.lose_rest(object);
        Ok(kept)
    }

    /// Writes an object by its table.
    fn object(
        &mut self,
        table: &'static ObjectTable,
        mut canonical: Object,
    ) -> Result<Object, Unsayable> {
        let kept = match table.rest {
            Rest::Ext => self.kept(&mut canonical),
            Rest::Same => Object::new(),
        };
        let mut foreign = Object::new();
        for row in table.rows {
            self.row(row, &mut canonical, &mut foreign)?;
        }
        match table.rest {
            Rest::Ext => self.lose_rest(canonical),
            Rest::Same => self.same(&mut foreign, canonical),
        }
        self.rewrite(table, &mut foreign)?;
        self.complete(table, &mut foreign, kept);
        Ok(foreign)
    }

    fn row(
        &mut self,
        row: &MemberRow,
        canonical: &mut Object,
        foreign: &mut Object,
    ) -> Result<(), Unsayable> {
        match &row.rule {
            Rule::Value {
                canonical: place, ..
            } => {
                self.canonical.enter(Segment::Row(place));
                let result = self.mapped(row, canonical, foreign);
                self.canonical.leave();
                return result;
            }
            Rule::Constant(name, json) => drop(foreign.insert(*name, literal(json))),
            Rule::Implied(place, json) => {
                let value = take(canonical, place);
                if value.is_some_and(|value| value != literal(json)) {
                    self.lose_member(place, row);
                }
            }
            Rule::Derived(..) => {}
            Rule::Dropped(place) => drop(take(canonical, place)),
            Rule::Lost(place) => {
                if take(canonical, place).is_some_and(|value| !is_nothing(&value)) {
                    self.lose_member(place, row);
                }
            }
        }
        Ok(())
    }

    fn lose_member(&mut self, place: &'static str, row: &MemberRow) {
        let at = self.canonical.pointer_to(&Segment::Row(place));
        let why = match row.doc {
            "" => format!("`{}` has no place for `{place}`", self.dialect),
            doc => doc.to_owned(),
        };
        self.lose(ConversionLoss::Member, at, why);
    }

    fn mapped(
        &mut self,
        row: &MemberRow,
        canonical: &mut Object,
        foreign: &mut Object,
    ) -> Result<(), Unsayable> {
        let Rule::Value {
            foreign: name,
            canonical: place,
            shape,
            absent,
            nullable,
            instead,
        } = &row.rule
        else {
            return Ok(());
        };
        if foreign.contains_key(name) {
            return Ok(());
        }
        let written = match (take(canonical, place), absent) {
            (None, Absent::Rejected | Absent::Unset(_)) => Err(self.missing(name)),
            (None, Absent::Reads(json)) if !is_nothing(&literal(json)) => {
                let missing = self.missing(name);
                self.lose_unsayable(missing, &format!("`{json}` is written"));
                Ok(Some(literal(json)))
            }
            (None, Absent::Written(json)) => Ok(Some(literal(json))),
            (None, _) => Ok(None),
            (Some(value), Absent::Means(json)) if value == literal(json) => Ok(None),
            (Some(Value::Null), _) if *nullable => Ok(Some(Value::Null)),
            (Some(Value::Null), _) => Err(self.null()),
            (Some(value), _) => {
                let shape = match shape {
                    ValueShape::Chosen(choice) => choice.of(foreign.get(choice.foreign), &value),
                    shape => shape,
                };
                self.value(shape, value).map(Some)
            }
        };
        let standing = match absent {
            Absent::Written(json) => Some(*json),
            _ => None,
        };
        let value = match (written, instead.or(standing)) {
            (Ok(value), _) => value,
            (Err(it), Some(json)) => {
                self.lose_unsayable(it, &format!("`{json}` is written"));
                Some(literal(json))
            }
            (Err(it), None) if matches!(absent, Absent::Rejected | Absent::Unset(_)) => {
                return Err(it);
            }
            (Err(it), None) => {
                self.lose_unsayable(it, "it is left out");
                None
            }
        };
        if let Some(value) = value {
            foreign.insert(*name, value);
        }
        Ok(())
    }

    fn null(&self) -> Unsayable {
        let why = format!("null is the same as nothing in `{}`", self.dialect);
        self.unsayable(why)
    }

    fn missing(&self, name: &str) -> Unsayable {
        Unsayable {
            class: ConversionLoss::MadeUp,
            ..self.unsayable(format!(
                "`{}` needs `{name}`, which is not said",
                self.dialect
            ))
        }
    }

    /// Notes the canonical members that no row names.
    fn lose_rest(&mut self, canonical: Object) {
        for (name, _) in canonical {
            let why = format!("`{}` has no place for `{name}`", self.dialect);
            let at = self.canonical.pointer_to(&Segment::Member(name));
            self.lose(ConversionLoss::Member, at, why);
        }
    }

    /// Keeps members under their own names.
    fn same(&mut self, foreign: &mut Object, canonical: Object) {
        for (name, value) in canonical {
            if foreign.contains_key(&name) {
                let why = format!("another member is called `{name}` in `{}`", self.dialect);
                let at = self.canonical.pointer_to(&Segment::Member(name));
                self.lose(ConversionLoss::Value, at, why);
            } else {
                foreign.insert(name, value);
            }
        }
    }

    fn rewrite(&mut self, table: &ObjectTable, foreign: &mut Object) -> Result<(), Unsayable> {
        let Some(rewrite) = table.rewrite else {
            return Ok(());
        };
        for left in (rewrite.write)(foreign) {
            let at = self
                .canonical
                .pointer_to(&Segment::Row(place_of(table, left.part)));
            if left.class == ConversionLoss::Item {
                let (class, why) = (left.class, left.why.to_owned());
                return Err(Unsayable { class, at, why });
            }
            self.lose(left.class, at, left.why);
        }
        Ok(())
    }
}

/// JSON that a table holds.
fn literal(json: &str) -> Value {
    parse(json).expect("a table holds JSON")
}

fn is_nothing(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Array(items) => items.is_empty(),
        Value::Object(object) => object.is_empty(),
        _ => false,
    }
}

/// Takes the value to which a path of names leads, and the objects that become empty by that.
fn take(object: &mut Object, place: &str) -> Option<Value> {
    let Some((name, rest)) = place.split_once('/') else {
        return object.remove(place).map(|(_, value)| value);
    };
    let Some(Value::Object(inner)) = object.get_mut(name) else {
        return None;
    };
    let value = take(inner, rest);
    if inner.is_empty() {
        object.remove(name);
    }
    value
}

/// Our name for what a row calls `part`.
fn place_of(table: &ObjectTable, part: &str) -> &'static str {
    let mut places = table.rows.iter().filter_map(|row| match &row.rule {
        Rule::Value {
            foreign, canonical, ..
        } if *foreign == part => Some(*canonical),
        _ => None,
    });
    places.next().unwrap_or_default()
}
