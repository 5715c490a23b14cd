//! On any bytes no codec of rows panics, and what is of guarantee `value` is read back as the value that came in.

#![no_main]

use cablese_codec::json::Payload;
use cablese_codec::json_compact::Dedup;
use cablese_codec::proof::{canonical, markers, proves, table};
use cablese_codec::{columnar, json_compact, keys};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some((&choice, bytes)) = data.split_first() else { return };
    let text = std::str::from_utf8(bytes).unwrap_or_default();
    let payload = if choice & 1 == 0 { Payload::Bytes(bytes) } else { Payload::Text(text) };
    let settings = columnar::Settings {
        strict: choice & 2 == 0,
        min_rows: 1,
        heterogeneity_percent: if choice & 4 == 0 { 150 } else { 1000 },
        clip: (choice & 8 == 0).then_some(3),
    };
    if let Ok(made) = columnar::compress(payload, settings) {
        assert!(canonical(&made.payload).is_some());
        if made.guarantee == "value" {
            assert!(proves(text, table::decode(&made.payload).as_deref()));
        }
    }
    let settings = json_compact::Settings {
        recoverable: choice & 2 == 0,
        drop_nulls: choice & 4 == 0,
        dedup: [Dedup::On, Dedup::Auto, Dedup::Off][usize::from(choice >> 4) % 3],
    };
    if let Ok(made) = json_compact::compress(payload, settings) {
        if made.guarantee == "value" {
            assert!(proves(text, markers::decode(&made.payload).as_deref()));
        }
    }
    let _ = (table::decode(text), markers::decode(text), keys::object_keys(text));
});
