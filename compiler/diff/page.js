// The page: a list of results of which only what is in sight is made, and one result beside it. Whatever the data
// holds becomes text nodes, never markup.
const data = JSON.parse(document.getElementById("data").textContent);
const ENCODING = data.encodings[0];
/** Lines as before that stay around a change, lines of a text that are made at once, results that are printed. */
const CONTEXT = 3, MOST_ROWS = 1000, MOST_PRINTED = 100;

const byId = (id) => document.getElementById(id);
const figures = new Intl.NumberFormat("en-US");
const count = (number) => (number === null ? "" : figures.format(number));
const more = (number) => (number > 0 ? "+" : number < 0 ? "\u2212" : "") + figures.format(Math.abs(number));
const countOf = (number, noun) => `${count(number)} ${noun}${number === 1 ? "" : "s"}`;
const lines = (number) => countOf(number, "line");
const grown = (result, encoding = 0) => result.new.tokens[encoding] - result.old.tokens[encoding];
const ruleOf = (result) => result.new.rule ?? result.old.rule;

function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== null && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== ""));
  return element;
}

// Texts. Control characters are shown as `<U+0000>`, so one marks a line of ours.
const OURS = "\0";

function toLines(text) {
  if (text.length === 1) return text[0].split("\n");
  const [head, characters, left, tail] = text;
  const note = `${OURS}${lines(left)}, ${count(characters)} characters are not in this page`;
  return [...head.replace(/\n$/, "").split("\n"), note, ...tail.split("\n")];
}

/** Fills in `add` piece by piece: so many rows at once, a button for the others. */
function addSlowly(parent, rows, add, wrap) {
  rows.slice(0, MOST_ROWS).forEach((row) => parent.append(add(row)));
  if (rows.length <= MOST_ROWS) return;
  const rest = rows.slice(MOST_ROWS);
  const button = make("button", { type: "button", class: "fold" }, `${lines(rest.length)} more`);
  const place = wrap(button);
  button.addEventListener("click", () => { place.remove(); addSlowly(parent, rest, add, wrap); });
  parent.append(place);
}

function showText(text) {
  const body = make("div", { class: "text", tabindex: 0, role: "group", "aria-label": "Text" });
  const add = (line) => (line.startsWith(OURS)
    ? make("div", { class: "ours" }, `… ${line.slice(1)}`) : make("div", { class: "line" }, line || "\n"));
  addSlowly(body, toLines(text), add, (button) => make("div", {}, button));
  return body;
}

function cell(side, row, pieces) {
  const line = row[side], other = row[side === "old" ? "new" : "old"];
  const [tag, sign] = side === "old" ? ["del", "\u2212"] : ["ins", "+"];
  if (line === null) return make("td", { class: "none", role: "cell" });
  if (line.startsWith(OURS)) return make("td", { class: "ours", role: "cell" }, `… ${line.slice(1)}`);
  if (row.same) return make("td", { class: `same ${side}`, role: "cell" }, line);
  const content = pieces && other !== null
    ? pieces[side].map(([text, changed]) => (changed ? make("mark", {}, text) : text)) : [line];
  return make("td", { class: side, role: "cell", "data-sign": sign }, make(tag, {}, ...content));
}

function tableRow(row) {
  const pieces = row.same || row.old === null || row.new === null ? null : pairWords(row.old, row.new);
  return make("tr", { role: "row" }, cell("old", row, pieces), cell("new", row, pieces));
}

/** Folds what is as before: rows, and lists of rows that a button puts in their place. */
function fold(rows) {
  const folded = [];
  for (let at = 0; at < rows.length;) {
    let end = at;
    while (end < rows.length && rows[end].same) end += 1;
    const from = at === 0 ? 0 : at + CONTEXT, to = end === rows.length ? end : end - CONTEXT;
    if (end > at && to - from > 1) folded.push(...rows.slice(at, from), rows.slice(from, to), ...rows.slice(to, end));
    else folded.push(...rows.slice(at, end));
    at = end;
    while (at < rows.length && !rows[at].same) folded.push(rows[at++]);
  }
  return folded;
}

