//! The bytes of a log: read from a file or stdin, decompressed, with progress on a terminal.

use std::fs::File;
use std::io::{self, Cursor, ErrorKind, IsTerminal, Read};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use flate2::read::MultiGzDecoder;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::places::{KeptText, LogPlaces};
use crate::failure::{FILE_OR_STDIN, Failure};
use crate::input::{MAX_SHOWN_BYTES, stdin};

/// What gzip begins with (RFC 1952, 2.3.1).
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// What a frame of Zstandard begins with (RFC 8878, 3.1.1).
const ZSTANDARD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// What is over sooner needs no progress.
const PATIENCE: Duration = Duration::from_millis(500);

/// A log that is read in blocks.
pub struct LogSource {
    /// The file in backticks, or `stdin`.
    pub name: String,
    reader: Box<dyn Read + Send>,
    is_compressed: bool,
    is_cut: bool,
    progress: ProgressBar,
    places: LogPlaces,
}

impl LogSource {
    /// Opens a file; nothing or `-` is stdin.
    pub fn open(file: Option<&PathBuf>) -> Result<Self, Failure> {
        if let Some(path) = file.filter(|path| path.as_os_str() != "-") {
            return Self::file(path, true);
        }
        let places = LogPlaces::Kept(KeptText::default());
        Self::of("stdin".to_owned(), stdin()?, progress(None), places)
    }

    /// Opens a file without showing progress.
    pub fn hidden(path: &Path) -> Result<Self, Failure> {
        Self::file(path, false)
    }

    /// Shows nothing while the log is read.
    pub fn hide_progress(&self) {
        self.progress.set_draw_target(ProgressDrawTarget::hidden());
    }

    fn file(path: &Path, shows: bool) -> Result<Self, Failure> {
        let name = format!("`{}`", path.display());
        match File::open(path) {
            Ok(file) => {
                let length = file.metadata().ok().filter(std::fs::Metadata::is_file);
                // What is no file, such as a pipe, gives its text once.
                let places = match length {
                    Some(_) => LogPlaces::File(path.to_owned()),
                    None => LogPlaces::Kept(KeptText::default()),
                };
                let bar = if shows {
                    progress(length.map(|it| it.len()))
                } else {
                    ProgressBar::hidden()
                };
                Self::of(name, file, bar, places)
            }
            Err(source) => Err(Failure::Unreadable {
                name,
                source,
                help: FILE_OR_STDIN,
            }),
        }
    }

    fn of(
        name: String,
        mut raw: impl Read + Send + 'static,
        progress: ProgressBar,
        places: LogPlaces,
    ) -> Result<Self, Failure> {
        let mut magic = Vec::new();
        if let Err(source) = (&mut raw).take(4).read_to_end(&mut magic) {
            return Err(Failure::Unreadable {
                name,
                source,
                help: FILE_OR_STDIN,
            });
        }
        let is_gzip = magic.starts_with(&GZIP);
        let is_zstandard = magic.starts_with(&ZSTANDARD);
        let whole = Counted {
            inner: Cursor::new(magic).chain(raw),
            progress: progress.clone(),
            begun: Instant::now(),
            waiting: 0,
        };
        let reader: Box<dyn Read + Send> = if is_gzip {
            Box::new(MultiGzDecoder::new(whole))
        } else if is_zstandard {
            match zstd::stream::read::Decoder::new(whole) {
                Ok(decoder) => Box::new(decoder),
                Err(source) => return Err(Failure::Damaged { name, source }),
            }
        } else {
            Box::new(whole)
        };
        Ok(Self {
            name,
            reader,
            is_compressed: is_gzip || is_zstandard,
            is_cut: false,
            progress,
            places,
        })
    }

    /// Finds the events of what was read.
    pub fn places(&self) -> LogPlaces {
        self.places.clone()
    }

    /// Whether compressed data broke off. What was there of it was given.
    pub fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// Fills a block as far as something is there, with nothing at the end.
    pub fn read(&mut self, block: &mut [u8]) -> Result<usize, Failure> {
        loop {
            match self.reader.read(block) {
                Ok(length) => {
                    if let LogPlaces::Kept(text) = &self.places {
                        text.push(&block[..length]);
                    }
                    return Ok(length);
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if self.is_compressed && error.kind() == ErrorKind::UnexpectedEof => {
                    self.is_cut = true;
                    return Ok(0);
                }
                Err(source) => {
                    let name = self.name.clone();
                    return Err(if self.is_compressed {
                        Failure::Damaged { name, source }
                    } else {
                        Failure::Unreadable {
                            name,
                            source,
                            help: FILE_OR_STDIN,
                        }
                    });
                }
            }
        }
    }

    /// A little more than people can be shown; less only at the end.
    pub fn block(&mut self) -> Result<Vec<u8>, Failure> {
        let mut block = Vec::new();
        self.fill(&mut block)?;
        Ok(block)
    }

    /// The same into a block that was used before.
    pub fn fill(&mut self, block: &mut Vec<u8>) -> Result<(), Failure> {
        block.resize(MAX_SHOWN_BYTES + 1, 0);
        let mut length = 0;
        while length < block.len() && !self.is_cut {
            match self.read(&mut block[length..])? {
                0 => break,
                more => length += more,
            }
        }
        block.truncate(length);
        Ok(())
    }
}

impl Drop for LogSource {
    fn drop(&mut self) {
        self.progress.finish_and_clear();
    }
}

/// Counts what is read of a file, before it is decompressed.
struct Counted<R> {
    inner: R,
    progress: ProgressBar,
    begun: Instant,
    waiting: u64,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, block: &mut [u8]) -> io::Result<usize> {
        let length = self.inner.read(block)?;
        self.waiting += length as u64;
        // What is over soon shows nothing.
        if self.begun.elapsed() > PATIENCE {
            self.progress.inc(std::mem::take(&mut self.waiting));
        }
        Ok(length)
    }
}

/// The bytes that were read, on a terminal; nothing in a pipe.
fn progress(length: Option<u64>) -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = length.map_or_else(ProgressBar::no_length, ProgressBar::new);
    // The template is a constant; were it wrong, the default style would do.
    match ProgressStyle::with_template("{wide_bar} {bytes}/{total_bytes}") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
