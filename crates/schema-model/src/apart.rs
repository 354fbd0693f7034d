//! Whether no value fits two variants of a choice, as far as is easily seen.

use indexmap::IndexMap;
use serde_json::Value;

use crate::Predicate;

impl Predicate {
    /// Whether any two variants of `oneOf` have a member that both require and whose values are listed,
    /// with none in both lists.
    pub(crate) fn are_apart(&self) -> bool {
        let arms = self.one_of.iter().map(|arm| arm.required_values(self));
        let arms: Vec<IndexMap<&str, &[Value]>> = arms.collect();
        let mut pairs = arms.iter().enumerate().flat_map(|(index, one)| {
            let others = arms.iter().skip(index + 1);
            others.map(move |other| (one, other))
        });
        pairs.all(|(one, other)| {
            let mut both = one
                .iter()
                .filter_map(|(name, own)| Some((own, other.get(name)?)));
            both.any(|(own, theirs)| own.iter().all(|value| !theirs.contains(value)))
        })
    }

    /// The values that required members of objects may have, where they are listed.
    fn required_values<'p>(&'p self, within: &'p Self) -> IndexMap<&'p str, &'p [Value]> {
        let parts = self.held(within);
        let required = |name: &str| {
            let mut names = parts.iter().flat_map(|part| &part.required);
            names.any(|required| required == name)
        };
        let members = parts.iter().flat_map(|part| &part.properties);
        let listed = members
            .filter(|(name, _)| required(name))
            .filter_map(|(name, member)| {
                let parts = member.held(within);
                let values = parts.iter().find_map(|part| part.values.as_deref())?;
                Some((name.as_str(), values))
            });
        listed.collect()
    }

    /// The predicates that a value fits which fits this one: itself, and what it refers to.
    fn held<'p>(&'p self, within: &'p Self) -> Vec<&'p Self> {
        let (mut found, mut waiting): (Vec<&Self>, _) = (Vec::new(), vec![self]);
        while let Some(predicate) = waiting.pop() {
            if found.iter().any(|other| std::ptr::eq(*other, predicate)) {
                continue;
            }
            found.push(predicate);
            waiting.extend(&predicate.all_of);
            let target = predicate.target();
            waiting.extend(target.and_then(|name| within.definitions.get(name)));
        }
        found
    }
}
