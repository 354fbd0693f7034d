//! The model as `--emit ir` prints it and `--ir` reads it.

use chatstate_schema_model::{Ir, Lock, ReadSchemas};
use serde::{Deserialize, Serialize};

use crate::failure::Failure;

/// A model, with what the lock file keeps of it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct EmittedModel {
    #[serde(flatten)]
    ir: Ir,
    lock: Lock,
}

impl EmittedModel {
    /// Reads a model that holds together.
    pub fn read(name: &str, text: &str) -> Result<Self, Failure> {
        let model: Self = serde_json::from_str(text).map_err(|error| {
            let help = "give a file that `chatstate generate --emit ir` has printed".to_owned();
            Failure::usage(format!("`{name}` is not a model: {error}"), Some(help))
        })?;
        model.ir.check(name)?;
        Ok(model)
    }

    /// Whether it is of the same schema files.
    pub fn is_of(&self, schemas: &Lock) -> bool {
        self.lock.schemas == schemas.schemas
    }
}

impl From<ReadSchemas> for EmittedModel {
    fn from(reading: ReadSchemas) -> Self {
        Self {
            ir: reading.ir,
            lock: reading.lock,
        }
    }
}

impl From<EmittedModel> for ReadSchemas {
    fn from(model: EmittedModel) -> Self {
        Self {
            ir: model.ir,
            lock: model.lock,
            opaque: Vec::new(),
        }
    }
}
