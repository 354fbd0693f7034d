//! Names that were probably meant, in the place of unknown ones.

/// How many known names are offered.
const MAX_OFFERED: usize = 3;

/// The beginning of a name that is taken for the whole name is not shorter.
const MIN_BEGINNING: usize = 3;

/// Whether a known name may have been meant: a letter in three is wrong at most, or the end is missing.
fn is_near(name: &str, known: &str) -> bool {
    let wrong = strsim::osa_distance(name, known);
    let is_beginning = name.len() >= MIN_BEGINNING && known.starts_with(name);
    is_beginning || wrong <= (name.chars().count() / 3).max(1)
}

/// The known names that are most alike, the best first. Letters in upper and lower case count as equal.
pub fn nearest<'known>(
    name: &str,
    known: impl IntoIterator<Item = &'known str>,
) -> Vec<&'known str> {
    let name = name.to_lowercase();
    let mut alike: Vec<(f64, &str)> = known
        .into_iter()
        .map(|known| (known.to_lowercase(), known))
        .filter(|(lower, _)| is_near(&name, lower))
        .map(|(lower, known)| (strsim::jaro_winkler(&name, &lower), known))
        .collect();
    alike.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    let names = alike.into_iter().map(|(_, known)| known);
    names.take(MAX_OFFERED).collect()
}

/// Asks whether one of the names that are most alike was meant; nothing where none is.
pub fn did_you_mean<'known>(
    name: &str,
    known: impl IntoIterator<Item = &'known str>,
) -> Option<String> {
    let offered = nearest(name, known);
    let offered: Vec<String> = offered.iter().map(|name| format!("`{name}`")).collect();
    match offered.as_slice() {
        [] => None,
        [only] => Some(format!("did you mean {only}?")),
        [others @ .., last] => Some(format!("did you mean {} or {last}?", others.join(", "))),
    }
}

#[cfg(test)]
mod tests {
    use super::did_you_mean;

    #[test]
    fn only_near_names_are_offered() {
        let known = ["ChatState", "ChatMessage", "Event", "lint"];
        let asked = |name| did_you_mean(name, known);
        let both = "did you mean `ChatState` or `ChatMessage`?";
        assert_eq!(asked("chat").as_deref(), Some(both));
        let state = "did you mean `ChatState`?";
        assert_eq!(asked("chatstate").as_deref(), Some(state));
        assert_eq!(asked("evnt").as_deref(), Some("did you mean `Event`?"));
        assert_eq!(asked("Session"), None);
        assert_eq!(asked("init"), None);
    }
}
