//! A conversation with one adapter process: the handshake, numbered requests, their answers.

use std::time::{Duration, Instant};

use chatstate_protocol::{Answer, PROTOCOL_VERSION, ProtocolError, Request, Start, StartReply};
use serde::Deserialize;

use crate::call::{Call, line_of};
use crate::command::AdapterCommand;
use crate::dialect;
use crate::outcome::{LINE_CHARACTERS, Outcome, ProtocolViolation, beginning};
use crate::process::{Ending, OutputLine, Process};

/// How long an adapter may take to end after `stop`, before it is killed.
const STOP_GRACE: Duration = Duration::from_secs(2);

/// The most requests the runner keeps under way, whatever the adapter offers.
const MOST_IN_FLIGHT: u32 = 1024;

/// The adapter did not start or did not shake hands. Exit code 5.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StartError {
    /// The program cannot be started.
    #[error(
        "cannot start the adapter `{command}`: {problem}; check that the program exists and may be executed"
    )]
    Spawn {
        /// The command.
        command: String,
        /// What the system says.
        problem: String,
    },
    /// The adapter ended before it answered `start`.
    #[error("the adapter `{command}` {ending} before it answered `start`{}", stderr_part(.stderr))]
    Ended {
        /// The command.
        command: String,
        /// How it ended.
        ending: String,
        /// The end of what it wrote to stderr.
        stderr: String,
    },
    /// The adapter did not answer `start` in time.
    #[error("the adapter `{command}` did not answer `start` within {} s; it must read a line, write a line and flush{}", seconds(*.after), stderr_part(.stderr))]
    TimedOut {
        /// The command.
        command: String,
        /// How long it had.
        after: Duration,
        /// The end of what it wrote to stderr.
        stderr: String,
    },
    /// The adapter answered `start` with something else.
    #[error(
        "the adapter `{command}` answered `start` with what is no introduction: {problem}; the line is `{line}`, and logs belong on stderr"
    )]
    Malformed {
        /// The command.
        command: String,
        /// What is wrong.
        problem: String,
        /// The beginning of the line.
        line: String,
    },
    /// The adapter does not support the runner's protocol.
    #[error("the adapter `{command}` does not support protocol {PROTOCOL_VERSION}: {problem}")]
    OtherProtocol {
        /// The command.
        command: String,
        /// What the adapter says.
        problem: String,
    },
}

fn stderr_part(stderr: &str) -> String {
    let stderr = stderr.trim_end();
    if stderr.is_empty() {
        "; it wrote nothing to stderr".to_owned()
    } else {
        format!("; it wrote to stderr:\n{stderr}")
    }
}

/// A duration in seconds, with a fraction only where there is one.
pub(crate) fn seconds(duration: Duration) -> String {
    format!("{}", duration.as_secs_f64())
}

/// What happened next.
#[derive(Debug)]
pub(crate) enum Happening {
    /// A call has its outcome, and the adapter continues.
    Outcome(usize, Outcome),
    /// The adapter answered a call again, so that neither answer counts.
    Repeated(usize, Outcome),
    /// The adapter can no longer be trusted or is gone.
    Broken(Outcome),
}

/// A started adapter.
#[derive(Debug)]
pub(crate) struct AdapterSession {
    process: Process,
    introduction: StartReply,
    timeout: Duration,
    /// All requests in the order of their `seq`, which begins with 1.
    sent: Vec<Sent>,
    /// How many of them have no answer yet.
    in_flight: usize,
    last_answered: Option<usize>,
    last_progress: Instant,
}

/// A request that was made.
#[derive(Debug, Clone, Copy)]
struct Sent {
    call: usize,
    answered: bool,
}

/// The one member that says which request a malformed line answers.
#[derive(Deserialize)]
struct AnswerHead {
    seq: u64,
}

impl AdapterSession {
    /// Starts the adapter and shakes hands.
    pub(crate) fn start(
        command: &AdapterCommand,
        start_timeout: Duration,
        timeout: Duration,
    ) -> Result<Self, StartError> {
        let mut process = Process::spawn(command).map_err(|error| StartError::Spawn {
            command: command.to_string(),
            problem: error.to_string(),
        })?;
        let introduction = shake_hands(&mut process, command, start_timeout)?;
        Ok(Self {
            process,
            introduction,
            timeout,
            sent: Vec::new(),
            in_flight: 0,
            last_answered: None,
            last_progress: Instant::now(),
        })
    }

