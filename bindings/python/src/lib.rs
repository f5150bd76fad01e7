//! A handle over the engine for Python: text in, text out. Knows no operation, no default and no field of the wire.

mod plain;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// The extension module `honeyguide._native`.
#[pymodule(gil_used = false)]
mod _native {
    #[pymodule_export]
    use super::Engine;
    #[pymodule_export]
    use super::call_files;
    #[pymodule_export]
    use super::write_plain;
}

/// Answers one operation on a shared file; other Python threads run meanwhile.
#[pyfunction]
fn call_files(py: Python<'_>, operation: &str, request: &str) -> String {
    py.detach(|| honeyguide_files::call(operation, request))
}

/// A plain value as JSON text; nothing when it is not plain.
#[pyfunction]
fn write_plain(value: &Bound<'_, PyAny>) -> Option<String> {
    plain::write(value)
}

/// The engine. Every method may be called from any thread.
#[pyclass(frozen, module = "honeyguide._native")]
struct Engine(honeyguide::engine::Engine);

#[pymethods]
impl Engine {
    /// Opens an engine; a refusal is a `ValueError` whose text is the error's JSON.
    #[new]
    fn new(options: &str) -> PyResult<Self> {
        honeyguide::engine::Engine::new(options)
            .map(Self)
            .map_err(|error| PyValueError::new_err(error.to_json()))
    }

    /// Answers one operation; other Python threads run meanwhile.
    fn call(&self, py: Python<'_>, operation: &str, request: &str) -> String {
        py.detach(|| self.0.call(operation, request))
    }

    /// The whole state as bytes.
    fn save(&self, py: Python<'_>) -> Vec<u8> {
        py.detach(|| self.0.save())
    }

    /// Takes over a saved state.
    fn load(&self, py: Python<'_>, snapshot: &[u8]) -> String {
        py.detach(|| self.0.load(snapshot))
    }

    /// Frees what a vanished thread may have held; called in the child of a fork.
    fn after_fork(&self) {
        self.0.after_fork();
    }
}
