//! Many texts through an encoder: cut into batches, on as many threads as there are cores. Knows no encoder.
//!
//! Threads are started for a call and end with it. There is no pool, so nothing of it can be missing after a fork.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use crate::error::{ModelError, ModelErrorCode, Result};

/// How far a call is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Texts that have a vector.
    pub done: usize,
    /// Texts of the call.
    pub total: usize,
}

/// What is called between batches, on the thread of the call; a break cancels the work.
pub type Watch<'a> = &'a mut dyn FnMut(Progress) -> ControlFlow<()>;

/// Works on the pieces `0..pieces` on `threads` threads, this one among them; results come in the order of the pieces.
///
/// `done` says how many texts are done when so many pieces are; `make` makes what a thread works with.
pub(crate) fn each<W, T: Send>(
    threads: usize,
    pieces: usize,
    make: impl Fn() -> W + Sync,
    work: impl Fn(&mut W, usize) -> Result<T> + Sync,
    mut between: impl FnMut(usize) -> ControlFlow<()>,
) -> Result<Vec<T>> {
    let next = AtomicUsize::new(0);
    let finished = AtomicUsize::new(0);
    let stop = AtomicBool::new(false);
    let take = |space: &mut W, found: &mut Vec<(usize, T)>| -> Result<bool> {
        let piece = next.fetch_add(1, Ordering::Relaxed);
        if piece >= pieces || stop.load(Ordering::Relaxed) {
            return Ok(false);
        }
        match work(space, piece) {
            Ok(result) => {
                found.push((piece, result));
                finished.fetch_add(1, Ordering::Relaxed);
                Ok(true)
            }
            Err(error) => {
                stop.store(true, Ordering::Relaxed);
                Err(error)
            }
        }
    };
    let run = || -> Result<Vec<(usize, T)>> {
        let (mut space, mut found) = (make(), Vec::new());
        while take(&mut space, &mut found)? {}
        Ok(found)
    };
    let mut found = thread::scope(|scope| {
        let helpers: Vec<_> = (1..threads.min(pieces))
            // A system that gives no thread gives a slower answer, not an error.
            .filter_map(|_| thread::Builder::new().spawn_scoped(scope, run).ok())
            .collect();
        let (mut space, mut found) = (make(), Vec::new());
        let mut outcome = Ok(());
        loop {
            match take(&mut space, &mut found) {
                Ok(true) => {
                    if between(finished.load(Ordering::Relaxed)).is_break() {
                        stop.store(true, Ordering::Relaxed);
                        outcome = Err(aborted());
                        break;
                    }
                }
                Ok(false) => break,
                Err(error) => {
                    outcome = Err(error);
                    break;
                }
            }
        }
        for helper in helpers {
            match helper.join() {
                Ok(Ok(more)) => found.extend(more),
                Ok(Err(error)) => outcome = Err(error),
                // A panic goes on where the call came from.
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        outcome.map(|()| found)
    })?;
    found.sort_unstable_by_key(|(piece, _)| *piece);
    Ok(found.into_iter().map(|(_, result)| result).collect())
}

/// How many threads encode: those asked for, or one for each core.
pub(crate) fn threads(asked: Option<NonZeroUsize>) -> usize {
    asked
        .or_else(|| thread::available_parallelism().ok())
        .map_or(1, NonZeroUsize::get)
}

/// That the caller wanted no more.
pub(crate) fn aborted() -> ModelError {
    ModelError::new(ModelErrorCode::Aborted, "the embedding was cancelled")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn squares(threads: usize, between: impl FnMut(usize) -> ControlFlow<()>) -> Result<Vec<usize>> {
        each(threads, 100, || (), |(), piece| Ok(piece * piece), between)
    }

    #[test]
    fn results_come_in_order_whatever_the_threads() {
        let expected: Vec<usize> = (0..100).map(|piece| piece * piece).collect();
        for threads in [1, 2, 7, 1_000] {
            assert_eq!(squares(threads, |_| ControlFlow::Continue(())).unwrap(), expected);
        }
    }

    #[test]
    fn a_break_ends_the_work_before_its_end() {
        let mut calls = 0;
        let error = squares(1, |done| {
            calls += 1;
            if done < 3 {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        });
        assert_eq!(error.unwrap_err().code, ModelErrorCode::Aborted);
        assert_eq!(calls, 3);
    }

    #[test]
    fn one_failure_fails_the_call_on_every_thread() {
        for threads in [1, 3] {
            let work = |(): &mut (), piece| if piece == 50 { Err(aborted()) } else { Ok(piece) };
            let outcome = each(threads, 100, || (), work, |_| ControlFlow::Continue(()));
            assert_eq!(outcome.unwrap_err().code, ModelErrorCode::Aborted);
        }
    }
}
