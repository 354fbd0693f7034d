//! Packages are crates of their own: they compile without a warning and their examples run.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use chatstate_codegen::{Files, Generator, Package, Publication};
use chatstate_generator_rust::RustGenerator;
use chatstate_schema_model::{ReadOptions, SchemaText, read_with};
use tempfile::TempDir;

/// The canonical schema.
const CANONICAL: &[SchemaText<'_>] = &[
    SchemaText {
        name: "chat-state.schema.json",
        text: include_str!("../../../schema/v1/chat-state.schema.json"),
    },
    SchemaText {
        name: "event.schema.json",
        text: include_str!("../../../schema/v1/event.schema.json"),
    },
    SchemaText {
        name: "session.schema.json",
        text: include_str!("../../../schema/v1/session.schema.json"),
    },
];

fn package(name: &str, schemas: &[SchemaText<'_>], behaviour: bool) -> Files {
    let reading = read_with(schemas, &ReadOptions::default());
    let reading = reading.unwrap_or_else(|error| panic!("{error}"));
    let package = Package {
        name: name.to_owned(),
        behaviour,
        publication: publication(behaviour),
        ..Package::default()
    };
    let files = RustGenerator.package(&reading.ir, &package);
    files.unwrap_or_else(|error| panic!("{error}"))
}

/// Writes a package into a folder of its name.
fn written(folder: &TempDir, name: &str, files: &Files) -> PathBuf {
    let folder = folder.path().join(name);
    for (path, text) in files.iter() {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder is made");
        fs::write(path, text).expect("a file is written");
    }
    folder
}

/// What the compiler says of packages.
fn check(folders: &[PathBuf]) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("check");
    let output = Command::new(script).args(folders).output();
    let output = output.expect("the check is started");
    assert!(
        output.status.success(),
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}

/// What generated code breaks on, and a package with tests of its own.
const TRAPS: SchemaText<'_> = SchemaText {
    name: "traps.schema.json",
    text: include_str!("../../../tests/schemas/traps.schema.json"),
};
const KINDS: SchemaText<'_> = SchemaText {
    name: "kinds.schema.json",
    text: include_str!("packages/kinds.schema.json"),
};
const TESTS_OF_KINDS: &str = include_str!("packages/kinds.rs");

/// Schema files that refer to each other, with names that Rust and the runtime have.
const ORDERS: &[SchemaText<'_>] = &[
    SchemaText {
        name: "orders.schema.json",
        text: include_str!("packages/orders.schema.json"),
    },
    SchemaText {
        name: "parts.schema.json",
        text: include_str!("packages/parts.schema.json"),
    },
    SchemaText {
        name: "names.schema.json",
        text: include_str!("packages/names.schema.json"),
    },
];
const TESTS_OF_ORDERS: &str = include_str!("packages/orders.rs");
const TESTS_OF_SERDE: &str = include_str!("packages/with_serde.rs");

/// What the tests of `serde` use.
const USED_WITH_SERDE: &str = r#"
[dev-dependencies]
serde = { version = "1", features = ["derive"] }
serde_json = { version = "1", features = ["arbitrary_precision"] }
"#;

#[test]
fn packages_compile_without_a_warning_and_do_what_their_tests_say() {
    let mut chatstate = package("chatstate", CANONICAL, true);
    let traps = package("traps", &[TRAPS], false);
    let mut kinds = package("kinds", &[KINDS], false);
    let mut orders = package("orders", ORDERS, false);
    orders
        .add("tests/orders.rs", TESTS_OF_ORDERS)
        .expect("a package has no tests");
    kinds
        .add("tests/kinds.rs", TESTS_OF_KINDS)
        .expect("a package has no tests");
    chatstate
        .add("tests/with_serde.rs", TESTS_OF_SERDE)
        .expect("a package has no tests");
    let folder = TempDir::new().expect("a temporary folder");
    let chatstate = written(&folder, "chatstate", &chatstate);
    let manifest = chatstate.join("Cargo.toml");
    let text = fs::read_to_string(&manifest).expect("a manifest");
    fs::write(&manifest, text + USED_WITH_SERDE).expect("the manifest is written");
    check(&[
        chatstate,
        written(&folder, "traps", &traps),
        written(&folder, "kinds", &kinds),
        written(&folder, "orders", &orders),
    ]);
}

#[test]
fn packages_name_no_machine() {
    let traps = package("traps", &[TRAPS], false);
    for (path, text) in traps.iter() {
        assert!(!text.contains(env!("CARGO_MANIFEST_DIR")), "{path}");
    }
    assert_eq!(traps, package("traps", &[TRAPS], false));
}

/// The licence that the package of chatstate has.
fn publication(behaviour: bool) -> Publication {
    Publication {
        license: behaviour.then(|| env!("CARGO_PKG_LICENSE").to_owned()),
        ..Publication::default()
    }
}
