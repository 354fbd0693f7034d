//! `chatstate restore`: what comes of a restore.

use std::path::{Path, PathBuf};

use chatstate::Rejection;
use chatstate::json::{Object, Value, parse, visible};
use chatstate_reference::Scenario;

use crate::destination::OutputFile;
use crate::failure::Failure;
use crate::input::InputDocument;
use crate::names::did_you_mean;

/// Restores a saved chat into the chat that a file describes, and prints the participants, the
/// channels and the history as one line of JSON.
pub fn run(target: &Path, file: Option<&PathBuf>, output: &OutputFile) -> Result<u8, Failure> {
    let target = InputDocument::read_file(target)?;
    let scenario = target.text().and_then(|text| {
        let scenario = Scenario::from_json(text)?;
        named(&parse(text)?, &SCENARIO).map(|()| scenario)
    });
    let scenario = scenario.map_err(|rejection| target.rejected(&rejection))?;
    let input = InputDocument::read(file)?;
    let text = input
        .text()
        .map_err(|rejection| input.rejected(&rejection))?;
    let answer = scenario
        .run(text)
        .map_err(|rejection| rejected(&input, &target, rejection))?;
    output.write_json(&answer.to_json(false))?;
    Ok(0)
}

/// Shows a rejection in the file that it is about: the saved chat, or the chat to restore into.
fn rejected(state: &InputDocument, target: &InputDocument, rejection: Rejection) -> Failure {
    match rejection.at.strip_prefix("/state") {
        Some(at) => state.rejected(&Rejection {
            at: at.to_owned(),
            ..rejection
        }),
        None => target.rejected(&rejection),
    }
}

/// The members that a description may have, and what is in them.
struct DescribedMembers {
    members: &'static [(&'static str, Option<&'static DescribedMembers>)],
}

static AGENTS: DescribedMembers = DescribedMembers {
    members: &[
        ("id", None),
        ("name", None),
        ("type", None),
        ("channelkeys", None),
        ("channel", None),
        ("agents", Some(&AGENTS)),
    ],
};

static TARGET: DescribedMembers = DescribedMembers {
    members: &[
        ("agents", Some(&AGENTS)),
        ("history", None),
        ("channels", None),
    ],
};

static SCENARIO: DescribedMembers = DescribedMembers {
    members: &[("target", Some(&TARGET)), ("join", Some(&AGENTS))],
};

/// Rejects a member that is not described: a misspelt `join` would leave out those who join.
fn named(value: &Value, described: &DescribedMembers) -> Result<(), Rejection> {
    if let Value::Array(items) = value {
        let mut items = items.iter().enumerate();
        return items.try_for_each(|(index, item)| {
            named(item, described).map_err(|rejection| rejection.within(index))
        });
    }
    let members = value.as_object().into_iter().flat_map(Object::iter);
    for (name, value) in members {
        let known = described.members.iter().find(|(known, _)| *known == name);
        let Some((_, inner)) = known else {
            let names = described.members.iter().map(|(name, _)| *name);
            let question = did_you_mean(name, names.clone());
            let help = question.unwrap_or_else(|| {
                format!("there are `{}`", names.collect::<Vec<_>>().join("`, `"))
            });
            let message = format!("there is no member `{}` here; {help}", visible(name));
            return Err(Rejection::schema("restore.unknown-member", message).within(name));
        };
        if let Some(inner) = inner {
            named(value, inner).map_err(|rejection| rejection.within(name))?;
        }
    }
    Ok(())
}
