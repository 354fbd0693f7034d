//! Faults of the program and not of the SDK: lines that the protocol does not allow, and an adapter
//! that ends or waits.

use std::cell::Cell;
use std::io::{self, Write};
use std::rc::Rc;
use std::time::Duration;

use chatstate_protocol::{MAX_LINE_BYTES, RunRequest};

use super::Defect;

/// What goes wrong with a line.
#[derive(Clone, Copy)]
pub enum Mischief {
    /// Something that is no answer comes before it.
    Log,
    /// It is preceded by a byte order mark.
    ByteOrderMark,
    /// It is half of itself.
    Half,
    /// It answers a request that was not made.
    OtherRequest,
    /// It comes twice.
    Twice,
    /// It is not text.
    NotText,
    /// It is longer than a line may be.
    Long,
    /// It says nothing about the request.
    Empty,
    /// It says two things about the request.
    Ambiguous,
    /// The document is in it as JSON and not as text.
    Nested,
    /// It does not come, since the program ends as if all were well.
    Ends,
    /// It does not come, since the program breaks.
    Breaks,
    /// It does not come, and nothing else does.
    Hangs,
    /// It does not come, and all others do.
    Skipped,
}

/// A fault in the lines that answer some requests.
#[derive(Clone, Copy)]
pub struct LineFault {
    mischief: Mischief,
    /// What the document holds for which it happens.
    document: &'static str,
}

const fn misbehaves(mischief: Mischief, document: &'static str) -> Defect {
    Defect::Misbehaves(LineFault { mischief, document })
}

/// The faults of lines by the ids of the mutants.
pub(super) const DEFECTS: &[(&str, Defect)] = &[
    ("protocol-logs-to-stdout", misbehaves(Mischief::Log, "a")),
    (
        "protocol-writes-byte-order-mark",
        misbehaves(Mischief::ByteOrderMark, "Chat"),
    ),
    (
        "protocol-writes-half-a-line",
        misbehaves(Mischief::Half, "null"),
    ),
    (
        "protocol-answers-another",
        misbehaves(Mischief::OtherRequest, ""),
    ),
    ("protocol-answers-twice", misbehaves(Mischief::Twice, "")),
    ("protocol-writes-bytes", misbehaves(Mischief::NotText, "")),
    (
        "protocol-writes-long-line",
        misbehaves(Mischief::Long, "asst_1"),
    ),
    ("protocol-says-nothing", misbehaves(Mischief::Empty, "")),
    (
        "protocol-says-two-things",
        misbehaves(Mischief::Ambiguous, "\"b\""),
    ),
    (
        "protocol-nests-documents",
        misbehaves(Mischief::Nested, "asst_1"),
    ),
    ("protocol-ends", misbehaves(Mischief::Ends, "a")),
    ("protocol-breaks", misbehaves(Mischief::Breaks, "null")),
    ("protocol-hangs", misbehaves(Mischief::Hangs, "asst_1")),
    (
        "protocol-skips-an-answer",
        misbehaves(Mischief::Skipped, "null"),
    ),
];

impl LineFault {
    /// What goes wrong with the answer to this request, if something does.
    pub fn mischief(self, request: &RunRequest) -> Option<Mischief> {
        let document = request.input.as_deref().unwrap_or_default();
        document.contains(self.document).then_some(self.mischief)
    }
}

/// An output that spoils the lines for which it is told to.
pub struct FaultyOutput<W> {
    to: W,
    /// What goes wrong with the next line.
    pub next: Rc<Cell<Option<Mischief>>>,
}

impl<W: Write> FaultyOutput<W> {
    /// An output that spoils nothing yet.
    pub fn new(to: W) -> Self {
        let next = Rc::default();
        Self { to, next }
    }

    fn spoil(&mut self, line: &[u8], mischief: Mischief) -> io::Result<()> {
        // What was answered before stays answered, whatever happens to the program now.
        self.to.flush()?;
        let text = String::from_utf8_lossy(line);
        let answer = |rest: &str| format!("{{\"seq\":{},{rest}}}\n", seq(&text));
        match mischief {
            Mischief::Log => write!(self.to, "loading the model\n{text}"),
            Mischief::ByteOrderMark => write!(self.to, "\u{feff}{text}"),
            Mischief::Half => writeln!(self.to, "{}", &text[..text.len() / 2]),
            Mischief::OtherRequest => self.to.write_all(b"{\"seq\":4294967296,\"ok\":\"1\"}\n"),
            Mischief::Twice => write!(self.to, "{text}{text}"),
            Mischief::NotText => self.to.write_all(b"{\"seq\":1,\"ok\":\"\xff\"}\n"),
            Mischief::Long => {
                let block = vec![b' '; MAX_LINE_BYTES + 1];
                self.to.write_all(&block)?;
                self.to.write_all(line)
            }
            Mischief::Empty => self.to.write_all(answer("\"done\":true").as_bytes()),
            Mischief::Ambiguous => {
                let both = answer("\"ok\":\"1\",\"fault\":\"it broke\"");
                self.to.write_all(both.as_bytes())
            }
            Mischief::Nested => self.to.write_all(answer("\"ok\":{\"a\":1}").as_bytes()),
            Mischief::Ends => std::process::exit(0),
            Mischief::Breaks => std::process::exit(101),
            Mischief::Hangs => loop {
                std::thread::sleep(Duration::from_mins(1));
            },
            Mischief::Skipped => Ok(()),
        }
    }
}

/// The number of the request that a line answers.
fn seq(line: &str) -> u64 {
    let answer: Option<serde_json::Value> = serde_json::from_str(line).ok();
    let seq = answer.and_then(|answer| answer.get("seq")?.as_u64());
    seq.unwrap_or_default()
}

/// Each write is one line, which is what the loop of an adapter does.
impl<W: Write> Write for FaultyOutput<W> {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        match self.next.take() {
            None => self.to.write_all(line)?,
            Some(mischief) => self.spoil(line, mischief)?,
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}
