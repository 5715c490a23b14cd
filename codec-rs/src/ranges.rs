//! Writes numbers of rows as text: `0-28,30`. It is `write_ranges` of `ranges.py`.

use std::fmt::Write;

/// Return increasing numbers as text.
#[must_use]
pub fn write_ranges(numbers: &[usize]) -> String {
    let mut text = String::new();
    for run in numbers.chunk_by(|one, other| one + 1 == *other) {
        let (first, last) = (run[0], run[run.len() - 1]);
        let comma = if text.is_empty() { "" } else { "," };
        // Writing to a String cannot fail.
        let _ = if first == last { write!(text, "{comma}{first}") } else { write!(text, "{comma}{first}-{last}") };
    }
    text
}
