//! Reads the rows of a payload: which keys each has, and where the canonical text of each cell stands.
//!
//! Input: a scanner at a list of objects, or at an object with such a list as `rows`. Output: `Payload`.
//!
//! Invariants: nothing is allocated for a cell; the keys of a row are read once for each shape, which is a sequence of
//! keys, and cells are told apart by their canonical text alone.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use crate::json::canonical::{write_string, write_value};
use crate::json::scan::Scanner;
use crate::json::{MAX_DEPTH, Refusal};

/// Where a canonical text stands: in the payload, or among the texts that had to be written anew.
#[derive(Debug, Clone, Copy)]
pub struct Span {
    /// The position, doubled; odd among the texts written anew.
    start: u32,
    length: u32,
}

/// The canonical texts of one payload.
pub struct Texts<'a> {
    source: &'a [u8],
    written: Vec<u8>,
}

impl<'a> Texts<'a> {
    #[must_use]
    pub fn of(&self, span: Span) -> &[u8] {
        let start = (span.start / 2) as usize;
        let from = if span.start % 2 == 0 { self.source } else { &self.written };
        &from[start..start + span.length as usize]
    }

    /// Add a text.
    ///
    /// # Errors
    ///
    /// `NotMine` where there is no room for it.
    pub fn add(&mut self, write: impl FnOnce(&[u8], &mut Vec<u8>), source: Span) -> Result<Span, Refusal> {
        let start = self.written.len();
        let mut written = std::mem::take(&mut self.written);
        if source.start % 2 == 0 {
            write(self.of(source), &mut written);
        } else {
            let own = written[(source.start / 2) as usize..][..source.length as usize].to_vec();
            write(&own, &mut written);
        }
        self.written = written;
        span(start, self.written.len(), true)
    }

    /// Go over a value, and return its canonical text.
    fn value(&mut self, scanner: &mut Scanner<'a>, depth: usize) -> Result<Span, Refusal> {
        let start = scanner.at();
        let plain = scanner.value(depth)?;
        let found = span(start, scanner.at(), false)?;
        if plain { Ok(found) } else { self.add(write_value, found) }
    }

    /// Go over a key, and return its canonical text.
    fn key(&mut self, scanner: &mut Scanner<'a>) -> Result<Span, Refusal> {
        let start = scanner.at();
        let plain = scanner.string()?;
        let found = span(start, scanner.at(), false)?;
        if plain { Ok(found) } else { self.add(write_string, found) }
    }
}

fn span(start: usize, end: usize, written: bool) -> Result<Span, Refusal> {
    let doubled = u32::try_from(start * 2).map_err(|_| Refusal::NotMine)?;
    let length = u32::try_from(end - start).map_err(|_| Refusal::NotMine)?;
    Ok(Span { start: doubled + u32::from(written), length })
}

/// The keys of a row, in order, by number.
pub struct Shape {
    pub keys: Vec<u32>,
    /// A key stands there twice, so Python has no dict of it.
    pub twice: bool,
}

/// One element of the list of rows.
#[derive(Clone, Copy)]
pub enum Row {
    /// Its shape, and the number of the first of its cells.
    Object {
        shape: u32,
        first: u32,
    },
    Other,
}

/// Rows as they were read.
#[derive(Default)]
pub struct Rows {
    pub rows: Vec<Row>,
    pub shapes: Vec<Shape>,
    pub cells: Vec<Span>,
    /// The canonical text of each key, by number.
    pub keys: Vec<Span>,
}

/// A member of the object around the rows; `None` stands for the rows.
pub type Member = (Span, Option<Span>);

/// What a payload is, for a codec of rows.
pub struct Payload<'a> {
    pub texts: Texts<'a>,
    /// The list of rows; `None` where there is none, or an empty one.
    pub found: Option<Rows>,
    /// The members of the object around them; `None` where the payload is the list.
    pub outer: Option<Vec<Member>>,
}

