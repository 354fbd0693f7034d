//! The annotations as they are written, with their places.

use indexmap::IndexMap;

use super::check::{check, resolved};
use super::written::written;
use super::{
    Closes, Does, EventAction, EventItem, EventMember, EventRole, ItemIdentity, MemberKind,
    ReplayedPart, Roles, WrittenTargets,
};
use crate::node::{Node, listed};
use crate::{DefinitionKind, IrError, NamedDefinition, Type, UnionDefinition};

/// The annotation of an event.
const EVENT: &str = "x-event";

/// The annotation at the top of a file, with what events are about.
const ITEMS: &str = "x-items";

const MEMBERS_OF_ITEMS: [&str; 4] = ["description", "key", "changes", "owners"];

const MEMBERS_OF_EVENTS: [&str; 9] = [
    "does", "item", "id", "owner", "parent", "closes", "text", "patch", "opens",
];

/// An event with its annotation.
pub(super) struct Annotated<'a> {
    pub node: Node<'a>,
    pub role: EventRole,
}

/// Reads the roles of the events of a file, if it says what events are about. Files that do not
/// are of a foreign schema, whose annotations mean nothing here.
///
/// `definitions` has the definitions of the file by their names in the model.
pub(crate) fn read<'a>(
    root: &Node<'a>,
    places: &[(&str, Node<'a>)],
    definitions: &IndexMap<String, NamedDefinition>,
) -> Result<Option<Roles>, IrError> {
    let Some(listed) = root.get(ITEMS) else {
        return Ok(None);
    };
    let items: Vec<EventItem> = listed
        .members()?
        .iter()
        .map(|(name, node)| item(name, node))
        .collect::<Result<_, _>>()?;
    let annotated: IndexMap<&str, Node<'a>> = places
        .iter()
        .filter_map(|(name, node)| Some((*name, node.get(EVENT)?)))
        .collect();
    let (union, arms) = union_of(root, &annotated, definitions)?;
    if let Some((name, node)) = annotated
        .iter()
        .find(|(name, _)| !arms.arms.iter().any(|arm| arm.definition == **name))
    {
        let message = format!("`{name}` has a role, but it is no arm of `{union}`");
        return Err(node.fail(message, format!("remove it, or add the arm to `{union}`")));
    }
    let mut events = Vec::new();
    for arm in &arms.arms {
        let Some(node) = annotated.get(arm.definition.as_str()) else {
            return Err(no_role(root, places, &arm.definition));
        };
        events.push(Annotated {
            role: event(&arm.tag, &arm.definition, node, definitions)?,
            node: node.clone(),
        });
    }
    let mut roles = Roles {
        union,
        items,
        events: events.iter().map(|event| event.role.clone()).collect(),
    };
    check(&roles, &listed, &events, definitions)?;
    let targets: Vec<_> = events
        .iter()
        .map(|event| written(&event.role, &roles))
        .collect();
    for (event, targets) in roles.events.iter_mut().zip(targets) {
        event.writes = targets;
    }
    Ok(Some(roles))
}

/// The union that the annotated definitions are variants of.
fn union_of<'d>(
    root: &Node<'_>,
    annotated: &IndexMap<&str, Node<'_>>,
    definitions: &'d IndexMap<String, NamedDefinition>,
) -> Result<(String, &'d UnionDefinition), IrError> {
    let unions = definitions.iter().filter_map(|(name, definition)| {
        let DefinitionKind::Union(union) = &definition.kind else {
            return None;
        };
        let mut arms = union.arms.iter();
        let holds = arms.any(|arm| annotated.contains_key(arm.definition.as_str()));
        holds.then_some((name.clone(), union))
    });
    let mut unions = unions.fuse();
    let help = "give the arms of one union of events an `x-event`";
    match (unions.next(), unions.next()) {
        (Some(union), None) => Ok(union),
        (None, _) => Err(root.fail("there are items, but no event has a role", help)),
        (Some((first, _)), Some((second, _))) => {
            let message = format!("events of both `{first}` and `{second}` have roles");
            Err(root.fail(message, help))
        }
    }
}

fn no_role(root: &Node<'_>, places: &[(&str, Node<'_>)], name: &str) -> IrError {
    let place = places.iter().find(|(known, _)| *known == name);
    let node = place.map_or(root, |(_, node)| node);
    let help = "add `x-event` with what it `does`, which may be `none`";
    node.fail(format!("the event `{name}` has no role"), help)
}

fn item(name: &str, node: &Node<'_>) -> Result<EventItem, IrError> {
    only(node, &MEMBERS_OF_ITEMS)?;
    Ok(EventItem {
        name: name.to_owned(),
        doc: node.require("description")?.text()?.to_owned(),
        key: word(
            node,
            "key",
            &[
                ("id", ItemIdentity::Id),
                ("id-and-owner", ItemIdentity::IdAndOwner),
            ],
        )?,
        changes: word(
            node,
            "changes",
            &ReplayedPart::ALL.map(|part| (part.as_str(), part)),
        )?,
        owners: node.optional_text("owners")?,
    })
}

