//! A document of a dialect as a canonical one.

use super::loss::{ConversionLoss, Loss};
use super::path::{Origins, Path, Segment, row_pointer};
use super::table::{
    self, Absent, MemberRow, NamePair, ObjectTable, Rest, Rule, Union, ValueShape, Variant,
};
use chatstate_json::{Class, Rejection};
use chatstate_json::{Object, Value, parse};

/// Reads one document; records where everything was if the caller asks for it.
pub(super) struct Reading<'a> {
    pub(super) dialect: &'static str,
    pub(super) origins: Option<&'a mut Origins>,
    /// What the canonical form does not say either.
    pub(super) losses: Vec<Loss>,
    foreign: Path,
    canonical: Path,
}

impl<'a> Reading<'a> {
    pub(super) fn new(dialect: &'static str, origins: Option<&'a mut Origins>) -> Self {
        Self {
            dialect,
            origins,
            losses: Vec::new(),
            foreign: Path::default(),
            canonical: Path::default(),
        }
    }

    pub(super) fn value(&mut self, shape: &ValueShape, value: Value) -> Result<Value, Rejection> {
        if !fits(shape, &value) {
            return Err(wrong_kind(shape, &value));
        }
        if let (ValueShape::Filled, Some(text)) = (shape, value.as_str())
            && text.trim().is_empty()
        {
            return Err(Rejection::schema(
                "pattern",
                "the text is blank; give it content",
            ));
        }
        match (shape, value) {
            (ValueShape::Name(names), Value::String(name)) => known_name(names, name),
            (ValueShape::Checked(check), value) if !(check.holds)(&value) => {
                let message = format!("expected {}", check.words);
                Err(Rejection::schema("pattern", message))
            }
            (ValueShape::Wrapped(member, shape), Value::Object(object)) => {
                self.wrapped(member, shape, object)
            }
            (ValueShape::Each(shape), Value::Array(items)) => self.each(shape, items),
            (ValueShape::Single(shape), value) => {
                self.enter(Segment::Row(""), Segment::Item(0));
                let item = self.value(shape, value);
                self.leave();
                Ok(vec![item?].into())
            }
            (ValueShape::Of(table), Value::Object(object)) => {
                self.object(table, object).map(Value::Object)
            }
            (ValueShape::Whole(table), value) => {
                let object = [("@", value)].into_iter().collect();
                self.object(table, object).map(Value::Object)
            }
            (ValueShape::OneOf(union), Value::Object(object)) => {
                self.one_of(union, object).map(Value::Object)
            }
            (ValueShape::Opaque(opaque), value) if (opaque.has_messages)(&value) => {
                let why = format!(
                    "only the agent of the channel reads its state; the messages in it stay those of `{}`",
                    self.dialect
                );
                self.lose(ConversionLoss::Form, why);
                Ok(value)
            }
            (_, value) => Ok(value),
        }
    }

    /// Notes a loss at the place at hand.
    fn lose(&mut self, class: ConversionLoss, why: String) {
        let at = self.foreign.pointer();
        self.losses.push(Loss { class, at, why });
    }

    fn each(&mut self, shape: &ValueShape, items: Vec<Value>) -> Result<Value, Rejection> {
        let mut read = Vec::with_capacity(items.len());
        for (index, item) in items.into_iter().enumerate() {
            self.enter(Segment::Item(index), Segment::Item(index));
            let item = self.value(shape, item);
            self.leave();
            read.push(item.map_err(|it| it.within(index))?);
        }
        Ok(Value::Array(read))
    }

    fn wrapped(
        &mut self,
        member: &'static str,
        shape: &ValueShape,
        mut object: Object,
    ) -> Result<Value, Rejection> {
        self.capitalise(&[member], &mut object);
        let Some((_, value)) = object.remove(member) else {
            return Err(missing(member));
        };
        if let Some(other) = object.keys().next() {
            let message = format!("`{other}` is not known beside `{member}`; take it out");
            return Err(Rejection::schema("additionalProperties", message).within(other));
        }
        self.value(shape, value).map_err(|it| it.within(member))
    }

