//! `columnar`: a list of objects as one list of keys and one list of values a row. It is `columnar.py` on text.
//!
//! Input: JSON text, level and settings. Output: the bytes, guarantee and detail that Python gives, or its words of
//! refusal. Level `aggressive` is Python's, where originals are kept.

use crate::json::canonical::{count_characters, count_surrogates, write_clipped};
use crate::json::{Encoded, Payload, Refusal};
use crate::ranges::write_ranges;
use crate::rows::{self, Member, Span, Texts};
use crate::tables::{Found, Table, find_rows, loose_table, strict_table};

/// Fewer characters than the mark itself takes are not left out.
const WORTH: usize = 24;

/// The settings of the codec, and of the call.
#[derive(Debug, Clone, Copy)]
pub struct Settings {
    /// Nothing but guarantee `value`: level `minimal`, or the original is not kept.
    pub strict: bool,
    pub min_rows: usize,
    pub heterogeneity_percent: usize,
    pub clip: Option<usize>,
}

/// Encode a payload.
///
/// # Errors
///
/// `NotApplicable` where it is no table of enough rows, `NotMine` where Python has to look.
pub fn compress(payload: Payload<'_>, settings: Settings) -> Result<Encoded, Refusal> {
    let read = rows::read(payload.open()?)?;
    let (mut texts, outer) = (read.texts, read.outer);
    let mut found = find_rows(read.found, settings.min_rows)?;
    if settings.strict {
        let table = strict_table(&found, &texts)?;
        return Encoded::new(show(&table, &found, &texts, outer.as_deref()), "value", None);
    }
    let mut table = match loose_table(&found, &texts, settings.heterogeneity_percent) {
        Ok(table) => table,
        Err(Refusal::NotApplicable(words)) => {
            let Some(made) = leave_out_nulls(&found, &texts) else {
                return Err(Refusal::NotApplicable(words));
            };
            let made = surround(&made, &texts, outer.as_deref());
            return Encoded::new(made, "shape", Some("nulls left out; too few keys in common".into()));
        }
        Err(Refusal::NotMine) => return Err(Refusal::NotMine),
    };
    let clipped = match settings.clip {
        Some(limit) => clip(&table, &mut found, &mut texts, limit)?,
        None => 0,
    };
    let exact = table.constants_at.is_some() && table.absent.is_empty() && !table.dropped;
    if !exact || clipped > 0 {
        // The documented shape: who wants the order of keys reads the original.
        table.constants_at = None;
    }
    let detail = settings
        .clip
        .filter(|_| clipped > 0)
        .map(|limit| format!("{clipped} long texts clipped to {limit} characters"));
    let guarantee = if clipped > 0 {
        "summary"
    } else if exact {
        "value"
    } else {
        "shape"
    };
    Encoded::new(show(&table, &found, &texts, outer.as_deref()), guarantee, detail)
}

/// Clip the texts of all cells and constants, and return how many there were.
fn clip(table: &Table, found: &mut Found, texts: &mut Texts<'_>, limit: usize) -> Result<usize, Refusal> {
    let mut clipped = 0;
    for &key in &table.constants {
        // The same in every row, and clipped once.
        let Some(span) = table.cell(found, 0, key) else { continue };
        if let Some(shorter) = clip_text(texts, span, limit)? {
            clipped += 1;
            table.set_cell(found, 0, key, shorter);
        }
    }
    for &key in &table.columns {
        for row in 0..found.rows.len() {
            let Some(span) = table.cell(found, row, key) else { continue };
            if let Some(shorter) = clip_text(texts, span, limit)? {
                clipped += 1;
                table.set_cell(found, row, key, shorter);
            }
        }
    }
    Ok(clipped)
}

fn clip_text(texts: &mut Texts<'_>, span: Span, limit: usize) -> Result<Option<Span>, Refusal> {
    let text = texts.of(span);
    let most = limit.saturating_add(WORTH);
    if text[0] != b'"' || text.len() - 2 <= most {
        return Ok(None);
    }
    let characters = count_characters(text, true);
    if characters <= most {
        return Ok(None);
    }
    let tail = format!("…[+{} chars]", characters - limit);
    texts.add(|text, out| write_clipped(text, limit, &tail, out), span).map(Some)
}

/// Return the rows without the keys whose value is null; `None` where there are none.
fn leave_out_nulls(found: &Found, texts: &Texts<'_>) -> Option<Vec<u8>> {
    let mut out = vec![b'['];
    let mut any = false;
    for &(shape, first) in &found.rows {
        out.push(b'{');
        let start = out.len();
        let keys = &found.shapes[shape as usize].keys;
        for (&key, &cell) in keys.iter().zip(&found.cells[first as usize..]) {
            let text = texts.of(cell);
            if text == b"null" {
                any = true;
                continue;
            }
            if out.len() > start {
                out.push(b',');
            }
            out.extend_from_slice(texts.of(found.keys[key as usize]));
            out.push(b':');
            out.extend_from_slice(text);
        }
        out.extend_from_slice(b"},");
    }
    out.pop();
    out.push(b']');
    any.then_some(out)
}

/// Return what stands for the rows within the object that they came in.
fn surround(rows: &[u8], texts: &Texts<'_>, outer: Option<&[Member]>) -> Vec<u8> {
    let Some(members) = outer else { return rows.to_vec() };
    let mut out = vec![b'{'];
    for (number, (key, value)) in members.iter().enumerate() {
        if number > 0 {
            out.push(b',');
        }
        out.extend_from_slice(texts.of(*key));
        out.push(b':');
        out.extend_from_slice(value.map_or(rows, |value| texts.of(value)));
    }
    out.push(b'}');
    out
}

