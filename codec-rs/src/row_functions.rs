//! The codecs of rows as Python calls them: str or bytes in, text out, the interpreter let go meanwhile.

use std::borrow::Cow;

use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use crate::boundary::{NotApplicable, detached};
use crate::json::{Encoded, Payload, Refusal};
use crate::proof::{self, markers, table};
use crate::text::utf8;
use crate::{columnar, json_compact, keys};

create_exception!(
    cablese_codec,
    NotMine,
    PyException,
    "Python has to do it: the text is no JSON, nested too deeply, too large, or of surrogates."
);

/// Text, guarantee, detail, and whether the text was read back as the very value of the payload.
type Answer = (String, &'static str, Option<String>, bool);

/// Return what `columnar` makes of JSON text or its bytes: text, guarantee, detail, and whether it is proved.
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
    let settings = columnar::Settings { strict, min_rows, heterogeneity_percent, clip };
    encode(payload, |payload| columnar::compress(payload, settings), table::decode)
}

/// Return what `json_compact` makes of JSON text or its bytes: text, guarantee, detail, and whether it is proved.
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
    encode(payload, |payload| json_compact::compress(payload, settings), markers::decode)
}

/// Return the text of the rows behind a table of `columnar`, None where it is not one of guarantee `value`.
#[pyfunction]
pub fn decode_columnar(shown: &Bound<'_, PyString>) -> PyResult<Option<String>> {
    decode(shown, table::decode)
}

/// Return the text behind markers of `json_compact`, None where a marker is none.
#[pyfunction]
pub fn decode_json_compact(shown: &Bound<'_, PyString>) -> PyResult<Option<String>> {
    decode(shown, markers::decode)
}

/// Return the keys of a JSON object in text, repeated ones, too; None for a list. Raises NotMine.
#[pyfunction]
pub fn object_keys(text: &Bound<'_, PyString>) -> PyResult<Option<Vec<String>>> {
    let py = text.py();
    let text = open_text(text)?;
    detached(py, || keys::object_keys(&text))?.map_err(raise)
}

type Read = fn(&str) -> Option<Vec<u8>>;

fn encode(
    payload: &Bound<'_, PyAny>,
    work: impl FnOnce(Payload<'_>) -> Result<Encoded, Refusal> + Send,
    read: Read,
) -> PyResult<Answer> {
    let py = payload.py();
    // Neither str nor bytes ever change, so they may be read while other threads run.
    let text;
    let payload = if let Ok(found) = payload.cast_exact::<PyString>() {
        text = open_text(found)?;
        Payload::Text(&text)
    } else if let Ok(bytes) = payload.cast_exact::<PyBytes>() {
        Payload::Bytes(bytes.as_bytes())
    } else {
        return Err(PyTypeError::new_err("a payload is str or bytes"));
    };
    let made = detached(py, || {
        let made = work(payload)?;
        let proved = made.guarantee == "value"
            && payload.text().is_some_and(|text| proof::proves(text, read(&made.payload).as_deref()));
        Ok((made.payload, made.guarantee, made.detail, proved))
    })?;
    made.map_err(raise)
}

fn decode(shown: &Bound<'_, PyString>, read: Read) -> PyResult<Option<String>> {
    let py = shown.py();
    let shown = open_text(shown)?;
    detached(py, || read(&shown).and_then(|text| String::from_utf8(text).ok()))
}

fn open_text<'a>(text: &'a Bound<'_, PyString>) -> PyResult<Cow<'a, str>> {
    // A text with surrogates has no UTF-8.
    utf8(text).map_err(|_| NotMine::new_err(()))
}

fn raise(refusal: Refusal) -> PyErr {
    match refusal {
        Refusal::NotMine => NotMine::new_err(()),
        Refusal::NotApplicable(words) => NotApplicable::new_err(words),
    }
}
