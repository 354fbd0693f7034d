//! Tells cargo to embed the crate for exact JSON and the templates again when a file in them comes,
//! changes or goes.

fn main() {
    println!("cargo::rerun-if-changed=../../crates/json/src");
    println!("cargo::rerun-if-changed=skeleton");
    println!("cargo::rerun-if-changed=templates");
    println!("cargo::rerun-if-changed=build.rs");
}
