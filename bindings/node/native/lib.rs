//! The Node door to the engine: text in, text out, on the event loop or off it.
//! Knows no operation, no default and no type of the wire.

use std::sync::Arc;

use honeyguide::Engine;
use napi::bindgen_prelude::{AsyncTask, Buffer, Either, Utf16String};
use napi::{Env, Error, Result, Task};
use napi_derive::napi;

/// One engine.
#[napi]
pub struct NativeEngine {
    engine: Arc<Engine>,
}

/// One call that runs on a worker thread.
pub struct Call {
    engine: Arc<Engine>,
    operation: String,
    request: String,
}

#[napi]
impl NativeEngine {
    /// An engine with these options, as JSON text. What is wrong with them is the message of the thrown error, as JSON.
    #[napi(constructor)]
    pub fn new(options: String) -> Result<Self> {
        let engine = Engine::new(&options).map_err(|error| Error::from_reason(error.to_json()))?;
        Ok(Self {
            engine: Arc::new(engine),
        })
    }

    /// Answers one operation with an envelope.
    #[napi(ts_return_type = "string")]
    pub fn call(&self, operation: String, request: String) -> Text {
        text(self.engine.call(&operation, &request))
    }

    /// The same off the event loop.
    #[napi(ts_return_type = "Promise<string>")]
    pub fn call_async(&self, operation: String, request: String) -> AsyncTask<Call> {
        AsyncTask::new(Call {
            engine: Arc::clone(&self.engine),
            operation,
            request,
        })
    }

    /// The catalogs as bytes.
    #[napi]
    pub fn save(&self) -> Buffer {
        self.engine.save().into()
    }

    /// Takes saved catalogs in place of the present ones; answers with an envelope.
    #[napi]
    pub fn load(&self, bytes: Buffer) -> String {
        self.engine.load(&bytes)
    }
}

#[napi]
impl Task for Call {
    type Output = String;
    type JsValue = Text;

    fn compute(&mut self) -> Result<Self::Output> {
        Ok(self.engine.call(&self.operation, &self.request))
    }

    fn resolve(&mut self, _env: Env, output: Self::Output) -> Result<Self::JsValue> {
        Ok(text(output))
    }
}

/// One operation on a shared file, on a worker thread: it may have to wait for another program.
pub struct FilesCall {
    operation: String,
    request: String,
}

/// Answers one operation on a shared file with an envelope.
#[napi(ts_return_type = "Promise<string>")]
pub fn call_files(operation: String, request: String) -> AsyncTask<FilesCall> {
    AsyncTask::new(FilesCall { operation, request })
}

#[napi]
impl Task for FilesCall {
    type Output = String;
    type JsValue = Text;

    fn compute(&mut self) -> Result<Self::Output> {
        Ok(honeyguide_files::call(&self.operation, &self.request))
    }

    fn resolve(&mut self, _env: Env, output: Self::Output) -> Result<Self::JsValue> {
        Ok(text(output))
    }
}

/// Text on its way out. V8 reads UTF-8 slowly once one letter is not ASCII, and UTF-16 as it is.
type Text = Either<String, Utf16String>;

fn text(answer: String) -> Text {
    if answer.is_ascii() {
        Either::A(answer)
    } else {
        Either::B(answer.into())
    }
}
