//! The module `cablese_codec`: what Python sees of this crate.
//!
//! Every function is stateless, takes and gives str or bytes, and works without holding the interpreter. What it gives
//! is byte for byte what the Python of cablese gives; a panic becomes `Panicked`, an ordinary exception.

pub mod boundary;

use pyo3::prelude::*;

/// What this library exports; `__version__` has to be that of cablese, or it is not used.
#[pymodule]
fn cablese_codec(module: &Bound<'_, PyModule>) -> PyResult<()> {
    boundary::silence_panics();
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("NotApplicable", module.py().get_type::<boundary::NotApplicable>())?;
    module.add("Panicked", module.py().get_type::<boundary::Panicked>())?;
    Ok(())
}
