//! Exact counts of tokens: those of tiktoken, and so those of `runtime/tokens/exact.py`.
//!
//! Input is text without surrogates (`text_of` makes it from a Python str), an encoding and a limit; output is the number
//! of tokens, special tokens being plain text. Pre-tokens are cut by GitHub's `bpe-openai` and counted by its `bpe`, in
//! time linear in their length, short ones that come again but once (`seen.rs`). A vocabulary is read once per process,
//! when it is first asked for.
//!
//! The patterns of `bpe-openai` are tiktoken's but for one place: cl100k_base takes the white space at the end of a text
//! whole (`\s++$`), `bpe-openai` ends a pre-token at its last line end. No token has a line end before other white
//! space, so no merge crosses that place, and the counts are the same (a test in `tests/native` holds both).
//!
//! INVARIANT: a count is exact or not given. `count_till_limit` of `bpe` is not used, as it only supposes how far its
//! backtracking may overshoot.

use std::borrow::Cow;
use std::sync::atomic::{AtomicU8, AtomicU32, Ordering};

use bpe_openai::Tokenizer;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use crate::boundary::detached;
use crate::seen::Seen;
use crate::text::utf8;

/// Bytes of the longest token, the same in both encodings.
const LONGEST: u64 = 128;

/// What texts are counted under.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    O200kBase,
    Cl100kBase,
}

impl Encoding {
    pub const ALL: [Self; 2] = [Self::O200kBase, Self::Cl100kBase];

    /// The encoding of that name, as tiktoken calls it.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "o200k_base" => Some(Self::O200kBase),
            "cl100k_base" => Some(Self::Cl100kBase),
            _ => None,
        }
    }

    fn tokenizer(self) -> &'static Tokenizer {
        match self {
            Self::O200kBase => bpe_openai::o200k_base(),
            Self::Cl100kBase => bpe_openai::cl100k_base(),
        }
    }
}

/// The number of tokens of `text`; `None` if there are more than `limit`.
#[must_use]
pub fn count_until(text: &str, encoding: Encoding, limit: Option<u64>) -> Option<u64> {
    let limit = limit.unwrap_or(u64::MAX);
    let tokenizer = encoding.tokenizer();
    let mut total = 0;
    let mut seen = Seen::for_text(text.len());
    for piece in tokenizer.split(text) {
        let bytes = piece.as_bytes();
        if total + (bytes.len() as u64).div_ceil(LONGEST) > limit {
            return None;
        }
        // Each byte is a token of its own.
        total += if bytes.len() == 1 { 1 } else { seen.count(bytes, |bytes| tokenizer.bpe.count(bytes) as u64) };
        if total > limit {
            return None;
        }
    }
    Some(total)
}

/// Text as tiktoken counts it, from UTF-16 units: surrogate pairs joined, lone surrogates as U+FFFD.
#[must_use]
pub fn text_of_units(units: &[u8]) -> String {
    let units = units.chunks_exact(2).map(|unit| u16::from_le_bytes([unit[0], unit[1]]));
    char::decode_utf16(units).map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}

const UNREAD: u8 = 0;
const READING: u8 = 1;
const READ: u8 = 2;

static VOCABULARIES: AtomicU8 = AtomicU8::new(UNREAD);
/// The process whose thread reads them: in a fork of it that thread is missing, and they never get read.
static READER: AtomicU32 = AtomicU32::new(0);

fn read_vocabularies() {
    for encoding in Encoding::ALL {
        encoding.tokenizer();
    }
    VOCABULARIES.store(READ, Ordering::Release);
}

