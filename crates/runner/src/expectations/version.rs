//! Ranges of versions, compared part by part.
//!
//! The runner does not know the scheme of an SDK. This order agrees with the package managers of Rust,
//! JavaScript, Python and .NET, except for epochs and some words for pre-releases.

use std::cmp::Ordering;

/// Whether an order of a version to another one is the wanted one.
type Wanted = fn(Ordering) -> bool;

/// The operators of comparisons; those that begin with another one come before it.
const OPERATORS: [(&str, Wanted); 6] = [
    (">=", Ordering::is_ge),
    ("<=", Ordering::is_le),
    ("!=", Ordering::is_ne),
    (">", Ordering::is_gt),
    ("<", Ordering::is_lt),
    ("=", Ordering::is_eq),
];

/// Whether a text is meant as a range and not as a pattern.
pub(crate) fn is_range(text: &str) -> bool {
    comparison(text).is_some()
}

/// Tells what is wrong with a range, if anything is.
pub(crate) fn check(range: &str) -> Result<(), String> {
    let is_version = |text: &str| {
        text.starts_with(|first: char| first.is_ascii_digit())
            && text
                .chars()
                .all(|it| it.is_alphanumeric() || ".-_+".contains(it))
    };
    let is_comparison = |part: &&str| comparison(part).is_some_and(|(_, it)| is_version(it));
    let wrong = range.split(',').find(|part| !is_comparison(part));
    match wrong {
        None => Ok(()),
        Some(part) => Err(format!(
            "`{}` is not a comparison of versions; write `>=1.2`, `<2`, `!=1.4.1` with commas between",
            part.trim()
        )),
    }
}

/// Whether a version is in a range: comparisons with commas between, all of which hold.
pub(crate) fn holds(range: &str, version: &str) -> bool {
    range.split(',').all(|part| {
        let compared = comparison(part);
        compared.is_some_and(|(holds, other)| holds(compare(version, other)))
    })
}

/// The operator and the version of a comparison.
fn comparison(part: &str) -> Option<(Wanted, &str)> {
    let part = part.trim();
    OPERATORS.iter().find_map(|(operator, holds)| {
        let version = part.strip_prefix(operator)?;
        Some((*holds, version.trim_start()))
    })
}

/// One part of a version: what orders it, its number, its word.
type VersionPart<'a> = (u8, u128, &'a str);

/// What is compared where one of two versions has no more parts.
const NOTHING: VersionPart<'static> = (2, 0, "");

/// Compares two versions part by part. A word makes a version an earlier one than it is without (`1.0b2`,
/// `1.0.0-rc.1`), but for `post`, which makes it a later one.
fn compare(one: &str, other: &str) -> Ordering {
    let (one, other) = (parts(one), parts(other));
    let places = 0..one.len().max(other.len());
    let at = |parts: &[VersionPart<'_>], place: usize| match parts.get(place) {
        Some((rank, number, word)) => (*rank, *number, word.to_lowercase()),
        None => (NOTHING.0, NOTHING.1, NOTHING.2.to_owned()),
    };
    let compared = places.map(|place| at(&one, place).cmp(&at(&other, place)));
    compared.fold(Ordering::Equal, Ordering::then)
}

/// The numbers and words of a version. What follows `+` names a build and orders nothing.
fn parts(version: &str) -> Vec<VersionPart<'_>> {
    let version = version.split('+').next().unwrap_or_default().trim();
    let version = version.strip_prefix('v').unwrap_or(version);
    let pieces = version.split(|it: char| !it.is_alphanumeric());
    pieces.flat_map(words_and_numbers).map(part).collect()
}

/// The pieces of `0rc1`: `0`, `rc` and `1`.
fn words_and_numbers(piece: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = piece;
    while let Some(first) = rest.chars().next() {
        let is_digit = |it: char| it.is_ascii_digit();
        let end = rest.find(|it| is_digit(it) != is_digit(first));
        let (word, behind) = rest.split_at(end.unwrap_or(rest.len()));
        found.push(word);
        rest = behind;
    }
    found
}

fn part(text: &str) -> VersionPart<'_> {
    if text.starts_with(|first: char| first.is_ascii_digit()) {
        // A number that no register holds is a larger one than all that one does.
        let number = text.parse().unwrap_or(u128::MAX);
        return (if number == 0 { NOTHING.0 } else { 4 }, number, "");
    }
    match text.to_lowercase().as_str() {
        "dev" => (0, 0, text),
        "post" => (3, 0, text),
        _ => (1, 0, text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_order(one: &str, other: &str, order: Ordering) {
        assert_eq!(compare(one, other), order, "{one} and {other}");
        assert_eq!(compare(other, one), order.reverse(), "{other} and {one}");
    }

    #[test]
    fn order() {
        check_order("1.9.0", "1.10.0", Ordering::Less);
        check_order("1.0", "1.0.0", Ordering::Equal);
        check_order("v2", "2.0.0.0", Ordering::Equal);
        check_order("1.0.0+linux", "1.0.0+windows", Ordering::Equal);
        check_order("1.0.0-alpha.2", "1.0.0-alpha.10", Ordering::Less);
        check_order("1.0.0-rc.1", "1.0.0", Ordering::Less);
        check_order("1.0.0rc1", "1.0.0", Ordering::Less);
        check_order("1.0.0b260212", "1.0.0b260213", Ordering::Less);
        check_order("1.0.dev3", "1.0a1", Ordering::Less);
        check_order("1.0.post1", "1.0", Ordering::Greater);
        check_order("1.0.post1", "1.0.1", Ordering::Less);
        check_order("1.0.0-RC1", "1.0.0-rc1", Ordering::Equal);
        check_order("4.2.0.1", "4.2.0", Ordering::Greater);
        check_order("unknown", "0", Ordering::Less);
    }

    #[test]
    fn ranges() {
        assert!(holds(">=1.2, <2", "1.2"));
        assert!(holds(">=1.2, <2", "1.10.3"));
        assert!(!holds(">=1.2, <2", "2.0.0"));
        assert!(holds("<2", "2.0.0-beta.1"));
        assert!(holds("!=1.4.1", "1.4.2") && !holds("!=1.4.1", "1.4.1"));
        assert!(holds("=1.4", "1.4.0") && !holds(">1.4", "1.4.0"));
        assert!(!is_range("1.*") && !is_range("1.2.0") && is_range("<2"));
        assert_eq!(check(">=1.2, <2"), Ok(()));
        let said = check(">=1.2, ~3").unwrap_err();
        assert!(said.starts_with("`~3` is not a comparison"), "{said}");
        for wrong in [">=", "<2,", ">=1.2 <2", "<v"] {
            assert!(check(wrong).is_err(), "{wrong}");
        }
    }
}
