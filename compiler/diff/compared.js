"use strict";
// How two texts differ: lines that are the same, gone, new, or others, and within those the words. Pure functions.

/** Edits that are looked for; where there are more, everything between the first and the last one counts as changed. */
const MOST_EDITS = 600;
/** Pairs of lines, one gone and one new, that are looked at to find those that are alike. */
const MOST_PAIRS = 2500;
/** Characters of a line in which words are compared. */
const LONGEST_LINE = 2000;

/** Returns the shortest way from `a` to `b`, lists of strings: entries [in a, in b], null on the side without one.
    By E. W. Myers, "An O(ND) Difference Algorithm and Its Variations", Algorithmica 1 (1986). */
function align(a, b) {
  let start = 0, endA = a.length, endB = b.length;
  while (start < endA && start < endB && a[start] === b[start]) start += 1;
  while (endA > start && endB > start && a[endA - 1] === b[endB - 1]) { endA -= 1; endB -= 1; }
  const way = [];
  for (let at = 0; at < start; at += 1) way.push([at, at]);
  for (const [one, other] of shortest(a.slice(start, endA), b.slice(start, endB))) {
    way.push([one === null ? null : one + start, other === null ? null : other + start]);
  }
  for (let at = 0; endA + at < a.length; at += 1) way.push([endA + at, endB + at]);
  return way;
}

function shortest(a, b) {
  const most = Math.min(a.length + b.length, MOST_EDITS), middle = most + 1;
  const reached = new Int32Array(2 * most + 3), rounds = [];
  const goesDown = (at, k, d) => k === -d || (k !== d && at[middle + k - 1] < at[middle + k + 1]);
  for (let d = 0; d <= most; d += 1) {
    rounds.push(reached.slice());
    for (let k = -d; k <= d; k += 2) {
      let x = goesDown(reached, k, d) ? reached[middle + k + 1] : reached[middle + k - 1] + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x += 1;
      reached[middle + k] = x;
      if (x >= a.length && x - k >= b.length) return wayBack(a.length, b.length, rounds, goesDown, middle);
    }
  }
  return [...a.keys()].map((at) => [at, null]).concat([...b.keys()].map((at) => [null, at]));
}

function wayBack(endA, endB, rounds, goesDown, middle) {
  const way = [];
  let x = endA, y = endB;
  for (let d = rounds.length - 1; d > 0; d -= 1) {
    const k = x - y, before = goesDown(rounds[d], k, d) ? k + 1 : k - 1;
    const fromX = rounds[d][middle + before], fromY = fromX - before;
    while (x > fromX && y > fromY) { x -= 1; y -= 1; way.push([x, y]); }
    way.push(before === k + 1 ? [null, fromY] : [fromX, null]);
    x = fromX; y = fromY;
  }
  while (x > 0) { x -= 1; y -= 1; way.push([x, y]); }
  return way.reverse();
}

/** Returns rows to show side by side: {old, new, same}, texts of lines, null where a side has none. */
function pairLines(old, now) {
  const rows = [];
  let gone = [], come = [];
  const flush = () => {
    rows.push(...pairChanged(gone, come));
    gone = []; come = [];
  };
  for (const [one, other] of align(old, now)) {
    if (one !== null && other !== null) { flush(); rows.push({ old: old[one], new: now[other], same: true }); }
    else if (one !== null) gone.push(old[one]);
    else come.push(now[other]);
  }
  flush();
  return rows;
}

/** Puts lines that are gone beside new ones: those that are alike, in order, so that they are most alike together. */
function pairChanged(gone, come) {
  const rows = [];
  const put = (someGone, someCome) => {
    for (let at = 0; at < Math.max(someGone.length, someCome.length); at += 1) {
      rows.push({ old: someGone[at] ?? null, new: someCome[at] ?? null, same: false });
    }
  };
  let one = 0, other = 0;
  for (const [nextOne, nextOther] of alike(gone, come)) {
    put(gone.slice(one, nextOne), come.slice(other, nextOther));
    put([gone[nextOne]], [come[nextOther]]);
    one = nextOne + 1; other = nextOther + 1;
  }
  put(gone.slice(one), come.slice(other));
  return rows;
}

function alike(gone, come) {
  if (!gone.length || !come.length || gone.length * come.length > MOST_PAIRS) return [];
  const words = (line) => line.slice(0, LONGEST_LINE).match(/[\p{L}\p{N}_]+/gu) ?? [];
  const a = gone.map(words), b = come.map((line) => new Set(words(line))), width = come.length + 1;
  const likeness = (one, other) => {
    const common = a[one].filter((word) => b[other].has(word)).length / Math.max(a[one].length, b[other].size, 1);
    return common < 0.4 ? 0 : common;
  };
  // best[at]: how much alike the lines from there on can be, in all.
  const best = new Float64Array((gone.length + 1) * width), own = new Float64Array(best.length);
  for (let one = gone.length - 1; one >= 0; one -= 1) {
    for (let other = come.length - 1; other >= 0; other -= 1) {
      const at = one * width + other;
      own[at] = likeness(one, other);
      best[at] = Math.max(best[at + width], best[at + 1], own[at] ? own[at] + best[at + width + 1] : 0);
    }
  }
  const pairs = [];
  for (let one = 0, other = 0; one < gone.length && other < come.length;) {
    const at = one * width + other;
    if (own[at] && best[at] === own[at] + best[at + width + 1]) { pairs.push([one, other]); one += 1; other += 1; }
    else if (best[at] === best[at + width]) one += 1;
    else other += 1;
  }
  return pairs;
}

/** Returns for both lines the pieces [text, changed]; null where they have too little in common to say which words. */
function pairWords(old, now) {
  if (old.length > LONGEST_LINE || now.length > LONGEST_LINE) return null;
  const split = (line) => line.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? [];
  const a = split(old), b = split(now), pieces = { old: [], new: [] };
  let common = 0;
  const add = (list, text, changed) => {
    const last = list.at(-1);
    if (last && last[1] === changed) last[0] += text; else list.push([text, changed]);
  };
  for (const [one, other] of align(a, b)) {
    const changed = one === null || other === null;
    if (one !== null) add(pieces.old, a[one], changed);
    if (other !== null) add(pieces.new, b[other], changed);
    if (!changed) common += a[one].trim().length;
  }
  return common * 4 >= Math.min(old.trim().length, now.trim().length) ? pieces : null;
}
