//! Text with places where a line may end, and its printer.
//!
//! The places and the order in which they are tried are those of Prettier's documents: a group is
//! printed in one line if it fits, else each of its own places ends a line. What several layouts have in
//! common is shared, so that what is nested in them is there once.

use std::rc::Rc;

/// The longest line: `printWidth` in the `.prettierrc.json` that every package has.
pub(super) const WIDTH: usize = 120;

/// How much deeper what is indented begins.
const STEP: usize = 2;

/// Text with places where a line may end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Doc {
    Text(Rc<str>),
    Concat(Rc<[Doc]>),
    /// A blank, or the end of a line.
    Line,
    /// Nothing, or the end of a line.
    SoftLine,
    /// What is printed where the group around it is broken.
    IfBroken(&'static str),
    /// What is printed where it is not.
    IfFlat(&'static str),
    Indent(Rc<Doc>),
    Group {
        of: Rc<Doc>,
        /// Whether it is broken also where it would fit.
        broken: bool,
    },
    /// The same text in several layouts, of which the first that fits is taken.
    OneOf(Rc<[Doc]>),
    /// Parts of which as many as fit are in a line, with commas between.
    Fill(Rc<[Doc]>),
    /// The value of an assignment. The line ends before it where it would else not even begin in it.
    Assigned(Rc<Doc>),
}

use Doc::{Concat, Fill, Group, IfBroken, IfFlat, Indent, Line, OneOf, SoftLine, Text};

pub(super) fn text(text: impl Into<Rc<str>>) -> Doc {
    Text(text.into())
}

pub(super) fn concat(parts: impl IntoIterator<Item = Doc>) -> Doc {
    Concat(parts.into_iter().collect())
}

pub(super) fn indent(parts: impl IntoIterator<Item = Doc>) -> Doc {
    Indent(Rc::new(concat(parts)))
}

/// A group, which is broken if something in it is.
pub(super) fn group(parts: impl IntoIterator<Item = Doc>) -> Doc {
    group_if(false, parts)
}

/// A group that is broken if that is asked for, or if something in it is.
pub(super) fn group_if(broken: bool, parts: impl IntoIterator<Item = Doc>) -> Doc {
    let of = concat(parts);
    Group {
        broken: broken || of.is_broken(),
        of: Rc::new(of),
    }
}

/// Parts with something between them.
pub(super) fn join(between: &[Doc], parts: impl IntoIterator<Item = Doc>) -> Doc {
    let mut joined = Vec::new();
    for part in parts {
        if !joined.is_empty() {
            joined.extend(between.iter().cloned());
        }
        joined.push(part);
    }
    concat(joined)
}

impl Doc {
    /// Whether a line ends in it for certain. What has several layouts decides for itself.
    pub(super) fn is_broken(&self) -> bool {
        match self {
            Group { broken, .. } => *broken,
            Concat(parts) => parts.iter().any(Self::is_broken),
            Indent(of) | Self::Assigned(of) => of.is_broken(),
            OneOf(layouts) => layouts.first().is_some_and(Self::is_broken),
            Text(_) | Line | SoftLine | IfBroken(_) | IfFlat(_) | Fill(_) => false,
        }
    }
}

/// Whether the places of a document end a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Flat,
    Broken,
}

/// A document that is still to be printed.
#[derive(Debug, Clone, Copy)]
struct Pending<'d> {
    indentation: usize,
    mode: Mode,
    doc: &'d Doc,
}

impl<'d> Pending<'d> {
    fn with(self, doc: &'d Doc) -> Self {
        Self { doc, ..self }
    }

    fn flat(self, doc: &'d Doc) -> Self {
        let mode = Mode::Flat;
        Self { mode, doc, ..self }
    }

    fn broken(self, doc: &'d Doc) -> Self {
        let mode = Mode::Broken;
        Self { mode, doc, ..self }
    }

    fn deeper(self, doc: &'d Doc) -> Self {
        let indentation = self.indentation + STEP;
        Self {
            indentation,
            doc,
            ..self
        }
    }
}

/// The text of a document, in lines. Those after the first are indented so far at least.
pub(super) fn print(doc: &Doc, indentation: usize) -> String {
    let mut printer = Printer {
        out: String::new(),
        column: indentation,
        pending: vec![Pending {
            indentation,
            mode: Mode::Broken,
            doc,
        }],
    };
    while let Some(next) = printer.pending.pop() {
        printer.step(next);
    }
    printer.out
}

struct Printer<'d> {
    out: String,
    column: usize,
    pending: Vec<Pending<'d>>,
}

