//! One request to make of an adapter, before it has a number.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use chatstate_adapter::{Request, Run};
use chatstate_corpus::Case;

/// What to ask of the adapter.
#[derive(Debug, Clone, Default)]
pub(crate) struct Call {
    pub(crate) op: String,
    pub(crate) document_type: Option<String>,
    pub(crate) input: Vec<u8>,
    pub(crate) arguments: serde_json::Map<String, serde_json::Value>,
}

impl Call {
    /// What a case asks. Neither its id nor its expectation is part of it.
    pub(crate) fn of_case(case: &Case) -> Self {
        Self {
            op: case.op.clone(),
            document_type: case.document_type.clone(),
            input: case.input_bytes().bytes.into_owned(),
            arguments: case.args.clone(),
        }
    }

    /// The request as a line with its newline. Bytes that are not UTF-8 travel as Base64.
    pub(crate) fn line(&self, seq: u64) -> Vec<u8> {
        let text = std::str::from_utf8(&self.input).ok();
        let request = Request::Run(Run {
            seq,
            op: self.op.clone(),
            document_type: self.document_type.clone(),
            input: text.map(str::to_owned),
            input_base64: text.is_none().then(|| STANDARD.encode(&self.input)),
            arguments: self.arguments.clone(),
        });
        line_of(&request)
    }
}

/// A request as a line with its newline.
pub(crate) fn line_of(request: &Request) -> Vec<u8> {
    // Strings, numbers and maps with text names always become JSON.
    let mut line = serde_json::to_vec(request).unwrap_or_default();
    line.push(b'\n');
    line
}