    /// What the adapter said about itself.
    pub(crate) fn introduction(&self) -> &StartReply {
        &self.introduction
    }

    /// How many calls may be under way at once.
    pub(crate) fn window(&self) -> usize {
        let offered = self.introduction.max_in_flight.unwrap_or(1);
        offered.clamp(1, MOST_IN_FLIGHT) as usize
    }

    /// How many calls are under way.
    pub(crate) fn in_flight(&self) -> usize {
        self.in_flight
    }

    /// The calls under way, in the order they were sent.
    pub(crate) fn calls_in_flight(&self) -> Vec<usize> {
        let open = self.sent.iter().filter(|sent| !sent.answered);
        open.map(|sent| sent.call).collect()
    }

    /// The call answered last, if any.
    pub(crate) fn last_answered(&self) -> Option<usize> {
        self.last_answered
    }

    /// Sends calls, each with its index, in one write.
    pub(crate) fn send<'a>(&mut self, calls: impl IntoIterator<Item = (usize, &'a Call<'a>)>) {
        let mut lines = Vec::new();
        if self.in_flight == 0 {
            self.last_progress = Instant::now();
        }
        for (index, call) in calls {
            self.sent.push(Sent {
                call: index,
                answered: false,
            });
            call.write_line(self.sent.len() as u64, &mut lines);
            self.in_flight += 1;
        }
        if !lines.is_empty() {
            self.process.send(lines);
        }
    }

    /// Waits for what happens next. The deadline runs from the last answer, because an adapter that
    /// works on one request after the other cannot begin with the later ones before.
    pub(crate) fn next(&mut self) -> Happening {
        match self.process.receive(self.last_progress + self.timeout) {
            Some(line) => self.read(line),
            None => Happening::Broken(self.timed_out()),
        }
    }

    /// Gives what has already happened, if anything has.
    pub(crate) fn next_now(&mut self) -> Option<Happening> {
        let line = self.process.receive_now()?;
        Some(self.read(line))
    }

    /// Ends the adapter and gives what it wrote after its last answer, if it wrote anything.
    pub(crate) fn stop(mut self) -> Option<Happening> {
        self.process.send(line_of(&Request::Stop));
        self.process.close_input();
        match self.process.receive(Instant::now() + STOP_GRACE)? {
            OutputLine::End => {
                self.process.end();
                None
            }
            line => Some(match self.read(line) {
                Happening::Broken(Outcome::Malformed { line, .. }) => {
                    Happening::Broken(Outcome::malformed(ProtocolViolation::AfterTheLast, &line))
                }
                other => other,
            }),
        }
    }

    fn timed_out(&mut self) -> Outcome {
        self.process.kill();
        Outcome::TimedOut {
            milliseconds: u64::try_from(self.timeout.as_millis()).unwrap_or(u64::MAX),
            stderr: self.process.stderr(),
            certain: true,
        }
    }

    fn read(&mut self, line: OutputLine) -> Happening {
        match line {
            OutputLine::Text(text) => self.read_answer(&text),
            OutputLine::NotUtf8(text) => {
                Happening::Broken(Outcome::malformed(ProtocolViolation::NotUtf8, &text))
            }
            OutputLine::TooLong => {
                Happening::Broken(Outcome::malformed(ProtocolViolation::TooLong, ""))
            }
            OutputLine::End => {
                let Ending { status, stderr } = self.process.end();
                Happening::Broken(Outcome::Crashed {
                    ending: ending(status),
                    stderr,
                    certain: true,
                })
            }
        }
    }

    fn read_answer(&mut self, text: &str) -> Happening {
        let answer: Result<Answer, _> = serde_json::from_str(text);
        let seq = match &answer {
            Ok(answer) => answer.seq,
            Err(_) => match serde_json::from_str::<AnswerHead>(text) {
                Ok(head) => head.seq,
                Err(_) => {
                    return Happening::Broken(Outcome::malformed(
                        ProtocolViolation::NotAnAnswer,
                        text,
                    ));
                }
            },
        };
        let place = usize::try_from(seq).unwrap_or_default().wrapping_sub(1);
        let call = match self.sent.get_mut(place) {
            None => {
                return Happening::Broken(Outcome::malformed(ProtocolViolation::UnknownSeq, text));
            }
            Some(Sent {
                call,
                answered: true,
            }) => {
                let outcome = Outcome::malformed(ProtocolViolation::AnsweredTwice, text);
                return Happening::Repeated(*call, outcome);
            }
            Some(sent) => {
                sent.answered = true;
                sent.call
            }
        };
        self.in_flight -= 1;
        self.last_answered = Some(call);
        self.last_progress = Instant::now();
        let reply = answer
            .map_err(|error| error.to_string())
            .and_then(|answer| answer.reply().map_err(|error| error.to_string()));
        Happening::Outcome(
            call,
            match reply {
                Ok(reply) => Outcome::from(reply),
                Err(problem) => Outcome::malformed(ProtocolViolation::BadReply(problem), text),
            },
        )
    }
}

