//! Reads documents with generated packages and writes them again, as `read.py` does. The test puts a
//! macro call for each subject in the place of the last line.

use std::io::{Read, Write};

macro_rules! subjects {
    ($($name:literal => $ty:ty),* $(,)?) => {
        fn answer(name: &str, document: &str) -> Result<String, (String, String)> {
            match name {
                $($name => <$ty>::from_json(document)
                    .and_then(|value| value.to_json())
                    .map_err(|rejection| (rejection.rule.to_string(), rejection.to_string())),)*
                other => panic!("no subject `{other}`"),
            }
        }
    };
}

fn main() {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).unwrap();
    let mut out = String::new();
    for line in text.lines() {
        let (name, document) = line.split_once('\t').unwrap();
        let answer = match answer(name, document) {
            Ok(text) => serde_json::json!({ "text": text }),
            Err((rule, message)) => serde_json::json!({ "rule": rule, "message": message }),
        };
        out += &format!("{answer}\n");
    }
    std::io::stdout().write_all(out.as_bytes()).unwrap();
}

// subjects