/// ready_to_count(wait)
///
/// Have both vocabularies read, once per process, and tell whether they have been. `wait` for it, some 0.15 s, or have
/// it done in a thread that knows nothing of Python: a process may end beside it. In a process that was forked
/// meanwhile the answer stays False, and nobody waits.
///
/// Raises `Panicked`.
#[pyfunction]
pub fn ready_to_count(py: Python<'_>, wait: bool) -> PyResult<bool> {
    let here = std::process::id();
    match VOCABULARIES.compare_exchange(UNREAD, READING, Ordering::AcqRel, Ordering::Acquire) {
        Err(READ) => return Ok(true),
        Err(_) => (),
        Ok(_) => {
            READER.store(here, Ordering::Release);
            if !wait {
                // Where there can be no thread, nobody waits for one: the answer stays False.
                let _ = std::thread::Builder::new().spawn(read_vocabularies);
            }
        }
    }
    if !wait || READER.load(Ordering::Acquire) != here {
        return Ok(false);
    }
    detached(py, read_vocabularies)?;
    Ok(true)
}

/// count_until(text, encoding, limit=None)
///
/// The exact number of tokens of `text` under `o200k_base` or `cl100k_base`, None if there are more than `limit`. Special
/// tokens are plain text, surrogate pairs are joined, and a lone surrogate counts as U+FFFD. Works without the
/// interpreter. The first call under an encoding reads its vocabulary (some 0.1 s).
///
/// Raises ValueError for another encoding, and `Panicked`.
#[pyfunction]
#[pyo3(name = "count_until", signature = (text, encoding, limit = None))]
pub fn count_until_py(text: &Bound<'_, PyString>, encoding: &str, limit: Option<i64>) -> PyResult<Option<u64>> {
    let encoding =
        Encoding::named(encoding).ok_or_else(|| PyValueError::new_err(format!("unknown encoding `{encoding}`")))?;
    let limit = match limit.map(u64::try_from) {
        None => None,
        Some(Ok(limit)) => Some(limit),
        Some(Err(_)) => return Ok(None),
    };
    with_text(text, |text| count_until(text, encoding, limit))
}

/// Do `work` with a Python str, without holding the interpreter and without leaving anything in the object.
fn with_text<T: Send + pyo3::marker::Ungil>(
    text: &Bound<'_, PyString>,
    work: impl FnOnce(&str) -> T + Send + pyo3::marker::Ungil,
) -> PyResult<T> {
    let py = text.py();
    if let Ok(text) = utf8(text) {
        return detached(py, || work(&text));
    }
    let units = text.call_method1("encode", ("utf-16-le", "surrogatepass"))?;
    let units = units.cast::<PyBytes>()?.as_bytes();
    detached(py, || work(&Cow::from(text_of_units(units))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(text: &str, encoding: Encoding) -> u64 {
        count_until(text, encoding, None).expect("no limit")
    }

    #[test]
    fn known_counts_are_given_under_both_encodings() {
        for (text, o200k, cl100k) in
            [("", 0, 0), ("hello world", 2, 2), ("お誕生日おめでとう", 8, 9), ("<|endoftext|>", 7, 7)]
        {
            assert_eq!(count(text, Encoding::O200kBase), o200k, "{text}");
            assert_eq!(count(text, Encoding::Cl100kBase), cl100k, "{text}");
        }
    }

    #[test]
    fn a_limit_is_kept_exactly() {
        for text in ["", "a", "hello world, again", "x\n\n  ", &"a".repeat(5000), &" ".repeat(5000), "é漢字'll 12345"]
        {
            for encoding in Encoding::ALL {
                let tokens = count(text, encoding);
                assert_eq!(count_until(text, encoding, Some(tokens)), Some(tokens));
                if tokens > 0 {
                    assert_eq!(count_until(text, encoding, Some(tokens - 1)), None);
                }
            }
        }
    }

    #[test]
    fn pairs_of_surrogates_are_joined_and_others_replaced() {
        let units: Vec<u8> = [0xD83D_u16, 0xDE00, 0xD83D, 0x61, 0xDE00, 0xFEFF, 0xD800]
            .iter()
            .flat_map(|unit| unit.to_le_bytes())
            .collect();
        assert_eq!(text_of_units(&units), "😀\u{fffd}a\u{fffd}\u{feff}\u{fffd}");
    }
}