function showPair(old, now, heads, label) {
  const body = make("tbody", { role: "rowgroup" });
  const wide = (button) => make("tr", { role: "row" }, make("td", { colspan: 2, class: "folded", role: "cell" }, button));
  const add = (row) => {
    if (!Array.isArray(row)) return tableRow(row);
    const button = make("button", { type: "button", class: "fold" }, `${lines(row.length)} as before`);
    const place = wide(button);
    button.addEventListener("click", () => { place.replaceWith(...row.map(tableRow)); });
    return place;
  };
  addSlowly(body, fold(pairLines(toLines(old), toLines(now))), add, wide);
  const head = make("thead", { role: "rowgroup" }, make("tr", { role: "row" },
    ...heads.map((content) => make("th", { scope: "col", role: "columnheader" }, content))));
  return make("table", { class: "compared", role: "table", "aria-label": label }, head, body);
}

// One result.
function sideHead(when, seen) {
  const words = seen.shown === null ? "the model sees the original" : "the model sees this instead";
  const about = [seen.rule, seen.reason, seen.detail].filter(Boolean).join(" · ");
  return make("div", { class: "side-head" },
    make("strong", {}, when), " ", make("span", { class: `outcome ${seen.outcome}` }, seen.outcome), " ",
    make("span", { class: "words" }, words), about ? make("span", { class: "quiet about" }, about) : null);
}

function tokenTable(result) {
  const row = (words, tokens, style = null) => make("tr", { class: style },
    make("th", { scope: "row" }, words), ...tokens.map((each) => make("td", {}, each)));
  const encodings = [...data.encodings.keys()];
  return make("table", { class: "figures" },
    make("caption", { class: "unseen" }, "Tokens of this result"),
    make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "tokens"),
      ...data.encodings.map((name) => make("th", { scope: "col" }, name)))),
    make("tbody", {},
      row("original", result.tokens.map(count)), row("before", result.old.tokens.map(count)),
      row("after", result.new.tokens.map(count)), row("difference", encodings.map((at) => more(grown(result, at))), "sum")));
}

function showTexts(result) {
  const { old, new: now, original } = result, heads = [sideHead("Before", old), sideHead("After", now)];
  const pane = (head, text) => make("section", { class: "pane" }, head, showText(text));
  if (old.shown && now.shown) return [showPair(old.shown, now.shown, heads, "What the model sees, before and after")];
  if (old.shown || now.shown) {
    return [make("div", { class: "panes" }, pane(heads[0], old.shown ?? original), pane(heads[1], now.shown ?? original))];
  }
  return [make("div", { class: "panes heads" }, ...heads), make("section", { class: "pane" },
    make("div", { class: "side-head" }, make("strong", {}, "The original, before and after")), showText(original))];
}

function showSaid({ old, new: now }) {
  if (!old.said && !now.said) return [];
  const words = (when) => make("div", { class: "side-head" }, make("strong", {}, when), " ",
    make("span", { class: "words" }, "said by the rule, shown to nobody"));
  const title = make("h4", {}, "What the rule says, which the model does not see");
  if (old.said && now.said) {
    return [title, showPair(old.said, now.said, [words("Before"), words("After")], "What the rule says")];
  }
  const when = old.said ? "Before" : "After";
  return [title, make("section", { class: "pane" }, words(when), showText(old.said ?? now.said))];
}

function showResult(result, title) {
  return [
    make("header", {},
      make("div", { class: "about" },
        make("h3", { id: title }, result.name),
        make("p", { class: "command" }, make("code", {}, result.command)),
        make("p", { class: "change" }, make("span", { class: `level ${result.level}` }, result.level), " ",
          data.changes[result.change], ...(ruleOf(result) ? [" · ", make("code", {}, ruleOf(result))] : []))),
      tokenTable(result)),
    ...showTexts(result), ...showSaid(result)];
}

