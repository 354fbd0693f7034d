//! A document of a dialect as a canonical one.

use super::path::{Origins, Path, Step, row_pointer};
use super::table::{Absent, Names, Rest, Row, Rule, Shape, Table, Union};
use chatstate_json::{Class, Rejection};
use chatstate_json::{Object, Value, parse};

/// Reads one document; remembers where everything was if somebody wants to know.
pub(super) struct Reading<'a> {
    pub(super) dialect: &'static str,
    pub(super) origins: Option<&'a mut Origins>,
    theirs: Path,
    ours: Path,
}

impl<'a> Reading<'a> {
    pub(super) fn new(dialect: &'static str, origins: Option<&'a mut Origins>) -> Self {
        Self {
            dialect,
            origins,
            theirs: Path::default(),
            ours: Path::default(),
        }
    }

    pub(super) fn value(&mut self, shape: &Shape, value: Value) -> Result<Value, Rejection> {
        if !fits(shape, &value) {
            return Err(wrong_kind(shape, &value));
        }
        if let (Shape::Filled, Some(text)) = (shape, value.as_str())
            && text.trim().is_empty()
        {
            return Err(Rejection::schema(
                "pattern",
                "the text is blank; give it content",
            ));
        }
        match (shape, value) {
            (Shape::Name(names), Value::String(name)) => known_name(names, name),
            (Shape::Wrapped(member, shape), Value::Object(object)) => {
                self.wrapped(member, shape, object)
            }
            (Shape::Each(shape), Value::Array(items)) => self.each(shape, items),
            (Shape::Of(table), Value::Object(object)) => {
                self.object(table, object).map(Value::Object)
            }
            (Shape::Whole(table), value) => {
                let object = [("@", value)].into_iter().collect();
                self.object(table, object).map(Value::Object)
            }
            (Shape::OneOf(union), Value::Object(object)) => {
                self.one_of(union, object).map(Value::Object)
            }
            (_, value) => Ok(value),
        }
    }

    fn each(&mut self, shape: &Shape, items: Vec<Value>) -> Result<Value, Rejection> {
        let mut read = Vec::with_capacity(items.len());
        for (index, item) in items.into_iter().enumerate() {
            self.enter(Step::Item(index), Step::Item(index));
            let item = self.value(shape, item);
            self.leave();
            read.push(item.map_err(|it| it.within(index))?);
        }
        Ok(Value::Array(read))
    }

    fn wrapped(
        &mut self,
        member: &'static str,
        shape: &Shape,
        mut object: Object,
    ) -> Result<Value, Rejection> {
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
            Some(other) => {
                return Err(wrong_kind(&Shape::Text, other).within(union.tag));
            }
            None => return Err(missing(union.tag)),
        };
        let Some(variant) = union.variants.iter().find(|it| it.theirs == tag) else {
            return Ok(self.unknown(union, &tag, object));
        };
        object.remove(union.tag);
        self.enter(Step::Row(union.tag), Step::Row("type"));
        self.leave();
        let mut read = self.object(variant.table, object)?;
        read.insert_at(0, "type", variant.ours.into());
        Ok(read)
    }

    /// An object of a type that the table does not know, whole.
    fn unknown(&mut self, union: &Union, tag: &str, object: Object) -> Object {
        let is_taken = union.variants.iter().any(|it| it.ours == tag);
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
    fn object(&mut self, table: &'static Table, mut theirs: Object) -> Result<Object, Rejection> {
        if let Some(rewrite) = table.rewrite {
            (rewrite.read)(&mut theirs)?;
        }
        let mut ours = Object::new();
        for row in table.rows {
            self.row(row, table, &mut theirs, &mut ours)?;
        }
        match table.rest {
            Rest::Ext => self.keep(&mut ours, theirs),
            Rest::Same => self.same(&mut ours, theirs)?,
        }
        Ok(ours)
    }

    fn row(
        &mut self,
        row: &Row,
        table: &Table,
        theirs: &mut Object,
        ours: &mut Object,
    ) -> Result<(), Rejection> {
        match &row.rule {
            Rule::Value { theirs: name, .. } => {
                if is_elsewhere(row, table, theirs) {
                    return Ok(());
                }
                self.mapped(row, theirs, ours)
                    .map_err(|it| within(it, name))
            }
            Rule::Constant(name, json) => check_constant(theirs, name, json),
            Rule::Implied(name, json) => {
                put(ours, name, parse(json)?);
                Ok(())
            }
            Rule::Derived(name, from) => {
                if theirs
                    .get(name)
                    .is_some_and(|it| from(theirs).as_ref() == Some(it))
                {
                    theirs.remove(name);
                }
                Ok(())
            }
            Rule::Lost(_) | Rule::Dropped(_) => Ok(()),
        }
    }

    fn mapped(
        &mut self,
        row: &Row,
        theirs: &mut Object,
        ours: &mut Object,
    ) -> Result<(), Rejection> {
        let Rule::Value {
            theirs: name,
            ours: place,
            shape,
            absent,
            nullable,
            ..
        } = &row.rule
        else {
            return Ok(());
        };
        let value = match theirs.remove(name) {
            Some((_, Value::Null)) if !nullable => None,
            other => other.map(|(_, value)| value),
        };
        let value = match (value, absent) {
            (None, Absent::Refused) => return Err(missing_here(name)),
            (None, Absent::Means(json) | Absent::Reads(json)) => Some(parse(json)?),
            (None, _) => None,
            (Some(value), Absent::Written(json)) if value == parse(json)? => None,
            (Some(value), _) => {
                self.enter(Step::Row(name), Step::Row(place));
                let value = match value {
                    Value::Null => Ok(value),
                    value => self.value(shape, value),
                };
                self.leave();
                Some(value?)
            }
        };
        if let Some(value) = value {
            put(ours, place, value);
        }
        Ok(())
    }

    /// Keeps members verbatim in `ext`.
    fn keep(&mut self, ours: &mut Object, theirs: Object) {
        if theirs.is_empty() {
            return;
        }
        for name in theirs.keys() {
            let path = format!(
                "ext/{}/{}",
                self.dialect,
                chatstate_json::pointer::escape(name)
            );
            let kept = format!("{}/{path}", self.ours.pointer());
            let place = self.theirs.pointer_to(&Step::Member(name.clone()));
            if let Some(origins) = &mut self.origins {
                origins.note(kept, place);
            }
        }
        let ext = [(self.dialect, theirs)].into_iter().collect::<Object>();
        ours.insert("ext", ext);
    }

    /// Keeps members under their own names.
    fn same(&mut self, ours: &mut Object, theirs: Object) -> Result<(), Rejection> {
        for (name, value) in theirs {
            if ours.contains_key(&name) {
                let message = format!(
                    "`{name}` is also what another member is called in the canonical form; rename one of them"
                );
                let rejection = Rejection::new(Class::Semantic, "convert.two-values", message);
                return Err(rejection.within(name));
            }
            self.enter(Step::Member(name.clone()), Step::Member(name.clone()));
            self.leave();
            ours.insert(name, value);
        }
        Ok(())
    }

    fn enter(&mut self, theirs: Step, ours: Step) {
        self.theirs.enter(theirs);
        self.ours.enter(ours);
        if let Some(origins) = &mut self.origins {
            origins.note(self.ours.pointer(), self.theirs.pointer());
        }
    }

    fn leave(&mut self) {
        self.theirs.leave();
        self.ours.leave();
    }
}

