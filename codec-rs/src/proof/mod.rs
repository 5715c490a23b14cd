//! Reads back what the codecs of rows wrote, and holds it against the payload.
//!
//! Input: a payload, and what is shown of it at guarantee `value`. Output: whether the shown text stands for the same
//! JSON value: types, order and repetition of keys, spelling of numbers. Nothing of the encoders is used, and no text
//! other than the two, so a fault in an encoder is found out here. What is not proved here Python has to prove.

pub mod markers;
pub mod plain;
pub mod table;

use plain::Plain;

use crate::json::MAX_DEPTH;

/// Return the canonical text of a JSON text.
#[must_use]
pub fn canonical(text: &str) -> Option<Vec<u8>> {
    let mut plain = Plain::new(text);
    let mut out = Vec::with_capacity(text.len());
    plain.copy(MAX_DEPTH, &mut out)?;
    plain.is_done().then_some(out)
}

/// Tell whether what is shown was read back as the value of the payload.
#[must_use]
pub fn proves(payload: &str, decoded: Option<&[u8]>) -> bool {
    decoded.is_some_and(|decoded| canonical(payload).is_some_and(|text| text == decoded))
}
