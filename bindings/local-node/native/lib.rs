//! The Node door to a model: texts in, one long row of numbers out, on a worker thread.
//! Knows no option, no default and no message.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use honeyguide_model::{LazyModel, ModelError, ModelFiles, ModelOptions, Role};
use napi::bindgen_prelude::{AsyncTask, Float32Array};
use napi::{Env, Error, Result, Task};
use napi_derive::napi;

/// A model that is read when it is first needed.
#[napi]
pub struct NativeModel {
    model: Arc<LazyModel>,
}

/// How far one embedding is, and whether it is still wanted.
#[napi]
#[derive(Default)]
pub struct NativeJob {
    state: Arc<State>,
}

#[derive(Default)]
struct State {
    done: AtomicU32,
    cancelled: AtomicBool,
}

/// One embedding on a worker thread.
pub struct Embedding {
    model: Arc<LazyModel>,
    state: Arc<State>,
    texts: Vec<String>,
    role: Role,
}

/// The reading of a model on a worker thread.
pub struct WarmUp {
    model: Arc<LazyModel>,
}

#[napi]
impl NativeModel {
    /// A model in a folder, with options as JSON text.
    #[napi(constructor)]
    pub fn new(path: String, options: String) -> Result<Self> {
        let options = ModelOptions::from_json(&options).map_err(thrown)?;
        let files = ModelFiles::folder(path).map_err(thrown)?;
        let model = LazyModel::open(&files, options).map_err(thrown)?;
        Ok(Self {
            model: Arc::new(model),
        })
    }

    /// What the model is, as JSON text.
    #[napi]
    pub fn outline(&self) -> String {
        self.model.outline().to_json()
    }

    /// The digest of everything that vectors depend on.
    #[napi]
    pub fn revision(&self) -> Result<String> {
        self.model.revision().map(str::to_owned).map_err(thrown)
    }

    /// The scripts that the vocabulary covers.
    #[napi]
    pub fn scripts(&self) -> Result<Vec<String>> {
        self.model.scripts().map(<[String]>::to_vec).map_err(thrown)
    }

    /// The languages that the vocabulary was made for.
    #[napi]
    pub fn languages(&self) -> Result<Vec<String>> {
        self.model.languages().map(<[String]>::to_vec).map_err(thrown)
    }

    /// Reads the model.
    #[napi(ts_return_type = "Promise<void>")]
    pub fn warm_up(&self) -> AsyncTask<WarmUp> {
        AsyncTask::new(WarmUp {
            model: Arc::clone(&self.model),
        })
    }

    /// The vectors of these texts, one after the other.
    #[napi(ts_return_type = "Promise<Float32Array>")]
    pub fn embed(&self, texts: Vec<String>, role: String, job: &NativeJob) -> Result<AsyncTask<Embedding>> {
        Ok(AsyncTask::new(Embedding {
            model: Arc::clone(&self.model),
            state: Arc::clone(&job.state),
            role: role.parse().map_err(thrown)?,
            texts,
        }))
    }
}

#[napi]
impl NativeJob {
    /// A job that has not begun.
    #[napi(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// How many texts have a vector.
    #[napi]
    pub fn done(&self) -> u32 {
        self.state.done.load(Ordering::Relaxed)
    }

    /// Ends the job before the next batch.
    #[napi]
    pub fn cancel(&self) {
        self.state.cancelled.store(true, Ordering::Relaxed);
    }
}

impl Task for Embedding {
    type Output = Vec<f32>;
    type JsValue = Float32Array;

    fn compute(&mut self) -> Result<Self::Output> {
        let state = Arc::clone(&self.state);
        let mut watch = |progress: honeyguide_model::Progress| {
            let done = u32::try_from(progress.done).unwrap_or(u32::MAX);
            state.done.store(done, Ordering::Relaxed);
            if state.cancelled.load(Ordering::Relaxed) {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        self.model
            .encode(&self.texts, self.role, &mut watch)
            .map_err(thrown)
    }

    fn resolve(&mut self, _env: Env, output: Self::Output) -> Result<Self::JsValue> {
        Ok(output.into())
    }
}

impl Task for WarmUp {
    type Output = ();
    type JsValue = ();

    fn compute(&mut self) -> Result<Self::Output> {
        self.model.warm_up().map_err(thrown)
    }

    fn resolve(&mut self, _env: Env, (): Self::Output) -> Result<Self::JsValue> {
        Ok(())
    }
}

/// What is wrong, as JSON in the message of the thrown error.
fn thrown(error: ModelError) -> Error {
    Error::from_reason(error.to_json())
}
