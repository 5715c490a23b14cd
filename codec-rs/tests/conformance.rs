//! The conformance cases of cablese, whose answers its Python wrote: bytes, guarantee, detail and words of refusal.

use std::fs;
use std::path::Path;

use cablese_codec::json::{Encoded, Payload, Refusal};
use cablese_codec::json_compact::Dedup;
use cablese_codec::proof::{markers, proves, table};
use cablese_codec::{columnar, json_compact};
use serde_json::Value;

fn cases(name: &str) -> Vec<Value> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/conformance/cases");
    let text = fs::read_to_string(folder.join(name)).expect("the cases are there");
    // A case with a lone surrogate in its text is no Unicode, which serde refuses: it is Python's alone.
    let lines = text.lines().filter(|line| line.starts_with('{'));
    lines.filter_map(|line| serde_json::from_str(line.trim_end_matches(',')).ok()).collect()
}

fn number(case: &Value, name: &str) -> Option<usize> {
    case["params"][name].as_u64().and_then(|number| usize::try_from(number).ok())
}

fn answer(case: &Value, payload: Payload<'_>) -> Result<Encoded, Refusal> {
    let recoverable = case["recoverable"] == true;
    if case["level"] == "aggressive" && recoverable {
        return Err(Refusal::NotMine);
    }
    if case["codec"] == "columnar" {
        let settings = columnar::Settings {
            strict: case["level"] == "minimal" || !recoverable,
            min_rows: number(case, "min_rows").unwrap_or(20),
            heterogeneity_percent: number(case, "heterogeneity_percent").unwrap_or(150),
            clip: number(case, "clip"),
        };
        return columnar::compress(payload, settings);
    }
    let settings = json_compact::Settings {
        recoverable,
        drop_nulls: case["params"]["nulls"] == "drop",
        dedup: match case["params"]["dedup"].as_str() {
            Some("auto") => Dedup::Auto,
            Some("off") => Dedup::Off,
            _ => Dedup::On,
        },
    };
    json_compact::compress(payload, settings)
}

fn check(case: &Value) {
    let bytes: Vec<u8> = match case["bytes"].as_str() {
        Some(digits) => (0..digits.len())
            .step_by(2)
            .map(|at| u8::from_str_radix(&digits[at..at + 2], 16).expect("hexadecimal digits"))
            .collect(),
        None => case["text"].as_str().expect("a text").as_bytes().to_vec(),
    };
    let payload = if case["bytes"].is_string() {
        Payload::Bytes(&bytes)
    } else {
        Payload::Text(std::str::from_utf8(&bytes).expect("a text is UTF-8"))
    };
    match answer(case, payload) {
        Err(Refusal::NotMine) => assert_eq!(case["python"], true, "{case}"),
        Err(Refusal::NotApplicable(words)) => {
            assert_eq!((&case["refused"], &case["python"]), (&Value::from(words), &Value::from(false)), "{case}");
        }
        Ok(made) => {
            assert_eq!(case["payload"], made.payload, "{case}");
            assert_eq!(case["guarantee"], made.guarantee, "{case}");
            assert_eq!(case["detail"], made.detail.map_or(Value::Null, Value::from), "{case}");
            if made.guarantee == "value" {
                let read = if case["codec"] == "columnar" { table::decode } else { markers::decode };
                let text = payload.text().expect("what is encoded is UTF-8");
                assert!(proves(text, read(&made.payload).as_deref()), "{case}");
                assert!(!proves("[0]", read(&made.payload).as_deref()), "{case}");
            }
        }
    }
}

#[test]
fn columnar_answers_as_python_does() {
    let cases = cases("columnar.json");
    assert!(cases.len() > 300);
    cases.iter().for_each(check);
}

#[test]
fn json_compact_answers_as_python_does() {
    let cases = cases("json_compact.json");
    assert!(cases.len() > 200);
    cases.iter().for_each(check);
}
