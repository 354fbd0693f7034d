//! The documents of this repository, which are pages of Markdown.

use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::workspace;

/// What begins and ends a block.
const FENCE: &str = "```";

/// One page.
#[derive(Debug, Clone)]
pub struct Document {
    /// Its path from the root of the workspace.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// What is between two fences.
#[derive(Debug, Clone)]
struct FencedBlock {
    language: String,
    /// Where the line of the opening fence begins.
    start: usize,
    /// Where its text is.
    text: Range<usize>,
    /// Where the line after the closing fence begins.
    end: usize,
}

/// A command, and the place of the output that the document shows below it.
#[derive(Debug, Clone)]
pub struct CommandExample {
    /// The command.
    pub command: String,
    /// Where the output is in the document.
    pub output: Range<usize>,
}

impl Document {
    /// Reads one page, given by its path from the root of the workspace.
    ///
    /// # Panics
    ///
    /// When the file cannot be read.
    #[must_use]
    pub fn read(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            text: workspace::text(name),
        }
    }

    /// Reads every page that git keeps.
    ///
    /// # Panics
    ///
    /// When git or a file cannot be read.
    #[must_use]
    pub fn all() -> Vec<Self> {
        let mut names = workspace::tracked_files();
        names.retain(|name| Path::new(name).extension().is_some_and(|it| it == "md"));
        names.iter().map(|name| Self::read(name)).collect()
    }

    /// The texts of the blocks in one language.
    ///
    /// # Panics
    ///
    /// When a fence is not closed.
    #[must_use]
    pub fn blocks(&self, language: &str) -> Vec<&str> {
        let blocks = self.fenced().into_iter();
        let blocks = blocks.filter(|block| block.language == language);
        blocks.map(|block| &self.text[block.text]).collect()
    }

    /// The text without its blocks.
    ///
    /// # Panics
    ///
    /// When a fence is not closed.
    #[must_use]
    pub fn prose(&self) -> String {
        let (mut prose, mut at) = (String::new(), 0);
        for block in self.fenced() {
            prose.push_str(&self.text[at..block.start]);
            at = block.end;
        }
        prose + &self.text[at..]
    }

    /// What is between backticks in one line of prose.
    ///
    /// # Panics
    ///
    /// When a fence is not closed.
    #[must_use]
    pub fn code_spans(&self) -> Vec<String> {
        let prose = self.prose();
        let spans = prose
            .lines()
            .flat_map(|line| line.split('`').skip(1).step_by(2));
        spans.map(str::to_owned).collect()
    }

    /// The lines of `sh` blocks, and everything between backticks, which may be a command as well.
    ///
    /// # Panics
    ///
    /// When a fence is not closed.
    #[must_use]
    pub fn commands(&self) -> Vec<String> {
        let blocks = self.blocks("sh");
        let lines = blocks.iter().flat_map(|block| block.lines());
        let mut commands: Vec<_> = lines.map(|line| line.trim().to_owned()).collect();
        commands.extend(self.code_spans());
        commands
    }

    /// The `sh` blocks that a `text` block follows, with nothing between.
    ///
    /// # Panics
    ///
    /// When a fence is not closed.
    #[must_use]
    pub fn transcripts(&self) -> Vec<CommandExample> {
        let blocks = self.fenced();
        let pairs = blocks.windows(2).filter(|pair| {
            let between = &self.text[pair[0].end..pair[1].start];
            let languages = (pair[0].language.as_str(), pair[1].language.as_str());
            languages == ("sh", "text") && between.trim().is_empty()
        });
        let transcripts = pairs.map(|pair| CommandExample {
            command: self.text[pair[0].text.clone()].trim().to_owned(),
            output: pair[1].text.clone(),
        });
        transcripts.collect()
    }

    /// Whether a heading of the page has this anchor.
    #[must_use]
    pub fn has_anchor(&self, anchor: &str) -> bool {
        let mut anchors = self.text.lines().filter_map(anchor_of);
        anchors.any(|known| known == anchor)
    }

    /// The path of something that is given from the folder of this page.
    #[must_use]
    pub fn beside(&self, path: &str) -> PathBuf {
        let folder = Path::new(&self.name).parent().unwrap_or(Path::new(""));
        workspace::root().join(folder).join(path)
    }

    fn fenced(&self) -> Vec<FencedBlock> {
        let mut blocks: Vec<FencedBlock> = Vec::new();
        let (mut at, mut open) = (0, false);
        for line in self.text.split_inclusive('\n') {
            let (start, end) = (at, at + line.len());
            at = end;
            let Some(language) = line.trim().strip_prefix(FENCE) else {
                continue;
            };
            match blocks.last_mut() {
                Some(block) if open => (block.text.end, block.end) = (start, end),
                _ => blocks.push(FencedBlock {
                    language: language.to_owned(),
                    start,
                    text: end..end,
                    end,
                }),
            }
            open = !open;
        }
        assert!(!open, "{}: a fence is not closed", self.name);
        blocks
    }
}

/// The anchor that a heading gets: its words in lower case, with hyphens for spaces.
fn anchor_of(line: &str) -> Option<String> {
    let heading = line.strip_prefix('#')?.trim_start_matches('#').trim();
    let kept = |character: &char| character.is_alphanumeric() || " -_".contains(*character);
    let words: String = heading.chars().filter(kept).collect();
    Some(words.to_lowercase().replace(' ', "-"))
}