// Rules: their texts are compared when they are opened.
function showRule(details) {
  const holder = details.querySelector(".holder"), [old, now] = data.rules[details.dataset.rule];
  if (holder.firstChild) return;
  const head = (words) => make("div", { class: "side-head" }, make("strong", {}, words));
  if (old && now && old.join() === now.join()) {
    holder.append(make("p", { class: "quiet" }, "Its own text is as it was; what differs is in what it takes in."), showText(now));
  } else if (old && now) holder.append(showPair(old, now, [head("Before"), head("After")], "The text of the rule"));
  else holder.append(make("section", { class: "pane" }, head(old ? "Before" : "After"), showText(old ?? now)));
}

// Filters.
const SIZES = [[0, 100], [100, 1000], [1000, 10000], [10000, Infinity]];
const EFFECTS = { more: (by) => by > 0, fewer: (by) => by < 0, same: (by) => by === 0 };
const ORDERS = {
  change: ["largest change", null],
  more: ["most tokens more", (a, b) => grown(b) - grown(a)],
  fewer: ["most tokens fewer", (a, b) => grown(a) - grown(b)],
  size: ["largest original", (a, b) => b.tokens[0] - a.tokens[0]],
  name: ["name", (a, b) => a.place - b.place],
};
const sizeOf = (result) => SIZES.findIndex(([, end]) => result.tokens[0] < end);
const texts = (side) => [side.rule, side.reason, side.detail, ...(side.shown ?? []), ...(side.said ?? [])];
const haystacks = new Map();

function haystack(result) {
  if (!haystacks.has(result)) {
    const parts = [result.name, result.command, ...texts(result.old), ...texts(result.new), ...(result.original ?? [])];
    haystacks.set(result, parts.filter((part) => typeof part === "string").join("\n").toLowerCase());
  }
  return haystacks.get(result);
}

/** Makes the texts ready for the first search while nothing else is to do. */
function makeReady(at) {
  const idle = globalThis.requestIdleCallback ?? setTimeout;
  data.results.slice(at, at + 50).forEach(haystack);
  if (at + 50 < data.results.length) idle(() => makeReady(at + 50));
}

function fillSelect(id, all, options) {
  byId(id).append(...(all ? [new Option(all, "")] : []), ...options.map(([value, words]) => new Option(words, value)));
}

function tally(results, keyOf) {
  const found = new Map();
  for (const result of results) for (const key of keyOf(result)) found.set(key, (found.get(key) ?? 0) + 1);
  return found;
}

const rulesOf = (result) => {
  const rules = new Set([result.old.rule, result.new.rule].filter(Boolean));
  return rules.size ? [...rules] : ["none"];
};

function fillFilters() {
  const of = (keyOf) => tally(data.results, keyOf), numbered = (words, number) => `${words} (${count(number)})`;
  fillSelect("by-rule", "any", [...of(rulesOf)].sort().map(([rule, number]) => [rule, numbered(rule, number)]));
  const changes = of((result) => [result.change]);
  fillSelect("by-change", "any", Object.entries(data.changes).filter(([name]) => changes.has(name))
    .map(([name, words]) => [name, numbered(words, changes.get(name))]));
  fillSelect("by-effect", "any", [["more", "more than before"], ["fewer", "fewer than before"], ["same", "as many"]]);
  const sizes = of((result) => [sizeOf(result)]);
  fillSelect("by-size", "any", SIZES.map(([from, end], at) => [at, numbered(
    end === Infinity ? `${count(from)} tokens or more` : `${count(from)} to ${count(end - 1)} tokens`, sizes.get(at) ?? 0)])
    .filter(([at]) => sizes.has(at)));
  fillSelect("order", null, Object.entries(ORDERS).map(([name, [words]]) => [name, words]));
}

function filtered() {
  const [words, rule, change, effect, size] = ["search", "by-rule", "by-change", "by-effect", "by-size"].map((id) => byId(id).value);
  const needle = words.toLowerCase();
  const found = data.results.filter((result) => (!rule || rulesOf(result).includes(rule))
    && (!change || result.change === change) && (!effect || EFFECTS[effect](grown(result)))
    && (!size || sizeOf(result) === Number(size)) && (!needle || haystack(result).includes(needle)));
  const order = ORDERS[byId("order").value][1];
  return order ? found.sort(order) : found;
}

