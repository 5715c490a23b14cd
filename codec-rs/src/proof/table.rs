//! Turns the tables of `columnar` back into rows. It is `table_decoder.py`, on text.
//!
//! Only the form that the encoder writes at guarantee `value` is accepted, and what is written out is bounded.

use std::collections::{HashMap, HashSet};

use super::plain::Plain;
use crate::json::{MAX_BYTES, MAX_DEPTH};

const MAX_CELLS: usize = 50_000_000;
/// A table stands around its cells.
const SHOWN_DEPTH: usize = MAX_DEPTH + 4;
const OPTIONAL: [&[u8]; 3] = [b"\"constants_at\"", b"\"orders\"", b"\"repeats\""];

/// The members of an object: the canonical text of each key, and where its value begins.
type Members<'a> = Vec<(Vec<u8>, Plain<'a>)>;

/// Return the canonical text of the rows that a table stands for; `None` where it is no table that the codec writes.
#[must_use]
pub fn decode(shown: &str) -> Option<Vec<u8>> {
    let mut plain = Plain::new(shown);
    let whole = members(&mut plain)?;
    plain.is_done().then_some(())?;
    let mut out = Vec::with_capacity(shown.len() * 2);
    if is_table(&whole) && whole[1].1.first() == Some(b'[') {
        write_rows(&whole, &mut out)?;
        return Some(out);
    }
    if !differ(&whole) {
        return None;
    }
    out.push(b'{');
    for (number, (key, value)) in whole.iter().enumerate() {
        if number > 0 {
            out.push(b',');
        }
        out.extend_from_slice(key);
        out.push(b':');
        let mut value = *value;
        if key == b"\"rows\"" {
            let table = members(&mut value)?;
            is_table(&table).then_some(())?;
            write_rows(&table, &mut out)?;
        } else {
            value.copy(SHOWN_DEPTH - 1, &mut out)?;
        }
    }
    out.push(b'}');
    whole.iter().any(|(key, _)| key == b"\"rows\"").then_some(out)
}

/// Tell whether an object has the keys of a table, in their order, and none twice.
fn is_table(members: &Members<'_>) -> bool {
    let names: Vec<&[u8]> = members.iter().take(3).map(|(key, _)| key.as_slice()).collect();
    names == [&b"\"columns\""[..], b"\"rows\"", b"\"constants\""] && differ(members)
}

fn differ(members: &Members<'_>) -> bool {
    let names: HashSet<&[u8]> = members.iter().map(|(key, _)| key.as_slice()).collect();
    names.len() == members.len()
}

fn members<'a>(plain: &mut Plain<'a>) -> Option<Members<'a>> {
    let mut found = Vec::new();
    let mut scratch = Vec::new();
    plain.each(b'{', b'}', |own| {
        let mut key = Vec::new();
        own.string(&mut key)?;
        own.skip(b':').then_some(())?;
        found.push((key, *own));
        scratch.clear();
        own.copy(SHOWN_DEPTH, &mut scratch)
    })?;
    Some(found)
}

/// Return the canonical texts of the elements of a list.
fn elements(plain: &mut Plain<'_>) -> Option<Vec<Vec<u8>>> {
    let mut found = Vec::new();
    plain.each(b'[', b']', |own| {
        let mut text = Vec::new();
        own.copy(SHOWN_DEPTH, &mut text)?;
        found.push(text);
        Some(())
    })?;
    Some(found)
}

/// The rows of a table as written: all cells in one text, and where each ends.
struct Cells {
    text: Vec<u8>,
    ends: Vec<usize>,
    columns: usize,
    rows: usize,
}

impl Cells {
    fn read(plain: &mut Plain<'_>, columns: usize) -> Option<Self> {
        let mut cells = Self { text: Vec::new(), ends: vec![0], columns, rows: 0 };
        plain.each(b'[', b']', |own| {
            own.each(b'[', b']', |own| {
                own.copy(SHOWN_DEPTH, &mut cells.text)?;
                cells.ends.push(cells.text.len());
                Some(())
            })?;
            cells.rows += 1;
            (cells.ends.len() == cells.rows * columns + 1).then_some(())
        })?;
        Some(cells)
    }

    fn cell(&self, row: usize, column: usize) -> &[u8] {
        let number = row * self.columns + column;
        &self.text[self.ends[number]..self.ends[number + 1]]
    }
}

/// What stands at a key of a row.
#[derive(Clone, Copy)]
enum Source<'a> {
    Column(usize),
    Constant(&'a [u8]),
}

