//! The only file that starts processes.
//!
//! Three threads are between the runner and a process, so that neither side can block the other:
//! one writes its stdin, one reads lines from its stdout, one keeps the end of its stderr. They
//! end by themselves when the pipes close and are not waited for, because a stray grandchild may
//! hold a pipe open.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use chatstate_protocol::MAX_LINE_BYTES;
use process_wrap::std::{ChildWrapper, CommandWrap};

use crate::command::AdapterCommand;

/// How much of stderr is kept: its last 64 KiB.
const STDERR_BYTES: usize = 64 * 1024;

/// How many batches of lines may wait to be looked at before the process has to wait. A batch is what
/// was read at once.
const WAITING_BATCHES: usize = 16;

/// How much is read at once, in bytes.
const READ_BYTES: usize = 64 * 1024;

/// How long a process that closed its stdout may take to end on its own.
const END_GRACE: Duration = Duration::from_millis(500);

/// What came from stdout.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum OutputLine {
    /// One line without its newline.
    Text(String),
    /// A line that is not UTF-8, with its bytes made readable.
    NotUtf8(String),
    /// A line longer than the protocol allows; the rest is not read.
    TooLong,
    /// The process closed its stdout.
    End,
}

impl OutputLine {
    /// Whether nothing is read after it.
    fn is_last(&self) -> bool {
        matches!(self, Self::End | Self::TooLong)
    }
}

/// How a process ended.
#[derive(Debug, Clone)]
pub(crate) struct Ending {
    /// Its exit status, unless it had to be killed.
    pub(crate) status: Option<ExitStatus>,
    /// The end of what it wrote to stderr.
    pub(crate) stderr: String,
}

/// A running adapter. Dropping it kills the process and everything in its group.
#[derive(Debug)]
pub(crate) struct Process {
    child: Box<dyn ChildWrapper>,
    input: Option<Sender<Vec<u8>>>,
    lines: Receiver<Vec<OutputLine>>,
    /// Lines that came together with others, and were not looked at yet.
    waiting: std::vec::IntoIter<OutputLine>,
    stderr: Arc<Mutex<Vec<u8>>>,
    stderr_ended: Receiver<()>,
    ended: bool,
}

impl Process {
    /// Starts the command with pipes on all three streams.
    pub(crate) fn spawn(command: &AdapterCommand) -> io::Result<Self> {
        let mut child = wrapped(command).spawn()?;
        if let Err(error) = command.limits.apply(child.id()) {
            // An adapter without its limits is not the one that was asked for.
            let _ = child.start_kill();
            let _ = child.wait();
            return Err(error);
        }
        let stdin = child.stdin().take().ok_or(io::ErrorKind::BrokenPipe)?;
        let stdout = child.stdout().take().ok_or(io::ErrorKind::BrokenPipe)?;
        let errors = child.stderr().take().ok_or(io::ErrorKind::BrokenPipe)?;
        let (input, to_write) = mpsc::channel();
        thread::spawn(move || write_input(stdin, &to_write));
        let (found, lines) = mpsc::sync_channel(WAITING_BATCHES);
        thread::spawn(move || read_lines(stdout, &found));
        let stderr = Arc::new(Mutex::new(Vec::new()));
        let (ended, stderr_ended) = mpsc::channel();
        let kept = Arc::clone(&stderr);
        thread::spawn(move || keep_end(errors, &kept, &ended));
        Ok(Self {
            child,
            input: Some(input),
            lines,
            waiting: Vec::new().into_iter(),
            stderr,
            stderr_ended,
            ended: false,
        })
    }

    /// Hands bytes to the writing thread. That the process no longer reads shows on its stdout.
    pub(crate) fn send(&self, bytes: Vec<u8>) {
        if let Some(input) = &self.input {
            let _ = input.send(bytes);
        }
    }

    /// Closes stdin once everything passed is written.
    pub(crate) fn close_input(&mut self) {
        self.input = None;
    }

    /// Waits for the next line; nothing when there is none until `deadline`.
    pub(crate) fn receive(&mut self, deadline: Instant) -> Option<OutputLine> {
        if let Some(line) = self.waiting.next() {
            return Some(line);
        }
        let wait = deadline.saturating_duration_since(Instant::now());
        match self.lines.recv_timeout(wait) {
            Ok(batch) => self.first_of(batch),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => Some(OutputLine::End),
        }
    }

    /// Gives the next line if it is already there.
    pub(crate) fn receive_now(&mut self) -> Option<OutputLine> {
        if let Some(line) = self.waiting.next() {
            return Some(line);
        }
        let batch = self.lines.try_recv().ok()?;
        self.first_of(batch)
    }

