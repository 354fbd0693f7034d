//! Reads the requirements of SPEC.md.
//!
//! A requirement is one paragraph that begins with `**[area.slug]**` and holds exactly one keyword
//! in capitals. The keyword is the severity.

use std::collections::HashMap;
use std::fmt;

use chatstate_types::generated::roles::ItemKind;

use crate::load::is_slug;
use crate::problem::{LintProblem, Problems};

/// The specification that is compiled in.
pub const SPECIFICATION: &str = include_str!("../../../SPEC.md");

const FILE: &str = "SPEC.md";

/// How binding a requirement is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum RequirementLevel {
    /// Breaking it fails.
    Must,
    /// Breaking it warns.
    Should,
    /// It is a freedom.
    May,
}

impl RequirementLevel {
    /// The level's keyword.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Must => "MUST",
            Self::Should => "SHOULD",
            Self::May => "MAY",
        }
    }
}

impl fmt::Display for RequirementLevel {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// One normative sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Requirement {
    /// The id, `area.slug`.
    pub id: String,
    /// The keyword as it is in the text: `MUST`, `MUST NOT`, `SHOULD`, `SHOULD NOT`, `MAY`.
    pub keyword: &'static str,
    /// How binding it is.
    pub level: RequirementLevel,
    /// The paragraph without its id, on one line.
    pub text: String,
    /// The line of SPEC.md that the paragraph begins on, from 1.
    pub line: usize,
}

const KEYWORDS: [(&str, RequirementLevel); 5] = [
    ("MUST NOT", RequirementLevel::Must),
    ("MUST", RequirementLevel::Must),
    ("SHOULD NOT", RequirementLevel::Should),
    ("SHOULD", RequirementLevel::Should),
    ("MAY", RequirementLevel::May),
];

/// Reads the requirements of the specification that is compiled in.
///
/// # Errors
///
/// When it breaks the rules of [`parse`], which is a fault of the build and not of its user.
pub fn embedded() -> Result<Vec<Requirement>, Problems> {
    parse(SPECIFICATION)
}

/// Reads the requirements of a specification, in the order of the text.
///
/// # Errors
///
/// When an id is malformed or there twice, or a requirement has no keyword or more than one.
pub fn parse(text: &str) -> Result<Vec<Requirement>, Problems> {
    let (mut requirements, mut problems) = (Vec::new(), Vec::new());
    for (line, paragraph) in paragraphs(text) {
        match requirement(line, &paragraph) {
            Some(Ok(requirement)) => requirements.push(requirement),
            Some(Err(problem)) => problems.push(problem),
            None => {}
        }
    }
    problems.extend(duplicates(&requirements));
    if problems.is_empty() {
        Ok(requirements)
    } else {
        Err(Problems(problems))
    }
}

/// The paragraphs that explain a requirement of the specification that is compiled in: those that
/// follow it, up to the next requirement, heading, table, list or code.
#[must_use]
pub fn remarks(requirement: &Requirement) -> Vec<String> {
    let after = paragraphs(SPECIFICATION).into_iter();
    let after = after.skip_while(|(line, _)| *line <= requirement.line);
    let is_prose =
        |text: &String| text.starts_with(|first: char| first.is_alphabetic() || first == '`');
    let remarks = after.map(|(_, text)| text).take_while(is_prose);
    remarks.collect()
}

/// When a rule applies that a table of the specification has: of a rejection, with its class, or of a
/// warning of `verify`, without.
#[must_use]
pub fn rule(name: &str) -> Option<(Option<&'static str>, &'static str)> {
    let name = format!("`{name}`");
    SPECIFICATION.lines().find_map(|line| {
        let row = line.strip_prefix("| ")?.strip_suffix('|')?;
        let cells: Vec<&str> = row.split(" | ").map(str::trim).collect();
        match cells.as_slice() {
            [class, rule, when] if *rule == name => Some((Some(class.trim_matches('`')), *when)),
            [rule, when, _] if *rule == name => Some((None, *when)),
            _ => None,
        }
    })
}

