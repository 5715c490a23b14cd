//! Turns rows into a table by columns: cells that vary, constants, and what rows lack. It is `tables.py`, without copies.
//!
//! Input: the rows of a payload, with the words in which they are refused. Output: `Table`, which says where in each
//! shape a column stands.
//!
//! Invariant: whatever Python says of a row it says of the first row of a shape, so shapes are looked at, not rows.

use std::collections::HashMap;

use crate::json::Refusal;
use crate::rows::{Row, Rows, Shape, Span, Texts};

const MAX_ORDERS: usize = 8;
/// The most places of columns in shapes; what has more is Python's.
const MAX_PLACES: usize = 50_000_000;
const ABSENT: u32 = u32::MAX;

/// Rows that are all objects with no key twice.
pub struct Found {
    /// The shape of each row, and its first cell.
    pub rows: Vec<(u32, u32)>,
    pub shapes: Vec<Shape>,
    pub cells: Vec<Span>,
    pub keys: Vec<Span>,
}

/// An order of keys, as places in that of row 0, and the rows that have theirs so.
pub type Order = (Vec<usize>, Vec<usize>);

/// A table. `columns` and `constants` are places in `keys`; `cell` gives what stands there.
pub struct Table {
    /// All keys, in the order first seen.
    pub keys: Vec<u32>,
    /// By shape, where each of `keys` stands.
    places: Vec<Vec<u32>>,
    pub columns: Vec<usize>,
    pub constants: Vec<usize>,
    /// At which of a row's keys the constants stand; `None` where rows agree on no order.
    pub constants_at: Option<Vec<usize>>,
    /// Columns, with the rows that lack them.
    pub absent: Vec<(usize, Vec<usize>)>,
    /// Some keys held nothing but null.
    pub dropped: bool,
    /// Orders of keys other than that of row 0, and the rows that have theirs so.
    pub orders: Vec<Order>,
}

impl Table {
    /// A table whose keys are not yet told apart into columns and constants.
    fn of(keys: Vec<u32>, places: Vec<Vec<u32>>) -> Self {
        Self {
            keys,
            places,
            columns: Vec::new(),
            constants: Vec::new(),
            constants_at: None,
            absent: Vec::new(),
            dropped: false,
            orders: Vec::new(),
        }
    }

    /// The cell of a row at a place in `keys`; `None` where the row lacks the key.
    #[must_use]
    pub fn cell(&self, found: &Found, row: usize, key: usize) -> Option<Span> {
        let (shape, first) = found.rows[row];
        let place = self.places[shape as usize][key];
        (place != ABSENT).then(|| found.cells[(first + place) as usize])
    }

    /// Put another cell in the place of one that is there.
    pub fn set_cell(&self, found: &mut Found, row: usize, key: usize, cell: Span) {
        let (shape, first) = found.rows[row];
        let place = self.places[shape as usize][key];
        found.cells[(first + place) as usize] = cell;
    }
}

/// Hold that rows are enough, and objects.
///
/// # Errors
///
/// `NotApplicable`, as `find_rows` words it.
pub fn find_rows(rows: Option<Rows>, min_rows: usize) -> Result<Found, Refusal> {
    let Some(read) = rows else {
        return refuse("neither a list of objects nor an object with such a list as `rows`".into());
    };
    let count = read.rows.len();
    if count < min_rows {
        let plural = if count == 1 { "" } else { "s" };
        return refuse(format!("{count} row{plural}, fewer than {min_rows}"));
    }
    let mut rows = Vec::with_capacity(count);
    for (number, row) in read.rows.iter().enumerate() {
        match *row {
            Row::Object { shape, first } if !read.shapes[shape as usize].twice => rows.push((shape, first)),
            Row::Object { .. } => return refuse(format!("row {number} has a key twice")),
            Row::Other => return refuse(format!("row {number} is no object")),
        }
    }
    Ok(Found { rows, shapes: read.shapes, cells: read.cells, keys: read.keys })
}

/// Turn rows that all have the same keys into a table.
///
/// # Errors
///
/// `NotApplicable` where they have not, as `strict_table` words it.
pub fn strict_table(found: &Found, texts: &Texts<'_>) -> Result<Table, Refusal> {
    let keys = first_keys(found);
    let mut orders = Vec::new();
    if !in_order(found) {
        orders = find_orders(found, &keys)?;
    }
    let places = find_places(found, &keys)?;
    let mut table = factor(found, texts, keys, places, &[], true);
    table.orders = orders;
    Ok(table)
}

/// Turn rows with enough keys in common into a table without its columns of nulls.
///
/// # Errors
///
/// `NotApplicable` where they have too few, as `loose_table` words it.
pub fn loose_table(found: &Found, texts: &Texts<'_>, percent: usize) -> Result<Table, Refusal> {
    let in_order = in_order(found);
    let keys = if in_order { first_keys(found) } else { common_keys(found, percent)? };
    let places = find_places(found, &keys)?;
    let mut table = Table::of(keys, places);
    let mut kept = Vec::new();
    for key in 0..table.keys.len() {
        let cells = || (0..found.rows.len()).map(|row| table.cell(found, row, key));
        if cells().all(|cell| cell.is_none_or(|cell| texts.of(cell) == b"null")) {
            table.dropped = true;
            continue;
        }
        kept.push(key);
        let lacking: Vec<usize> = if in_order {
            Vec::new()
        } else {
            cells().enumerate().filter(|(_, cell)| cell.is_none()).map(|(row, _)| row).collect()
        };
        if !lacking.is_empty() {
            table.absent.push((key, lacking));
        }
    }
    let padded: Vec<usize> = table.absent.iter().map(|(key, _)| *key).collect();
    Ok(separate(found, texts, table, &kept, &padded, in_order))
}

