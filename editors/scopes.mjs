// Prints the scopes that the engine of VS Code gives to rule files.
//
// Input: paths as arguments. Output: a line of JSON for each: {"path", "lines": [[[start, end, [scope…]]…]…]}, with
// start and end in UTF-16 units. Exit 1 where the grammar itself is broken.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const require = createRequire(import.meta.url);
const oniguruma = require("vscode-oniguruma");
const textmate = require("vscode-textmate");
const here = dirname(fileURLToPath(import.meta.url));

await oniguruma.loadWASM(readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm")).buffer);
const registry = new textmate.Registry({
  onigLib: Promise.resolve({
    createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
    createOnigString: (text) => new oniguruma.OnigString(text),
  }),
  loadGrammar: async (scope) => {
    const path = join(here, "cable.tmLanguage.json");
    return scope === "source.cable" ? textmate.parseRawGrammar(readFileSync(path, "utf-8"), path) : null;
  },
});
const grammar = await registry.loadGrammar("source.cable");
if (grammar === null) {
  throw new Error("no grammar for source.cable");
}

for (const path of process.argv.slice(2)) {
  let state = textmate.INITIAL;
  const lines = [];
  for (const text of readFileSync(path, "utf-8").split("\n")) {
    const { tokens, ruleStack } = grammar.tokenizeLine(text, state);
    lines.push(tokens.map(({ startIndex, endIndex, scopes }) => [startIndex, Math.min(endIndex, text.length), scopes]));
    state = ruleStack;
  }
  process.stdout.write(`${JSON.stringify({ path, lines })}\n`);
}
