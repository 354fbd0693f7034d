//! Reads fixtures as cases: event streams with what a reader makes of them, in the form that AG-UI
//! publishes its own conformance data in. Decision 113 says what is judged.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use serde_json::value::RawValue;

use crate::case::{Alternative, Case, Expect, RejectedExpectation};
use crate::corpus::Corpus;
use crate::exclusion::Exclusions;
use crate::problem::{LintProblem, Problems};
use crate::select::backticked;

/// What a report calls the corpus that fixtures make.
const VERSION: &str = "fixtures";

/// The members of an expectation that become cases.
const JUDGED: [&str; 4] = ["outcome", "messages", "messageCount", "state"];

/// The members of an expectation about the events that are delivered, which an answer may show.
const DELIVERY: [&str; 4] = [
    "eventTypes",
    "eventTypesAbsent",
    "eventPaths",
    "eventAbsentPaths",
];

/// The members of an expectation that no answer of the adapter protocol shows.
const NOT_SHOWN: [&str; 6] = [
    "errorContains",
    "runError",
    "warnings",
    "noWarnings",
    "request",
    "requestAbsentPaths",
];

/// The members of a fixture that change what its reader begins with. A log does not hold that.
const OF_A_CLIENT: [&str; 2] = ["client", "input"];

/// More messages than this a fixture does not count.
const MOST_MESSAGES: u64 = 10_000;

/// The cases that fixtures make.
#[derive(Debug, Clone)]
pub struct Fixtures {
    /// The cases, as a corpus of their own.
    pub corpus: Corpus,
    /// How many fixtures there are.
    pub count: usize,
    /// The members of expectations that are not judged, with the number of fixtures that have them.
    pub not_judged: BTreeMap<String, usize>,
}

impl Fixtures {
    /// Reads fixtures from files, each with its path and its bytes. A file holds one fixture or a list
    /// of them.
    ///
    /// # Errors
    ///
    /// When a file is malformed, or two fixtures would have one id. Every such file is named.
    pub fn read(files: impl IntoIterator<Item = (String, Vec<u8>)>) -> Result<Self, Problems> {
        let mut read = FixtureReading::default();
        let mut problems = Vec::new();
        for (path, bytes) in files {
            problems.extend(read.file(&path, &bytes).err());
        }
        if !problems.is_empty() {
            return Err(Problems(problems));
        }
        let (cases, texts) = read.cases.into_iter().unzip();
        let corpus = Corpus::new(VERSION, cases, texts, Exclusions::default(), Vec::new());
        Ok(Self {
            corpus,
            count: read.count,
            not_judged: read.not_judged,
        })
    }

    /// The suite of the cases that the fixtures of a file make.
    #[must_use]
    pub fn suite(file: &str) -> String {
        let stem = Path::new(file).file_stem().unwrap_or_default();
        match slug(&stem.to_string_lossy()) {
            name if name.is_empty() => "fixtures".to_owned(),
            name => name,
        }
    }
}

type FixtureMembers = BTreeMap<String, Box<RawValue>>;

/// A place in a file.
#[derive(Clone)]
struct FixturePlace<'a> {
    file: &'a str,
    pointer: String,
}

impl FixturePlace<'_> {
    fn below(&self, name: &str) -> Self {
        let name = name.replace('~', "~0").replace('/', "~1");
        Self {
            file: self.file,
            pointer: format!("{}/{name}", self.pointer),
        }
    }

    fn problem(&self, message: impl Into<String>, help: impl Into<String>) -> LintProblem {
        let file = format!("`{}`", self.file);
        let problem = LintProblem::new(&file, message, help);
        match self.pointer.as_str() {
            "" => problem,
            pointer => problem.at_pointer(pointer),
        }
    }

    /// The value as another form of it, which `what` names.
    fn read<T: serde::de::DeserializeOwned>(
        &self,
        value: &RawValue,
        what: &str,
    ) -> Result<T, LintProblem> {
        let help = format!("write {what} here");
        serde_json::from_str(value.get())
            .map_err(|_| self.problem(format!("this is not {what}"), help))
    }

    /// A member that has to be there.
    fn member<T: serde::de::DeserializeOwned>(
        &self,
        members: &FixtureMembers,
        name: &str,
        what: &str,
    ) -> Result<T, LintProblem> {
        let Some(value) = members.get(name) else {
            let message = format!("the member `{name}` is missing");
            return Err(self.problem(message, format!("add `{name}`, which is {what}")));
        };
        self.below(name).read(value, what)
    }
}

