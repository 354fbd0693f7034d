//! One request to make of an adapter, before it has a number.

use std::borrow::Cow;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use chatstate_corpus::Case;
use chatstate_protocol::{Request, RunRequest};

/// What to ask of the adapter.
#[derive(Debug, Clone, Default)]
pub(crate) struct Call<'a> {
    pub(crate) op: String,
    pub(crate) document_type: Option<String>,
    /// The document. That of a case is not copied: a corpus may be large.
    pub(crate) input: Cow<'a, [u8]>,
    pub(crate) arguments: serde_json::Map<String, serde_json::Value>,
}

impl<'a> Call<'a> {
    /// What a case asks. Neither its id nor its expectation is part of it.
    pub(crate) fn of_case(case: &'a Case) -> Self {
        Self {
            op: case.op.clone(),
            document_type: case.document_type.clone(),
            input: case.input_bytes().bytes,
            arguments: case.args.clone(),
        }
    }

    /// The request with this number. Bytes that are not UTF-8 travel as Base64.
    pub(crate) fn request(&self, seq: u64) -> RunRequest {
        let text = std::str::from_utf8(&self.input).ok();
        RunRequest {
            seq,
            op: self.op.clone(),
            document_type: self.document_type.clone(),
            input: text.map(str::to_owned),
            input_base64: text.is_none().then(|| STANDARD.encode(&self.input)),
            arguments: self.arguments.clone(),
        }
    }

    /// Adds the request as a line with its newline.
    pub(crate) fn write_line(&self, seq: u64, lines: &mut Vec<u8>) {
        write_line(&Request::Run(self.request(seq)), lines);
    }
}

/// A request as a line with its newline.
pub(crate) fn line_of(request: &Request) -> Vec<u8> {
    let mut line = Vec::new();
    write_line(request, &mut line);
    line
}

fn write_line(request: &Request, lines: &mut Vec<u8>) {
    // Strings, numbers and maps with text names always become JSON, and memory takes all of it.
    let _ = serde_json::to_writer(&mut *lines, request);
    lines.push(b'\n');
}
