//! `json_compact`: equal neighbours in lists as one marker; null values left out. It is `json_compact.py` on text.
//!
//! Input: JSON text and settings. Output: the bytes, guarantee and detail that Python gives, or its words of refusal.
//! Structure alone, level `aggressive` with the original kept, is Python's.
//!
//! Invariant: equal values have equal compact texts, whatever the settings, so texts are compared, where they were
//! written. Recursion is bounded by the depth of the text.

use crate::json::canonical::{count_characters, write_string};
use crate::json::scan::Scanner;
use crate::json::{Encoded, MAX_DEPTH, Payload, Refusal};

const NULLS_KEPT: &str = "nulls kept: without the original they could not be told from absent keys";
const MARKER_LENGTH: usize = "{\"_repeat\":,\"_value\":}".len();

/// Which runs of equal neighbours become a marker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dedup {
    On,
    Auto,
    Off,
}

/// The settings of the codec, and of the call.
#[derive(Debug, Clone, Copy)]
pub struct Settings {
    pub recoverable: bool,
    pub drop_nulls: bool,
    pub dedup: Dedup,
}

/// Encode a payload.
///
/// # Errors
///
/// `NotApplicable` where nothing would change, `NotMine` where Python has to look.
pub fn compress(payload: Payload<'_>, settings: Settings) -> Result<Encoded, Refusal> {
    let scanner = payload.open()?;
    let text = scanner.text();
    let mut work = Compaction {
        out: Vec::with_capacity(text.len()),
        scanner,
        drop_nulls: settings.drop_nulls && settings.recoverable,
        dedup: settings.dedup,
        dropped: false,
    };
    work.value(MAX_DEPTH)?;
    work.scanner.finish()?;
    if work.out == text {
        return Err(Refusal::NotApplicable("nothing repeats, and nothing can be left out".into()));
    }
    let guarantee = if work.dropped { "shape" } else { "value" };
    let kept = settings.drop_nulls && !settings.recoverable;
    Encoded::new(work.out, guarantee, kept.then(|| NULLS_KEPT.into()))
}

/// One pass over a text. What was written last is the element that is looked at.
struct Compaction<'a> {
    scanner: Scanner<'a>,
    out: Vec<u8>,
    drop_nulls: bool,
    dedup: Dedup,
    dropped: bool,
}

impl Compaction<'_> {
    /// Write a value, and say whether it looks like a marker.
    fn value(&mut self, depth: usize) -> Result<bool, Refusal> {
        match self.scanner.peek() {
            b'[' => self.list(depth).map(|()| false),
            b'{' => self.object(depth),
            _ => self.atom(depth).map(|()| false),
        }
    }

    fn atom(&mut self, depth: usize) -> Result<(), Refusal> {
        let start = self.scanner.at();
        let plain = self.scanner.value(depth)?;
        let text = &self.scanner.text()[start..self.scanner.at()];
        if plain {
            self.out.extend_from_slice(text);
        } else {
            write_string(text, &mut self.out);
        }
        Ok(())
    }

    fn object(&mut self, depth: usize) -> Result<bool, Refusal> {
        let inner = depth.checked_sub(1).ok_or(Refusal::NotMine)?;
        let mut more = self.scanner.enter(b'{', b'}')?;
        self.out.push(b'{');
        let (mut kept, mut repeat, mut value) = (0, false, false);
        while more {
            let before = self.out.len();
            if kept > 0 {
                self.out.push(b',');
            }
            let start = self.out.len();
            self.key()?;
            let key = &self.out[start..];
            let (is_repeat, is_value) = (key == b"\"_repeat\"", key == b"\"_value\"");
            self.out.push(b':');
            let null = self.scanner.peek() == b'n';
            self.value(inner)?;
            if null && self.drop_nulls {
                self.out.truncate(before);
                self.dropped = true;
            } else {
                kept += 1;
                repeat |= is_repeat;
                value |= is_value;
            }
            more = self.scanner.more(b'}')?;
        }
        self.out.push(b'}');
        Ok(kept == 2 && repeat && value)
    }

    fn key(&mut self) -> Result<(), Refusal> {
        let start = self.scanner.at();
        let plain = self.scanner.string()?;
        let text = &self.scanner.text()[start..self.scanner.at()];
        if plain {
            self.out.extend_from_slice(text);
        } else {
            write_string(text, &mut self.out);
        }
        self.scanner.colon()
    }

    fn list(&mut self, depth: usize) -> Result<(), Refusal> {
        let inner = depth.checked_sub(1).ok_or(Refusal::NotMine)?;
        let mut more = self.scanner.enter(b'[', b']')?;
        self.out.push(b'[');
        let mut run: Option<Run> = None;
        while more {
            if run.is_some() {
                self.out.push(b',');
            }
            let start = self.out.len();
            let marker = self.value(inner)?;
            run = Some(match run {
                Some(run) if self.dedup != Dedup::Off && self.out[run.start..run.end] == self.out[start..] => {
                    self.out.truncate(run.end);
                    Run { count: run.count + 1, ..run }
                }
                Some(run) => self.end_run(run, start, marker),
                None => Run { start, end: self.out.len(), count: 1, marker },
            });
            more = self.scanner.more(b']')?;
        }
        if let Some(run) = run {
            let end = self.out.len();
            self.end_run(run, end, false);
        }
        self.out.push(b']');
        Ok(())
    }

    /// Write a run as it is to stand, before what follows from `next` on, and return the run that begins there.
    fn end_run(&mut self, run: Run, next: usize, marker: bool) -> Run {
        let length = run.end - run.start;
        let shift = if self.is_marked(&run) {
            let head = format!("{{\"_repeat\":{},\"_value\":", run.count);
            self.out.splice(run.end..run.end, [b'}']);
            self.out.splice(run.start..run.start, head.bytes());
            head.len() + 1
        } else if run.count > 1 {
            let mut again = Vec::with_capacity((length + 1) * (run.count - 1));
            for _ in 1..run.count {
                again.push(b',');
                again.extend_from_slice(&self.out[run.start..run.end]);
            }
            let shift = again.len();
            self.out.splice(run.end..run.end, again);
            shift
        } else {
            0
        };
        Run { start: next + shift, end: self.out.len(), count: 1, marker }
    }

    fn is_marked(&self, run: &Run) -> bool {
        let text = &self.out[run.start..run.end];
        run.marker || (run.count > 1 && (self.dedup != Dedup::Auto || pays(text, run.count)))
    }
}

/// Equal elements of a list. `start`, `end`: where the first is written; the others are not.
struct Run {
    start: usize,
    end: usize,
    count: usize,
    marker: bool,
}

/// Tell whether a marker is the shorter text.
fn pays(element: &[u8], count: usize) -> bool {
    let saved = count_characters(element, false) + 1;
    (count - 1) * saved > MARKER_LENGTH + count.to_string().len()
}
