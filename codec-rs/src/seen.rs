//! The counts of short pieces of one text, so that a word that comes again is looked up and not merged.
//!
//! Input: a piece and how to count it. Output: its count. A table of fixed size, whose places are taken by whoever came
//! last, lives for one text; a count is of the very bytes of the piece, so it is exact whatever the table holds.

/// Bytes of the longest piece that is kept.
const LONGEST: usize = 15;
const LENGTH: u32 = 124;
const COUNT: u32 = 120;
const COUNTS: u128 = 15 << COUNT;

/// Counts by piece. A place has the bytes of a piece, above them its count and its length, both of 4 bits; 0 is free.
pub struct Seen {
    places: Vec<u128>,
    shift: u32,
}

impl Seen {
    /// A table for a text of so many bytes.
    #[must_use]
    pub fn for_text(bytes: usize) -> Self {
        let size = (bytes / 16).clamp(1 << 5, 1 << 14).next_power_of_two();
        Self { places: vec![0; size], shift: u64::BITS - size.trailing_zeros() }
    }

    /// Return the count of a piece, by `count` where the table does not have it.
    pub fn count(&mut self, piece: &[u8], count: impl FnOnce(&[u8]) -> u64) -> u64 {
        if piece.is_empty() || piece.len() > LONGEST {
            return count(piece);
        }
        let mut bytes = [0; 16];
        bytes[..piece.len()].copy_from_slice(piece);
        let key = u128::from_le_bytes(bytes) | (piece.len() as u128) << LENGTH;
        let mixed = (key as u64 ^ ((key >> 64) as u64).rotate_left(29)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let place = &mut self.places[(mixed >> self.shift) as usize];
        if *place & !COUNTS == key {
            return (*place >> COUNT & 15) as u64;
        }
        let found = count(piece);
        // A token has at least one byte, so that this never is more than 4 bits hold.
        *place = key | u128::from(found & 15) << COUNT;
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_is_that_of_the_piece_however_many_share_its_place() {
        let mut seen = Seen::for_text(0);
        for round in 0..3 {
            for number in 0..2000_u32 {
                let piece = format!("{number:x}");
                let wanted = u64::from(number) % piece.len() as u64 + 1;
                assert_eq!(seen.count(piece.as_bytes(), |_| wanted), wanted, "{round}");
            }
        }
    }

    #[test]
    fn pieces_of_zeros_differ_by_their_length() {
        let mut seen = Seen::for_text(1 << 20);
        for length in 0..40 {
            assert_eq!(seen.count(&vec![0; length], |piece| piece.len() as u64), length as u64);
        }
    }

    #[test]
    fn a_piece_that_came_before_is_not_counted_again() {
        let mut seen = Seen::for_text(1 << 20);
        assert_eq!(seen.count(b" hello", |_| 2), 2);
        assert_eq!(seen.count(b" hello", |_| unreachable!()), 2);
        assert_eq!(seen.count(b"fifteen letters", |_| 15), 15);
        assert_eq!(seen.count(b"fifteen letters", |_| unreachable!()), 15);
    }
}
