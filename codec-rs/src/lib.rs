//! The module `cablese_codec`: what Python sees of this crate.
//!
//! Every function is stateless, takes and gives str or bytes, and works without holding the interpreter. What it gives
//! is byte for byte what the Python of cablese gives; a panic becomes `Panicked`, an ordinary exception.

pub mod boundary;
pub mod columnar;
pub mod count;
pub mod json;
pub mod json_compact;
pub mod keys;
pub mod proof;
pub mod ranges;
pub mod row_functions;
pub mod rows;
pub mod seen;
pub mod tables;
pub mod text;

use pyo3::prelude::*;

/// What this library exports; `__version__` has to be that of cablese, or it is not used.
#[pymodule]
fn cablese_codec(module: &Bound<'_, PyModule>) -> PyResult<()> {
    boundary::silence_panics();
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("NotApplicable", module.py().get_type::<boundary::NotApplicable>())?;
    module.add("Panicked", module.py().get_type::<boundary::Panicked>())?;
    module.add_function(wrap_pyfunction!(count::count_until_py, module)?)?;
    module.add_function(wrap_pyfunction!(count::ready_to_count, module)?)?;
    module.add("NotMine", module.py().get_type::<row_functions::NotMine>())?;
    module.add_function(wrap_pyfunction!(row_functions::compress_columnar, module)?)?;
    module.add_function(wrap_pyfunction!(row_functions::compress_json_compact, module)?)?;
    module.add_function(wrap_pyfunction!(row_functions::decode_columnar, module)?)?;
    module.add_function(wrap_pyfunction!(row_functions::decode_json_compact, module)?)?;
    module.add_function(wrap_pyfunction!(row_functions::object_keys, module)?)?;
    Ok(())
}
