//! JSON text as Python's exact model has it: numbers keep their spelling, objects their pairs, strings one spelling.

pub mod canonical;
pub mod scan;

/// How many containers may stand within each other; what is deeper is Python's.
pub const MAX_DEPTH: usize = 100;

/// The longest text that is read here, in bytes: positions fit into 31 bits.
pub const MAX_BYTES: usize = 64 << 20;

/// What became of a text that is not encoded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// Python has to say what becomes of it: it is no JSON, or too deep, or too large.
    NotMine,
    /// The codec does not take it, and this is the detail of the record.
    NotApplicable(String),
}

/// What a codec made of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Encoded {
    pub payload: String,
    pub guarantee: &'static str,
    pub detail: Option<String>,
}

impl Encoded {
    /// Wrap what was written.
    ///
    /// # Errors
    ///
    /// `NotMine` where it is not UTF-8, which a defect alone can make it.
    pub fn new(payload: Vec<u8>, guarantee: &'static str, detail: Option<String>) -> Result<Self, Refusal> {
        let payload = String::from_utf8(payload).map_err(|_| Refusal::NotMine)?;
        Ok(Self { payload, guarantee, detail })
    }
}

/// A payload as it came. Text and bytes are refused in different words.
#[derive(Clone, Copy)]
pub enum Payload<'a> {
    Text(&'a str),
    Bytes(&'a [u8]),
}

impl<'a> Payload<'a> {
    /// The text; `None` where bytes are not UTF-8.
    #[must_use]
    pub fn text(self) -> Option<&'a str> {
        match self {
            Payload::Text(text) => Some(text),
            Payload::Bytes(bytes) => std::str::from_utf8(bytes).ok(),
        }
    }

    /// Return a scanner that stands at the first `{` or `[`.
    ///
    /// # Errors
    ///
    /// `NotApplicable` where the text is of no object and no list, in the words of `open_payload` in `payloads.py`.
    pub fn open(self) -> Result<scan::Scanner<'a>, Refusal> {
        let text = match self {
            Payload::Text(text) => {
                if !text.starts_with(|first: char| "{[\"-0123456789tfn \t\n\r".contains(first)) {
                    return Err(Refusal::NotApplicable("not JSON".into()));
                }
                text
            }
            Payload::Bytes(_) => self.text().ok_or_else(|| Refusal::NotApplicable("the bytes are not UTF-8".into()))?,
        };
        if text.len() > MAX_BYTES {
            return Err(Refusal::NotMine);
        }
        let mut scanner = scan::Scanner::new(text.as_bytes());
        scanner.space();
        match text[scanner.at()..].chars().next() {
            Some('{' | '[') => Ok(scanner),
            // Python strips these before it looks, and then finds that JSON has no such white space.
            Some(first) if first.is_whitespace() || ('\x1c'..='\x1f').contains(&first) => Err(Refusal::NotMine),
            _ => Err(Refusal::NotApplicable("no JSON object or list".into())),
        }
    }
}