/// How a process ended, in words that continue a sentence about it.
fn ending(status: Option<std::process::ExitStatus>) -> String {
    match status {
        Some(status) => match status.code() {
            Some(code) => format!("exited with status {code}"),
            None => format!("was ended by a {status}"),
        },
        None => "closed its stdout".to_owned(),
    }
}

fn shake_hands(
    process: &mut Process,
    command: &AdapterCommand,
    timeout: Duration,
) -> Result<StartReply, StartError> {
    process.send(line_of(&Request::Start(Start {
        protocol: PROTOCOL_VERSION,
    })));
    let command = command.to_string();
    let malformed = |problem: &str, line: &str| StartError::Malformed {
        command: command.clone(),
        problem: problem.to_owned(),
        line: beginning(line, LINE_CHARACTERS),
    };
    match process.receive(Instant::now() + timeout) {
        Some(OutputLine::Text(text)) => read_introduction(&text, &command),
        Some(OutputLine::NotUtf8(text)) => Err(malformed("it is not UTF-8", &text)),
        Some(OutputLine::TooLong) => Err(malformed("it is longer than 64 MiB", "")),
        Some(OutputLine::End) => {
            let Ending { status, stderr } = process.end();
            let ending = ending(status);
            Err(StartError::Ended {
                command,
                ending,
                stderr,
            })
        }
        None => {
            process.kill();
            Err(StartError::TimedOut {
                command,
                after: timeout,
                stderr: process.stderr(),
            })
        }
    }
}

fn read_introduction(text: &str, command: &str) -> Result<StartReply, StartError> {
    let command = command.to_owned();
    if let Ok(ProtocolError { protocol: 0, error }) = serde_json::from_str(text) {
        return Err(StartError::OtherProtocol {
            command,
            problem: format!("it says `{}`", beginning(&error, LINE_CHARACTERS)),
        });
    }
    let introduction: StartReply = match serde_json::from_str(text) {
        Ok(introduction) => introduction,
        Err(error) => {
            return Err(StartError::Malformed {
                command,
                problem: error.to_string(),
                line: beginning(text, LINE_CHARACTERS),
            });
        }
    };
    if introduction.protocol != PROTOCOL_VERSION {
        let problem = format!("it answered with protocol {}", introduction.protocol);
        return Err(StartError::OtherProtocol { command, problem });
    }
    if introduction.max_in_flight == Some(0) {
        return Err(StartError::Malformed {
            command,
            problem: "`maxInFlight` is 0, so that nothing could ever be asked".to_owned(),
            line: beginning(text, LINE_CHARACTERS),
        });
    }
    if let Some(name) = introduction.dialect.as_deref()
        && !dialect::is_known(name)
    {
        return Err(StartError::Malformed {
            command,
            problem: format!("`dialect` names `{name}`, which this kit does not know"),
            line: beginning(text, LINE_CHARACTERS),
        });
    }
    Ok(introduction)
}
