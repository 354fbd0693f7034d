//! Which calls answer with JSON on stdout.

use super::{Arguments, LineageFormat, ReportVerb, Verb};

/// What a call prints on stdout when nothing comes of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JsonAnswer {
    /// Nothing.
    No,
    /// A document that says why.
    Plain,
    /// The same, with the verdict that the input is not valid.
    Verdict,
}

impl Arguments {
    /// Whether the verb was asked for JSON on stdout.
    pub fn json_answer(&self) -> JsonAnswer {
        let is_plain = match &self.verb {
            Verb::Verify(verify) if verify.json => return JsonAnswer::Verdict,
            Verb::Validate(validate) if validate.json => return JsonAnswer::Verdict,
            Verb::Diff(diff) => diff.json,
            Verb::Convert(convert) => convert.json,
            Verb::Lineage { json, format, .. } => *json || *format == LineageFormat::Json,
            Verb::Fuzz(fuzz) => fuzz.json,
            Verb::Interop(interop) => interop.json,
            Verb::Selftest(selftest) => selftest.json,
            Verb::Report(ReportVerb::Diff { json, .. }) => *json,
            _ => false,
        };
        if is_plain {
            JsonAnswer::Plain
        } else {
            JsonAnswer::No
        }
    }
}