    /// The first line of a batch, which is never empty; the others wait.
    fn first_of(&mut self, batch: Vec<OutputLine>) -> Option<OutputLine> {
        self.waiting = batch.into_iter();
        self.waiting.next()
    }

    /// Ends a process that closed its stdout: waits a moment for its exit status, then kills.
    pub(crate) fn end(&mut self) -> Ending {
        self.close_input();
        let status = self.exit_status(Instant::now() + END_GRACE);
        self.kill();
        let _ = self.stderr_ended.recv_timeout(END_GRACE);
        Ending {
            status,
            stderr: self.stderr(),
        }
    }

    /// Kills the process and its whole group, and waits until it is gone.
    pub(crate) fn kill(&mut self) {
        if !self.ended {
            // The group may outlive its leader, so it is killed even when the leader is gone; both
            // calls fail when there is nothing left, which is what was wanted.
            let _ = self.child.start_kill();
            let _ = self.child.wait();
            self.ended = true;
        }
    }

    /// The end of what the process wrote to stderr so far.
    pub(crate) fn stderr(&self) -> String {
        let kept = self.stderr.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&kept).into_owned()
    }

    /// Asks again and again: the standard library cannot wait with a deadline, and this is the path
    /// of a process that has already closed its stdout.
    fn exit_status(&mut self, deadline: Instant) -> Option<ExitStatus> {
        loop {
            if let Ok(Some(status)) = self.child.try_wait() {
                return Some(status);
            }
            if Instant::now() >= deadline {
                return None;
            }
            thread::sleep(Duration::from_millis(1));
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.close_input();
        self.kill();
    }
}

fn wrapped(command: &AdapterCommand) -> CommandWrap {
    let mut wrapped = CommandWrap::with_new(&command.program, |inner| {
        inner.args(&command.arguments);
        inner.envs(
            command
                .environment
                .iter()
                .map(|(name, value)| (name, value)),
        );
        if let Some(directory) = &command.directory {
            inner.current_dir(directory);
        }
        inner.stdin(Stdio::piped());
        inner.stdout(Stdio::piped());
        inner.stderr(Stdio::piped());
    });
    #[cfg(unix)]
    wrapped.wrap(process_wrap::std::ProcessGroup::leader());
    #[cfg(windows)]
    wrapped.wrap(process_wrap::std::JobObject);
    wrapped
}

fn write_input(mut stdin: impl Write, to_write: &Receiver<Vec<u8>>) {
    while let Ok(bytes) = to_write.recv() {
        if stdin
            .write_all(&bytes)
            .and_then(|()| stdin.flush())
            .is_err()
        {
            return;
        }
    }
}

/// Passes on lines in batches: waking up the other side costs more than reading a line.
fn read_lines(stdout: impl Read, found: &SyncSender<Vec<OutputLine>>) {
    let mut stdout = BufReader::with_capacity(READ_BYTES, stdout);
    loop {
        let mut line = read_line(&mut stdout);
        let mut batch = Vec::new();
        while !line.is_last() && stdout.buffer().contains(&b'\n') {
            batch.push(std::mem::replace(&mut line, read_line(&mut stdout)));
        }
        let last = line.is_last();
        batch.push(line);
        if found.send(batch).is_err() || last {
            return;
        }
    }
}

/// How many of these bytes belong to the first line.
fn line_within(bytes: &[u8]) -> usize {
    memchr::memchr(b'\n', bytes).map_or(bytes.len(), |end| end + 1)
}

/// Reads one line. An unfinished line at the end counts as a line: the process may have died in it.
fn read_line(stdout: &mut impl BufRead) -> OutputLine {
    // What was read at once mostly holds the whole line.
    let here = stdout.fill_buf().map_or(0, line_within);
    let mut bytes = Vec::with_capacity(here);
    let limit = MAX_LINE_BYTES as u64 + 1;
    let read = stdout.take(limit).read_until(b'\n', &mut bytes);
    if bytes.last() == Some(&b'\n') {
        bytes.pop();
    } else if bytes.len() > MAX_LINE_BYTES {
        return OutputLine::TooLong;
    } else if bytes.is_empty() || read.is_err() {
        return OutputLine::End;
    }
    match String::from_utf8(bytes) {
        Ok(text) => OutputLine::Text(text),
        Err(error) => OutputLine::NotUtf8(String::from_utf8_lossy(error.as_bytes()).into_owned()),
    }
}

fn keep_end(mut stderr: impl Read, kept: &Mutex<Vec<u8>>, ended: &Sender<()>) {
    let mut buffer = [0; 8 * 1024];
    while let Ok(count @ 1..) = stderr.read(&mut buffer) {
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend_from_slice(&buffer[..count]);
        let surplus = kept.len().saturating_sub(STDERR_BYTES);
        kept.drain(..surplus);
    }
    let _ = ended.send(());
}