    fn one_of(&mut self, union: &Union, mut object: Object) -> Result<Object, Rejection> {
        let tag = match object.get(union.tag) {
            Some(Value::String(tag)) => tag.clone(),
            None if let Some(variant) = union.variant_of(&object) => {
                return self.tagged(variant, object);
            }
            Some(other) => {
                return Err(wrong_kind(&ValueShape::Text, other).within(union.tag));
            }
            None => return Err(missing(union.tag)),
        };
        let Some(variant) = union.variant_of(&object) else {
            if union.closed {
                let message = format!("there is no {} `{tag}`", union.name);
                return Err(Rejection::schema("enum", message).within(union.tag));
            }
            return Ok(self.unknown(union, &tag, object));
        };
        object.remove(union.tag);
        self.enter(Segment::Row(union.tag), Segment::Row("type"));
        self.leave();
        self.tagged(variant, object)
    }

    /// Reads an object whose tag is known.
    fn tagged(&mut self, variant: &Variant, object: Object) -> Result<Object, Rejection> {
        let mut read = self.object(variant.table, object)?;
        read.insert_at(0, "type", variant.canonical.into());
        Ok(read)
    }

    /// Gives members the names of the table whose first letter is small. An object that has a name as
    /// the table has it is left as it is.
    fn capitalise(&self, names: &[&'static str], object: &mut Object) {
        let camel_case = super::dialect(self.dialect).is_some_and(|it| it.reads_camel_case);
        if camel_case {
            table::capitalise(names, object);
        }
    }

    /// An object of a type that the table does not know, whole.
    fn unknown(&mut self, union: &Union, tag: &str, object: Object) -> Object {
        let is_taken = union.canonical_variant(tag).is_some();
        let name = if is_taken {
            format!("{}:{tag}", self.dialect)
        } else {
            tag.to_owned()
        };
        let mut read = Object::new();
        read.insert("type", name);
        self.keep(&mut read, object);
        read
    }

    /// Reads an object by its table.
    fn object(
        &mut self,
        table: &'static ObjectTable,
        mut foreign: Object,
    ) -> Result<Object, Rejection> {
        self.capitalise(&table.names(), &mut foreign);
        if let Some(rewrite) = table.rewrite {
            (rewrite.read)(&mut foreign)?;
        }
        let mut canonical = Object::new();
        for row in table.rows {
            self.row(row, table, &mut foreign, &mut canonical)?;
        }
        match table.rest {
            Rest::Ext => self.keep(&mut canonical, foreign),
            Rest::Same => self.same(&mut canonical, foreign)?,
        }
        Ok(canonical)
    }

    fn row(
        &mut self,
        row: &MemberRow,
        table: &ObjectTable,
        foreign: &mut Object,
        canonical: &mut Object,
    ) -> Result<(), Rejection> {
        match &row.rule {
            Rule::Value { foreign: name, .. } => {
                if is_elsewhere(row, table, foreign) {
                    return Ok(());
                }
                self.mapped(row, foreign, canonical)
                    .map_err(|it| within(it, name))
            }
            Rule::Constant(name, json) => check_constant(foreign, name, json),
            Rule::Implied(name, json) => {
                put(canonical, name, parse(json)?);
                Ok(())
            }
            Rule::Derived(name, from) => {
                if foreign
                    .get(name)
                    .is_some_and(|it| from(foreign).as_ref() == Some(it))
                {
                    foreign.remove(name);
                }
                Ok(())
            }
            Rule::Lost(_) | Rule::Dropped(_) => Ok(()),
        }
    }

    fn mapped(
        &mut self,
        row: &MemberRow,
        foreign: &mut Object,
        canonical: &mut Object,
    ) -> Result<(), Rejection> {
        let Rule::Value {
            foreign: name,
            canonical: place,
            shape,
            absent,
            nullable,
            ..
        } = &row.rule
        else {
            return Ok(());
        };
        let value = match foreign.remove(name) {
            Some((_, Value::Null)) if !nullable => None,
            other => other.map(|(_, value)| value),
        };
        let value = match (value, absent) {
            (None, Absent::Rejected | Absent::Unset(_)) => return Err(missing_here(name)),
            (Some(value), Absent::Unset(json)) if is_unset(shape, &value) => {
                self.enter(Segment::Row(name), Segment::Row(place));
                let why =
                    format!("the value was never set; `{json}` is read, and the SDK rejects it");
                self.lose(ConversionLoss::MadeUp, why);
                self.leave();
                Some(parse(json)?)
            }
            (None, Absent::Means(json) | Absent::Reads(json)) => Some(parse(json)?),
            (None, _) => None,
            (Some(value), Absent::Written(json) | Absent::Default(json))
                if value == parse(json)? =>
            {
                None
            }
            (Some(value), _) => {
                self.enter(Segment::Row(name), Segment::Row(place));
                let shape = match shape {
                    ValueShape::Chosen(choice) => {
                        choice.of(canonical.get(choice.canonical), &value)
                    }
                    shape => shape,
                };
                let value = match value {
                    Value::Null => Ok(value),
                    value => self.value(shape, value),
                };
                self.leave();
                Some(value?)
            }
        };
        if let Some(value) = value {
            put(canonical, place, value);
        }
        Ok(())
    }

    /// Keeps members verbatim in `ext`.
    fn keep(&mut self, canonical: &mut Object, foreign: Object) {
        if foreign.is_empty() {
            return;
        }
        for name in foreign.keys() {
            let path = format!(
                "ext/{}/{}",
                self.dialect,
                chatstate_json::pointer::escape(name)
            );
            let kept = format!("{}/{path}", self.canonical.pointer());
            let place = self.foreign.pointer_to(&Segment::Member(name.clone()));
            if let Some(origins) = &mut self.origins {
                origins.note(kept, place);
            }
        }
        let ext = [(self.dialect, foreign)].into_iter().collect::<Object>();
        canonical.insert("ext", ext);
    }

    /// Keeps members under their own names.
    fn same(&mut self, canonical: &mut Object, foreign: Object) -> Result<(), Rejection> {
        for (name, value) in foreign {
            if canonical.contains_key(&name) {
                let message = format!(
                    "`{name}` is also what another member is called in the canonical form; rename one of them"
                );
                let rejection = Rejection::new(Class::Semantic, "convert.two-values", message);
                return Err(rejection.within(name));
            }
            self.enter(Segment::Member(name.clone()), Segment::Member(name.clone()));
            self.leave();
            canonical.insert(name, value);
        }
        Ok(())
    }

    fn enter(&mut self, foreign: Segment, canonical: Segment) {
        self.foreign.enter(foreign);
        self.canonical.enter(canonical);
        if let Some(origins) = &mut self.origins {
            origins.note(self.canonical.pointer(), self.foreign.pointer());
        }
    }

    fn leave(&mut self) {
        self.foreign.leave();
        self.canonical.leave();
    }
}

/// Whether another row of the same member is the one for what is there: the first that takes the
/// kind of the value, or the first of all.
fn is_elsewhere(row: &MemberRow, table: &ObjectTable, foreign: &Object) -> bool {
    let Rule::Value { foreign: name, .. } = &row.rule else {
        return false;
    };
    let value = foreign.get(name);
    let same =
        |other: &&MemberRow| matches!(&other.rule, Rule::Value { foreign, .. } if foreign == name);
    let accepts = |other: &&MemberRow| match (&other.rule, value) {
        (Rule::Value { nullable, .. }, Some(Value::Null)) => *nullable,
        (Rule::Value { shape, .. }, Some(value)) => fits(shape, value),
        _ => false,
    };
    let mut rows = table.rows.iter().filter(same);
    let chosen = rows.clone().find(accepts).or_else(|| rows.next());
    chosen.is_some_and(|chosen| !std::ptr::eq(chosen, row))
}

/// Whether a value is what the dialect writes for one that was never set.
fn is_unset(shape: &ValueShape, value: &Value) -> bool {
    let members = value.as_object().filter(|it| it.len() == 1);
    let ValueShape::Wrapped(member, _) = shape else {
        return false;
    };
    members.is_some_and(|it| {
        let mut members = it.iter();
        members.any(|(name, value)| name.eq_ignore_ascii_case(member) && *value == Value::Null)
    })
}

fn check_constant(foreign: &mut Object, name: &str, json: &str) -> Result<(), Rejection> {
    match foreign.remove(name) {
        Some((_, value)) if value != parse(json)? => {
            let message = format!("`{name}` is always `{json}` here, found {}", shown(&value));
            Err(Rejection::schema("const", message).within(name))
        }
        _ => Ok(()),
    }
}

fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => format!("`{text}`"),
        other => other.kind().to_owned(),
    }
}

