//! The state that the agent shares, and how it changes.

use fastrand::Rng;
use serde_json::{Map, Value, json};

use super::words::{chance, id, one_of, words};

/// The most items of the list, and the most entries by key.
const MOST_ITEMS: usize = 60;
const MOST_ENTRIES: usize = 40;

/// A state as an application has it: a few plain members, a list, entries by key.
pub struct ApplicationState {
    step: u64,
    progress: u32,
    notes: String,
    flag: bool,
    items: Vec<Value>,
    entries: Map<String, Value>,
}

impl ApplicationState {
    /// The state of a thread that begins.
    pub fn new() -> Self {
        Self {
            step: 0,
            progress: 0,
            notes: String::new(),
            flag: true,
            items: Vec::new(),
            entries: Map::new(),
        }
    }

    /// The state as a value.
    pub fn value(&self) -> Value {
        json!({
            "title": "plan", "step": self.step, "progress": f64::from(self.progress) / 1000.0, "items": self.items,
            "byKey": self.entries, "notes": self.notes, "flags": {"a/b": self.flag, "m~n": 1},
        })
    }

    /// Changes it and gives the change as a patch that applies.
    pub fn change(&mut self, random: &mut Rng) -> Value {
        let mut patch = Vec::new();
        for _ in 0..random.usize(1..=4) {
            patch.push(self.operation(random));
        }
        while self.items.len() > MOST_ITEMS {
            self.items.remove(0);
            patch.push(json!({"op": "remove", "path": "/items/0"}));
        }
        while let Some(key) = self.surplus() {
            patch.push(self.drop_entry(&key));
        }
        Value::Array(patch)
    }

    fn operation(&mut self, random: &mut Rng) -> Value {
        match random.u32(..100) {
            0..30 => {
                let item = item(random);
                self.items.push(item.clone());
                json!({"op": "add", "path": "/items/-", "value": item})
            }
            30..45 => {
                let (key, item) = (id(random, "key"), item(random));
                self.entries.insert(key.clone(), item.clone());
                json!({"op": "add", "path": format!("/byKey/{key}"), "value": item})
            }
            45..60 if !self.items.is_empty() => {
                let (index, done) = (random.usize(..self.items.len()), random.bool());
                self.items[index]["done"] = json!(done);
                json!({"op": "replace", "path": format!("/items/{index}/done"), "value": done})
            }
            60..75 => {
                self.step += 1;
                json!({"op": "replace", "path": "/step", "value": self.step})
            }
            75..82 => {
                self.notes = words(random, 5, 80);
                json!({"op": "replace", "path": "/notes", "value": self.notes})
            }
            82..86 => {
                self.flag = random.bool();
                json!({"op": "replace", "path": "/flags/a~1b", "value": self.flag})
            }
            86..90 => json!({"op": "test", "path": "/title", "value": "plan"}),
            90..95 if !self.items.is_empty() => {
                let index = random.usize(..self.items.len());
                self.items.remove(index);
                json!({"op": "remove", "path": format!("/items/{index}")})
            }
            _ => self.drop_or_progress(random),
        }
    }

    fn drop_or_progress(&mut self, random: &mut Rng) -> Value {
        let keys: Vec<&String> = self.entries.keys().collect();
        if !keys.is_empty() && chance(random, 0.7) {
            let key = one_of(random, &keys).clone();
            return self.drop_entry(&key);
        }
        self.progress = random.u32(..1000);
        json!({"op": "replace", "path": "/progress", "value": f64::from(self.progress) / 1000.0})
    }

    /// The oldest entry, if there are too many.
    fn surplus(&self) -> Option<String> {
        let too_many = self.entries.len() > MOST_ENTRIES;
        self.entries.keys().next().filter(|_| too_many).cloned()
    }

    fn drop_entry(&mut self, key: &str) -> Value {
        self.entries.shift_remove(key);
        json!({"op": "remove", "path": format!("/byKey/{key}")})
    }
}

fn item(random: &mut Rng) -> Value {
    let tags: Vec<String> = (0..random.usize(..4))
        .map(|_| words(random, 1, 6))
        .collect();
    json!({
        "id": id(random, "item"), "text": words(random, 10, 60), "done": random.bool(),
        "score": f64::from(random.u32(..10_000)) / 100.0, "tags": tags,
    })
}