fn first_keys(found: &Found) -> Vec<u32> {
    found.shapes[found.rows[0].0 as usize].keys.clone()
}

fn in_order(found: &Found) -> bool {
    found.rows.iter().all(|row| row.0 == found.rows[0].0)
}

/// Return each shape with the number of the first row that has it, in the order of those.
fn first_rows(found: &Found) -> Vec<(usize, &Shape)> {
    let mut seen = vec![false; found.shapes.len()];
    let mut firsts = Vec::new();
    for (number, row) in found.rows.iter().enumerate() {
        if !std::mem::replace(&mut seen[row.0 as usize], true) {
            firsts.push((number, &found.shapes[row.0 as usize]));
        }
    }
    firsts
}

fn find_orders(found: &Found, keys: &[u32]) -> Result<Vec<Order>, Refusal> {
    let places: HashMap<u32, usize> = keys.iter().enumerate().map(|(place, &key)| (key, place)).collect();
    let mut numbers_of = vec![Vec::new(); found.shapes.len()];
    for (number, row) in found.rows.iter().enumerate() {
        numbers_of[row.0 as usize].push(number);
    }
    let mut orders = Vec::new();
    // The first row has the first shape, which is no other order.
    for (number, shape) in &first_rows(found)[1..] {
        let order: Option<Vec<usize>> = shape.keys.iter().map(|key| places.get(key).copied()).collect();
        let Some(order) = order.filter(|order| order.len() == keys.len()) else {
            return refuse(format!("row {number} has other keys than row 0"));
        };
        if orders.len() == MAX_ORDERS {
            let most = MAX_ORDERS + 1;
            return refuse(format!("rows 0 to {number} have their keys in more than {most} orders"));
        }
        orders.push((order, std::mem::take(&mut numbers_of[found.rows[*number].0 as usize])));
    }
    Ok(orders)
}

fn common_keys(found: &Found, percent: usize) -> Result<Vec<u32>, Refusal> {
    let mut union = first_keys(found);
    // How many of the shapes so far have each key.
    let mut held = vec![0_usize; found.keys.len()];
    let mut seen = vec![false; found.keys.len()];
    for &key in &union {
        seen[key as usize] = true;
    }
    let mut common = union.clone();
    for (number, shape) in first_rows(found) {
        let same = shape.keys.len() == common.len() && union.len() == common.len() && {
            shape.keys.iter().for_each(|&key| held[key as usize] = number + 1);
            common.iter().all(|&key| held[key as usize] == number + 1)
        };
        if same {
            continue;
        }
        shape.keys.iter().for_each(|&key| held[key as usize] = number + 1);
        common.retain(|&key| held[key as usize] == number + 1);
        for &key in &shape.keys {
            if !std::mem::replace(&mut seen[key as usize], true) {
                union.push(key);
            }
        }
        if union.len() * 100 > percent.saturating_mul(common.len()) {
            let (few, all) = (common.len(), union.len());
            return refuse(format!("rows 0 to {number} have {few} of {all} keys in common"));
        }
    }
    Ok(union)
}

fn find_places(found: &Found, keys: &[u32]) -> Result<Vec<Vec<u32>>, Refusal> {
    if keys.len().saturating_mul(found.shapes.len()) > MAX_PLACES {
        return Err(Refusal::NotMine);
    }
    let mut numbers = vec![ABSENT; found.keys.len()];
    let mut places = Vec::with_capacity(found.shapes.len());
    for shape in &found.shapes {
        for (place, &key) in (0..).zip(&shape.keys) {
            numbers[key as usize] = place;
        }
        places.push(keys.iter().map(|&key| numbers[key as usize]).collect());
        for &key in &shape.keys {
            numbers[key as usize] = ABSENT;
        }
    }
    Ok(places)
}

fn factor(
    found: &Found,
    texts: &Texts<'_>,
    keys: Vec<u32>,
    places: Vec<Vec<u32>>,
    padded: &[usize],
    in_order: bool,
) -> Table {
    let kept: Vec<usize> = (0..keys.len()).collect();
    separate(found, texts, Table::of(keys, places), &kept, padded, in_order)
}

/// Separate the columns that are the same in every row. A single row has none: nothing would be repeated.
fn separate(
    found: &Found,
    texts: &Texts<'_>,
    mut table: Table,
    kept: &[usize],
    padded: &[usize],
    in_order: bool,
) -> Table {
    let count = found.rows.len();
    let mut at = Vec::new();
    for (place, &key) in kept.iter().enumerate() {
        let text = |row| table.cell(found, row, key).map(|cell| texts.of(cell));
        let first = text(0);
        if count > 1 && padded.binary_search(&key).is_err() && (1..count).all(|row| text(row) == first) {
            table.constants.push(key);
            at.push(place);
        } else {
            table.columns.push(key);
        }
    }
    table.constants_at = in_order.then_some(at);
    table
}

fn refuse<T>(words: String) -> Result<T, Refusal> {
    Err(Refusal::NotApplicable(words))
}