/// Puts a value where a path of names leads.
fn put(object: &mut Object, place: &str, value: Value) {
    match place.split_once('/') {
        None => drop(object.insert(place, value)),
        Some((name, rest)) => {
            if !matches!(object.get(name), Some(Value::Object(_))) {
                object.insert(name, Object::new());
            }
            if let Some(Value::Object(inner)) = object.get_mut(name) {
                put(inner, rest, value);
            }
        }
    }
}

/// Whether a value is of the kind that a shape takes.
pub(super) fn fits(shape: &ValueShape, value: &Value) -> bool {
    match shape {
        ValueShape::Any | ValueShape::Chosen(_) | ValueShape::Opaque(_) => true,
        ValueShape::Whole(table) => table.rows.iter().any(
            |row| matches!(&row.rule, Rule::Value { foreign: "@", shape, .. } if fits(shape, value)),
        ),
        ValueShape::Text | ValueShape::Filled | ValueShape::TextOf | ValueShape::Name(_) => {
            matches!(value, Value::String(_))
        }
        ValueShape::Checked(check) => fits(&check.shape, value),
        ValueShape::Single(shape) => fits(shape, value),
        ValueShape::Flag => matches!(value, Value::Bool(_)),
        ValueShape::Integer => matches!(value, Value::Number(number) if number.is_integer()),
        ValueShape::Array | ValueShape::Each(_) => matches!(value, Value::Array(_)),
        ValueShape::Object | ValueShape::Wrapped(..) | ValueShape::Of(_) | ValueShape::OneOf(_) => {
            matches!(value, Value::Object(_))
        }
        ValueShape::ParsedObject => false,
    }
}