/// What was read so far.
#[derive(Default)]
struct FixtureReading {
    cases: Vec<(Case, (String, Vec<u8>))>,
    ids: HashSet<String>,
    count: usize,
    not_judged: BTreeMap<String, usize>,
}

impl FixtureReading {
    fn file(&mut self, path: &str, bytes: &[u8]) -> Result<(), LintProblem> {
        let place = FixturePlace {
            file: path,
            pointer: String::new(),
        };
        let text = std::str::from_utf8(bytes)
            .map_err(|_| place.problem("the file is not UTF-8", "save it as UTF-8"))?;
        let value: Box<RawValue> = serde_json::from_str(text).map_err(|error| {
            let help = "a file of fixtures is JSON: one fixture, or a list of them";
            place
                .problem(format!("this is not JSON: {error}"), help)
                .at_line(error.line())
        })?;
        if !value.get().starts_with('[') {
            return self.fixture(&place, &value);
        }
        let fixtures: Vec<Box<RawValue>> = place.read(&value, "a list of fixtures")?;
        if fixtures.is_empty() {
            let help = "add a fixture, or leave the file out";
            return Err(place.problem("the list has no fixture", help));
        }
        let mut fixtures = fixtures.iter().enumerate();
        fixtures
            .try_for_each(|(index, value)| self.fixture(&place.below(&index.to_string()), value))
    }

    fn fixture(&mut self, place: &FixturePlace<'_>, value: &RawValue) -> Result<(), LintProblem> {
        let members = place.read(value, "an object with `name`, `stream` and `expect`")?;
        let fixture = Fixture::read(place, &members)?;
        self.count += 1;
        for name in fixture.not_judged() {
            *self.not_judged.entry(name.to_owned()).or_default() += 1;
        }
        let verdict = fixture.verdict();
        self.case(place, &fixture, "verify", verdict, value)?;
        if let Some(expect) = fixture.replayed() {
            self.case(place, &fixture, "replay", expect, value)?;
        }
        match fixture.delivered() {
            Some(expect) => self.case(place, &fixture, "delivery", expect, value),
            None => Ok(()),
        }
    }

    fn case(
        &mut self,
        place: &FixturePlace<'_>,
        fixture: &Fixture,
        judged: &str,
        expect: Expect,
        text: &RawValue,
    ) -> Result<(), LintProblem> {
        let case = fixture.case(place.file, judged, expect);
        if !self.ids.insert(case.id.clone()) {
            let message = format!("an earlier fixture is the case `{}` already", case.id);
            let help = "give the fixture or its file another name";
            return Err(place.below("name").problem(message, help));
        }
        let file = (case.path(), text.get().as_bytes().to_vec());
        self.cases.push((case, file));
        Ok(())
    }
}

/// One fixture.
struct Fixture {
    name: String,
    description: Option<String>,
    stream: Box<RawValue>,
    events: Vec<Box<RawValue>>,
    completed: bool,
    expectation: FixtureMembers,
    /// What `messageCount` says.
    count: Option<u64>,
    /// Whether its reader begins with something that the stream does not hold.
    has_client: bool,
}

