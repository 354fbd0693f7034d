//! Checks what a case may say beyond what its schema says.

mod mutants;
mod vocabulary;

use std::collections::{BTreeMap, HashSet};

use chatstate_json::Rejection;
use chatstate_json::{self as json, Surrogates};
use chatstate_streams::verify::verify;
use chatstate_types::generated::EventStream;
use serde_json::value::RawValue;

use crate::case::{Alternative, Case, Expect, Law, RejectedExpectation};
use crate::corpus::Corpus;
use crate::load::VERSION;
use crate::problem::LintProblem;
use crate::select::backticked;
use crate::specification::Requirement;

pub use vocabulary::{ArgumentValue, OperationArgument, Vocabulary};

/// Checks every case against the requirements and the words it may use. No problem, no entry.
#[must_use]
pub fn lint(
    corpus: &Corpus,
    requirements: &[Requirement],
    vocabulary: &Vocabulary,
) -> Vec<LintProblem> {
    let ids = requirements
        .iter()
        .map(|requirement| requirement.id.as_str());
    let ids: HashSet<&str> = ids.collect();
    let mutants = corpus.mutants().iter();
    let mutants: Vec<String> = mutants.map(|mutant| mutant.id.clone()).collect();
    let mut problems = Vec::new();
    for case in corpus.cases() {
        let mut lint = CaseLint {
            case,
            vocabulary,
            mutants: &mutants,
            problems: &mut problems,
        };
        lint.prose();
        lint.requirements(&ids);
        lint.words();
        lint.request();
        lint.expectation();
    }
    problems.extend(repeated_titles(corpus));
    problems.extend(repeated_names(corpus));
    problems.extend(mutants::lint(corpus, vocabulary));
    problems
}

/// The checks of one case.
struct CaseLint<'a> {
    case: &'a Case,
    vocabulary: &'a Vocabulary,
    mutants: &'a [String],
    problems: &'a mut Vec<LintProblem>,
}

