"""Gate and retention: whether a view is worth showing, and the original kept before it is.

Input: the text that a model would see, the text of the original, the result. Output: a handle, or PassThrough and
StoreError.

INVARIANT: the gate weighs the very text that is shown, pointer included. A handle costs the same whatever its digits
are, so a stand-in is weighed first, and an original is kept only once its view is sure to be shown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..reasons import PassThrough, Reason
from ..records import ToolResult, is_text
from ..stores.store import HANDLE_DIGITS, StoreError

if TYPE_CHECKING:
    from .walk import Context

STAND_IN = "0" * HANDLE_DIGITS


def check_guarantee(context: Context) -> None:
    """Refuse a loss without a way back to the original, unless the caller does without one."""
    if not context.recoverable:
        raise PassThrough(Reason.UNRECOVERABLE, "a summary needs a store for the original, and there is none")


def weigh(shown: str, original: str, work: int = 0) -> None:
    """Let the gate decide whether the text is strictly shorter for a model than the original.

    `work` raises the bound of the gate, in its own units of about a microsecond.
    """
    from ..tokens.gate import WORK, strictly_fewer

    verdict = strictly_fewer(shown, original, work=max(work, WORK))
    if not verdict:
        if verdict.outcome == "too_large":
            raise PassThrough(Reason.TOO_LARGE, "the gate could not decide within its bound on work")
        raise PassThrough(Reason.NO_GAIN, "the summary would not be strictly fewer tokens under both encodings")


def retain(result: ToolResult, context: Context) -> str | None:
    """Keep the original and return its handle; None where there is no store. Raises StoreError."""
    if context.store is None:
        return None
    content = original_bytes(result.content)
    if content is None:
        raise StoreError("the original is neither text nor JSON")
    try:
        handle: object = context.store.keep(content, tenant=result.tenant, run=result.run)
    except StoreError:
        raise
    except Exception as error:
        # A host's store need not know our errors.
        raise StoreError(describe_error(error)) from error
    if not (isinstance(handle, str) and handle and handle.isprintable()):
        # A model could not ask for it, and it would stand in the middle of a line or of JSON.
        raise StoreError("the store gave no handle for the original")
    return handle


def original_bytes(content: Any) -> bytes | None:
    """Return the bytes of a payload as they are kept: text as UTF-8, other values as JSON in lines; None for neither.

    Text that came from bytes which are not UTF-8 holds surrogates for them, and gives the same bytes.
    """
    if is_text(content):
        return content.encode("utf-8", "surrogateescape")
    if isinstance(content, bytes | bytearray):
        return bytes(content)
    from ..recovery.kept_json import kept_text

    text = kept_text(content)
    return None if text is None else text.encode("utf-8")


def retain_failure(result: ToolResult, context: Context) -> tuple[str | None, str | None]:
    """Keep the payload of a call that ended with an error, which the host may be about to throw away.

    Returns the handle, or why there is none. Never raises.
    """
    if result.status != "error" or result.content is None or result.content == "":
        return None, None
    try:
        return retain(result, context), None
    except Exception as error:  # noqa: BLE001 - the error of the tool is what matters
        return None, f"the original could not be kept: {describe_error(error)}"


def describe_error(error: BaseException) -> str:
    """Name an error; of those of ours their words are enough."""
    from ..error_words import name_error
    from ..packs.catalogue import PackUnusableError

    return str(error) if isinstance(error, PackUnusableError | StoreError) else name_error(error)