fn write_rows(table: &Members<'_>, out: &mut Vec<u8>) -> Option<()> {
    let extras: Vec<&[u8]> = table[3..].iter().map(|(key, _)| key.as_slice()).collect();
    let known: Vec<&[u8]> = OPTIONAL.into_iter().filter(|name| extras.contains(name)).collect();
    let both = extras.contains(&OPTIONAL[1]) && extras.contains(&OPTIONAL[2]);
    (extras == known && !both).then_some(())?;
    let extra = |name| table[3..].iter().find(|(key, _)| key == name).map(|(_, value)| *value);

    let columns = elements(&mut table[0].1.clone())?;
    let constants = read_constants(&mut table[2].1.clone())?;
    columns.iter().all(|name| name[0] == b'"').then_some(())?;
    let names: HashSet<&Vec<u8>> = columns.iter().chain(constants.iter().map(|(key, _)| key)).collect();
    (names.len() == columns.len() + constants.len()).then_some(())?;
    let cells = Cells::read(&mut table[1].1.clone(), columns.len())?;
    let keys = row_keys(&columns, &constants, extra(OPTIONAL[0]))?;
    let counts = match extra(OPTIONAL[2]) {
        Some(text) => read_counts(text, cells.rows)?,
        None => vec![1; cells.rows],
    };
    let length = counts.iter().try_fold(0_usize, |sum, count| sum.checked_add(*count))?;
    (length.checked_mul(keys.len().max(1))? <= MAX_CELLS).then_some(())?;
    let orders = match extra(OPTIONAL[1]) {
        Some(text) => read_orders(text, keys.len(), length)?,
        None => HashMap::new(),
    };
    let usual: Vec<usize> = (0..keys.len()).collect();
    out.push(b'[');
    let mut number = 0;
    for (row, count) in counts.iter().enumerate() {
        for _ in 0..*count {
            if number > 0 {
                out.push(b',');
            }
            let order = orders.get(&number).unwrap_or(&usual);
            write_row(order.iter().map(|&place| keys[place]), &cells, row, out);
            number += 1;
            (out.len() <= MAX_BYTES).then_some(())?;
        }
    }
    out.push(b']');
    Some(())
}

fn write_row<'a>(keys: impl Iterator<Item = (&'a [u8], Source<'a>)>, cells: &Cells, row: usize, out: &mut Vec<u8>) {
    out.push(b'{');
    for (place, (name, source)) in keys.enumerate() {
        if place > 0 {
            out.push(b',');
        }
        out.extend_from_slice(name);
        out.push(b':');
        out.extend_from_slice(match source {
            Source::Column(column) => cells.cell(row, column),
            Source::Constant(text) => text,
        });
    }
    out.push(b'}');
}

fn read_constants(plain: &mut Plain<'_>) -> Option<Vec<(Vec<u8>, Vec<u8>)>> {
    let mut found = Vec::new();
    for (key, mut value) in members(plain)? {
        let mut text = Vec::new();
        value.copy(SHOWN_DEPTH, &mut text)?;
        found.push((key, text));
    }
    Some(found)
}

/// Return the keys of a row in their order, and what stands at each.
fn row_keys<'a>(
    columns: &'a [Vec<u8>],
    constants: &'a [(Vec<u8>, Vec<u8>)],
    places: Option<Plain<'_>>,
) -> Option<Vec<(&'a [u8], Source<'a>)>> {
    let mut varying = (0..).zip(columns).map(|(number, name)| (name.as_slice(), Source::Column(number)));
    let mut fixed = constants.iter().map(|(name, text)| (name.as_slice(), Source::Constant(text)));
    let Some(places) = places else {
        return Some(varying.chain(fixed).collect());
    };
    let places = read_numbers(places)?;
    let total = columns.len() + constants.len();
    let increasing = places.windows(2).all(|pair| pair[0] < pair[1]);
    if places.len() != constants.len() || !increasing || *places.last()? >= total || places[0] == columns.len() {
        return None;
    }
    let at: HashSet<usize> = places.into_iter().collect();
    (0..total).map(|place| if at.contains(&place) { fixed.next() } else { varying.next() }).collect()
}

fn read_counts(text: Plain<'_>, rows: usize) -> Option<Vec<usize>> {
    let counts = read_numbers(text)?;
    let sound = counts.len() == rows && counts.iter().all(|&count| count >= 1) && counts.iter().any(|&count| count > 1);
    sound.then_some(counts)
}

/// Return the places of the keys of the rows that have them in another order than row 0.
fn read_orders(mut text: Plain<'_>, keys: usize, length: usize) -> Option<HashMap<usize, Vec<usize>>> {
    let mut found = HashMap::new();
    let whole = members(&mut text)?;
    // An object with a key twice names no row.
    (differ(&whole) && !whole.is_empty()).then_some(())?;
    for (name, places) in whole {
        let order = read_numbers(places)?;
        let mut sorted = order.clone();
        sorted.sort_unstable();
        (sorted.iter().copied().eq(0..keys) && order != sorted).then_some(())?;
        for number in read_ranges(std::str::from_utf8(&name).ok()?.trim_matches('"'), length)? {
            (number != 0 && found.insert(number, order.clone()).is_none()).then_some(())?;
        }
    }
    Some(found)
}

/// Return the numbers of `0-28,30`, all less than `end`, increasing, and written in no other way than this.
fn read_ranges(text: &str, end: usize) -> Option<Vec<usize>> {
    let mut numbers: Vec<usize> = Vec::new();
    for part in text.split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (low, high) = (read_integer(first.as_bytes())?, read_integer(last.as_bytes())?);
        let touches = numbers.last().is_some_and(|&before| low <= before + 1);
        if high >= end || low > high || touches || (part.contains('-') && low == high) {
            return None;
        }
        numbers.extend(low..=high);
    }
    Some(numbers)
}

fn read_numbers(mut text: Plain<'_>) -> Option<Vec<usize>> {
    elements(&mut text)?.iter().map(|number| read_integer(number)).collect()
}

/// Read an integer as the encoder writes it.
fn read_integer(text: &[u8]) -> Option<usize> {
    let decimal = !text.is_empty() && text.len() < 20 && text.iter().all(u8::is_ascii_digit);
    (decimal && (text.len() == 1 || text[0] != b'0')).then_some(())?;
    std::str::from_utf8(text).ok()?.parse().ok()
}
