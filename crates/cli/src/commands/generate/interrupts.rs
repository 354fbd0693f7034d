//! Ctrl-C while files are moved: what has begun is finished or taken back before the program ends.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::failure::Failure;

static ASKED: AtomicBool = AtomicBool::new(false);

/// From here on, Ctrl-C and a request to end are only noted.
pub fn defer() -> Result<(), Failure> {
    let noted = ctrlc::set_handler(|| ASKED.store(true, Ordering::SeqCst));
    noted.map_err(|error| Failure::Bug(error.to_string()))
}

/// Whether the program was asked to end; then with what was done of its files.
pub fn asked(done: &'static str) -> Result<(), Failure> {
    if ASKED.load(Ordering::SeqCst) {
        return Err(Failure::Interrupted { done });
    }
    Ok(())
}