impl Fixture {
    fn read(place: &FixturePlace<'_>, members: &FixtureMembers) -> Result<Self, LintProblem> {
        let name: String = place.member(members, "name", "a text")?;
        if slug(&name).is_empty() {
            let help = "give it a name with letters or digits of ASCII";
            let message = format!("`{name}` makes no id of a case");
            return Err(place.below("name").problem(message, help));
        }
        let events = place.member(members, "stream", "a list of events")?;
        let expectation: FixtureMembers = place.member(members, "expect", "an object")?;
        let below = place.below("expect");
        known(&below, &expectation)?;
        check_delivery(&below, &expectation)?;
        let outcome: String = below.member(&expectation, "outcome", OUTCOME)?;
        if !matches!(outcome.as_str(), "completed" | "failed") {
            let help = format!("write {OUTCOME} here");
            let message = format!("`{outcome}` is no outcome");
            return Err(below.below("outcome").problem(message, help));
        }
        Ok(Self {
            description: members
                .get("description")
                .and_then(|it| serde_json::from_str(it.get()).ok()),
            name,
            stream: members["stream"].clone(),
            events,
            completed: outcome == "completed",
            count: message_count(&below, &expectation)?,
            has_client: OF_A_CLIENT.iter().any(|name| members.contains_key(*name)),
            expectation,
        })
    }

    /// Whether what its reader has at the end can be compared with a replay.
    fn is_replayed(&self) -> bool {
        self.completed && !self.has_client
    }

    /// The members of the expectation that become no case.
    fn not_judged(&self) -> impl Iterator<Item = &str> {
        let names = self.expectation.keys().map(String::as_str);
        names.filter(|name| match *name {
            "outcome" => false,
            name => {
                let is_of_replay = JUDGED.contains(&name) || DELIVERY.contains(&name);
                !(is_of_replay && self.is_replayed())
            }
        })
    }

    /// What `verify` must answer. A fixture does not say which class a rejection has.
    fn verdict(&self) -> Expect {
        if self.completed {
            return Expect::Ok(raw("true"));
        }
        let alternative = |class: &str, note: &str| Alternative {
            ok: None,
            rejected: Some(RejectedExpectation {
                class: class.to_owned(),
                at: None,
                rule: None,
            }),
            note: note.to_owned(),
        };
        Expect::AnyOf(vec![
            alternative("schema", "a value is malformed"),
            alternative("sequence", "the order is wrong"),
        ])
    }

