//! Text as agents write it: prose in several scripts, code, and what JSON has to escape.

use std::fmt::Write;
use std::sync::LazyLock;

use fastrand::Rng;

/// What texts are made of, with spaces between. One word in three is not ASCII or holds something
/// that is special in JSON.
const WORDS: &str = "we plan to send an offer for each of your orders and then wait until somebody \
    answers it weather hotel flight table ticket number question because result was found in list \
    that you gave me today please look again at summary below agent model token stream thread \
    budget invoice customer approve https://example.org/find?q=blue&page=2 /srv/data/notes.md \
    {braces} [brackets] <em>tag</em> 50% Köln crème señal Łódź σήμερα спасибо 大阪 メモ 안녕 🙂 👩‍🚀 → \
    „so“ \"yes\" C:\\temp one\ntwo left\tright";

/// The words, apart.
static EACH_WORD: LazyLock<Vec<&str>> = LazyLock::new(|| WORDS.split(' ').collect());

/// What is between words now and then: lines and code.
const BLOCKS: &[&str] = &[
    "\n\n",
    "\n- ",
    "```rust\n",
    "```\n",
    "let total = a + b;\n",
    "| name | price |\n",
];

/// A choice out of several.
pub fn one_of<T: Copy>(random: &mut Rng, choices: &[T]) -> T {
    choices[random.usize(..choices.len())]
}

/// Whether something happens that happens so often.
pub fn chance(random: &mut Rng, probability: f64) -> bool {
    random.f64() < probability
}

/// Words with spaces between: of a length in bytes between the two bounds, or one word longer.
pub fn words(random: &mut Rng, least: usize, most: usize) -> String {
    let wanted = random.usize(least..=most);
    let mut text = String::new();
    while text.len() < wanted {
        if !text.is_empty() {
            text.push(' ');
        }
        let block = chance(random, 0.03);
        text.push_str(one_of(random, if block { BLOCKS } else { &EACH_WORD }));
    }
    text
}

/// What a model gives at a time: up to 30 characters.
pub fn delta(random: &mut Rng) -> String {
    let mut text: String = words(random, 3, 24).chars().take(30).collect();
    if random.bool() {
        text.push(' ');
    }
    text
}

/// An id with a prefix that says its kind.
pub fn id(random: &mut Rng, prefix: &str) -> String {
    format!("{prefix}_{:016x}", random.u64(..))
}

/// JSON text in which every character beyond ASCII is escaped, as some producers write it.
pub fn escaped(json: &str) -> String {
    let mut text = String::with_capacity(json.len() * 2);
    for character in json.chars() {
        if character.is_ascii() {
            text.push(character);
        } else {
            for unit in character.encode_utf16(&mut [0; 2]) {
                // Writing to a string cannot fail.
                let _ = write!(text, "\\u{unit:04x}");
            }
        }
    }
    text
}
