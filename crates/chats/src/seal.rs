//! Seals: a proof that no one without the key has changed a document.
//!
//! A seal is an HMAC-SHA256 over the canonical form of the document, with its member `seal` and all
//! that is in it but `mac`. So the spelling of a document may change under its seal, and its
//! values may not. Any JSON object can be sealed. A seal hides nothing.

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use chatstate_json::{Class, Rejection};
use chatstate_json::{Object, Value, canonical, parse};

/// The one algorithm of this version.
const ALGORITHM: &str = "HMAC-SHA256";

/// The shortest key that is taken, in bytes.
const LEAST_BYTES: usize = 16;

/// A secret that seals documents, and the name that documents give it.
///
/// Nothing shows the secret: `Debug` leaves it out.
#[derive(Clone)]
pub struct SealKey {
    code: Hmac<Sha256>,
    id: Option<String>,
}

impl SealKey {
    /// A key of these bytes. All of them count, a line break at their end too.
    ///
    /// A key of fewer than 16 bytes is rejected, because it can be guessed, and so is one of zero
    /// bytes alone: HMAC fills a key up with them, so that all of those are the empty key. 32 bytes
    /// from a random source are right.
    pub fn new(secret: &[u8]) -> Result<Self, Rejection> {
        let rejected = |what: &str| {
            let message = format!("the key {what}; use at least 32 bytes from a random source");
            Rejection::new(Class::Semantic, "seal.key", message)
        };
        if secret.len() < LEAST_BYTES {
            let length = secret.len();
            return Err(rejected(&format!(
                "has {length} bytes, fewer than {LEAST_BYTES}"
            )));
        }
        if secret.iter().all(|byte| *byte == 0) {
            return Err(rejected("is nothing but zero bytes"));
        }
        let code = Hmac::new_from_slice(secret).map_err(|_| rejected("cannot be used"))?;
        Ok(Self { code, id: None })
    }

    /// The same key with a name, which is written into what it seals. A document that was sealed
    /// with a key of another name is rejected without a look at its code.
    #[must_use]
    pub fn named(mut self, id: impl Into<String>) -> Self {
        self.id = Some(id.into());
        self
    }

    /// The code over a document whose seal has no `mac`.
    fn code_of(&self, document: &Object) -> Hmac<Sha256> {
        let mut code = self.code.clone();
        code.update(canonical(&Value::Object(document.clone())).as_bytes());
        code
    }
}

impl fmt::Debug for SealKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = formatter.debug_struct("Key");
        shown.field("id", &self.id).finish_non_exhaustive()
    }
}

/// The document with a seal (requirements `seal.code`, `seal.once`).
///
/// A sealed document is rejected: sealing again would confirm changes that were never checked.
pub fn seal(document: &Value, key: &SealKey) -> Result<Value, Rejection> {
    let mut document = object_of(document)?;
    if document.contains_key("seal") {
        let message = "the document is sealed; take the seal off first, which verifies it";
        return Err(Rejection::new(Class::Semantic, "seal.present", message).within("seal"));
    }
    let mut seal = Object::new();
    seal.insert("algorithm", ALGORITHM);
    if let Some(id) = &key.id {
        seal.insert("keyId", id.as_str());
    }
    document.insert("seal", seal.clone());
    let code = key.code_of(&document).finalize().into_bytes();
    seal.insert("mac", STANDARD.encode(code));
    document.insert("seal", seal);
    Ok(Value::Object(document))
}

/// Whether the seal of a document is one of this key, and the document as it was sealed
/// (requirements `seal.verify`, `seal.missing`, `seal.constant-time`).
///
/// The codes are compared in a time that does not depend on where they differ.
pub fn verify(document: &Value, key: &SealKey) -> Result<(), Rejection> {
    unseal(document, key).map(drop)
}