/// Whether another row of the same member is the one for what is there: the first that takes the
/// kind of the value, or the first of all.
fn is_elsewhere(row: &Row, table: &Table, theirs: &Object) -> bool {
    let Rule::Value { theirs: name, .. } = &row.rule else {
        return false;
    };
    let value = theirs.get(name);
    let same = |other: &&Row| matches!(&other.rule, Rule::Value { theirs, .. } if theirs == name);
    let accepts = |other: &&Row| match (&other.rule, value) {
        (Rule::Value { nullable, .. }, Some(Value::Null)) => *nullable,
        (Rule::Value { shape, .. }, Some(value)) => fits(shape, value),
        _ => false,
    };
    let mut rows = table.rows.iter().filter(same);
    let chosen = rows.clone().find(accepts).or_else(|| rows.next());
    chosen.is_some_and(|chosen| !std::ptr::eq(chosen, row))
}

fn check_constant(theirs: &mut Object, name: &str, json: &str) -> Result<(), Rejection> {
    match theirs.remove(name) {
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
pub(super) fn fits(shape: &Shape, value: &Value) -> bool {
    match shape {
        Shape::Any => true,
        Shape::Whole(table) => table.rows.iter().any(
            |row| matches!(&row.rule, Rule::Value { theirs: "@", shape, .. } if fits(shape, value)),
        ),
        Shape::Text | Shape::Filled | Shape::TextOf | Shape::Name(_) => {
            matches!(value, Value::String(_))
        }
        Shape::Flag => matches!(value, Value::Bool(_)),
        Shape::Integer => matches!(value, Value::Number(number) if number.is_integer()),
        Shape::Array | Shape::Each(_) => matches!(value, Value::Array(_)),
        Shape::Object | Shape::Wrapped(..) | Shape::Of(_) | Shape::OneOf(_) => {
            matches!(value, Value::Object(_))
        }
        Shape::ParsedObject => false,
    }
}

/// The kind that a shape takes, for messages.
pub(super) fn kind_of(shape: &Shape) -> &'static str {
    match shape {
        Shape::Any => "any value",
        Shape::Whole(table) => table.name,
        Shape::Text | Shape::Filled | Shape::TextOf | Shape::Name(_) | Shape::ParsedObject => {
            "a string"
        }
        Shape::Flag => "true or false",
        Shape::Integer => "an integer",
        Shape::Array | Shape::Each(_) => "an array",
        Shape::Object | Shape::Wrapped(..) | Shape::Of(_) | Shape::OneOf(_) => "an object",
    }
}

fn known_name(names: &Names, name: String) -> Result<Value, Rejection> {
    if let Some((_, ours)) = names.pairs.iter().find(|(theirs, _)| *theirs == name) {
        return Ok((*ours).into());
    }
    if names.open {
        return Ok(name.into());
    }
    let known: Vec<_> = names
        .pairs
        .iter()
        .map(|(theirs, _)| format!("`{theirs}`"))
        .collect();
    let message = format!("`{name}` is none of {}", known.join(", "));
    Err(Rejection::schema("enum", message))
}

fn wrong_kind(shape: &Shape, value: &Value) -> Rejection {
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
