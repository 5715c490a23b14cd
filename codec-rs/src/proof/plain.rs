//! A plain reader of JSON text, for proofs alone: it shares nothing with the one that the codecs read and write with.
//!
//! Input: text. Output: the parts of an object or list, or the canonical text of a value. `None` for what is no JSON,
//! deeper than it may be, or longer than `MAX_BYTES` once written: then nothing is proved here.

use crate::json::MAX_BYTES;

/// A position in a text. Cheap to copy, so a look ahead is a copy.
#[derive(Clone, Copy)]
pub struct Plain<'a> {
    rest: &'a [u8],
}

impl<'a> Plain<'a> {
    #[must_use]
    pub fn new(text: &'a str) -> Self {
        Self { rest: text.as_bytes() }.after_space()
    }

    /// The first byte, which is no white space.
    #[must_use]
    pub fn first(&self) -> Option<u8> {
        self.rest.first().copied()
    }

    /// Whether nothing follows.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.rest.is_empty()
    }

    /// Go over a byte and the white space behind it, if it stands here.
    pub fn skip(&mut self, byte: u8) -> bool {
        let found = self.first() == Some(byte);
        if found {
            self.advance(1);
        }
        found
    }

    /// Write the canonical text of the value that stands here, and go over it.
    pub fn copy(&mut self, depth: usize, out: &mut Vec<u8>) -> Option<()> {
        match self.first()? {
            b'"' => self.string(out)?,
            b'[' => self.list(out, |own, out| own.copy(depth.checked_sub(1)?, out))?,
            b'{' => self.object(out, |own, _, out| own.copy(depth.checked_sub(1)?, out))?,
            _ => self.word(out)?,
        }
        (out.len() <= MAX_BYTES).then_some(())
    }

    /// Write a list, each element by `write`.
    pub fn list(
        &mut self,
        out: &mut Vec<u8>,
        mut write: impl FnMut(&mut Self, &mut Vec<u8>) -> Option<()>,
    ) -> Option<()> {
        out.push(b'[');
        let mut any = false;
        self.each(b'[', b']', |own| {
            if any {
                out.push(b',');
            }
            any = true;
            write(own, out)
        })?;
        out.push(b']');
        Some(())
    }

    /// Write an object, each value by `write`, which is told the canonical text of the key.
    pub fn object(
        &mut self,
        out: &mut Vec<u8>,
        mut write: impl FnMut(&mut Self, &[u8], &mut Vec<u8>) -> Option<()>,
    ) -> Option<()> {
        out.push(b'{');
        let mut any = false;
        self.each(b'{', b'}', |own| {
            if any {
                out.push(b',');
            }
            any = true;
            let start = out.len();
            own.string(out)?;
            let key = out[start..].to_vec();
            out.push(b':');
            own.skip(b':').then_some(())?;
            write(own, &key, out)
        })?;
        out.push(b'}');
        Some(())
    }

    /// Go over a container, each of its elements by `take`.
    pub fn each(&mut self, open: u8, close: u8, mut take: impl FnMut(&mut Self) -> Option<()>) -> Option<()> {
        self.skip(open).then_some(())?;
        if self.skip(close) {
            return Some(());
        }
        loop {
            take(self)?;
            if self.skip(close) {
                return Some(());
            }
            self.skip(b',').then_some(())?;
        }
    }

    /// Write the canonical text of a string, character by character.
    pub fn string(&mut self, out: &mut Vec<u8>) -> Option<()> {
        let mut bytes = self.rest;
        if bytes.first() != Some(&b'"') {
            return None;
        }
        bytes = &bytes[1..];
        out.push(b'"');
        loop {
            let length = bytes.iter().position(|&byte| byte == b'"' || byte == b'\\' || byte < 0x20)?;
            out.extend_from_slice(&bytes[..length]);
            bytes = &bytes[length..];
            let (&byte, rest) = bytes.split_first()?;
            bytes = rest;
            match byte {
                b'"' => break,
                b'\\' => {
                    let (&kind, rest) = bytes.split_first()?;
                    bytes = rest;
                    let code = match kind {
                        b'"' | b'\\' | b'/' => u32::from(kind),
                        b'b' => 8,
                        b't' => 9,
                        b'n' => 10,
                        b'f' => 12,
                        b'r' => 13,
                        b'u' => {
                            let high = code_unit(&mut bytes)?;
                            join_surrogates(high, &mut bytes)
                        }
                        _ => return None,
                    };
                    write_code(code, out);
                }
                _ => return None,
            }
        }
        out.push(b'"');
        self.rest = bytes;
        *self = self.after_space();
        Some(())
    }

    /// Write what is no container and no string.
    fn word(&mut self, out: &mut Vec<u8>) -> Option<()> {
        let length = self.rest.iter().position(|byte| b" \t\r\n,:]}".contains(byte)).unwrap_or(self.rest.len());
        let word = &self.rest[..length];
        let known = matches!(word, b"null" | b"true" | b"false") || is_number(word);
        known.then_some(())?;
        out.extend_from_slice(word);
        self.advance(length);
        Some(())
    }

    fn advance(&mut self, bytes: usize) {
        self.rest = &self.rest[bytes..];
        *self = self.after_space();
    }

    fn after_space(self) -> Self {
        let space = self.rest.iter().take_while(|byte| b" \t\r\n".contains(byte)).count();
        Self { rest: &self.rest[space..] }
    }
}