fn show(table: &Table, found: &Found, texts: &Texts<'_>, outer: Option<&[Member]>) -> Vec<u8> {
    let made = write_table(table, found, texts);
    if outer.is_none() { made } else { surround(&made, texts, outer) }
}

fn write_table(table: &Table, found: &Found, texts: &Texts<'_>) -> Vec<u8> {
    let name = |key: usize| texts.of(found.keys[table.keys[key] as usize]);
    let mut out = Vec::with_capacity(found.cells.len() * 12 + 256);
    out.extend_from_slice(b"{\"columns\":[");
    separated(&mut out, &table.columns, |out, &key| out.extend_from_slice(name(key)));
    out.extend_from_slice(b"],\"rows\":[\n[");
    let repeats = write_lines(table, found, texts, &mut out);
    out.extend_from_slice(b"]\n],\"constants\":{");
    separated(&mut out, &table.constants, |out, &key| {
        out.extend_from_slice(name(key));
        out.push(b':');
        out.extend_from_slice(table.cell(found, 0, key).map_or(b"null", |cell| texts.of(cell)));
    });
    out.push(b'}');
    let varying = table.columns.len();
    let places = table.constants_at.as_deref().unwrap_or_default();
    if places.iter().zip(varying..).any(|(&place, usual)| place != usual) {
        out.extend_from_slice(b",\"constants_at\":");
        write_numbers(&mut out, places);
    }
    if !table.orders.is_empty() {
        out.extend_from_slice(b",\"orders\":{");
        separated(&mut out, &table.orders, |out, (order, numbers)| {
            out.extend_from_slice(format!("\"{}\":", write_ranges(numbers)).as_bytes());
            write_numbers(out, order);
        });
        out.push(b'}');
    }
    if let Some(counts) = repeats {
        out.extend_from_slice(b",\"repeats\":");
        write_numbers(&mut out, &counts);
    }
    if !table.absent.is_empty() {
        out.extend_from_slice(b",\"absent\":{");
        separated(&mut out, &table.absent, |out, (key, numbers)| {
            out.extend_from_slice(name(*key));
            out.extend_from_slice(format!(":\"{}\"", write_ranges(numbers)).as_bytes());
        });
        out.push(b'}');
    }
    out.push(b'}');
    out
}

/// Write a line for each row; where equal neighbours are better written once, return how often each stands there.
fn write_lines(table: &Table, found: &Found, texts: &Texts<'_>, out: &mut Vec<u8>) -> Option<Vec<usize>> {
    let may_fold = table.orders.is_empty() && table.absent.is_empty();
    let start = out.len();
    let mut heads: Vec<(usize, usize)> = Vec::new();
    let mut last = start..start;
    for row in 0..found.rows.len() {
        if row > 0 {
            out.extend_from_slice(b"],\n[");
        }
        let begin = out.len();
        separated(out, &table.columns, |out, &key| {
            out.extend_from_slice(table.cell(found, row, key).map_or(b"null", |cell| texts.of(cell)));
        });
        if !may_fold {
            continue;
        }
        match heads.last_mut() {
            Some((_, count)) if out[last.clone()] == out[begin..] => *count += 1,
            _ => heads.push((row, 1)),
        }
        last = begin..out.len();
    }
    if !may_fold || heads.len() == found.rows.len() {
        return None;
    }
    let escaped: Vec<bool> = table.columns.iter().map(|&key| !is_all_text(table, found, texts, key)).collect();
    let saved: usize = heads
        .iter()
        .filter(|(_, count)| *count > 1)
        .map(|&(row, count)| (count - 1) * (count_line(table, found, texts, row, &escaped) + 3))
        .sum();
    if !pays(saved, heads.len()) {
        return None;
    }
    out.truncate(start);
    for (number, &(row, _)) in heads.iter().enumerate() {
        if number > 0 {
            out.extend_from_slice(b"],\n[");
        }
        separated(out, &table.columns, |out, &key| {
            out.extend_from_slice(table.cell(found, row, key).map_or(b"null", |cell| texts.of(cell)));
        });
    }
    Some(heads.iter().map(|(_, count)| *count).collect())
}

fn is_all_text(table: &Table, found: &Found, texts: &Texts<'_>, key: usize) -> bool {
    (0..found.rows.len()).all(|row| table.cell(found, row, key).is_some_and(|cell| texts.of(cell)[0] == b'"'))
}

/// Count the characters of a line as Python does: in a column of nothing but text a lone surrogate is not yet escaped.
fn count_line(table: &Table, found: &Found, texts: &Texts<'_>, row: usize, escaped: &[bool]) -> usize {
    let commas = table.columns.len().saturating_sub(1);
    let cells = table.columns.iter().zip(escaped).map(|(&key, &escaped)| {
        let text = table.cell(found, row, key).map_or(&b"null"[..], |cell| texts.of(cell));
        count_characters(text, false) - if escaped { 0 } else { 5 * count_surrogates(text) }
    });
    commas + cells.sum::<usize>()
}

/// Tell whether counts cost less than the characters of the rows they save.
fn pays(saved: usize, kept: usize) -> bool {
    saved > 3 * (",\"repeats\":[]".len() + 2 * kept)
}

fn write_numbers(out: &mut Vec<u8>, numbers: &[usize]) {
    out.push(b'[');
    separated(out, numbers, |out, number| out.extend_from_slice(number.to_string().as_bytes()));
    out.push(b']');
}

fn separated<T>(out: &mut Vec<u8>, items: &[T], mut write: impl FnMut(&mut Vec<u8>, &T)) {
    for (number, item) in items.iter().enumerate() {
        if number > 0 {
            out.push(b',');
        }
        write(out, item);
    }
}