impl CaseLint<'_> {
    fn report(&mut self, pointer: &str, message: impl Into<String>, help: impl Into<String>) {
        let file = format!("corpus/{}", self.case.path());
        let problem = LintProblem::new(&file, message, help);
        self.problems.push(problem.at_pointer(pointer));
    }

    /// Reports a word that is not among the known ones.
    fn word(&mut self, pointer: &str, word: &str, kind: &str, known: &[String]) {
        if !known.iter().any(|other| other == word) {
            let help = format!("it is one of {}", backticked(known));
            self.report(pointer, format!("`{word}` is no {kind}"), help);
        }
    }

    fn repeated(&mut self, pointer: &str, words: &[String]) {
        for (index, word) in words.iter().enumerate() {
            if words[..index].contains(word) {
                let message = format!("`{word}` occurs twice");
                self.report(&format!("{pointer}/{index}"), message, "take one away");
            }
        }
    }

    fn prose(&mut self) {
        let case = self.case;
        if case.title.trim().is_empty() {
            self.report(
                "/title",
                "the title is empty",
                "say in one sentence what must be true",
            );
        }
        if case.why.trim().is_empty() {
            let help = "say what happens to a chat when this does not hold";
            self.report("/why", "the reason is empty", help);
        }
        if case.since.parse::<u64>().is_err() || newer_than(&case.since, VERSION) {
            let help = format!("it names the version that brought the case, `1` to `{VERSION}`");
            self.report(
                "/since",
                format!("`{}` is no version of the corpus", case.since),
                help,
            );
        }
        if let Some(source) = &case.source
            && !is_source(source)
        {
            let help =
                "write an `https://` link without spaces, or a few words that name the source";
            self.report("/source", format!("`{source}` is not a source"), help);
        }
    }

    fn requirements(&mut self, known: &HashSet<&str>) {
        let case = self.case;
        if case.requirements.is_empty() {
            let help = "name the requirement of SPEC.md that the case tests";
            self.report("/requirements", "the case tests no requirement", help);
        }
        for (index, id) in case.requirements.iter().enumerate() {
            if !known.contains(id.as_str()) {
                let help = "SPEC.md has no paragraph with this id; write one or correct the id";
                let pointer = format!("/requirements/{index}");
                self.report(&pointer, format!("`{id}` is no requirement"), help);
            }
        }
        self.repeated("/requirements", &case.requirements);
    }

    fn words(&mut self) {
        let (case, vocabulary) = (self.case, self.vocabulary);
        self.word("/op", &case.op, "operation", &vocabulary.operations);
        for (index, need) in case.needs.iter().enumerate() {
            let pointer = format!("/needs/{index}");
            self.word(&pointer, need, "capability", &vocabulary.capabilities);
            if *need == case.op {
                let message = format!("`{need}` is the case's own operation");
                self.report(
                    &pointer,
                    message,
                    "a case needs its operation without saying so",
                );
            }
        }
        self.repeated("/needs", &case.needs);
        self.repeated("/kills", &case.kills);
        let mutants = self.mutants;
        for (index, mutant) in case.kills.iter().enumerate() {
            self.word(&format!("/kills/{index}"), mutant, "mutant", mutants);
        }
    }

    /// The type, the arguments and the input fit the operation.
    fn request(&mut self) {
        let (case, vocabulary) = (self.case, self.vocabulary);
        let typed = vocabulary.typed_operations.contains(&case.op);
        match &case.document_type {
            Some(name) if typed => self.document_type(name),
            None if typed => {
                let help = format!("name one of {}", backticked(&vocabulary.type_names()));
                self.report("/type", format!("`{}` needs a type", case.op), help);
            }
            Some(_) => {
                let message = format!("`{}` takes no type", case.op);
                self.report("/type", message, "take it away");
            }
            None => {}
        }
        self.arguments();
        if let Some(bytes) = &case.input_base64
            && std::str::from_utf8(&bytes.0).is_ok()
        {
            let help = "put it into `inputText`, where people can read it";
            self.report("/inputBase64", "the bytes are UTF-8 text", help);
        }
    }

    fn document_type(&mut self, name: &str) {
        let vocabulary = self.vocabulary;
        self.word("/type", name, "document type", &vocabulary.type_names());
        let known = vocabulary.types.iter().find(|(known, _)| known == name);
        let capabilities = known.map_or(&[][..], |(_, capabilities)| capabilities);
        let needs = &self.case.needs;
        let missing = capabilities.iter().filter(|word| !needs.contains(word));
        for capability in missing {
            let help = format!("add `{capability}`, which the type needs");
            let message = format!("a case about `{name}` does not need `{capability}`");
            self.report("/needs", message, help);
        }
    }

    fn arguments(&mut self) {
        let (case, vocabulary) = (self.case, self.vocabulary);
        let known = vocabulary.arguments.get(&case.op);
        let known = known.map_or(&[][..], Vec::as_slice);
        for (name, value) in &case.args {
            let pointer = format!("/args/{name}");
            match known.iter().find(|argument| argument.name == *name) {
                None => {
                    let message = format!("`{}` takes no argument `{name}`", case.op);
                    self.report(&pointer, message, "take it away");
                }
                Some(argument) => {
                    if let Some(help) = argument.takes.problem(value) {
                        let message = format!("`{name}` cannot be {value}");
                        self.report(&pointer, message, help);
                    }
                }
            }
        }
        for [name, value, capability] in &vocabulary.values {
            let asked = case.args.get(name).is_some_and(|it| match it.as_str() {
                Some(text) => text == value,
                None => *value == "true" && it.as_bool() == Some(true),
            });
            if asked && !case.needs.contains(capability) {
                let help = format!("add `{capability}`, which it needs");
                let message = format!("`{name}` is `{value}` without a need for `{capability}`");
                self.report("/needs", message, help);
            }
        }
        for OperationArgument { name, required, .. } in known {
            if *required && !case.args.contains_key(name) {
                let message = format!("`{}` needs the argument `{name}`", case.op);
                self.report("/args", message, format!("add `{name}`"));
            }
        }
    }

    fn expectation(&mut self) {
        let case = self.case;
        match &case.expect {
            Some(Expect::Ok(value)) => self.ok("/expect/ok", value),
            Some(Expect::Rejected(rejected)) => self.rejected("/expect/rejected", rejected),
            Some(Expect::AnyOf(alternatives)) => self.any_of(alternatives),
            Some(Expect::Either(reason)) if reason.trim().is_empty() => {
                let help = "say why the specification leaves this open";
                self.report("/expect/either", "the reason is empty", help);
            }
            Some(Expect::Either(_) | Expect::Contains(_) | Expect::Delivers(_)) => {}
            Some(Expect::Laws(laws)) => self.laws(laws),
            None => self.no_expectation(),
        }
    }

    /// The laws are about the operation, and the input is one that they can judge.
    fn laws(&mut self, laws: &[Law]) {
        let case = self.case;
        if laws.is_empty() {
            let help = "name at least one, or use another expectation";
            self.report("/expect/laws", "no law judges this case", help);
        }
        for (index, law) in laws.iter().enumerate() {
            let pointer = format!("/expect/laws/{index}");
            if law.operation() != case.op {
                let message = format!("`{}` is no law of `{}`", law.as_str(), case.op);
                let help = format!("it is a law of `{}`", law.operation());
                self.report(&pointer, message, help);
            }
            if laws[..index].contains(law) {
                let message = format!("`{}` occurs twice", law.as_str());
                self.report(&pointer, message, "take one away");
            }
        }
        let input = case.input_bytes();
        let events = EventStream::from_json(std::str::from_utf8(&input.bytes).unwrap_or(""));
        let found = match events {
            Ok(events) => verify(&events.0).errors.first().map(Rejection::from),
            Err(rejection) => Some(rejection),
        };
        if let Some(rejection) = found {
            let message = format!("no law judges an input that does not verify: {rejection}");
            self.report("/input", message, "use `rejected`, or correct the input");
        }
    }

    fn no_expectation(&mut self) {
        if self.case.op != "round-trip" {
            let message = format!("a case of `{}` says nothing about the answer", self.case.op);
            let help =
                "add `expect`; only `round-trip` can do without, where the answer equals the input";
            self.report("/expect", message, help);
            return;
        }
        let input = self.case.input_bytes();
        let text = std::str::from_utf8(&input.bytes).unwrap_or("");
        if let Err(rejection) = json::parse_with(text, Surrogates::AllowUnpairedAtEnds) {
            let message = format!("no answer can equal this input: {}", rejection.message);
            self.report("/expect", message, "add `expect`");
        }
    }

    /// A value that an answer can equal, of the form that the operation gives.
    fn ok(&mut self, pointer: &str, value: &RawValue) {
        let text = value.get();
        if let Err(rejection) = json::parse_with(text, Surrogates::AllowUnpairedAtEnds) {
            let message = format!("no answer can equal this value: {}", rejection.message);
            let place = format!("{pointer}{}", rejection.at);
            self.report(&place, message, "correct the value");
            return;
        }
        let problem = match self.case.op.as_str() {
            "compact" | "attach" if !self.case.reference_only() => Some((
                "other events may be right, too",
                "use `laws`, or bind the reference alone by `profile`",
            )),
            "verify" if self.case.args.contains_key("warnings") => {
                (!has_members(value, &["warnings"]))
                    .then_some(("an answer with warnings has `warnings`", "add them"))
            }
            "validate" | "verify" if text != "true" => {
                Some(("this operation answers `true`", "write `true`"))
            }
            "canonicalize" | "channel-key" | "to-cbor" if !text.starts_with('"') => Some((
                "the answer of this operation is a text",
                "write the text as a JSON string",
            )),
            "replay" if !has_members(value, &["messages", "state"]) => Some((
                "an answer of `replay` has at least `messages` and `state`",
                "add them",
            )),
            "lineage" if !has_members(value, &["runs", "tips", "problems"]) => Some((
                "an answer of `lineage` has `runs`, `tips` and `problems`",
                "add them",
            )),
            "convert" if !has_members(value, &["document", "losses"]) => Some((
                "an answer of `convert` has `document` and `losses`",
                "add them",
            )),
            _ => None,
        };
        if let Some((message, help)) = problem {
            self.report(pointer, message, help);
        }
    }

    fn rejected(&mut self, pointer: &str, rejected: &RejectedExpectation) {
        let classes = &self.vocabulary.classes;
        let place = format!("{pointer}/class");
        self.word(&place, &rejected.class, "class of rejections", classes);
        if let Some(at) = &rejected.at
            && !is_pointer(at)
        {
            let help = "it is empty for the whole document, or begins with `/`";
            let message = format!("`{at}` is not a JSON pointer");
            self.report(&format!("{pointer}/at"), message, help);
        }
    }

    fn any_of(&mut self, alternatives: &[Alternative]) {
        if alternatives.len() < 2 {
            let help = "use `ok` or `rejected` when only one answer is right";
            self.report("/expect/anyOf", "there is no choice here", help);
        }
        for (index, alternative) in alternatives.iter().enumerate() {
            let pointer = format!("/expect/anyOf/{index}");
            match (&alternative.ok, &alternative.rejected) {
                (Some(value), None) => self.ok(&format!("{pointer}/ok"), value),
                (None, Some(rejected)) => self.rejected(&format!("{pointer}/rejected"), rejected),
                _ => {
                    let message = "an alternative has `ok` or `rejected`, and not both";
                    self.report(&pointer, message, "give exactly one of them");
                }
            }
            if alternative.note.trim().is_empty() {
                let help = "say when this answer is the right one";
                self.report(&format!("{pointer}/note"), "the note is empty", help);
            }
        }
    }
}

