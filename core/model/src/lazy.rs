//! A model that is read when it is first needed, once, by whoever comes first. Knows no weights.
//!
//! The packages hand this out: making one reads the small files only, so that importing and searching by words stay as
//! cheap as without a model.

use std::process;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::Duration;

use crate::batches::Watch;
use crate::error::Result;
use crate::files::ModelFiles;
use crate::model::{Model, Role};
use crate::outline::{Knowledge, ModelOptions, Outline};

/// Between two looks at whether another thread has read the model.
const PAUSE: Duration = Duration::from_millis(2);

/// A model that may not be read yet. It may be used from any number of threads, and after a fork.
#[derive(Debug)]
pub struct LazyModel {
    outline: Outline,
    options: ModelOptions,
    revision: OnceLock<String>,
    knowledge: OnceLock<Knowledge>,
    model: OnceLock<Model>,
    reader: Reader,
}

impl LazyModel {
    /// Reads the small files, and checks that the large ones are there.
    ///
    /// # Errors
    /// As [`Outline::read`].
    pub fn open(files: &ModelFiles, options: ModelOptions) -> Result<Self> {
        Ok(Self {
            outline: Outline::read(files, &options)?,
            options,
            revision: OnceLock::new(),
            knowledge: OnceLock::new(),
            model: OnceLock::new(),
            reader: Reader::default(),
        })
    }

    /// What the model is.
    #[must_use]
    pub fn outline(&self) -> &Outline {
        &self.outline
    }

    /// [`Outline::revision`], computed once.
    ///
    /// # Errors
    /// As [`Outline::revision`].
    pub fn revision(&self) -> Result<&str> {
        once(&self.revision, || self.outline.revision()).map(String::as_str)
    }

    /// [`Outline::scripts`], computed once.
    ///
    /// # Errors
    /// As [`Outline::scripts`].
    pub fn scripts(&self) -> Result<&[String]> {
        Ok(&self.knowledge()?.scripts)
    }

    /// [`Outline::languages`], computed once.
    ///
    /// # Errors
    /// As [`Outline::languages`].
    pub fn languages(&self) -> Result<&[String]> {
        Ok(&self.knowledge()?.languages)
    }

    /// Reads the model, its revision, its scripts and languages, if that is not done yet.
    ///
    /// # Errors
    /// As [`Model::load`].
    pub fn warm_up(&self) -> Result<()> {
        self.model()?;
        self.revision()?;
        self.knowledge()?;
        Ok(())
    }

    /// [`Model::encode`]; the first call reads the model.
    ///
    /// # Errors
    /// As [`Model::load`] and [`Model::encode`].
    pub fn encode<T: AsRef<str> + Sync>(
        &self,
        texts: &[T],
        role: Role,
        watch: Watch<'_>,
    ) -> Result<Vec<f32>> {
        self.model()?.encode(texts, role, watch)
    }

    fn knowledge(&self) -> Result<&Knowledge> {
        once(&self.knowledge, || self.outline.knowledge())
    }

    /// The model, read by one thread while others wait.
    fn model(&self) -> Result<&Model> {
        loop {
            if let Some(model) = self.model.get() {
                return Ok(model);
            }
            match self.reader.enter() {
                Some(_inside) => return once(&self.model, || Model::of(self.outline.clone(), &self.options)),
                None => thread::sleep(PAUSE),
            }
        }
    }
}

/// What a cell holds, made first when it is empty. Unlike `get_or_init` it waits for nobody.
fn once<T>(cell: &OnceLock<T>, make: impl FnOnce() -> Result<T>) -> Result<&T> {
    match cell.get() {
        Some(value) => Ok(value),
        None => {
            let value = make()?;
            Ok(cell.get_or_init(|| value))
        }
    }
}

/// Who reads: the number of a process, or zero. A mutex would stay locked for ever in the child of a fork that happened
/// while another thread was reading; a number of another process is simply taken over.
#[derive(Debug, Default)]
struct Reader(AtomicU32);

impl Reader {
    /// The right to read; none while another thread of this process has it.
    fn enter(&self) -> Option<Inside<'_>> {
        let own = process::id();
        let held = self.0.load(Ordering::Acquire);
        (held != own
            && self
                .0
                .compare_exchange(held, own, Ordering::AcqRel, Ordering::Relaxed)
                .is_ok())
        .then_some(Inside(self))
    }
}

/// The right to read, given back when it is dropped.
struct Inside<'a>(&'a Reader);

impl Drop for Inside<'_> {
    fn drop(&mut self) {
        self.0.0.store(0, Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_thread_of_a_process_reads_at_a_time_and_a_dead_process_holds_nobody_up() {
        let reader = Reader::default();
        let inside = reader.enter();
        assert!(inside.is_some());
        assert!(reader.enter().is_none());
        drop(inside);
        assert!(reader.enter().is_some());
        let of_another_process = Reader(AtomicU32::new(process::id() + 1));
        assert!(of_another_process.enter().is_some());
    }
}
