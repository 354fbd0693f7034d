//! Patterns that the engines of JavaScript, which go back and try again, need too long for.

use chatstate_schema_model::Ir;
use regex_syntax::Parser;
use regex_syntax::hir::{Class, ClassUnicode, ClassUnicodeRange, Hir, HirKind, Repetition};

/// A sentence for each pattern that may take time without bounds.
pub(crate) fn warnings(ir: &Ir) -> Vec<String> {
    let slow = ir.patterns().filter(|(_, pattern)| goes_back(pattern));
    slow.map(|(definition, pattern)| {
        format!(
            "warning: the pattern `{pattern}`, in definition `{definition}`, repeats a repetition; \
             engines of JavaScript double their time with each character of a text that almost \
             matches, so limit the length of what is checked, or write one repetition"
        )
    })
    .collect()
}

/// Whether a pattern repeats something that one repetition in it can match alone, so that a text can
/// be divided among the rounds in many ways. A pattern that looks around or back is not judged.
fn goes_back(pattern: &str) -> bool {
    Parser::new()
        .parse(pattern)
        .is_ok_and(|pattern| parts(&pattern).into_iter().any(repeats_a_repetition))
}

fn repeats_a_repetition(part: &Hir) -> bool {
    let Some(repeated) = endless(part) else {
        return false;
    };
    let inner = parts(repeated).into_iter().filter_map(endless);
    inner.into_iter().any(|inner| {
        let mut characters = ClassUnicode::empty();
        collect(inner, &mut characters);
        is_matched_by(repeated, &characters)
    })
}

/// What a repetition without an upper bound repeats.
fn endless(part: &Hir) -> Option<&Hir> {
    match part.kind() {
        HirKind::Repetition(Repetition { max: None, sub, .. }) => Some(sub),
        _ => None,
    }
}

/// A part and all parts in it.
fn parts(part: &Hir) -> Vec<&Hir> {
    let inside = part.kind().subs().iter().flat_map(parts);
    std::iter::once(part).chain(inside).collect()
}

/// The characters that a part names.
fn collect(part: &Hir, characters: &mut ClassUnicode) {
    for part in parts(part) {
        characters.union(&class(part));
    }
}

/// The characters of a literal or a class.
fn class(part: &Hir) -> ClassUnicode {
    match part.kind() {
        HirKind::Literal(literal) => {
            let text = String::from_utf8_lossy(&literal.0).into_owned();
            ClassUnicode::new(text.chars().map(|one| ClassUnicodeRange::new(one, one)))
        }
        HirKind::Class(Class::Unicode(class)) => class.clone(),
        // Patterns of texts have no classes of bytes, and other parts name no characters themselves.
        _ => ClassUnicode::empty(),
    }
}

/// Whether a part matches a text of these characters alone.
fn is_matched_by(part: &Hir, characters: &ClassUnicode) -> bool {
    let all = |parts: &[Hir]| parts.iter().all(|part| is_matched_by(part, characters));
    match part.kind() {
        HirKind::Empty | HirKind::Look(_) => true,
        HirKind::Literal(_) => {
            let mut others = class(part);
            others.difference(characters);
            others.ranges().is_empty()
        }
        HirKind::Class(_) => {
            let mut common = class(part);
            common.intersect(characters);
            !common.ranges().is_empty()
        }
        HirKind::Repetition(repetition) => {
            repetition.min == 0 || is_matched_by(&repetition.sub, characters)
        }
        HirKind::Capture(capture) => is_matched_by(&capture.sub, characters),
        HirKind::Concat(parts) => all(parts),
        HirKind::Alternation(parts) => parts.iter().any(|part| is_matched_by(part, characters)),
    }
}

#[cfg(test)]
mod tests {
    use super::goes_back;

    #[test]
    fn repetitions_that_repeat_one_another() {
        for slow in [
            "^(a+)+$",
            "^(?:a*)*b",
            r"^(\w+\s?)*$",
            "^([a-z][a-z]*)+$",
            "^((x|a+)b?)*$",
            "^(a{2,})+$",
            r"^(\d+)*\.",
        ] {
            assert!(goes_back(slow), "{slow}");
        }
        for fast in [
            "^a+$",
            "^[a-z]+(-[a-z]+)*$",
            r"^(\d+\.)*\d+$",
            "^(a+){3}$",
            "^(a|b)*$",
            "^(ab?)+$",
            "^(?=a+)+$",
        ] {
            assert!(!goes_back(fast), "{fast}");
        }
    }
}
