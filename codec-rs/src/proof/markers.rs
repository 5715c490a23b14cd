//! Writes out the markers of `json_compact`: `{"_repeat":3,"_value":…}` in a list. It is `expand_markers`.

use super::plain::Plain;
use crate::json::{MAX_BYTES, MAX_DEPTH};

/// A marker may stand around every element of a list.
const SHOWN_DEPTH: usize = 2 * MAX_DEPTH + 2;

/// Return the canonical text of the value that a text stands for; `None` where it is no text that the codec writes.
#[must_use]
pub fn decode(shown: &str) -> Option<Vec<u8>> {
    let mut plain = Plain::new(shown);
    matches!(plain.first(), Some(b'{' | b'[')).then_some(())?;
    let mut out = Vec::with_capacity(shown.len());
    value(&mut plain, SHOWN_DEPTH, MAX_DEPTH, &mut out)?;
    plain.is_done().then_some(out)
}

/// `shown`, `depth`: how many containers may stand within each other in the text, and in what it stands for.
fn value(plain: &mut Plain<'_>, shown: usize, depth: usize, out: &mut Vec<u8>) -> Option<()> {
    match plain.first()? {
        b'{' => {
            let (shown, depth) = (shown.checked_sub(1)?, depth.checked_sub(1)?);
            plain.object(out, |own, _, out| value(own, shown, depth, out))?;
        }
        b'[' => {
            let (shown, depth) = (shown.checked_sub(1)?, depth.checked_sub(1)?);
            plain.list(out, |own, out| element(own, shown, depth, out))?;
        }
        _ => plain.copy(0, out)?,
    }
    (out.len() <= MAX_BYTES).then_some(())
}

fn element(plain: &mut Plain<'_>, shown: usize, depth: usize, out: &mut Vec<u8>) -> Option<()> {
    let Some((count, mut inner)) = marker(*plain, shown)? else {
        return value(plain, shown, depth, out);
    };
    let start = out.len();
    value(&mut inner, shown.checked_sub(1)?, depth, out)?;
    inner.skip(b'}').then_some(())?;
    *plain = inner;
    let once = [b",", &out[start..]].concat();
    let more = usize::try_from(count - 1).ok()?;
    if once.len().saturating_mul(more) > MAX_BYTES {
        return None;
    }
    for _ in 0..more {
        out.extend_from_slice(&once);
    }
    Some(())
}

/// Look whether a marker stands here, and return its count and where its value begins.
///
/// `None`: an object has the keys of a marker and is none.
fn marker(plain: Plain<'_>, shown: usize) -> Option<Option<(u64, Plain<'_>)>> {
    let mut look = plain;
    let (mut keys, mut first, mut second) = (0, None, None);
    let mut scratch = Vec::new();
    if look.first() != Some(b'{') {
        return Some(None);
    }
    let whole = look.each(b'{', b'}', |own| {
        keys += 1;
        let mut key = Vec::new();
        own.string(&mut key)?;
        own.skip(b':').then_some(())?;
        let known = key == b"\"_repeat\"" || key == b"\"_value\"";
        // The third key, or another one, says that it is no marker.
        (known && keys <= 2).then_some(())?;
        let begin = *own;
        scratch.clear();
        own.copy(shown, &mut scratch)?;
        if keys == 1 {
            first = Some((key, scratch.clone()));
        } else {
            second = Some((key, begin));
        }
        Some(())
    });
    let (Some(()), Some((repeat, count)), Some((value, begin))) = (whole, first, second) else {
        return Some(None);
    };
    if repeat == value {
        return Some(None);
    }
    let decimal = count.iter().all(u8::is_ascii_digit) && count.len() < 20;
    let count = std::str::from_utf8(&count).ok()?.parse::<u64>().ok();
    match count {
        Some(count @ 1..) if decimal && repeat == b"\"_repeat\"" => Some(Some((count, begin))),
        _ => None,
    }
}
