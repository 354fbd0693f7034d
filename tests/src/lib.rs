//! What must be true of the whole; every test is in `tests/`.
