//! Tells cargo to embed the folders of the package again when a file in them comes, changes or goes.

const FOLDERS: [&str; 6] = [
    "runtime", "chats", "sessions", "storage", "streams", "testing",
];

fn main() {
    for folder in FOLDERS {
        println!("cargo::rerun-if-changed=../../packages/typescript/src/{folder}");
    }
    println!("cargo::rerun-if-changed=skeleton");
    println!("cargo::rerun-if-changed=templates");
    println!("cargo::rerun-if-changed=build.rs");
}