    /// What `replay` must answer, if the fixture says anything about it.
    fn replayed(&self) -> Option<Expect> {
        let mut members = Vec::new();
        if let Some(messages) = self.expectation.get("messages") {
            members.push(format!(r#""messages":{messages}"#));
        } else if let Some(count) = self.count {
            // An empty object is part of any message.
            let messages = vec!["{}"; usize::try_from(count).unwrap_or(0)].join(",");
            members.push(format!(r#""messages":[{messages}]"#));
        }
        if let Some(state) = self.expectation.get("state") {
            members.push(format!(r#""state":{state}"#));
        }
        let is_said = self.is_replayed() && !members.is_empty();
        is_said.then(|| Expect::Contains(raw(&format!("{{{}}}", members.join(",")))))
    }

    /// What the events that `replay` delivers must be, if the fixture says anything about them.
    fn delivered(&self) -> Option<Expect> {
        let members = DELIVERY.iter().filter_map(|name| {
            let value = self.expectation.get(*name)?;
            Some(format!(r#""{name}":{value}"#))
        });
        let members: Vec<_> = members.collect();
        let is_said = self.is_replayed() && !members.is_empty();
        is_said.then(|| Expect::Delivers(raw(&format!("{{{}}}", members.join(",")))))
    }

    fn case(&self, file: &str, judged: &str, expect: Expect) -> Case {
        let described = self.description.clone();
        let mut needs = vec!["events".to_owned()];
        needs.extend(self.has_chunks().then(|| "chunks".to_owned()));
        Case {
            id: self.id(file, judged),
            title: described.unwrap_or_else(|| format!("the fixture `{}` holds", self.name)),
            requirements: Vec::new(),
            needs,
            why: format!("`{file}` says so"),
            op: if judged == "verify" {
                "verify"
            } else {
                "replay"
            }
            .to_owned(),
            document_type: None,
            args: serde_json::Map::new(),
            input: Some(self.stream.clone()),
            input_text: None,
            input_base64: None,
            expect: Some(expect),
            kills: Vec::new(),
            since: crate::load::VERSION.to_owned(),
            aliases: Vec::new(),
            source: None,
            profile: None,
        }
    }

    /// `FILE/JUDGED` where the file has the name of the fixture, else `FILE/NAME-JUDGED`.
    fn id(&self, file: &str, judged: &str) -> String {
        let (suite, name) = (Fixtures::suite(file), slug(&self.name));
        if suite == name {
            format!("{suite}/{judged}")
        } else {
            format!("{suite}/{name}-{judged}")
        }
    }

    fn has_chunks(&self) -> bool {
        let kinds = self.events.iter().filter_map(|event| {
            let event: FixtureMembers = serde_json::from_str(event.get()).ok()?;
            serde_json::from_str::<String>(event.get("type")?.get()).ok()
        });
        kinds.into_iter().any(|kind| kind.ends_with("_CHUNK"))
    }
}

/// What an outcome may be.
const OUTCOME: &str = "`\"completed\"` or `\"failed\"`";

/// A member that nobody knows would be an expectation that nobody judges.
fn known(place: &FixturePlace<'_>, expectation: &FixtureMembers) -> Result<(), LintProblem> {
    let known = JUDGED.iter().chain(&DELIVERY).chain(&NOT_SHOWN);
    let known: Vec<_> = known.copied().collect();
    match expectation
        .keys()
        .find(|name| !known.contains(&name.as_str()))
    {
        Some(name) => {
            let message = format!("`{name}` is no expectation");
            let help = format!("the expectations are {}", backticked(&known));
            Err(place.below(name).problem(message, help))
        }
        None => Ok(()),
    }
}

/// Checks the forms of what is said about delivered events.
fn check_delivery(
    place: &FixturePlace<'_>,
    expectation: &FixtureMembers,
) -> Result<(), LintProblem> {
    for name in DELIVERY {
        let Some(value) = expectation.get(name) else {
            continue;
        };
        let place = place.below(name);
        if name == "eventPaths" {
            let _: FixtureMembers = place.read(value, "an object of values by their paths")?;
        } else {
            let _: Vec<String> = place.read(value, "a list of texts")?;
        }
    }
    Ok(())
}

fn message_count(
    place: &FixturePlace<'_>,
    expectation: &FixtureMembers,
) -> Result<Option<u64>, LintProblem> {
    let listed = match expectation.get("messages") {
        Some(value) => {
            let listed: Vec<Box<RawValue>> = place.below("messages").read(value, "a list")?;
            Some(listed.len() as u64)
        }
        None => None,
    };
    let Some(value) = expectation.get("messageCount") else {
        return Ok(None);
    };
    let place = place.below("messageCount");
    let count: u64 = place.read(value, "a count")?;
    if count > MOST_MESSAGES {
        let help = format!("give at most {MOST_MESSAGES}");
        return Err(place.problem(format!("{count} messages are too many"), help));
    }
    match listed.filter(|listed| *listed != count) {
        Some(listed) => {
            let message = format!("the count is {count}, and `messages` has {listed}");
            Err(place.problem(message, "make them agree, or leave the count out"))
        }
        None => Ok(Some(count)),
    }
}

/// The words of a name, in lower-case letters and digits, joined with `-`.
fn slug(name: &str) -> String {
    let name = name.to_ascii_lowercase();
    let words = name.split(|character: char| !character.is_ascii_alphanumeric());
    let words: Vec<_> = words.filter(|word| !word.is_empty()).collect();
    words.join("-")
}

/// JSON text as a value; what is put together here is JSON.
fn raw(text: &str) -> Box<RawValue> {
    RawValue::from_string(text.to_owned()).unwrap_or_else(|_| RawValue::NULL.to_owned())
}