/// The requirement whose sentence names a rule, such as `run.after-finish`, or `text.not-open` where it
/// says `KIND.not-open`.
#[must_use]
pub fn requirement_of_rule<'r>(
    name: &str,
    requirements: &'r [Requirement],
) -> Option<&'r Requirement> {
    let naming = |rule: &str| {
        let rule = format!("rule `{rule}`");
        requirements.iter().find(|it| it.text.contains(&rule))
    };
    naming(name).or_else(|| {
        let (kind, rest) = name.split_once('.')?;
        let is_kind = ItemKind::ALL.iter().any(|it| it.as_str() == kind);
        is_kind.then(|| naming(&format!("KIND.{rest}")))?
    })
}

/// Splits the text at blank lines and requirement heads; what is fenced as code is left out.
fn paragraphs(text: &str) -> Vec<(usize, String)> {
    let mut paragraphs: Vec<(usize, String)> = Vec::new();
    let (mut fenced, mut open) = (false, false);
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        let fence = line.starts_with("```");
        fenced ^= fence;
        if fence || fenced || line.is_empty() {
            open = false;
            continue;
        }
        match paragraphs.last_mut() {
            Some((_, paragraph)) if open && !line.contains("**[") => {
                paragraph.push(' ');
                paragraph.push_str(line);
            }
            _ => paragraphs.push((index + 1, line.to_owned())),
        }
        open = true;
    }
    paragraphs
}

fn requirement(line: usize, paragraph: &str) -> Option<Result<Requirement, LintProblem>> {
    let start = paragraph.find("**[")?;
    let (id, rest) = paragraph[start + 3..].split_once("]**")?;
    let problem =
        |message: String, help: &str| Err(LintProblem::new(FILE, message, help).at_line(line));
    if start != 0 {
        let message = format!("`{id}` is inside a paragraph");
        return Some(problem(message, "begin a paragraph of its own with it"));
    }
    if !is_id(id) {
        let message = format!("`{id}` is not the id of a requirement");
        let help = "write `area.slug` in lower-case letters, digits and `-`";
        return Some(problem(message, help));
    }
    Some(match keywords(rest).as_slice() {
        [(keyword, level)] => Ok(Requirement {
            id: id.to_owned(),
            keyword,
            level: *level,
            text: rest.trim().to_owned(),
            line,
        }),
        [] => problem(
            format!("`{id}` has no keyword"),
            "write one of MUST, MUST NOT, SHOULD, SHOULD NOT, MAY in capitals",
        ),
        several => problem(
            format!("`{id}` has {} keywords", several.len()),
            "make one requirement of each sentence that binds",
        ),
    })
}

fn is_id(text: &str) -> bool {
    text.split_once('.')
        .is_some_and(|(area, slug)| is_slug(area) && is_slug(slug))
}

/// Finds the keywords in a sentence, outside of code spans.
fn keywords(sentence: &str) -> Vec<(&'static str, RequirementLevel)> {
    let prose: Vec<&str> = sentence.split('`').step_by(2).collect();
    let prose = prose.join(" code ");
    let words: Vec<&str> = prose
        .split(|character: char| !character.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let mut found = Vec::new();
    let mut rest = words.as_slice();
    while let Some((_, tail)) = rest.split_first() {
        let hit = KEYWORDS.into_iter().find(|(keyword, _)| {
            let mut parts = keyword.split(' ').enumerate();
            parts.all(|(index, part)| rest.get(index) == Some(&part))
        });
        let length = hit.map_or(1, |(keyword, _)| keyword.split(' ').count());
        found.extend(hit);
        rest = if length > 1 {
            &tail[length - 1..]
        } else {
            tail
        };
    }
    found
}

fn duplicates(requirements: &[Requirement]) -> Vec<LintProblem> {
    let mut first: HashMap<&str, usize> = HashMap::new();
    let mut problems = Vec::new();
    for requirement in requirements {
        let line = *first.entry(&requirement.id).or_insert(requirement.line);
        if line != requirement.line {
            let message = format!("`{}` is already on line {line}", requirement.id);
            let help = "ids are never reused; give this requirement its own";
            problems.push(LintProblem::new(FILE, message, help).at_line(requirement.line));
        }
    }
    problems
}
