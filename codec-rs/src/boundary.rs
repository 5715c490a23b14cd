//! The boundary to Python: exceptions, and the one way in which work is done without the interpreter.
//!
//! Input of `detached` is a closure of plain Rust data; output is its value, or the exception that Python gets. Nothing
//! unwinds into the interpreter.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyRuntimeError};
use pyo3::marker::Ungil;
use pyo3::prelude::*;

create_exception!(
    cablese_codec,
    NotApplicable,
    PyException,
    "A payload that this codec does not take; its one argument is the detail that cablese records."
);
create_exception!(
    cablese_codec,
    Panicked,
    PyRuntimeError,
    "A defect of this library, as an ordinary exception: pyo3's own for a panic is no `Exception`."
);

/// Do `work` without holding the interpreter.
///
/// # Errors
///
/// `Panicked` where `work` panics.
pub fn detached<T: Ungil + Send>(py: Python<'_>, work: impl FnOnce() -> T + Ungil + Send) -> PyResult<T> {
    py.detach(|| catch_unwind(AssertUnwindSafe(work))).map_err(|cause| Panicked::new_err(message(&*cause)))
}

/// Keep panics of this library off the standard error of the host: the exception has the message.
pub fn silence_panics() {
    // The hook is this library's alone, as each carries its own standard library.
    std::panic::set_hook(Box::new(|_| {}));
}

fn message(cause: &(dyn Any + Send)) -> String {
    let text = cause.downcast_ref::<String>().map(String::as_str).or_else(|| cause.downcast_ref::<&str>().copied());
    format!("the native codec panicked: {}", text.unwrap_or("no message"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_ordinary_exception_with_its_message() {
        Python::attach(|py| {
            let error = detached(py, || -> u8 { panic!("byte {}", 7) }).unwrap_err();
            assert!(error.is_instance_of::<Panicked>(py));
            assert!(error.is_instance_of::<PyException>(py));
            assert_eq!(error.value(py).to_string(), "the native codec panicked: byte 7");
        });
    }

    #[test]
    fn work_without_a_panic_gives_its_value() {
        Python::attach(|py| assert_eq!(detached(py, || 7).unwrap(), 7));
    }
}