// The list. Rows are of one height, so that what is in sight follows from how far it is scrolled.
const list = byId("list"), detail = byId("detail"), bench = document.querySelector(".bench");
let shown = [], chosen = -1, detailed = null, rowHeight = 0, drawn = "";

function listRow(at) {
  const result = shown[at];
  const row = make("div", {
    role: "option", id: `result-${at}`, class: `row ${result.change}`, "aria-posinset": at + 1, "aria-setsize": shown.length, onclick: () => { choose(at); open(); },
  },
    make("div", {}, make("span", { class: "name" }, result.name),
      make("span", { class: "more", title: `tokens (${ENCODING})` }, more(grown(result)), make("span", { class: "unseen" }, " tokens, "))),
    make("div", {}, make("span", { class: "what" }, data.changes[result.change]), make("span", { class: "of" }, ruleOf(result) ?? "")));
  row.style.transform = `translateY(${at * rowHeight}px)`;
  return row;
}

function drawRows() {
  const first = Math.max(0, Math.floor(list.scrollTop / rowHeight) - 5);
  const last = Math.min(shown.length, Math.ceil((list.scrollTop + list.clientHeight) / rowHeight) + 5);
  // What is chosen is there also where it is out of sight: the list says by its id which it is.
  const besides = chosen >= 0 && (chosen < first || chosen >= last) ? chosen : -1;
  const runway = list.firstElementChild;
  if ([first, last, besides].join() !== drawn) {
    const rows = [];
    for (let at = first; at < last; at += 1) rows.push(listRow(at));
    if (besides >= 0) rows.push(listRow(besides));
    runway.replaceChildren(...rows);
    drawn = [first, last, besides].join();
  }
  for (const row of runway.children) row.setAttribute("aria-selected", String(row.id === `result-${chosen}`));
}

function choose(at) {
  chosen = at;
  if (at < 0) {
    list.removeAttribute("aria-activedescendant");
    detail.replaceChildren(make("p", { class: "quiet" }, "No result passes these filters."));
  } else {
    list.setAttribute("aria-activedescendant", `result-${at}`);
    const top = at * rowHeight;
    if (top < list.scrollTop) list.scrollTop = top;
    else if (top + rowHeight > list.scrollTop + list.clientHeight) list.scrollTop = top + rowHeight - list.clientHeight;
    const words = `${count(at + 1)} of ${count(shown.length)}`;
    // A filter that leaves the result where it is takes nothing from who reads it: what was unfolded, how far it is scrolled.
    if (shown[at] === detailed) detail.querySelector(".place span").textContent = words;
    else {
      const back = make("button", { type: "button", class: "back", onclick: close }, "← Results");
      const place = make("p", { class: "place quiet" }, back, make("span", {}, words));
      detail.replaceChildren(place, ...showResult(shown[at], "detail-title"));
      detail.setAttribute("aria-labelledby", "detail-title");
      detail.scrollTop = 0;
    }
  }
  detailed = shown[at] ?? null;
  drawRows();
}

function open() {
  if (chosen < 0) return;
  bench.dataset.open = "";
  detail.focus({ preventScroll: true });
}

function close() {
  delete bench.dataset.open;
  list.focus({ preventScroll: true });
}

function applyFilters() {
  const kept = shown[chosen];
  shown = filtered();
  drawn = "";
  list.firstElementChild.style.height = `${shown.length * rowHeight}px`;
  const all = data.results.length;
  byId("count").textContent = (shown.length === all ? "" : `${count(shown.length)} of `) + countOf(all, "result");
  const at = kept ? shown.indexOf(kept) : -1;
  choose(at >= 0 ? at : Math.min(0, shown.length - 1));
}

function clearFilters() {
  for (const id of ["search", "by-rule", "by-change", "by-effect", "by-size"]) byId(id).value = "";
  applyFilters();
}

