"""`tsc`: projects of our own with errors of every shape."""

from __future__ import annotations

import json

from .catalogue import Builder, Catalogue, Entry, Facts, no_truth
from .node_tools import equip
from .scratch import Captured, Workshop

# Asks the compiler as a library: how many diagnostics of which code, without a word of the command line's own.
ASK = """\
const ts = require("./node_modules/typescript");
const found = ts.findConfigFile(process.argv[2] || ".", ts.sys.fileExists);
const config = ts.getParsedCommandLineOfConfigFile(found, {}, {...ts.sys, onUnRecoverableConfigFileDiagnostic() {}});
const program = ts.createProgram(config.fileNames, config.options);
const codes = {};
for (const one of [...config.errors, ...ts.getPreEmitDiagnostics(program)])
  codes[one.code] = (codes[one.code] || 0) + 1;
console.log(JSON.stringify(codes));
"""


def asked(shop: Workshop, entry: Entry, _captured: Captured) -> Facts:
    """Return what the compiler's own interface says of the project in this folder."""
    if not entry.facts:
        return {}
    shop.write("../tmp/ask.js", ASK.replace("./node_modules", str(shop.path / "node_modules")))
    said = shop.capture(f"node ../tmp/ask.js {entry.facts}")
    codes = json.loads(said.stdout)
    return {"errors": sum(codes.values()), "codes": codes}


run = Catalogue("tsc", asked)

MODEL = """\
export interface Address { street: string; city: string; zip: { code: number; suffix?: string } }
export interface Person { name: string; age: number; address: Address; tags: string[] }
export type Handler = (event: { person: Person; at: { time: number } }) => Promise<void>;
export function greet(person: Person, times: number): string { return person.name.repeat(times); }
"""
WRONG = """\
import { Address, Handler, Person, greet } from "./model";
import { nowhere } from "./nowhere";

const one: Person = { name: 1, age: "2", address: { street: "s", city: "c", zip: { code: "x" } }, tags: [1] };
const two: Person = { name: "n", age: 2, address: { street: "s", zip: { code: 1 } }, tags: [] };
const handler: Handler = async (event: { person: Person; at: { time: string } }) => {};
export function three(a: number, b: string): string {
  const unused: number = b;
  greet(one);
  greet(two, "x");
  missing(a);
  if (a === "text") { return a; }
  return two.nickname + one.address.zip.suffix.length;
}
export const four: Address[] = [one, two].map((person) => person.tags);
"""
SETTINGS = {
    "compilerOptions": {
        "strict": True,
        "noEmit": True,
        "target": "es2022",
        "module": "esnext",
        "moduleResolution": "bundler",
        "types": [],
    },
    "include": ["src"],
}


def project(files: dict[str, str], **options: object) -> Builder:
    """Return a builder of a project whose sources lie below `src`; options join those of the compiler."""

    def build(shop: Workshop) -> None:
        equip(shop, "typescript")
        settings = SETTINGS | {"compilerOptions": SETTINGS["compilerOptions"] | options}
        shop.write("tsconfig.json", json.dumps(settings, indent=2) + "\n")
        shop.write_all({f"src/{name}": text for name, text in files.items()})

    return build


