//! The one spelling of JSON text: no white space, and no escape but those that Python's `encode_basestring` writes.
//!
//! Input: text that the scanner went over. Output: the text that `write_json` gives. So two values are the same (types,
//! order and repetition of keys, spelling of numbers) where their canonical texts are equal bytes. Lone surrogates, which
//! UTF-8 has not, stay escapes, in lower case.

/// Write the canonical text of a value.
pub fn write_value(text: &[u8], out: &mut Vec<u8>) {
    let mut at = 0;
    while at < text.len() {
        match text[at] {
            b'"' => {
                let end = string_end(text, at);
                write_string(&text[at..end], out);
                at = end;
            }
            b' ' | b'\n' | b'\r' | b'\t' => at += 1,
            byte => {
                out.push(byte);
                at += 1;
            }
        }
    }
}

/// Write the canonical text of a string, quotes included.
pub fn write_string(text: &[u8], out: &mut Vec<u8>) {
    let mut at = 0;
    while let Some(step) = text[at..].iter().position(|&byte| byte == b'\\') {
        out.extend_from_slice(&text[at..at + step]);
        at += step;
        at += write_escape(&text[at..], out);
    }
    out.extend_from_slice(&text[at..]);
}

/// Count the characters of a string's canonical text as Python's `len` does.
///
/// `inside`: those of the value it stands for; else those of the text, quotes and escapes included.
#[must_use]
pub fn count_characters(text: &[u8], inside: bool) -> usize {
    if !inside {
        return text.iter().filter(|&&byte| byte & 0xc0 != 0x80).count();
    }
    let mut count = 0;
    let mut at = 1;
    while at + 1 < text.len() {
        at += character_length(&text[at..]);
        count += 1;
    }
    count
}

/// Count the escapes of lone surrogates in a string's canonical text.
#[must_use]
pub fn count_surrogates(text: &[u8]) -> usize {
    let mut count = 0;
    let mut at = 0;
    while let Some(step) = text[at..].iter().position(|&byte| byte == b'\\') {
        at += step;
        count += usize::from(text[at + 1] == b'u' && text[at + 2] == b'd');
        at += 2;
    }
    count
}

/// Write the canonical text of the first `limit` characters of a string, and `tail` behind them.
pub fn write_clipped(text: &[u8], limit: usize, tail: &str, out: &mut Vec<u8>) {
    let mut at = 1;
    for _ in 0..limit {
        at += character_length(&text[at..]);
    }
    out.extend_from_slice(&text[..at]);
    out.extend_from_slice(tail.as_bytes());
    out.push(b'"');
}

fn character_length(text: &[u8]) -> usize {
    match text[0] {
        b'\\' => {
            if text[1] == b'u' {
                6
            } else {
                2
            }
        }
        0..=0x7f => 1,
        0x80..=0xdf => 2,
        0xe0..=0xef => 3,
        _ => 4,
    }
}

/// Return the position behind the string that begins at `at`.
fn string_end(text: &[u8], at: usize) -> usize {
    let mut at = at + 1;
    loop {
        match text[at] {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
}

/// Write the character of the escape that stands at the beginning, and return how many bytes it took.
fn write_escape(text: &[u8], out: &mut Vec<u8>) -> usize {
    match text[1] {
        b'/' => out.push(b'/'),
        b'u' => return write_unicode(text, out),
        byte => out.extend_from_slice(&[b'\\', byte]),
    }
    2
}

fn write_unicode(text: &[u8], out: &mut Vec<u8>) -> usize {
    let code = hex(&text[2..6]);
    if (0xd800..0xdc00).contains(&code) && text.len() >= 12 && text[6..8] == *b"\\u" {
        let low = hex(&text[8..12]);
        if (0xdc00..0xe000).contains(&low) {
            push_character(0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00), out);
            return 12;
        }
    }
    push_character(code, out);
    6
}

fn push_character(code: u32, out: &mut Vec<u8>) {
    let short = match code {
        0x22 => b'"',
        0x5c => b'\\',
        0x08 => b'b',
        0x09 => b't',
        0x0a => b'n',
        0x0c => b'f',
        0x0d => b'r',
        _ => 0,
    };
    match char::from_u32(code) {
        _ if short != 0 => out.extend_from_slice(&[b'\\', short]),
        Some(character) if code >= 0x20 => {
            out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
        }
        _ => out.extend_from_slice(format!("\\u{code:04x}").as_bytes()),
    }
}

fn hex(digits: &[u8]) -> u32 {
    digits.iter().fold(0, |code, &digit| code << 4 | char::from(digit).to_digit(16).unwrap_or(0))
}
