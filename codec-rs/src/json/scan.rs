//! Walks over JSON text (RFC 8259), token by token, and says which parts are canonical as they stand.
//!
//! Input: UTF-8 text of at most `MAX_BYTES`. Output: positions. What is no JSON, and what is nested deeper than
//! `MAX_DEPTH`, is `NotMine`: Python finds the words for it. Recursion is bounded by the depth.

use super::{MAX_DEPTH, Refusal};

const ONES: u64 = u64::from_ne_bytes([1; 8]);
const HIGHS: u64 = ONES << 7;

pub struct Scanner<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> Scanner<'a> {
    #[must_use]
    pub fn new(text: &'a [u8]) -> Self {
        Self { text, at: 0 }
    }

    /// Where it stands, in bytes.
    #[must_use]
    pub fn at(&self) -> usize {
        self.at
    }

    #[must_use]
    pub fn text(&self) -> &'a [u8] {
        self.text
    }

    /// The byte where it stands. At the end 0, which no token begins with.
    #[must_use]
    pub fn peek(&self) -> u8 {
        self.text.get(self.at).copied().unwrap_or(0)
    }

    /// Go over white space, and say whether there was any.
    pub fn space(&mut self) -> bool {
        let start = self.at;
        while matches!(self.peek(), b' ' | b'\n' | b'\r' | b'\t') {
            self.at += 1;
        }
        self.at > start
    }

    /// Go over one byte, which must be this.
    ///
    /// # Errors
    ///
    /// `NotMine` where it is another.
    pub fn expect(&mut self, byte: u8) -> Result<(), Refusal> {
        if self.peek() != byte {
            return Err(Refusal::NotMine);
        }
        self.at += 1;
        Ok(())
    }

    /// Go over these bytes if they stand here.
    pub fn take(&mut self, bytes: &[u8]) -> bool {
        let found = self.text[self.at..].starts_with(bytes);
        if found {
            self.at += bytes.len();
        }
        found
    }

    /// Say whether another element follows, and stand before it. `close` ends the container.
    ///
    /// # Errors
    ///
    /// `NotMine` where neither follows.
    pub fn more(&mut self, close: u8) -> Result<bool, Refusal> {
        self.space();
        match self.peek() {
            b',' => {
                self.at += 1;
                self.space();
                Ok(true)
            }
            byte if byte == close => {
                self.at += 1;
                Ok(false)
            }
            _ => Err(Refusal::NotMine),
        }
    }

    /// Go into a container, and say whether it has an element; then stand before it.
    ///
    /// # Errors
    ///
    /// `NotMine` where the container does not begin here.
    pub fn enter(&mut self, open: u8, close: u8) -> Result<bool, Refusal> {
        self.expect(open)?;
        self.space();
        if self.peek() == close {
            self.at += 1;
            return Ok(false);
        }
        Ok(true)
    }

    /// Go over a string, which must be of no other spelling than the canonical one to be `true`.
    ///
    /// # Errors
    ///
    /// `NotMine` where none begins here, or what begins is none.
    pub fn string(&mut self) -> Result<bool, Refusal> {
        self.expect(b'"')?;
        let mut plain = true;
        loop {
            self.at = find_stop(self.text, self.at);
            match self.peek() {
                b'"' => {
                    self.at += 1;
                    return Ok(plain);
                }
                b'\\' => {
                    plain = false;
                    self.at += escape_length(&self.text[self.at..])?;
                }
                _ => return Err(Refusal::NotMine),
            }
        }
    }

    /// Go over the key of an object and its colon, and say whether the key is canonical.
    ///
    /// # Errors
    ///
    /// `NotMine` where none begins here.
    pub fn colon(&mut self) -> Result<(), Refusal> {
        self.space();
        self.expect(b':')?;
        self.space();
        Ok(())
    }

    /// Go over a value, and say whether its text is canonical: no white space, no escapes.
    ///
    /// # Errors
    ///
    /// `NotMine` where none begins here, or it is nested deeper than `depth`.
    pub fn value(&mut self, depth: usize) -> Result<bool, Refusal> {
        match self.peek() {
            b'"' => self.string(),
            b'-' | b'0'..=b'9' => self.number(),
            b'n' => self.literal(b"null"),
            b't' => self.literal(b"true"),
            b'f' => self.literal(b"false"),
            open @ (b'{' | b'[') => self.container(open, depth),
            _ => Err(Refusal::NotMine),
        }
    }

    /// Hold that nothing but white space follows.
    ///
    /// # Errors
    ///
    /// `NotMine` where something does.
    pub fn finish(&mut self) -> Result<(), Refusal> {
        self.space();
        if self.at == self.text.len() { Ok(()) } else { Err(Refusal::NotMine) }
    }

    fn literal(&mut self, word: &[u8]) -> Result<bool, Refusal> {
        if self.take(word) { Ok(true) } else { Err(Refusal::NotMine) }
    }

    fn number(&mut self) -> Result<bool, Refusal> {
        if self.peek() == b'-' {
            self.at += 1;
        }
        match self.peek() {
            b'0' => self.at += 1,
            b'1'..=b'9' => self.digits()?,
            _ => return Err(Refusal::NotMine),
        }
        if self.peek() == b'.' {
            self.at += 1;
            self.digits()?;
        }
        if matches!(self.peek(), b'e' | b'E') {
            self.at += 1;
            if matches!(self.peek(), b'+' | b'-') {
                self.at += 1;
            }
            self.digits()?;
        }
        Ok(true)
    }

    fn digits(&mut self) -> Result<(), Refusal> {
        let start = self.at;
        while self.peek().is_ascii_digit() {
            self.at += 1;
        }
        if self.at > start { Ok(()) } else { Err(Refusal::NotMine) }
    }

    fn container(&mut self, open: u8, depth: usize) -> Result<bool, Refusal> {
        if depth == 0 {
            return Err(Refusal::NotMine);
        }
        self.at += 1;
        let close = if open == b'{' { b'}' } else { b']' };
        let mut plain = !self.space();
        if self.peek() == close {
            self.at += 1;
            return Ok(plain);
        }
        loop {
            if open == b'{' {
                plain &= self.string()?;
                plain &= !self.space();
                self.expect(b':')?;
                plain &= !self.space();
            }
            plain &= self.value(depth - 1)?;
            plain &= !self.space();
            match self.peek() {
                b',' => self.at += 1,
                byte if byte == close => {
                    self.at += 1;
                    return Ok(plain);
                }
                _ => return Err(Refusal::NotMine),
            }
            plain &= !self.space();
        }
    }
}

