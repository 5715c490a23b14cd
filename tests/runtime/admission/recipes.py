"""What is recorded for the evidence of classification: shell commands, and the kind that a reader gives their output.

`{root}` is this checkout, `{scratch}` a folder of the recorder's own. Every command is bounded by `head`, so that the
whole corpus stays small. Sources of others are named, with their licences, in `corpus/SOURCES.md`.
"""

# ruff: noqa: E501 - a command is one line

from __future__ import annotations

from typing import NamedTuple


class Recipe(NamedTuple):
    """A recording: `command` is for `bash -c`, run in `folder`."""

    kind: str
    name: str
    command: str
    folder: str = "{root}"


_CARGO = "~/.cargo/registry/src/*"
_GO = "/usr/local/go/src"
_PSQL = "psql -h {scratch}/pg -U dev postgres"

RECIPES: tuple[Recipe, ...] = (
    # grep, git grep
    Recipe("search", "git-grep-n", "git grep -n NamedTuple -- runtime | head -60"),
    Recipe(
        "search", "git-grep-n-one-file", "git grep -n return -- runtime/framing.py runtime/decision/walk.py | head -40"
    ),
    Recipe("search", "git-grep-column", "git grep -n --column import -- cli | head -60"),
    Recipe(
        "search", "git-grep-heading", "git grep -n --heading --break 'def ' -- cli/output.py cli/options.py cli/run.py"
    ),
    Recipe(
        "search",
        "git-grep-context",
        "git grep -n -C2 PassThrough -- runtime/decision/policy.py runtime/framing.py | head -70",
    ),
    Recipe("search", "git-grep-function", "git grep -n -W 'def text_size' -- runtime"),
    Recipe("search", "git-grep-no-numbers", "git grep Settings -- runtime | head -60"),
    Recipe("search", "git-grep-at-commit", "git grep -n Retention 304b2f5 -- runtime | head -40"),
    Recipe("search", "grep-rn", "grep -rn 'raise ' --include='*.py' runtime | head -70"),
    Recipe("search", "grep-rn-dot", "grep -rn 'NamedTuple' --include='*.py' ./cli ./dsl | head -50"),
    Recipe("search", "grep-rn-after", "grep -rn -A3 'class .*Error' --include='*.py' runtime | head -80"),
    Recipe("search", "grep-rn-before", "grep -rn -B2 'yield ' --include='*.py' compiler | head -80"),
    Recipe("search", "grep-rn-docs", "grep -rn 'cablese show' docs README.md | cut -c1-200 | head -40"),
    Recipe("search", "grep-rn-toml", "grep -rn '=' pyproject.toml --with-filename | head -60"),
    Recipe("search", "grep-rn-rust", f"cd {_CARGO}/anyhow-1*/ && grep -rn 'impl<' src | head -60"),
    Recipe("search", "grep-rn-go", f"cd {_GO} && grep -rn 'func Test' strings | head -60"),
    Recipe("search", "grep-rn-go-context", f"cd {_GO} && grep -rn -C1 'errors.New' bufio io | head -70"),
    Recipe("search", "grep-rn-headers", "cd /usr/include && grep -rn '#define E[A-Z]*' asm-generic | head -60"),
    Recipe("search", "grep-hn-absolute", "grep -Hn 'License' /usr/share/common-licenses/* | cut -c1-160 | head -50"),
    Recipe("search", "rg-n", "{root}/.venv/bin/rg -n --no-heading --sort path 'raise ' runtime cli | head -70"),
    Recipe("search", "rg-heading", "{root}/.venv/bin/rg -n --heading --sort path 'NamedTuple' runtime dsl | head -80"),
    Recipe("search", "rg-context", "{root}/.venv/bin/rg -n -C2 --no-heading --sort path 'yield' compiler | head -80"),
    Recipe("search", "rg-heading-context", "{root}/.venv/bin/rg -n -A2 --heading --sort path 'except ' cli | head -80"),
    Recipe("search", "rg-vimgrep", "{root}/.venv/bin/rg --vimgrep --sort path 'import' runtime/codecs | head -60"),
    Recipe(
        "search",
        "rg-go",
        f"cd {_GO} && {{root}}/.venv/bin/rg -n --no-heading --sort path 'fmt.Errorf' net os | head -60",
    ),
    # find, ls, git ls-files
    Recipe("paths", "find-py", "find runtime cli -name '*.py' | sort"),
    Recipe("paths", "find-dot", "find ./docs ./rules -type f | sort | head -90"),
    Recipe("paths", "find-dirs", "find tests -type d -not -name '__pycache__' | sort"),
    Recipe("paths", "find-absolute", "find /usr/share/common-licenses /usr/share/perl5 -maxdepth 2 | sort | head -100"),
    Recipe("paths", "find-go", f"cd {_GO} && find net -name '*.go' | sort | head -120"),
    Recipe("paths", "find-cargo", f"cd {_CARGO} && find anyhow-1* log-0* glob-0* -type f | sort | head -120"),
    Recipe("paths", "find-ls", "find runtime/codecs -type f -name '*.py' -ls | sed 's/^ *//' | sort -k11 | head -40"),
    Recipe("paths", "git-ls-files", "git ls-files | head -150"),
    Recipe("paths", "git-ls-files-rules", "git ls-files rules | head -120"),
    Recipe("paths", "git-ls-tree-names", "git ls-tree -r --name-only HEAD compiler dsl"),
    Recipe("paths", "git-diff-name-only", "git diff --name-only HEAD~40 HEAD~10 | head -80"),
    Recipe("paths", "ls-R", f"cd {_GO} && ls -R bufio bytes cmp compress | head -120"),
    Recipe("paths", "ls-R-here", "ls -R rules | head -150"),
    Recipe("paths", "ls-1-full", "ls -1d runtime/*.py cli/*.py"),
    Recipe("paths", "ls-l", f"cd {_GO} && TZ=UTC ls -l strings"),
    Recipe("paths", "ls-la-etc", "TZ=UTC ls -la /usr/share/perl5 | head -60"),
    Recipe("paths", "ls-l-usr-bin", "TZ=UTC ls -l /usr/bin | head -80"),
    Recipe("paths", "ls-lh", f"cd {_GO} && TZ=UTC ls -lh net | head -70"),
    Recipe("paths", "tar-t", "git archive HEAD docs | tar -t"),
    Recipe("paths", "dpkg-L", "dpkg -L coreutils | head -120"),
    Recipe("paths", "grep-l", "grep -rl 'NamedTuple' --include='*.py' runtime cli dsl compiler | sort"),
    Recipe("paths", "rg-files", "{root}/.venv/bin/rg --files --sort path rules docs tests/tokens"),
    Recipe("paths", "rg-l", "{root}/.venv/bin/rg -l --sort path 'NamedTuple'"),
    # numbered reads
    Recipe("numbered", "cat-n-python", "cat -n runtime/framing.py"),
    Recipe("numbered", "cat-n-toml", "cat -n pyproject.toml | head -80"),
    Recipe("numbered", "cat-n-window", "cat -n runtime/decision/walk.py | sed -n 95,160p"),
    Recipe("numbered", "nl-ba", "nl -ba runtime/decision/levels.py"),
    Recipe("numbered", "nl-wide", "nl -ba -w4 -s' ' runtime/payload.py"),
    Recipe("numbered", "cat-n-go", f"cat -n {_GO}/errors/join.go"),
    Recipe("numbered", "cat-n-rust", f"cat -n {_CARGO}/cfg-if-1*/src/lib.rs | head -70"),
    Recipe("numbered", "cat-n-markdown", "cat -n docs/report.md | cut -c1-200 | head -60"),
    Recipe("numbered", "cat-n-license", "cat -n /usr/share/common-licenses/BSD"),
    Recipe("numbered", "arrow", "awk '{{printf \"%6d→%s\\n\", NR, $0}}' runtime/reasons.py"),
    Recipe("numbered", "arrow-window", "awk 'NR>40 && NR<110 {{printf \"%6d→%s\\n\", NR, $0}}' runtime/records.py"),
    Recipe("numbered", "tab-read", "awk '{{printf \"%d\\t%s\\n\", NR, $0}}' runtime/truncation.py | head -90"),
    # tables
    Recipe(
        "tabular",
        "ps-aux",
        "unshare -p -f --mount-proc bash -c 'sleep 9 & sleep 8 & sort & for i in 1 2 3 4 5 6 7 8 9; do sleep 7 & done; ps aux' < /dev/null",
    ),
    Recipe(
        "tabular",
        "ps-ef",
        "unshare -p -f --mount-proc bash -c 'for i in 1 2 3 4 5 6 7 8 9; do sleep 3$i & done; ps -ef' < /dev/null",
    ),
    Recipe(
        "tabular",
        "ps-o",
        "unshare -p -f --mount-proc bash -c 'for i in 1 2 3 4 5 6 7 8 9; do sleep 4$i & done; ps -eo pid,ppid,rss,stat,comm' < /dev/null",
    ),
    Recipe("tabular", "df-h", "df -h -t tmpfs -t devtmpfs -t proc -t sysfs"),
    Recipe("tabular", "pip-list", "python3 -m pip list --disable-pip-version-check 2>/dev/null | head -50"),
    Recipe("tabular", "ls-modes", "stat --printf '%A\\t%s\\t%F\\t%n\\n' /usr/share/perl5/*"),
    Recipe(
        "tabular",
        "psql-aligned",
        _PSQL + " -c 'select name, setting, unit, vartype from pg_settings order by 1 limit 40'",
    ),
    Recipe(
        "tabular",
        "psql-nulls",
        _PSQL + " -c 'select oid, typname, typlen, typelem, typdelim from pg_type order by 1 limit 40'",
    ),
    Recipe(
        "tabular",
        "psql-border2",
        _PSQL + " -P border=2 -c 'select name, setting, context from pg_settings order by 1 limit 30'",
    ),
    Recipe(
        "tabular",
        "psql-borderless",
        _PSQL + " -P border=0 -c 'select typname, typlen, typcategory from pg_type order by oid limit 40'",
    ),
    Recipe("unknown", "psql-describe", _PSQL + " -c '\\d pg_class'"),
    Recipe("unknown", "psql-list", _PSQL + " -c '\\dT pg_catalog.*' | cut -c1-120 | head -40"),
    Recipe(
        "tabular",
        "csv",
        _PSQL + " --csv -c 'select name, setting, unit, category from pg_settings order by 1 limit 50'",
    ),
    Recipe(
        "tabular",
        "csv-quoted",
        _PSQL + " --csv -c 'select name, short_desc, boot_val from pg_settings order by 1 limit 25'",
    ),
    Recipe(
        "tabular",
        "tsv",
        _PSQL
        + " -A -F $'\\t' -P footer=off -c 'select name, setting, unit, source from pg_settings order by 1 limit 50'",
    ),
    Recipe(
        "tabular",
        "copy-tsv",
        _PSQL + " -c 'copy (select oid, typname, typlen, typtype from pg_type order by 1 limit 60) to stdout'",
    ),
    Recipe(
        "tabular",
        "unaligned",
        _PSQL + " -A -c 'select name, setting, vartype, context from pg_settings order by 1 limit 50'",
    ),
    Recipe(
        "tabular",
        "markdown-catalogue",
        "git show 304b2f5:docs/command-line.md | grep '^|' | sed -n 1,20p | cut -d'|' -f1-3 | sed 's/$/|/'",
    ),
    Recipe("tabular", "column-t", "column -t -s: /usr/share/base-passwd/passwd.master"),
    Recipe(
        "tabular",
        "go-cover-func",
        "cd {scratch}/go && go test -coverprofile=c.out ./... >/dev/null; go tool cover -func=c.out",
    ),
    Recipe(
        "tabular",
        "dpkg-query",
        "dpkg-query -W -f '${{Package}}\\t${{Version}}\\t${{Architecture}}\\t${{Section}}\\n' | head -70",
    ),
    Recipe(
        "tabular",
        "lsof",
        "unshare -p -f --mount-proc bash -c 'sleep 5 & sleep 5 & cd / && lsof -p $$,2,3 2>/dev/null' < /dev/null",
    ),
    # JSON and JSON Lines
    Recipe("json", "pip-list", "python3 -m pip list --format=json --disable-pip-version-check 2>/dev/null"),
    Recipe(
        "json",
        "pip-inspect",
        "python3 -m pip inspect --disable-pip-version-check 2>/dev/null | jq '.installed[:3] | map(.metadata | {{name, version, classifier}})'",
    ),
    Recipe(
        "json",
        "cargo-metadata",
        "cd {scratch}/rust && cargo metadata --offline --no-deps --format-version 1",
    ),
    Recipe("json", "lsblk", "lsblk -J -o NAME,SIZE,TYPE,RO | head -c 4000 | jq ."),
    Recipe(
        "json",
        "ruff",
        "cd {scratch} && {root}/.venv/bin/ruff check --select E,W,D --output-format=json --isolated sample.py",
    ),
    Recipe("json", "go-env", "go env -json GOOS GOARCH GOVERSION GOFLAGS GOTOOLCHAIN CGO_ENABLED GOEXE"),
    Recipe("json", "kubectl-version", "kubectl version --client -o json"),
    Recipe(
        "json",
        "psql-json",
        _PSQL
        + ' -At -c "select json_agg(row_to_json(t)) from (select name, setting, unit, min_val from pg_settings order by 1 limit 30) t"',
    ),
    Recipe(
        "json",
        "explain",
        _PSQL
        + " -At -c 'explain (format json) select * from pg_class c join pg_namespace n on n.oid = c.relnamespace'",
    ),
    Recipe("json", "npm-pkg", "cd {scratch}/node && npm pkg get"),
    Recipe("json", "npm-version", "npm version --json"),
    Recipe("json", "node-os", "node -p 'JSON.stringify(process.versions, null, 2)'"),
    Recipe("json", "schema", "git show 304b2f5:runtime/schemas/view.schema.json"),
    Recipe(
        "json",
        "jq-sorted",
        "python3 -m pip list --format=json --disable-pip-version-check 2>/dev/null | jq -S '.[:40]'",
    ),
    Recipe("json", "findmnt", "findmnt -J -t proc,sysfs,devtmpfs,devpts"),
    Recipe("json", "ip-addr", "ip -j addr show lo"),
    Recipe("jsonl", "go-test-json", "cd {scratch}/go && go test -json ./... 2>/dev/null | head -60"),
    Recipe(
        "jsonl",
        "cargo-check-json",
        "cd {scratch}/rust && cargo check --offline --message-format=json 2>/dev/null",
    ),
    Recipe(
        "jsonl",
        "ruff-lines",
        "cd {scratch} && {root}/.venv/bin/ruff check --select E,W,D --output-format=json-lines --isolated sample.py",
    ),
    Recipe(
        "jsonl",
        "jq-c",
        "python3 -m pip list --format=json --disable-pip-version-check 2>/dev/null | jq -c '.[]' | head -60",
    ),
    Recipe(
        "jsonl",
        "psql-rows",
        _PSQL
        + ' -At -c "select row_to_json(t) from (select name, setting, unit, boot_val from pg_settings order by 1 limit 40) t"',
    ),
    Recipe("jsonl", "slog-json", "cd {scratch}/go && go run ./cmd/slogjson"),
    Recipe(
        "jsonl",
        "rg-json",
        "{root}/.venv/bin/rg --json --sort path 'Settings' cli | sed -E 's/\"elapsed[^}}]*}}/\"elapsed\":{{}}/' | head -40",
    ),
    # logs
    Recipe("log", "dpkg", "head -80 /var/log/dpkg.log"),
    Recipe("log", "alternatives", "head -50 /var/log/alternatives.log"),
    Recipe("log", "postgresql", "head -60 {scratch}/pg.log"),
    Recipe("log", "python-logging", "python3 {scratch}/logs.py basic"),
    Recipe("log", "python-iso", "python3 {scratch}/logs.py iso"),
    Recipe("log", "python-traceback", "python3 {scratch}/logs.py traceback"),
    Recipe("log", "python-brackets", "python3 {scratch}/logs.py brackets"),
    Recipe("log", "slog-text", "cd {scratch}/go && go run ./cmd/slogtext"),
    Recipe("log", "go-log", "cd {scratch}/go && go run ./cmd/golog"),
    Recipe("log", "http-server", "cd {scratch} && bash http.sh"),
    Recipe("log", "java-logging", "cd {scratch} && java Logs.java 2>&1"),
    # code of others
    Recipe("code", "rust-anyhow-fmt", f"cat {_CARGO}/anyhow-1*/src/fmt.rs"),
    Recipe("code", "rust-itoa", f"cat {_CARGO}/itoa-1*/src/udiv128.rs"),
    Recipe("code", "rust-same-file", f"cat {_CARGO}/same-file-1*/src/unknown.rs"),
    Recipe("code", "rust-cfg-if", f"cat {_CARGO}/cfg-if-1*/src/lib.rs"),
    Recipe("code", "go-join", f"cat {_GO}/errors/join.go"),
    Recipe("code", "go-wrap", f"cat {_GO}/errors/wrap.go"),
    Recipe("code", "go-ring", f"cat {_GO}/container/ring/ring.go"),
    Recipe("code", "go-cmp", f"cat {_GO}/cmp/cmp.go"),
    Recipe("code", "go-builder", f"cat {_GO}/strings/builder.go"),
    Recipe("code", "c-go-cgo", f"cat {_GO}/runtime/cgo/gcc_setenv.c {_GO}/runtime/cgo/gcc_libinit.c"),
    Recipe("code", "python-bisect", "cat $(python3 -c 'import bisect; print(bisect.__file__)')"),
    Recipe("code", "python-keyword", "cat $(python3 -c 'import colorsys; print(colorsys.__file__)')"),
    Recipe("code", "python-queue", "cat $(python3 -c 'import sched; print(sched.__file__)')"),
    # diffs
    Recipe("diff", "git-diff", "git diff HEAD~31 HEAD~30 -- runtime tests | head -150"),
    Recipe("diff", "git-diff-words", "git diff -U0 HEAD~45 HEAD~40 -- runtime | head -120"),
    Recipe("diff", "git-diff-wide", "git diff -U10 HEAD~34 HEAD~26 -- runtime | head -100"),
    Recipe("diff", "git-diff-rename", "git diff -M HEAD~120 HEAD~60 -- tests/runtime | head -150"),
    Recipe("diff", "git-show-format", "git show --format= HEAD~20 -- '*.py' | head -100"),
    Recipe(
        "diff",
        "diff-u",
        "diff -u <(git show HEAD~60:runtime/decision/walk.py) <(git show HEAD:runtime/decision/walk.py) | sed 's#/dev/fd/[0-9]*#walk.py#' | head -120",
    ),
    Recipe("diff", "diff-ru", "diff -ru {scratch}/one {scratch}/two | sed 's#{scratch}/##g'"),
    Recipe("diff", "diff-ruN", "diff -ruN {scratch}/one {scratch}/two | sed 's#{scratch}/##g'"),
    Recipe("diff", "git-no-index", "cd {scratch} && git diff --no-index one two"),
    # prose
    Recipe("prose", "license-cc0", "cat /usr/share/common-licenses/CC0-1.0"),
    Recipe("prose", "license-apache", "cat /usr/share/common-licenses/Apache-2.0"),
    *(
        Recipe("prose", f"paragraphs-{page}", f"git show 304b2f5:docs/{page}.md | grep -E '^[A-Z].*[.:]$' | head -40")
        for page in ("diagnostics", "python", "language", "reviewing", "testing-rules", "writing-a-rule")
    ),
    # what has no kind
    Recipe("unknown", "git-status", "cd {scratch}/one && git init -q . 2>/dev/null; touch a b c; git status"),
    Recipe("unknown", "git-diff-stat", "git diff --stat HEAD~60 HEAD~30 | tail -60"),
    Recipe("unknown", "toml", "git show 304b2f5:pyproject.toml | head -120"),
    Recipe("unknown", "makefile", "git show 304b2f5:Makefile"),
    Recipe("unknown", "grammar", "git show 304b2f5:docs/grammar.ebnf | head -90"),
    Recipe("unknown", "rule-file", "git show 304b2f5:rules/cargo.cable | head -80"),
    Recipe(
        "unknown",
        "cargo-build",
        "cd {scratch}/rust && touch src/lib.rs && cargo check --offline 2>&1",
    ),
    Recipe("unknown", "pytest", "cd {scratch} && python3 -m pytest -q test_sample.py 2>&1"),
    Recipe("unknown", "help-git", "git grep -h 2>&1 | head -70"),
    Recipe("unknown", "help-ls", "ls --help | head -90"),
    Recipe("unknown", "lscpu", "lscpu | head -40"),
    Recipe("unknown", "ip-addr", "ip addr show lo"),
    Recipe("unknown", "base64", "head -c 3000 /usr/bin/true | base64"),
    Recipe("unknown", "xxd", "head -c 1200 /usr/bin/true | od -A x -t x1z"),
    Recipe("unknown", "go-list-json", f"cd {_GO} && go list -json cmp errors | cut -c1-100"),
    Recipe(
        "unknown",
        "json-cut",
        "python3 -m pip list --format=json --disable-pip-version-check 2>/dev/null | head -c 1500",
    ),
    Recipe("unknown", "json-indent-cut", "git show 304b2f5:runtime/schemas/view.schema.json | head -60"),
    Recipe("unknown", "colour", "ls --color=always /usr/share | head -40"),
    Recipe("unknown", "git-colour-diff", "git diff --color=always HEAD~31 HEAD~30 -- runtime | head -60"),
    Recipe(
        "unknown",
        "traceback",
        "cd {scratch} && python3 -c 'import test_sample; test_sample.fail()' 2>&1",
    ),
    Recipe("unknown", "html", "python3 -m pydoc -w bisect >/dev/null && head -c 3000 bisect.html", "{scratch}"),
    Recipe("unknown", "shell-script", "git show 304b2f5:.ci/run"),
    Recipe("unknown", "ini", "head -120 {scratch}/pg/data/postgresql.conf"),
    Recipe(
        "unknown",
        "env",
        "env -i DEPOT=/srv/depot SHELVES=12 EDITOR=vi HOSTTYPE=x86_64 USER=dev LOGNAME=dev PWD=/home/dev PATH=/usr/bin HOME=/home/dev LANG=C.UTF-8 SHELL=/bin/bash TERM=xterm env",
    ),
    Recipe("unknown", "nul", "find runtime -name '*.py' -print0 | head -c 2000"),
)