/// The kind that a shape takes, for messages.
pub(super) fn kind_of(shape: &ValueShape) -> &'static str {
    match shape {
        ValueShape::Any | ValueShape::Chosen(_) | ValueShape::Opaque(_) => "any value",
        ValueShape::Whole(table) => table.name,
        ValueShape::Text
        | ValueShape::Filled
        | ValueShape::TextOf
        | ValueShape::Name(_)
        | ValueShape::ParsedObject => "a string",
        ValueShape::Checked(check) => kind_of(&check.shape),
        ValueShape::Single(shape) => kind_of(shape),
        ValueShape::Flag => "true or false",
        ValueShape::Integer => "an integer",
        ValueShape::Array | ValueShape::Each(_) => "an array",
        ValueShape::Object | ValueShape::Wrapped(..) | ValueShape::Of(_) | ValueShape::OneOf(_) => {
            "an object"
        }
    }
}

fn known_name(names: &NamePair, name: String) -> Result<Value, Rejection> {
    if let Some((_, canonical)) = names.pair(&name) {
        return Ok((*canonical).into());
    }
    if names.open {
        return Ok(name.into());
    }
    let known: Vec<_> = names
        .pairs
        .iter()
        .map(|(foreign, _)| format!("`{foreign}`"))
        .collect();
    let message = format!("`{name}` is none of {}", known.join(", "));
    Err(Rejection::schema("enum", message))
}

fn wrong_kind(shape: &ValueShape, value: &Value) -> Rejection {
    let message = format!("expected {}, found {}", kind_of(shape), value.kind());
    Rejection::schema("type", message)
}

fn missing(name: &str) -> Rejection {
    missing_here(name).within(name)
}

fn missing_here(name: &str) -> Rejection {
    Rejection::schema("required", format!("`{name}` is missing; add it"))
}

/// The same rejection, seen from the object whose row names the place.
fn within(mut rejection: Rejection, name: &str) -> Rejection {
    rejection.at.insert_str(0, &row_pointer(name));
    rejection
}
