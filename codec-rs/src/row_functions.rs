//! The codecs of rows as Python calls them: str or bytes in, text out, the interpreter let go meanwhile.

use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use crate::boundary::{NotApplicable, detached};
use crate::json::{Encoded, Payload, Refusal};
use crate::proof::{self, markers, table};
use crate::{columnar, json_compact, keys};

create_exception!(
    cablese_codec,
    NotMine,
    PyException,
    "Python has to do it: the text is no JSON, nested too deeply, too large, or of surrogates."
);

type Answer = (String, &'static str, Option<String>);

/// Return what `columnar` makes of JSON text or its bytes: text, guarantee, detail.
///
/// `strict`: level `minimal`, or the original is not kept. Raises NotApplicable with Python's words, NotMine.
#[pyfunction]
#[pyo3(signature = (payload, *, strict, min_rows=20, heterogeneity_percent=150, clip=None))]
pub fn compress_columnar(
    payload: &Bound<'_, PyAny>,
    strict: bool,
    min_rows: usize,
    heterogeneity_percent: usize,
    clip: Option<usize>,
) -> PyResult<Answer> {
    let settings = columnar::Settings {
        strict,
        min_rows,
        heterogeneity_percent,
        clip,
    };
    encode(payload, move |payload| columnar::compress(payload, settings))
}

/// Return what `json_compact` makes of JSON text or its bytes: text, guarantee, detail.
///
/// `dedup`: `on`, `auto` or `off`. Raises NotApplicable with Python's words, NotMine.
#[pyfunction]
#[pyo3(signature = (payload, *, recoverable, drop_nulls=false, dedup="on"))]
pub fn compress_json_compact(
    payload: &Bound<'_, PyAny>,
    recoverable: bool,
    drop_nulls: bool,
    dedup: &str,
) -> PyResult<Answer> {
    let settings = json_compact::Settings {
        recoverable,
        drop_nulls,
        dedup: match dedup {
            "on" => json_compact::Dedup::On,
            "auto" => json_compact::Dedup::Auto,
            "off" => json_compact::Dedup::Off,
            _ => return Err(NotMine::new_err(())),
        },
    };
    encode(payload, move |payload| json_compact::compress(payload, settings))
}

/// Return the text of the rows behind a table of `columnar`, None where it is not one of guarantee `value`.
#[pyfunction]
pub fn decode_columnar(py: Python<'_>, shown: &str) -> PyResult<Option<String>> {
    decode(py, shown, table::decode)
}

/// Return the text behind markers of `json_compact`, None where a marker is none.
#[pyfunction]
pub fn decode_json_compact(py: Python<'_>, shown: &str) -> PyResult<Option<String>> {
    decode(py, shown, markers::decode)
}

/// Tell whether what `codec` shows was read back as the very value of the payload. False: it is not known.
#[pyfunction]
pub fn proves(codec: &str, payload: &Bound<'_, PyAny>, shown: &str) -> PyResult<bool> {
    let decode = match codec {
        "columnar" => table::decode,
        "json_compact" => markers::decode,
        _ => return Ok(false),
    };
    let py = payload.py();
    let payload = open(payload)?;
    detached(py, || {
        let text = match payload {
            Payload::Text(text) => text,
            Payload::Bytes(bytes) => match std::str::from_utf8(bytes) {
                Ok(text) => text,
                Err(_) => return false,
            },
        };
        proof::proves(text, decode(shown).as_deref())
    })
}

/// Return the keys of a JSON object in text, repeated ones, too; None for a list. Raises NotMine.
#[pyfunction]
pub fn object_keys(py: Python<'_>, text: &str) -> PyResult<Option<Vec<String>>> {
    detached(py, || keys::object_keys(text))?.map_err(raise)
}

fn encode(
    payload: &Bound<'_, PyAny>,
    work: impl FnOnce(Payload<'_>) -> Result<Encoded, Refusal> + Send,
) -> PyResult<Answer> {
    let py = payload.py();
    let payload = open(payload)?;
    let made = detached(py, || work(payload))?.map_err(raise)?;
    Ok((made.payload, made.guarantee, made.detail))
}

fn decode(py: Python<'_>, shown: &str, read: fn(&str) -> Option<Vec<u8>>) -> PyResult<Option<String>> {
    detached(py, || read(shown).and_then(|text| String::from_utf8(text).ok()))
}

/// Borrow a payload. Neither str nor bytes ever change, so it may be read while other threads run.
fn open<'a>(payload: &'a Bound<'_, PyAny>) -> PyResult<Payload<'a>> {
    if let Ok(text) = payload.cast_exact::<PyString>() {
        // A text with surrogates has no UTF-8.
        return text.to_str().map(Payload::Text).map_err(|_| NotMine::new_err(()));
    }
    match payload.cast_exact::<PyBytes>() {
        Ok(bytes) => Ok(Payload::Bytes(bytes.as_bytes())),
        Err(_) => Err(PyTypeError::new_err("a payload is str or bytes")),
    }
}

fn raise(refusal: Refusal) -> PyErr {
    match refusal {
        Refusal::NotMine => NotMine::new_err(()),
        Refusal::NotApplicable(words) => NotApplicable::new_err(words),
    }
}
