//! Tells cargo to embed the corpus and the specification again when either of them changes.

fn main() {
    println!("cargo::rerun-if-changed=../../corpus");
    println!("cargo::rerun-if-changed=../../SPEC.md");
    println!("cargo::rerun-if-changed=build.rs");
}