/// Hold that a whole text is JSON of an object or a list.
///
/// # Errors
///
/// `NotMine` where it is not.
pub fn check(mut scanner: Scanner<'_>) -> Result<(), Refusal> {
    scanner.value(MAX_DEPTH)?;
    scanner.finish()
}

/// Return the first position from `at` of a quote, a backslash or a control character, or the end of the text.
fn find_stop(text: &[u8], mut at: usize) -> usize {
    while let Some(chunk) = text.get(at..at + 8) {
        let word = u64::from_le_bytes([chunk[0], chunk[1], chunk[2], chunk[3], chunk[4], chunk[5], chunk[6], chunk[7]]);
        // A borrow can only mark bytes behind the first that is marked rightly.
        let found = (zeros(word ^ (ONES * 0x22)) | zeros(word ^ (ONES * 0x5c)) | less(word)) & HIGHS;
        if found != 0 {
            return at + found.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    while let Some(&byte) = text.get(at) {
        if byte == b'"' || byte == b'\\' || byte < 0x20 {
            break;
        }
        at += 1;
    }
    at
}

fn zeros(word: u64) -> u64 {
    word.wrapping_sub(ONES) & !word
}

fn less(word: u64) -> u64 {
    word.wrapping_sub(ONES * 0x20) & !word
}

/// Return how many bytes the escape takes that stands at the beginning.
fn escape_length(text: &[u8]) -> Result<usize, Refusal> {
    match text.get(1) {
        Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => Ok(2),
        Some(b'u') if text.len() >= 6 && text[2..6].iter().all(u8::is_ascii_hexdigit) => Ok(6),
        _ => Err(Refusal::NotMine),
    }
}
