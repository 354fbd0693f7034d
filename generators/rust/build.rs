//! Tells cargo to embed the crate for exact JSON again when a file in it comes, changes or goes.

fn main() {
    println!("cargo::rerun-if-changed=../../crates/json/src");
    println!("cargo::rerun-if-changed=build.rs");
}