PARTS = {f"part{row}.ts": WRONG for row in range(6)}
wrong = project({"model.ts": MODEL, **PARTS})
few = project({"model.ts": MODEL, "part.ts": WRONG})
run.table(
    wrong,
    [
        ("form-plain", "tsc", "Six files with the same errors."),
        ("form-npx", "npx tsc", "By way of npx."),
        ("form-no-emit", "npx tsc --noEmit", "Checks only."),
        ("form-project", "tsc -p tsconfig.json", "The settings by name."),
        ("form-project-long", "npx tsc --noEmit --project .", "The same, spelt out."),
        ("form-pretty-false", "tsc --noEmit --pretty false", "As it is anyway in a pipe."),
        ("form-merged", "npx tsc --noEmit 2>&1", "Standard error joins standard output."),
        ("form-skip-lib", "tsc --noEmit --skipLibCheck", "An option that changes nothing here."),
    ],
    facts=".",
)
run.add(wrong, "form-incremental", "tsc --noEmit --incremental", "It remembers.", facts=".")
run.add(wrong, "form-build", "tsc -b", "As a build.", facts=".")
run.add(wrong, "one-stream", "npx tsc --noEmit", "Both streams captured as one.", merged=True, facts=".")
run.add(few, "few", "tsc --noEmit", "One file: shorter than a summary.", passes="no_gain", facts=".")
run.add(project({"one.ts": "export const x: string = 1;\n"}), "one", "tsc", "One error.", passes="no_gain", facts=".")
run.add(project({"fine.ts": "export const x = 1;\n"}), "clean", "tsc --noEmit", "No word.", passes="invalid_output")
run.add(
    project(
        {"model.ts": MODEL, "(auth)/page(1).ts": WRONG.replace("./model", "../model"), "two words.ts": WRONG, **PARTS}
    ),
    "odd-names",
    "tsc --noEmit",
    "Names with brackets and blanks.",
    facts=".",
)
run.add(
    project({f"broken{row}.ts": "const = 3;\nfunction ( { }\nclass { x: }\n" for row in range(8)}),
    "syntax",
    "tsc --noEmit",
    "Files that do not parse: the rest is not looked at.",
)
run.add(
    project(
        {
            "chain.ts": "".join(
                f"const f{row}: (a: {{ b: {{ c: {{ d: string }} }} }}) => void ="
                " (a: { b: { c: { d: number } } }) => {};\n"
                for row in range(25)
            )
        }
    ),
    "long-reasons",
    "tsc --noEmit",
    "Each error gives its reasons in five lines.",
    facts=".",
)
run.add(
    project(
        {
            "imitation.ts": "".join(
                f'const t{row}: "src/fake.ts(1,1): error TS1: fake" = "error TS2: (2,2): error TS3: fake {row}";\n'
                for row in range(25)
            )
        }
    ),
    "imitations",
    "tsc --noEmit",
    "Types that look like errors.",
    facts=".",
)
run.add(
    project({"js.ts": "".join(f"export const value{row} = missing{row % 4}.field;\n" for row in range(80))}),
    "eighty",
    "tsc --noEmit",
    "Eighty errors of one kind in one file.",
    facts=".",
)
run.add(
    project({f"folder{row}/index.ts": "export const a: number = 'x';\n" for row in range(45)}),
    "many-files",
    "tsc --noEmit",
    "An error in each of 45 files.",
    facts=".",
)
run.add(
    project({"a.ts": "export {};\n"}, noSuchOption=True, target="es1"),
    "bad-settings",
    "tsc",
    "Settings it does not know.",
    passes="no_gain",
)
run.add(few, "missing-project", "tsc -p nowhere.json", "A project that is not there.", passes="no_gain")
run.add(few, "missing-file", "tsc --noEmit nowhere.ts", "A file that is not there.", passes="no_gain")
run.add(few, "with-file-names", "tsc --noEmit --strict src/part.ts", "Files by name.", passes="no_gain")
run.add(
    wrong,
    "cut-by-the-host",
    "tsc",
    "The host kept the first bytes.",
    limit=1500,
    passes="invalid_output",
    truth=no_truth,
)
run.add(wrong, "german", "tsc --locale de", "An option it does not list: German.", passes="no_rule", truth=no_truth)
run.refuse(
    wrong,
    [
        ("refused-pretty", "tsc --noEmit --pretty"),
        ("refused-watch", "timeout 5 tsc --watch"),
        ("refused-diagnostics", "tsc --noEmit --diagnostics"),
        ("refused-list-files", "tsc --noEmit --listFiles"),
        ("refused-show-config", "tsc --showConfig"),
        ("refused-verbose", "tsc -b --verbose"),
        ("refused-pipe", "npx tsc --noEmit | head -20"),
        ("refused-then", "npx tsc --noEmit && echo done"),
        ("refused-yarn", "env npx tsc"),
    ],
)