function move(to) {
  if (!shown.length) return;
  const room = bench.getBoundingClientRect();
  if (room.top < 0 || room.top > innerHeight / 2) byId("results").scrollIntoView({ block: "start" });
  if (!bench.hasAttribute("data-open") || !detail.contains(document.activeElement)) list.focus({ preventScroll: true });
  choose(Math.max(0, Math.min(shown.length - 1, to)));
}

// Keys.
const page = () => Math.max(1, Math.floor(list.clientHeight / rowHeight) - 1);
const IN_LIST = {
  ArrowDown: () => move(chosen + 1), ArrowUp: () => move(chosen - 1), Home: () => move(0), End: () => move(shown.length - 1),
  PageDown: () => move(chosen + page()), PageUp: () => move(chosen - page()), Enter: open, " ": open,
};
const ANYWHERE = {
  j: () => move(chosen + 1), k: () => move(chosen - 1), t: nextTheme, "?": showHelp,
  "/": () => { if (bench) { close(); byId("search").focus(); byId("search").select(); } },
};

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || byId("help").open) return;
  const at = document.activeElement, typing = at.matches("input, select");
  let act = null;
  if (event.key === "Escape" && bench && (typing || detail.contains(at))) act = close;
  else if (at.id === "search" && ["Enter", "ArrowDown"].includes(event.key)) act = () => list.focus();
  else if (!typing) act = (at === list && IN_LIST[event.key]) || (bench || !"jk".includes(event.key) ? ANYWHERE[event.key] : null);
  if (!act) return;
  event.preventDefault();
  act();
}

function showHelp() { byId("help").showModal(); }

const THEMES = ["system", "light", "dark"];

function nextTheme() {
  const root = document.documentElement, next = THEMES[(THEMES.indexOf(root.dataset.theme ?? "system") + 1) % THEMES.length];
  if (next === "system") delete root.dataset.theme; else root.dataset.theme = next;
  byId("theme-name").textContent = next;
}

// Paper shows what passes the filters, and every rule.
let closed = [];

function toPaper() {
  closed = [...document.querySelectorAll("details:not([open])")];
  for (const details of closed) {
    details.open = true;
    if (details.matches(".rule")) showRule(details);
  }
  if (!bench) return;
  const rest = shown.length - MOST_PRINTED;
  byId("printed").replaceChildren(...shown.slice(0, MOST_PRINTED).map((result, at) => make("article", { class: "detail" }, ...showResult(result, `printed-${at}`))),
    rest > 0 ? make("p", {}, `${count(rest)} more results are not printed.`) : "");
}

function fromPaper() {
  for (const details of closed) details.open = false;
  if (bench) byId("printed").replaceChildren();
}

function begin() {
  for (const id of ["theme", "keys"]) byId(id).hidden = false;
  byId("theme").addEventListener("click", nextTheme);
  byId("keys").addEventListener("click", showHelp);
  for (const details of document.querySelectorAll("details.rule")) {
    details.addEventListener("toggle", () => { if (details.open) showRule(details); });
  }
  document.addEventListener("keydown", onKey);
  addEventListener("beforeprint", toPaper);
  addEventListener("afterprint", fromPaper);
  if (!bench) return;
  bench.hidden = document.querySelector(".filters").hidden = false;
  rowHeight = parseFloat(getComputedStyle(list).getPropertyValue("--row"));
  fillFilters();
  for (const button of document.querySelectorAll("button.only")) {
    button.hidden = false;
    button.addEventListener("click", () => { clearFilters(); byId("by-rule").value = button.dataset.rule; applyFilters(); move(0); });
  }
  document.querySelector(".filters").addEventListener("input", applyFilters);
  document.querySelector(".filters").addEventListener("submit", (event) => event.preventDefault());
  byId("clear").addEventListener("click", clearFilters);
  list.addEventListener("scroll", () => requestAnimationFrame(drawRows), { passive: true });
  new ResizeObserver(drawRows).observe(list);
  applyFilters();
  makeReady(0);
}

begin();
