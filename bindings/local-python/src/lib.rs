//! The Python door to a model: texts in, bytes of numbers out, without the interpreter's lock.
//! Knows no option, no default and no message.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use honeyguide_model::{LazyModel, ModelError, ModelFiles, ModelOptions};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// The extension module `honeyguide_local._local`.
#[pymodule(gil_used = false)]
mod _local {
    #[pymodule_export]
    use super::{Job, Model};
}

/// A model that is read when it is first needed. Every method may be called from any thread.
#[pyclass(frozen, module = "honeyguide_local._local")]
struct Model(LazyModel);

/// Whether one embedding is still wanted.
#[pyclass(frozen, module = "honeyguide_local._local")]
struct Job(AtomicBool);

#[pymethods]
impl Model {
    /// A model in a folder, with options as JSON; a refusal is a `ValueError` whose text is the error's JSON.
    #[new]
    fn new(path: std::path::PathBuf, options: &str) -> PyResult<Self> {
        let options = ModelOptions::from_json(options).map_err(raised)?;
        let files = ModelFiles::folder(path).map_err(raised)?;
        LazyModel::open(&files, options).map(Self).map_err(raised)
    }

    /// What the model is, as JSON.
    fn outline(&self) -> String {
        self.0.outline().to_json()
    }

    /// The digest of everything that vectors depend on.
    fn revision(&self, py: Python<'_>) -> PyResult<String> {
        py.detach(|| self.0.revision().map(str::to_owned)).map_err(raised)
    }

    /// The scripts that the vocabulary covers.
    fn scripts(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        py.detach(|| self.0.scripts().map(<[String]>::to_vec))
            .map_err(raised)
    }

    /// The languages that the vocabulary was made for.
    fn languages(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        py.detach(|| self.0.languages().map(<[String]>::to_vec))
            .map_err(raised)
    }

    /// Reads the model; other Python threads run meanwhile.
    fn warm_up(&self, py: Python<'_>) -> PyResult<()> {
        py.detach(|| self.0.warm_up()).map_err(raised)
    }

    /// The vectors of these texts, one after the other, as 32-bit floats of this machine; other Python threads run meanwhile.
    ///
    /// Between batches `tell` is called with the number of texts that have a vector, and signals are looked at.
    #[pyo3(signature = (texts, role, job, tell))]
    fn embed<'py>(
        &self,
        py: Python<'py>,
        texts: Vec<String>,
        role: &str,
        job: &Job,
        tell: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let role = role.parse().map_err(raised)?;
        let mut stopped = None;
        let outcome = py.detach(|| {
            let mut watch = |progress: honeyguide_model::Progress| {
                if job.0.load(Ordering::Relaxed) {
                    return ControlFlow::Break(());
                }
                let told = Python::attach(|py| {
                    py.check_signals()?;
                    match &tell {
                        Some(tell) => tell.call1(py, (progress.done,)).map(|_| ()),
                        None => Ok(()),
                    }
                });
                match told {
                    Ok(()) => ControlFlow::Continue(()),
                    Err(error) => {
                        stopped = Some(error);
                        ControlFlow::Break(())
                    }
                }
            };
            self.0.encode(&texts, role, &mut watch)
        });
        match (stopped, outcome) {
            (Some(error), _) => Err(error),
            (None, Err(error)) => Err(raised(error)),
            (None, Ok(vectors)) => {
                let bytes: Vec<u8> = vectors.iter().flat_map(|value| value.to_ne_bytes()).collect();
                Ok(PyBytes::new(py, &bytes))
            }
        }
    }
}

#[pymethods]
impl Job {
    /// A job that is wanted.
    #[new]
    fn new() -> Self {
        Self(AtomicBool::new(false))
    }

    /// Ends the job before the next batch.
    fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// What is wrong, as JSON in the text of a `ValueError`.
fn raised(error: ModelError) -> PyErr {
    PyValueError::new_err(error.to_json())
}