fn is_number(word: &[u8]) -> bool {
    let word = word.strip_prefix(b"-").unwrap_or(word);
    let (word, exponent) = match word.iter().position(|byte| matches!(byte, b'e' | b'E')) {
        Some(at) => (&word[..at], Some(&word[at + 1..])),
        None => (word, None),
    };
    let (whole, fraction) = match word.iter().position(|&byte| byte == b'.') {
        Some(at) => (&word[..at], Some(&word[at + 1..])),
        None => (word, None),
    };
    let exponent = exponent.map(|digits| digits.strip_prefix(b"+").or(digits.strip_prefix(b"-")).unwrap_or(digits));
    is_digits(whole)
        && (whole.len() == 1 || whole[0] != b'0')
        && fraction.is_none_or(is_digits)
        && exponent.is_none_or(is_digits)
}

fn is_digits(word: &[u8]) -> bool {
    !word.is_empty() && word.iter().all(u8::is_ascii_digit)
}

/// Read the four digits of an escape.
fn code_unit(bytes: &mut &[u8]) -> Option<u32> {
    let digits = bytes.get(..4)?;
    *bytes = &bytes[4..];
    let mut code = 0;
    for &digit in digits {
        code = code * 16 + char::from(digit).to_digit(16)?;
    }
    Some(code)
}

/// Return the character of a pair of escapes, or the code unit where it has no other half.
fn join_surrogates(high: u32, bytes: &mut &[u8]) -> u32 {
    if !(0xd800..=0xdbff).contains(&high) || !bytes.starts_with(b"\\u") {
        return high;
    }
    let mut behind = &bytes[2..];
    match code_unit(&mut behind) {
        Some(low @ 0xdc00..=0xdfff) => {
            *bytes = behind;
            (high - 0xd800) * 0x400 + (low - 0xdc00) + 0x1_0000
        }
        _ => high,
    }
}

fn write_code(code: u32, out: &mut Vec<u8>) {
    match code {
        8 => out.extend_from_slice(b"\\b"),
        9 => out.extend_from_slice(b"\\t"),
        10 => out.extend_from_slice(b"\\n"),
        12 => out.extend_from_slice(b"\\f"),
        13 => out.extend_from_slice(b"\\r"),
        34 => out.extend_from_slice(b"\\\""),
        92 => out.extend_from_slice(b"\\\\"),
        0..=31 | 0xd800..=0xdfff => out.extend_from_slice(format!("\\u{code:04x}").as_bytes()),
        _ => out.extend(char::from_u32(code).unwrap_or('\u{fffd}').to_string().bytes()),
    }
}
