//! Where a document goes.

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use chatstate::compact::Framing;
use chatstate::generated::{Event, EventStream};
use chatstate::json::to_text;
use clap::Args;

use crate::failure::Failure;
use crate::layout::lay_out;
use crate::output;
use crate::written_file::WrittenFile;

/// The file that a verb writes its document to.
#[derive(Debug, Default, Args)]
pub struct OutputFile {
    /// Write to this file, which gets its place when all is written
    #[arg(long = "output", value_name = "FILE")]
    path: Option<PathBuf>,
}

impl OutputFile {
    /// The file, if there is one.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref().filter(|path| *path != Path::new("-"))
    }

    /// Begins to write there. Nothing is in its place before [`Destination::finish`], so that the
    /// input may be the same file.
    pub fn begin(&self) -> Result<Destination, Failure> {
        let file = self.path().map(WrittenFile::begin);
        Ok(Destination(file.transpose()?))
    }

    /// Writes a text there.
    pub fn write(&self, text: &str) -> Result<(), Failure> {
        self.write_bytes(text.as_bytes())
    }

    /// Writes a line there.
    pub fn write_line(&self, text: &str) -> Result<(), Failure> {
        self.write(&format!("{text}\n"))
    }

    /// Writes JSON text as a line, or laid out at a terminal.
    pub fn write_json(&self, text: &str) -> Result<(), Failure> {
        if self.path().is_none() && io::stdout().is_terminal() {
            return self.write_line(&lay_out(text));
        }
        self.write_line(text)
    }

    /// Writes bytes there.
    pub fn write_bytes(&self, bytes: &[u8]) -> Result<(), Failure> {
        let mut destination = self.begin()?;
        destination.write(bytes)?;
        destination.finish()
    }

    /// Writes events there.
    pub fn write_events(&self, events: Vec<Event>, framing: Framing) -> Result<(), Failure> {
        let line = |event: &Event| to_text(event) + "\n";
        match framing {
            Framing::Array => self.write_line(&to_text(&EventStream(events))),
            Framing::Lines => self.write(&events.iter().map(line).collect::<String>()),
        }
    }
}

/// Stdout, or a file that is not in its place yet.
pub struct Destination(Option<WrittenFile>);

impl Destination {
    /// Writes more.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        match &mut self.0 {
            Some(file) => file.write(bytes),
            None => output::print_bytes(bytes),
        }
    }

    /// Puts the file in its place.
    pub fn finish(self) -> Result<(), Failure> {
        self.0.map_or(Ok(()), WrittenFile::put)
    }
}
