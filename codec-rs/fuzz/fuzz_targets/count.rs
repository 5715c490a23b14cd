//! Counts under both encodings are those of tiktoken, and limits are exact, whatever the text.

#![no_main]

use cablese_codec::count::{Encoding, count_until};
use libfuzzer_sys::fuzz_target;
use tiktoken_rs::{cl100k_base_singleton, o200k_base_singleton};

fuzz_target!(|text: &str| {
    let references =
        [(Encoding::O200kBase, o200k_base_singleton()), (Encoding::Cl100kBase, cl100k_base_singleton())];
    for (encoding, reference) in references {
        let tokens = reference.encode_ordinary(text).len() as u64;
        assert_eq!(count_until(text, encoding, None), Some(tokens));
        assert_eq!(count_until(text, encoding, Some(tokens)), Some(tokens));
        if let Some(fewer) = tokens.checked_sub(1) {
            assert_eq!(count_until(text, encoding, Some(fewer)), None);
        }
    }
});
