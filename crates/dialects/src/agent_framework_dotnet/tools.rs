//! The tools that a service runs itself: their calls and their results.

use super::super::loss::ConversionLoss;
use super::super::table::{Left, ObjectTable, Rest, Rewrite, ValueShape, row};
use super::contents::{ANNOTATIONS, CALL_ID, CONTENT, MEDIA_AMONG_CONTENTS, METADATA};

pub(super) static MCP_CALL: ObjectTable = ObjectTable {
    name: "mcpServerToolCall",
    rows: &[
        row("name", "function", ValueShape::Text)
            .required()
            .instead("\"\""),
        row("serverName", "server", ValueShape::Text),
        row("arguments", "arguments", ValueShape::Object),
        row("arguments", "arguments_text", ValueShape::ParsedObject),
        CALL_ID,
        ANNOTATIONS,
        METADATA,
    ],
    rest: Rest::Ext,
    rewrite: None,
};

pub(super) static CODE_CALL: ObjectTable = ObjectTable {
    name: "codeInterpreterToolCall",
    rows: &[
        row(
            "inputs",
            "inputs",
            ValueShape::Each(&ValueShape::OneOf(&CONTENT)),
        ),
        CALL_ID,
        ANNOTATIONS,
        METADATA,
    ],
    rest: Rest::Ext,
    rewrite: Some(&MEDIA_AMONG_CONTENTS),
};

pub(super) static OUTPUTS: ObjectTable = ObjectTable {
    name: "mcpServerToolResult, codeInterpreterToolResult, imageGenerationToolResult, webSearchToolResult",
    rows: &[
        row(
            "outputs",
            "outputs",
            ValueShape::Each(&ValueShape::OneOf(&CONTENT)),
        ),
        row("outputs@one", "output", ValueShape::OneOf(&CONTENT))
            .doc("A single output of another SDK."),
        CALL_ID,
        ANNOTATIONS,
        METADATA,
    ],
    rest: Rest::Ext,
    rewrite: Some(&OUTPUT_LIST),
};

static OUTPUT_LIST: Rewrite = Rewrite {
    doc: "a single output is written as a list; media among the outputs are named by their media type",
    read: MEDIA_AMONG_CONTENTS.read,
    write: |object| {
        let mut left = Vec::new();
        if let Some((_, output)) = object.remove("outputs@one")
            && !object.contains_key("outputs")
        {
            object.insert("outputs", vec![output]);
            left.push(Left {
                part: "outputs@one",
                class: ConversionLoss::Form,
                why: "the SDK has a list of outputs",
            });
        }
        left.extend((MEDIA_AMONG_CONTENTS.write)(object));
        left
    },
};

pub(super) static IMAGE_CALL: ObjectTable = ObjectTable {
    name: "imageGenerationToolCall",
    rows: &[CALL_ID, ANNOTATIONS, METADATA],
    rest: Rest::Ext,
    rewrite: None,
};

pub(super) static SEARCH_CALL: ObjectTable = ObjectTable {
    name: "webSearchToolCall",
    rows: &[
        row("queries", "queries", ValueShape::Each(&ValueShape::Text)),
        CALL_ID,
        ANNOTATIONS,
        METADATA,
    ],
    rest: Rest::Ext,
    rewrite: None,
};

pub(super) static TOOL: ObjectTable = ObjectTable {
    name: "toolCall, toolResult",
    rows: &[CALL_ID, ANNOTATIONS, METADATA],
    rest: Rest::Ext,
    rewrite: None,
};