/// Read a payload.
///
/// # Errors
///
/// `NotMine` where it is no JSON, or too deep.
pub fn read(mut scanner: Scanner<'_>) -> Result<Payload<'_>, Refusal> {
    let mut texts = Texts { source: scanner.text(), written: Vec::new() };
    let mut found = None;
    let mut outer = None;
    if scanner.peek() == b'[' {
        found = Some(read_rows(&mut scanner, &mut texts, MAX_DEPTH)?);
    } else {
        let mut members: Vec<Member> = Vec::new();
        let mut names = HashMap::new();
        let mut more = scanner.enter(b'{', b'}')?;
        while more {
            let key = texts.key(&mut scanner)?;
            scanner.colon()?;
            let name = texts.of(key).to_vec();
            let rows = name == *b"\"rows\"" && scanner.peek() == b'[';
            if rows && found.is_none() {
                found = Some(read_rows(&mut scanner, &mut texts, MAX_DEPTH - 1)?);
                members.push((key, None));
            } else {
                members.push((key, Some(texts.value(&mut scanner, MAX_DEPTH - 1)?)));
            }
            *names.entry(name).or_insert(0) += 1;
            more = scanner.more(b'}')?;
        }
        if names.len() < members.len() {
            // An object with a key twice is none of ours.
            found = None;
        }
        outer = Some(members);
    }
    scanner.finish()?;
    let found = found.filter(|rows| !rows.rows.is_empty());
    Ok(Payload { texts, found, outer })
}

fn read_rows<'a>(scanner: &mut Scanner<'a>, texts: &mut Texts<'a>, depth: usize) -> Result<Rows, Refusal> {
    let mut reader = Reader::default();
    let mut more = scanner.enter(b'[', b']')?;
    while more {
        if scanner.peek() == b'{' {
            let row = reader.row(scanner, texts, depth - 1)?;
            reader.made.rows.push(row);
        } else {
            scanner.value(depth - 1)?;
            reader.made.rows.push(Row::Other);
        }
        more = scanner.more(b']')?;
    }
    Ok(reader.made)
}

#[derive(Default)]
struct Reader {
    made: Rows,
    key_numbers: HashMap<Vec<u8>, u32>,
    shape_numbers: HashMap<Vec<u32>, u32>,
    /// The keys of the row that is read, which may be no shape yet.
    keys: Vec<u32>,
    /// The shape of the row before.
    last: usize,
}

impl Reader {
    fn row<'a>(&mut self, scanner: &mut Scanner<'a>, texts: &mut Texts<'a>, depth: usize) -> Result<Row, Refusal> {
        let first = number(self.made.cells.len())?;
        let mut more = scanner.enter(b'{', b'}')?;
        // As long as the keys are those of the row before, they are only counted.
        let mut alike = 0;
        while more {
            let shape = self.made.shapes.get(self.last);
            let Some(&key) = shape.and_then(|shape| shape.keys.get(alike)) else { break };
            if !scanner.take(texts.of(self.made.keys[key as usize])) {
                break;
            }
            alike += 1;
            more = self.cell(scanner, texts, depth)?;
        }
        let known = self.made.shapes.get(self.last).map(|shape| &shape.keys);
        if !more && known.is_some_and(|keys| keys.len() == alike) {
            return Ok(Row::Object { shape: number(self.last)?, first });
        }
        self.keys.clear();
        self.keys.extend_from_slice(known.map_or(&[][..], |keys| &keys[..alike]));
        while more {
            let key = texts.key(scanner)?;
            let name = texts.of(key);
            let known = self.key_numbers.get(name).copied();
            let found = match known {
                Some(found) => found,
                None => {
                    let found = number(self.made.keys.len())?;
                    self.key_numbers.insert(name.to_vec(), found);
                    self.made.keys.push(key);
                    found
                }
            };
            self.keys.push(found);
            more = self.cell(scanner, texts, depth)?;
        }
        let shape = self.shape()?;
        self.last = shape as usize;
        Ok(Row::Object { shape, first })
    }

    fn cell<'a>(&mut self, scanner: &mut Scanner<'a>, texts: &mut Texts<'a>, depth: usize) -> Result<bool, Refusal> {
        scanner.colon()?;
        self.made.cells.push(texts.value(scanner, depth - 1)?);
        scanner.more(b'}')
    }

    /// Return the number of the shape that has the keys that were read.
    fn shape(&mut self) -> Result<u32, Refusal> {
        let next = number(self.made.shapes.len())?;
        match self.shape_numbers.entry(self.keys.clone()) {
            Entry::Occupied(known) => Ok(*known.get()),
            Entry::Vacant(place) => {
                place.insert(next);
                let mut sorted = self.keys.clone();
                sorted.sort_unstable();
                let twice = sorted.windows(2).any(|pair| pair[0] == pair[1]);
                self.made.shapes.push(Shape { keys: self.keys.clone(), twice });
                Ok(next)
            }
        }
    }
}

fn number(count: usize) -> Result<u32, Refusal> {
    u32::try_from(count).map_err(|_| Refusal::NotMine)
}
