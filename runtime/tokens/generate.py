"""Write the committed data of this package: `python -m cablese.runtime.tokens.generate FILE...`.

Input are the `.tiktoken` rank files of both encodings under any name (recognised by their SHA-256 digests) and the
installed tiktoken, whose own pattern engine is asked for the class of every code point, as its Unicode version is the
one that counts. Output are `data/NAME.tokens.xz` and `data/codepoints.ranges`. Needed only when a digest or the
Unicode version of the pattern engine changes; never at run time.
"""

from __future__ import annotations

import sys
from array import array
from hashlib import sha256
from pathlib import Path

from .codepoints import RANGES, Class
from .ranks import DATA, DIGESTS, RankDataError, check_tokens, pack_tokens, parse_rank_file

_SURROGATES = range(0xD800, 0xE000)

_PATTERNS = {
    Class.UPPER: r"[\p{Lu}\p{Lt}]",
    Class.LOWER: r"\p{Ll}",
    Class.OTHER_LETTER: r"[\p{Lm}\p{Lo}]",
    Class.MARK: r"\p{M}",
    Class.NUMBER: r"\p{N}",
    Class.SPACE: r"\s",
}


def probe_classes() -> list[int]:
    """Return the class of each of the 0x110000 code points, as tiktoken's pattern engine sees it.

    An encoding of single bytes whose pattern is one class drops what the pattern does not match, so what comes back
    are the members of the class.
    """
    import tiktoken

    everything = "".join(chr(point) for point in range(0x110000) if point not in _SURROGATES)
    ranks = {bytes((value,)): value for value in range(256)}

    def members(pattern: str) -> str:
        encoding = tiktoken.Encoding("probe", pat_str=pattern, mergeable_ranks=ranks, special_tokens={})
        return bytes(encoding.encode_ordinary(everything)).decode()

    classes = [int(Class.OTHER)] * 0x110000
    for kind, pattern in _PATTERNS.items():
        for character in members(pattern):
            if classes[ord(character)] != Class.OTHER:
                raise AssertionError(f"U+{ord(character):04X} is in two classes")
            classes[ord(character)] = int(kind)
    # Letters beyond ASCII that fold to a letter of a contraction behave as that letter does after an apostrophe.
    for character in members("(?i:[sdmtlvre])"):
        if not character.isascii():
            if character != "\u017f":
                raise AssertionError(f"U+{ord(character):04X} folds to a letter of a contraction")
            classes[ord(character)] = int(Class.LONG_S)
    return classes


def render_ranges(classes: list[int]) -> bytes:
    """Render classes as runs: little-endian 32-bit words, first code point times 16 plus class."""
    runs = array("I")
    for point, kind in enumerate(classes):
        if point == 0 or classes[point - 1] != kind:
            runs.append(point << 4 | kind)
    if sys.byteorder == "big":
        runs.byteswap()
    return runs.tobytes()


def main(paths: list[str]) -> None:
    """Verify the given rank files and write the packed data."""
    names = {digest: name for name, digest in DIGESTS.items()}
    for path in paths:
        raw = Path(path).read_bytes()
        name = names.get(sha256(raw).hexdigest())
        if name is None:
            raise RankDataError(f"{path}: not a rank file of a known encoding")
        tokens = parse_rank_file(raw)
        check_tokens(name, tokens)
        Path(DATA, f"{name}.tokens.xz").write_bytes(pack_tokens(tokens))
    Path(DATA, RANGES).write_bytes(render_ranges(probe_classes()))


if __name__ == "__main__":
    main(sys.argv[1:])