fn event(
    tag: &str,
    definition: &str,
    node: &Node<'_>,
    definitions: &IndexMap<String, NamedDefinition>,
) -> Result<EventRole, IrError> {
    only(node, &MEMBERS_OF_EVENTS)?;
    let text = |name: &str| node.optional_text(name);
    let action = action(node)?;
    Ok(EventRole {
        tag: tag.to_owned(),
        definition: definition.to_owned(),
        closes: closes(node, &action)?,
        action,
        owner: text("owner")?,
        parent: text("parent")?,
        writes: WrittenTargets::Members(Vec::new()),
        members: members(definition, definitions),
    })
}

/// What the event closes. A run begins and ends with nothing open, which need not be said.
fn closes(node: &Node<'_>, action: &EventAction) -> Result<Closes, IrError> {
    let words = [("lane", Closes::Lane), ("all", Closes::All)];
    let said = word(node, "closes", &words)?;
    Ok(match action {
        EventAction::StartRun { .. } | EventAction::EndRun { .. } => Closes::All,
        _ => said.unwrap_or(Closes::Nothing),
    })
}

/// What the event does, with the parts that the word asks for.
fn action(node: &Node<'_>) -> Result<EventAction, IrError> {
    let place = node.require("does")?;
    let words = Does::ALL.map(|does| (does.as_str(), does));
    let does = known_word(&place, "does", &words)?;
    let part = |name: &str| part(node, does, name);
    let optional = |name: &str| node.optional_text(name);
    let action = match does {
        Does::StartRun => EventAction::StartRun {
            item: part("item")?,
            id: part("id")?,
        },
        Does::EndRun => EventAction::EndRun {
            item: part("item")?,
            id: optional("id")?,
        },
        Does::Begin => EventAction::Begin {
            item: part("item")?,
            id: part("id")?,
            opens: texts(node, "opens")?,
        },
        Does::Append => EventAction::Append {
            text: part("text")?,
            item: part("item")?,
            id: part("id")?,
        },
        Does::End => EventAction::End {
            item: part("item")?,
            id: part("id")?,
        },
        Does::Chunk => EventAction::Chunk {
            text: part("text")?,
            item: part("item")?,
            id: part("id")?,
            opens: texts(node, "opens")?,
        },
        Does::Add => EventAction::Add {
            item: part("item")?,
            id: part("id")?,
        },
        Does::Replace => EventAction::Replace {
            item: part("item")?,
            id: optional("id")?,
        },
        Does::Patch => EventAction::Patch {
            patch: part("patch")?,
            item: part("item")?,
            id: optional("id")?,
        },
        Does::Annotate => EventAction::Annotate { id: part("id")? },
        Does::None => EventAction::None,
    };
    Ok(action)
}

/// A part that an event needs for what it does.
fn part(node: &Node<'_>, does: Does, name: &str) -> Result<String, IrError> {
    node.optional_text(name)?.ok_or_else(|| {
        let message = format!("an event that does `{}` needs `{name}`", does.as_str());
        node.fail(message, format!("add `{name}`"))
    })
}

fn texts(node: &Node<'_>, name: &str) -> Result<Vec<String>, IrError> {
    let Some(list) = node.get(name) else {
        return Ok(Vec::new());
    };
    let texts = list.texts()?.into_iter();
    Ok(texts.map(str::to_owned).collect())
}

fn members(name: &str, definitions: &IndexMap<String, NamedDefinition>) -> Vec<EventMember> {
    let object = match definitions.get(name).map(|definition| &definition.kind) {
        Some(DefinitionKind::Object(object)) => Some(object),
        _ => None,
    };
    let members = object.into_iter().flat_map(|object| &object.members);
    let members = members.map(|member| EventMember {
        name: member.name.clone(),
        required: member.required,
        kind: member_kind(&member.ty, definitions),
    });
    members.collect()
}

fn member_kind(ty: &Type, definitions: &IndexMap<String, NamedDefinition>) -> MemberKind {
    match resolved(ty, definitions) {
        Some(Type::Text {
            pattern: None,
            minimum_length: None,
            maximum_length: None,
            ..
        }) => MemberKind::Text,
        Some(Type::SplitText) => MemberKind::SplitText,
        Some(Type::Boolean) => MemberKind::Boolean,
        Some(Type::OpenObject) => MemberKind::Object,
        Some(Type::Any { nullable: true }) => MemberKind::Any,
        _ => MemberKind::Other,
    }
}

/// One of a few words, if the member is there.
fn word<T: Copy>(node: &Node<'_>, name: &str, words: &[(&str, T)]) -> Result<Option<T>, IrError> {
    let place = node.get(name);
    place
        .map(|place| known_word(&place, name, words))
        .transpose()
}

/// The meaning of the word at a place.
fn known_word<T: Copy>(place: &Node<'_>, name: &str, words: &[(&str, T)]) -> Result<T, IrError> {
    let written = place.text()?;
    let known = words.iter().find(|(word, _)| *word == written);
    let meaning = known.map(|(_, meaning)| *meaning);
    let known: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
    meaning.ok_or_else(|| {
        let message = format!("`{written}` is no word for `{name}`");
        place.fail(message, format!("write one of {}", listed(&known)))
    })
}

fn only(node: &Node<'_>, known: &[&str]) -> Result<(), IrError> {
    for (name, place) in node.members()? {
        if !known.contains(&name) {
            let help = format!("remove it; this place takes {}", listed(known));
            return Err(place.fail(format!("`{name}` means nothing here"), help));
        }
    }
    Ok(())
}