impl<'d> Printer<'d> {
    fn step(&mut self, next: Pending<'d>) {
        match next.doc {
            Text(text) => self.write(text),
            Line | SoftLine if next.mode == Mode::Broken => self.end_line(next.indentation),
            Line => self.write(" "),
            IfBroken(text) if next.mode == Mode::Broken => self.write(text),
            IfFlat(text) if next.mode == Mode::Flat => self.write(text),
            SoftLine | IfBroken(_) | IfFlat(_) => {}
            Concat(parts) => {
                let parts = parts.iter().rev();
                self.pending.extend(parts.map(|part| next.with(part)));
            }
            Indent(of) => self.pending.push(next.deeper(of)),
            Group { of, broken } => {
                let flat = next.flat(of);
                let fits = !broken && (next.mode == Mode::Flat || self.fits(flat));
                self.pending.push(if fits { flat } else { next.broken(of) });
            }
            OneOf(layouts) => self.one_of(next, layouts),
            Fill(parts) => self.fill(next, parts),
            Doc::Assigned(of) => self.assigned(next, of),
        }
    }

    fn one_of(&mut self, next: Pending<'d>, layouts: &'d [Doc]) {
        let mut flat = layouts.iter().map(|layout| next.flat(layout));
        let fitting = flat.find(|layout| next.mode == Mode::Flat || self.fits(*layout));
        let last = layouts.last().map(|layout| next.broken(layout));
        self.pending.extend(fitting.or(last));
    }

    fn fill(&mut self, next: Pending<'d>, parts: &'d [Doc]) {
        for (place, part) in parts.iter().enumerate() {
            if place > 0 {
                self.write(",");
                let width = width_of(part) + " ,".len();
                if next.mode == Mode::Flat || self.column + width <= WIDTH {
                    self.write(" ");
                } else {
                    self.end_line(next.indentation);
                }
            }
            if let Text(text) = part {
                self.write(text);
            }
        }
    }

    fn assigned(&mut self, next: Pending<'d>, of: &'d Doc) {
        // The rest of the line is taken as it is: only the begin of the value has to fit.
        self.pending.push(next.with(of));
        let begins = self.fits(next.flat(&Line));
        self.pending.pop();
        if begins || next.mode == Mode::Flat {
            self.write(" ");
            self.pending.push(next.with(of));
        } else {
            self.end_line(next.indentation + STEP);
            self.pending.push(next.deeper(of));
        }
    }

    fn write(&mut self, text: &str) {
        self.out.push_str(text);
        self.column += text.chars().count();
    }

    fn end_line(&mut self, indentation: usize) {
        self.out.truncate(self.out.trim_end_matches(' ').len());
        self.out.push('\n');
        self.out.push_str(&" ".repeat(indentation));
        self.column = indentation;
    }

    /// Whether a document and what comes after it, up to the next end of a line, have room in this one.
    fn fits(&self, next: Pending<'d>) -> bool {
        let Some(mut room) = WIDTH.checked_sub(self.column) else {
            return false;
        };
        let mut after = self.pending.iter().rev();
        let mut pending = vec![next];
        loop {
            let Some(next) = pending.pop().or_else(|| after.next().copied()) else {
                return true;
            };
            let width = match next.doc {
                Line | SoftLine if next.mode == Mode::Broken => return true,
                Text(text) => text.chars().count(),
                Line => 1,
                IfBroken(text) if next.mode == Mode::Broken => text.len(),
                IfFlat(text) if next.mode == Mode::Flat => text.len(),
                SoftLine | IfBroken(_) | IfFlat(_) => 0,
                Concat(parts) => {
                    let parts = parts.iter().rev();
                    pending.extend(parts.map(|part| next.with(part)));
                    0
                }
                Indent(of) => {
                    pending.push(next.with(of));
                    0
                }
                Doc::Assigned(of) => {
                    pending.push(next.with(of));
                    1
                }
                Group { of, broken } => {
                    pending.push(if *broken {
                        next.broken(of)
                    } else {
                        next.with(of)
                    });
                    0
                }
                OneOf(layouts) => {
                    let layout = match next.mode {
                        Mode::Flat => layouts.first(),
                        Mode::Broken => layouts.last(),
                    };
                    pending.extend(layout.map(|layout| next.with(layout)));
                    0
                }
                Fill(parts) => parts.iter().map(|part| width_of(part) + ", ".len()).sum(),
            };
            let Some(rest) = room.checked_sub(width) else {
                return false;
            };
            room = rest;
        }
    }
}

fn width_of(doc: &Doc) -> usize {
    match doc {
        Text(text) => text.chars().count(),
        _ => 0,
    }
}
