//! The UTF-8 of a Python str, made without keeping the interpreter for longer than a part of it takes.

use std::borrow::Cow;
use std::thread::yield_now;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PySlice, PyString};

/// Characters that are encoded at a time: well below a millisecond.
const PART: usize = 1 << 17;

/// Return the UTF-8 of a text; that of ASCII is where the text itself is.
///
/// Asking Python for all of it at once takes 8 ms for 5 MB, with every other thread waiting, and keeps a copy of it for as
/// long as there is the text.
///
/// # Errors
///
/// What encoding raises for surrogates, and what memory there is for.
pub fn utf8<'a>(text: &'a Bound<'_, PyString>) -> PyResult<Cow<'a, str>> {
    if text.call_method0("isascii")?.is_truthy()? {
        return text.to_str().map(Cow::Borrowed);
    }
    let length = text.len()?;
    let mut made = String::with_capacity(length + length / 8);
    for start in (0..length).step_by(PART) {
        let part = text.get_item(PySlice::new(text.py(), start as isize, (start + PART) as isize, 1))?;
        let encoded = part.call_method0("encode")?.cast_into::<PyBytes>()?;
        let bytes = encoded.as_bytes();
        text.py().detach(|| {
            // Whoever waits for the interpreter may have it now.
            yield_now();
            // What Python encodes is UTF-8.
            made.push_str(&String::from_utf8_lossy(bytes));
        });
    }
    Ok(Cow::Owned(made))
}
