//! Tells cargo to embed the folders of the package again when a file in them comes, changes or goes.

const FOLDERS: [&str; 6] = [
    "Runtime", "Chats", "Sessions", "Storage", "Streams", "Testing",
];

fn main() {
    for folder in FOLDERS {
        println!("cargo::rerun-if-changed=../../packages/dotnet/src/Chatstate/{folder}");
    }
    println!("cargo::rerun-if-changed=skeleton");
    println!("cargo::rerun-if-changed=templates");
    println!("cargo::rerun-if-changed=build.rs");
}
