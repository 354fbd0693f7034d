//! The loop of an adapter written in Rust.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::time::{Duration, Instant};

use crate::message::{Answer, ProtocolError, Reply, Request, RunRequest, StartReply};
use crate::{MAX_LINE_BYTES, PROTOCOL_VERSION};

/// What an adapter puts between the protocol and its SDK.
pub trait Implementation {
    /// Says who the SDK is and what it supports.
    fn introduce(&mut self) -> StartReply;

    /// Runs one operation. An operation the SDK does not have is [`Reply::Unsupported`].
    fn run(&mut self, request: &RunRequest) -> Reply;
}

/// Why the loop ended early. The caller prints it to stderr and exits with a status other than 0.
#[derive(Debug, thiserror::Error)]
pub enum AdapterError {
    /// Reading or writing failed.
    #[error("cannot talk to the runner: {0}")]
    Io(#[from] io::Error),
    /// A line is not a request.
    #[error(
        "line {line} from the runner is not a request of protocol {PROTOCOL_VERSION}: {problem}"
    )]
    NotARequest {
        /// The number of the line, from 1.
        line: u64,
        /// What is wrong with it.
        problem: String,
    },
    /// A line is longer than the protocol allows.
    #[error("line {line} from the runner is longer than {MAX_LINE_BYTES} bytes")]
    TooLong {
        /// The number of the line, from 1.
        line: u64,
    },
    /// A request came before `start`.
    #[error("line {line} from the runner is a `run` before any `start`")]
    NotStarted {
        /// The number of the line, from 1.
        line: u64,
    },
    /// The runner asked for another version; the answer said so.
    #[error("the runner uses protocol {asked}, this adapter supports {PROTOCOL_VERSION}")]
    OtherProtocol {
        /// The version the runner asked for.
        asked: u32,
    },
}

/// How much is read or written at once, in bytes.
pub const BUFFER_BYTES: usize = 64 * 1024;

/// How long an answer may sit in a buffer while the next request is already there.
const LONGEST_WAIT: Duration = Duration::from_millis(5);

/// Answers requests until `stop` or the end of the input.
///
/// Members that this version does not know are ignored. The output is flushed before the adapter waits
/// for a request, and from time to time while it does not have to: the runner never waits for an
/// answer that sits in a buffer. Give an output that buffers, and many small requests cost less.
///
/// # Errors
///
/// When a line is not a request, when the runner uses another protocol version, or when reading
/// or writing fails. What was answered before stays answered.
pub fn serve(
    input: impl Read,
    mut output: impl Write,
    implementation: &mut dyn Implementation,
) -> Result<(), AdapterError> {
    let mut input = BufReader::with_capacity(BUFFER_BYTES, input);
    let (mut buffer, mut answer) = (Vec::new(), Vec::new());
    let mut started = false;
    let mut flushed = Instant::now();
    for line in 1.. {
        if !read_line(&mut input, &mut buffer, line)? {
            break;
        }
        let request = serde_json::from_slice(&buffer).map_err(|problem| {
            let problem = problem.to_string();
            AdapterError::NotARequest { line, problem }
        })?;
        match request {
            Request::Start(start) if start.protocol != PROTOCOL_VERSION => {
                return reject_protocol(&mut output, start.protocol);
            }
            Request::Start(_) => {
                started = true;
                write_line(&mut output, &implementation.introduce())?;
                output.flush()?;
            }
            Request::Run(_) if !started => return Err(AdapterError::NotStarted { line }),
            Request::Run(run) => {
                let reply = implementation.run(&run);
                write_line_of(&mut answer, &mut output, &Answer::new(run.seq, reply))?;
                let waits = !input.buffer().contains(&b'\n');
                if waits || flushed.elapsed() > LONGEST_WAIT {
                    output.flush()?;
                    flushed = Instant::now();
                }
            }
            Request::Stop => break,
        }
    }
    output.flush()?;
    Ok(())
}

/// Reads one line into `buffer`, without its newline; false at the end of the input.
fn read_line(
    input: &mut impl BufRead,
    buffer: &mut Vec<u8>,
    line: u64,
) -> Result<bool, AdapterError> {
    buffer.clear();
    let limit = MAX_LINE_BYTES as u64 + 1;
    let read = input.take(limit).read_until(b'\n', buffer)?;
    if buffer.last() == Some(&b'\n') {
        buffer.pop();
    } else if read > MAX_LINE_BYTES {
        return Err(AdapterError::TooLong { line });
    }
    Ok(read > 0)
}

fn write_line(output: &mut impl Write, message: &impl serde::Serialize) -> io::Result<()> {
    write_line_of(&mut Vec::new(), output, message)
}

/// Writes a line at once. The room that its text takes is kept for the next one.
fn write_line_of(
    text: &mut Vec<u8>,
    output: &mut impl Write,
    message: &impl serde::Serialize,
) -> io::Result<()> {
    text.clear();
    serde_json::to_writer(&mut *text, message)?;
    text.push(b'\n');
    output.write_all(text)
}

fn reject_protocol(output: &mut impl Write, asked: u32) -> Result<(), AdapterError> {
    let error = format!("this adapter supports protocol {PROTOCOL_VERSION}, not {asked}");
    write_line(output, &ProtocolError { protocol: 0, error })?;
    output.flush()?;
    Err(AdapterError::OtherProtocol { asked })
}