fn newer_than(version: &str, newest: &str) -> bool {
    match (version.parse::<u64>(), newest.parse::<u64>()) {
        (Ok(version), Ok(newest)) => version == 0 || version > newest,
        _ => false,
    }
}

/// Words that name a source, or a link that can be followed.
fn is_source(source: &str) -> bool {
    let source = source.trim();
    match source.split_once("://") {
        Some(("https", rest)) => {
            let host = rest.split('/').next().unwrap_or("");
            host.contains('.') && !rest.contains(char::is_whitespace)
        }
        Some(_) => false,
        None => !source.is_empty(),
    }
}

/// RFC 6901: empty, or segments that each begin with `/`, where `~` is `~0` and `/` is `~1`.
fn is_pointer(text: &str) -> bool {
    let escapes_are_right = text
        .split('~')
        .skip(1)
        .all(|rest| rest.starts_with(['0', '1']));
    (text.is_empty() || text.starts_with('/')) && escapes_are_right
}

fn has_members(value: &RawValue, names: &[&str]) -> bool {
    let members: Result<BTreeMap<String, &RawValue>, _> = serde_json::from_str(value.get());
    members.is_ok_and(|members| names.iter().all(|name| members.contains_key(*name)))
}

fn repeated_titles(corpus: &Corpus) -> Vec<LintProblem> {
    let mut first: BTreeMap<String, &Case> = BTreeMap::new();
    let mut problems = Vec::new();
    for case in corpus.cases() {
        let title = case.title.to_lowercase();
        let earlier = first.entry(title).or_insert(case);
        if earlier.id != case.id {
            let message = format!("`{}` has the same title", earlier.id);
            let help = "say what is different about this case";
            let file = format!("corpus/{}", case.path());
            problems.push(LintProblem::new(&file, message, help).at_pointer("/title"));
        }
    }
    problems
}

/// An alias is an earlier id, so no other case may have it as its id or alias.
fn repeated_names(corpus: &Corpus) -> Vec<LintProblem> {
    let mut owners: BTreeMap<&str, &str> = BTreeMap::new();
    for case in corpus.cases() {
        owners.insert(&case.id, &case.id);
    }
    let mut problems = Vec::new();
    for case in corpus.cases() {
        for (index, alias) in case.aliases.iter().enumerate() {
            if let Some(owner) = owners.insert(alias, &case.id) {
                let message = format!("`{alias}` already names `{owner}`");
                let help = "an id or alias is never used again for another case";
                let file = format!("corpus/{}", case.path());
                let pointer = format!("/aliases/{index}");
                problems.push(LintProblem::new(&file, message, help).at_pointer(pointer));
            }
        }
    }
    problems
}
