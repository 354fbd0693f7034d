//! What is shown of two long texts: the part that differs, with a little of what stands around it.

/// How much stands before and after the part that differs, in characters.
const CONTEXT: usize = 24;

/// The part of two texts that differs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Excerpt {
    /// Of the first text; `…` where it is cut.
    pub before: String,
    /// Of the second text; `…` where it is cut.
    pub after: String,
    /// Where the difference begins in both, in characters.
    pub from: usize,
    /// How long it is in the second text, in characters; at least 1, so that it can be marked.
    pub length: usize,
}

impl Excerpt {
    /// A line to stand below both sides, which marks what differs.
    #[must_use]
    pub fn marks(&self) -> String {
        " ".repeat(self.from) + &"^".repeat(self.length)
    }
}

/// The part of two texts that differs, at most `longest` characters of it from each.
///
/// ```
/// # use chatstate_types::diff::excerpt;
/// let shown = excerpt("The dog runs away from the wolf at once", "The dog runs away from the bear at once", 60);
/// assert_eq!(shown.before, "… dog runs away from the wolf at once");
/// assert_eq!(shown.after, "… dog runs away from the bear at once");
/// assert_eq!((shown.from, shown.length), (25, 4));
/// ```
#[must_use]
pub fn excerpt(before: &str, after: &str, longest: usize) -> Excerpt {
    let same = |(left, right): &(char, char)| left == right;
    let head = before.chars().zip(after.chars()).take_while(same).count();
    let (left, right): (Vec<char>, Vec<char>) = (
        before.chars().skip(head).collect(),
        after.chars().skip(head).collect(),
    );
    let ends = left.iter().rev().zip(right.iter().rev());
    let tail = ends.take_while(|(left, right)| left == right).count();
    let context: Vec<char> = before.chars().take(head).collect();
    let beginning = shown_beginning(&context);
    let from = beginning.chars().count();
    let side = |text: &[char]| {
        let (middle, end) = text.split_at(text.len() - tail);
        [
            beginning.clone(),
            shown_middle(middle, longest),
            shown_end(end),
        ]
        .concat()
    };
    Excerpt {
        before: side(&left),
        after: side(&right),
        from,
        length: (right.len() - tail).clamp(1, longest + 1),
    }
}

fn shown_beginning(text: &[char]) -> String {
    match text.len().checked_sub(CONTEXT) {
        Some(cut) if cut > 1 => ['…'].iter().chain(&text[cut..]).collect(),
        _ => text.iter().collect(),
    }
}

fn shown_middle(text: &[char], longest: usize) -> String {
    if text.len() <= longest {
        return text.iter().collect();
    }
    text[..longest].iter().chain(&['…']).collect()
}

fn shown_end(text: &[char]) -> String {
    if text.len() <= CONTEXT + 1 {
        return text.iter().collect();
    }
    text[..CONTEXT].iter().chain(&['…']).collect()
}