/// The document without its seal, which is verified first.
pub fn unseal(document: &Value, key: &SealKey) -> Result<Value, Rejection> {
    let mut document = object_of(document)?;
    let seal = match document.get("seal") {
        Some(Value::Object(seal)) => seal.clone(),
        Some(other) => {
            let message = format!("must be of type object, but is {}", other.kind());
            return Err(Rejection::schema("type", message).within("seal"));
        }
        None => {
            let message = "the document is not sealed, so nothing shows whether it was changed";
            return Err(Rejection::new(Class::Semantic, "seal.missing", message).within("seal"));
        }
    };
    let without_mac = verifiable(seal, key).map_err(|rejection| rejection.within("seal"))?;
    document.insert("seal", without_mac.seal);
    let code = key.code_of(&document);
    if code.verify_slice(&without_mac.mac).is_err() {
        let message = "the seal does not fit: the document was changed after it was sealed, or it \
                       was sealed with another key";
        let rejection = Rejection::new(Class::Semantic, "seal.mismatch", message);
        return Err(rejection.within("mac").within("seal"));
    }
    document.remove("seal");
    Ok(Value::Object(document))
}

/// A document's text with a seal, as text.
pub fn seal_text(text: &str, key: &SealKey) -> Result<String, Rejection> {
    seal(&parse(text)?, key).map(|sealed| sealed.to_json())
}

/// A document's text without its seal, which is verified first, as text.
pub fn unseal_text(text: &str, key: &SealKey) -> Result<String, Rejection> {
    unseal(&parse(text)?, key).map(|unsealed| unsealed.to_json())
}

/// Rejects the use of a document that still has its seal (requirement `seal.unverified`): nothing
/// shows that anyone has verified it, and unsealing would have.
pub(crate) fn reject_unverified(is_sealed: bool) -> Result<(), Rejection> {
    if !is_sealed {
        return Ok(());
    }
    let message = "the document is sealed, and its seal was not verified; unseal it with its key, or \
                   take off the member `seal`";
    Err(Rejection::new(Class::Semantic, "seal.unverified", message).within("seal"))
}

/// A seal that can be verified: what it covers of itself, and its code.
struct Verifiable {
    seal: Object,
    mac: Vec<u8>,
}

fn verifiable(mut seal: Object, key: &SealKey) -> Result<Verifiable, Rejection> {
    let algorithm = text_of(&seal, "algorithm")?;
    if algorithm != ALGORITHM {
        let message = format!("must be the text `{ALGORITHM}`");
        return Err(Rejection::schema("const", message).within("algorithm"));
    }
    let mac = STANDARD.decode(text_of(&seal, "mac")?).map_err(|_| {
        let message = "must be Base64 of RFC 4648 section 4, with padding";
        Rejection::schema("pattern", message).within("mac")
    })?;
    if seal.contains_key("keyId") {
        reject_other_key(text_of(&seal, "keyId")?, key)?;
    }
    seal.remove("mac");
    Ok(Verifiable { seal, mac })
}

/// Names are compared only where both sides give one.
fn reject_other_key(named: &str, key: &SealKey) -> Result<(), Rejection> {
    match key.id.as_deref() {
        Some(given) if named != given => {
            let message = format!("was sealed with the key `{named}`, not with `{given}`");
            Err(Rejection::new(Class::Semantic, "seal.other-key", message).within("keyId"))
        }
        _ => Ok(()),
    }
}

fn text_of<'o>(seal: &'o Object, name: &str) -> Result<&'o str, Rejection> {
    let rejected = |rejection: Rejection| rejection.within(name);
    let value = seal.get(name).ok_or_else(|| {
        let message = format!("the member `{name}` is missing");
        rejected(Rejection::schema("required", message))
    })?;
    value.as_str().ok_or_else(|| {
        let message = format!("must be of type string, but is {}", value.kind());
        rejected(Rejection::schema("type", message))
    })
}

fn object_of(document: &Value) -> Result<Object, Rejection> {
    document.as_object().cloned().ok_or_else(|| {
        let message = format!(
            "only an object can be sealed, and this is of type {}; seal the elements of a list one by one",
            document.kind()
        );
        Rejection::schema("type", message)
    })
}
