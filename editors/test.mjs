// `npm test`: every character that an annotated file in tests/ points at has the scopes that are named there, and
// none of those behind ` - `. The tests in Python hold more: each keyword and text of every rule against the parser.
//
// Output: a line for each file. Exit 1 where a scope is missing or one too many, or a file says nothing.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const paths = readdirSync(join(here, "tests")).filter((name) => name.endsWith(".cable")).sort();
const files = paths.map((name) => join(here, "tests", name));
const printed = execFileSync(process.execPath, [join(here, "scopes.mjs"), ...files], { encoding: "utf-8" });
const answers = printed.trim().split("\n").map((line) => JSON.parse(line));
const bare = (scope) => scope.replace(/\.cable$/, "");
const begins = (scopes, wanted) => scopes.some((scope) => `${scope}.`.startsWith(`${bare(wanted)}.`));

let wrong = 0;
for (const { path, lines } of answers) {
  const texts = readFileSync(path, "utf-8").split("\n");
  let above = 0, checked = 0;
  texts.forEach((text, number) => {
    const found = /^\s*#(?: (<--)| *(\^+)) (.+)$/d.exec(text);
    if (found === null) {
      above = number;
      return;
    }
    const [start, end] = found[1] ? [0, 1] : found.indices[2];
    const [there, absent] = found[3].split(" - ").map((words) => words.trim().split(/\s+/));
    for (let column = start; column < end; column += 1) {
      const [, , scopes] = lines[above].find(([from, to]) => from <= column && column < to) ?? [0, 0, []];
      const missing = there.filter((each) => !begins(scopes, each));
      const over = (absent ?? []).filter((each) => begins(scopes, each));
      checked += 1;
      if (missing.length || over.length) {
        wrong += 1;
        console.error(`${path}:${above + 1}:${column + 1}: has ${scopes.join(" ")}; ` +
          [...missing.map((each) => `no ${each}`), ...over.map((each) => `${each}, too`)].join(", "));
      }
    }
  });
  wrong += checked === 0;
  console.log(`${path.slice(here.length + 1)}: ${checked} characters checked`);
}
process.exitCode = wrong ? 1 : 0;
