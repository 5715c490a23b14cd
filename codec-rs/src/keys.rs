//! The keys of a JSON object in text: what a pointer beside them must not be named.

use crate::json::scan::Scanner;
use crate::json::{MAX_BYTES, MAX_DEPTH, Refusal};

/// Return the keys of an object, in order and as often as they stand there; `None` for a list.
///
/// # Errors
///
/// `NotMine` where the text is neither, or a key has an escape that a plain key would not have.
pub fn object_keys(text: &str) -> Result<Option<Vec<String>>, Refusal> {
    if text.len() > MAX_BYTES {
        return Err(Refusal::NotMine);
    }
    let mut scanner = Scanner::new(text.as_bytes());
    scanner.space();
    if scanner.peek() == b'[' {
        scanner.value(MAX_DEPTH)?;
        scanner.finish()?;
        return Ok(None);
    }
    let mut keys = Vec::new();
    let mut more = scanner.enter(b'{', b'}')?;
    while more {
        let start = scanner.at() + 1;
        if !scanner.string()? {
            // Its characters are not those that stand there.
            return Err(Refusal::NotMine);
        }
        keys.push(text[start..scanner.at() - 1].to_owned());
        scanner.colon()?;
        scanner.value(MAX_DEPTH - 1)?;
        more = scanner.more(b'}')?;
    }
    scanner.finish()?;
    Ok(Some(keys))
}
