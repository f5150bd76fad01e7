//! The engine's way of publishing, the very file it uses, under the interleavings of a model checker.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

use std::panic::{AssertUnwindSafe, catch_unwind};

use shuttle::thread;

/// What `core/src/engine.rs` takes from the standard library and `arc-swap`, in the model's terms.
mod primitives {
    pub(crate) use std::sync::PoisonError;

    pub(crate) use shuttle::sync::{Arc, Mutex};

    /// A pointer that is loaded and stored at once, as `arc-swap` promises; at its lock the model switches threads.
    #[derive(Debug, Default)]
    pub(crate) struct ArcSwap<T>(Mutex<Arc<T>>);

    pub(crate) type Loaded<T> = Arc<T>;

    impl<T> From<Arc<T>> for ArcSwap<T> {
        fn from(value: Arc<T>) -> Self {
            Self(Mutex::new(value))
        }
    }

    impl<T> ArcSwap<T> {
        pub(crate) fn load(&self) -> Arc<T> {
            Arc::clone(&self.0.lock().unwrap())
        }

        pub(crate) fn load_full(&self) -> Arc<T> {
            self.load()
        }

        pub(crate) fn store(&self, next: Arc<T>) {
            self.swap(next);
        }

        pub(crate) fn swap(&self, next: Arc<T>) -> Arc<T> {
            std::mem::replace(&mut *self.0.lock().unwrap(), next)
        }
    }
}

#[path = "../src/engine/published.rs"]
mod published;

use primitives::{Arc, ArcSwap};

/// Two halves that are equal in every published state, and how often it was published.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
struct State {
    left: u32,
    right: u32,
    revision: u64,
    /// What was added since it was last asked for.
    added: u32,
}

impl published::Replica for State {
    type Missed = u32;

    fn take_missed(&mut self) -> Option<u32> {
        Some(std::mem::take(&mut self.added))
    }

    fn catch_up(&mut self, missed: &[u32], published: &Self) {
        let missed: u32 = missed.iter().sum();
        self.left += missed;
        thread::yield_now();
        self.right += missed;
        self.revision = published.revision;
        assert_eq!((self.left, self.right), (published.left, published.right));
    }

    fn is_untouched(&self) -> bool {
        self.left == self.right && self.added == 0
    }
}

/// What the engine is here; the writers share the number of their turns.
#[derive(Debug, Default)]
struct Model(published::Published<State, u32>);

impl Model {
    fn load(&self) -> Arc<State> {
        self.0.load()
    }

    /// Adds to both halves, with a switch of threads between them; answers with the revision.
    fn add(&self, number: u32) -> u64 {
        let add = |state: &mut State| {
            state.left += number;
            thread::yield_now();
            state.right += number;
            state.added += number;
            state.revision += 1;
            Ok((state.revision, true))
        };
        self.change(add).unwrap()
    }

    fn change<A>(&self, apply: impl FnOnce(&mut State) -> Result<(A, bool), ()>) -> Result<A, ()> {
        self.0.change(|state, turns| {
            *turns += 1;
            apply(state)
        })
    }

    fn after_fork(&self) {
        self.0.after_fork(0);
    }
}

const TRIES: usize = 3_000;

fn in_every_order(program: impl Fn() + Send + Sync + 'static) {
    // Three switches in the worst places find what random walks of this length may miss, and the other way round.
    let program = std::sync::Arc::new(program);
    let again = std::sync::Arc::clone(&program);
    shuttle::check_pct(move || program(), TRIES, 3);
    shuttle::check_random(move || again(), TRIES);
}

#[test]
fn no_writer_s_change_is_lost_and_each_gets_a_revision_of_its_own() {
    in_every_order(|| {
        let model = Arc::new(Model::default());
        let writers: Vec<_> = [1, 10, 100]
            .into_iter()
            .map(|number| {
                let model = Arc::clone(&model);
                thread::spawn(move || model.add(number))
            })
            .collect();
        let mut revisions: Vec<u64> = writers.into_iter().map(|writer| writer.join().unwrap()).collect();
        revisions.sort_unstable();
        assert_eq!(revisions, [1, 2, 3]);
        let end = model.load();
        assert_eq!((end.left, end.right, end.revision), (111, 111, 3));
    });
}

#[test]
fn a_reader_sees_whole_states_that_never_go_back_and_keeps_the_one_it_holds() {
    in_every_order(|| {
        let model = Arc::new(Model::default());
        let writer = {
            let model = Arc::clone(&model);
            thread::spawn(move || {
                let first = model.add(1);
                // Whoever is told that a change is published sees it.
                assert!(model.load().revision >= first);
                model.add(1);
            })
        };
        let reader = {
            let model = Arc::clone(&model);
            thread::spawn(move || {
                let held = model.load();
                let copy = State::clone(&held);
                let mut last = held.revision;
                for _ in 0..3 {
                    let seen = model.load();
                    assert_eq!(seen.left, seen.right);
                    assert!(seen.revision >= last);
                    last = seen.revision;
                }
                assert_eq!(*held, copy);
            })
        };
        writer.join().unwrap();
        reader.join().unwrap();
    });
}

#[test]
fn a_change_that_fails_or_changes_nothing_publishes_nothing_and_ends_its_turn() {
    in_every_order(|| {
        let model = Arc::new(Model::default());
        let failing = {
            let model = Arc::clone(&model);
            thread::spawn(move || {
                let spoil = |state: &mut State| state.left = 7;
                let failed = model.change(|state| {
                    spoil(state);
                    Err::<((), bool), ()>(())
                });
                assert!(failed.is_err());
                let kept = model.change(|state| {
                    spoil(state);
                    Ok(((), false))
                });
                assert!(kept.is_ok());
            })
        };
        model.add(1);
        failing.join().unwrap();
        assert_eq!((model.load().left, model.load().right), (1, 1));
    });
}

#[test]
fn a_reader_waits_for_no_writer_and_after_a_fork_neither_does_a_writer() {
    in_every_order(|| {
        let model = Arc::new(Model::default());
        model.add(1);
        let inside = Arc::clone(&model);
        // The writer that a fork leaves behind: the child's reads and writes happen while its turn has not ended.
        model
            .change(|_| {
                assert_eq!(inside.load().revision, 1);
                inside.after_fork();
                let children: Vec<_> = [10, 100]
                    .into_iter()
                    .map(|number| {
                        let model = Arc::clone(&inside);
                        thread::spawn(move || model.add(number))
                    })
                    .collect();
                let mut revisions: Vec<u64> =
                    children.into_iter().map(|child| child.join().unwrap()).collect();
                revisions.sort_unstable();
                assert_eq!(revisions, [2, 3]);
                Ok(((), false))
            })
            .unwrap();
        assert_eq!(model.load().revision, 3);
    });
}

#[test]
fn the_model_checker_sees_what_a_write_without_a_turn_would_lose() {
    let lost = catch_unwind(AssertUnwindSafe(|| {
        in_every_order(|| {
            let cell = Arc::new(ArcSwap::<u32>::default());
            let writers: Vec<_> = (0..2)
                .map(|_| {
                    let cell = Arc::clone(&cell);
                    thread::spawn(move || cell.store(Arc::new(*cell.load() + 1)))
                })
                .collect();
            writers.into_iter().for_each(|writer| writer.join().unwrap());
            assert_eq!(*cell.load(), 2);
        });
    }));
    assert!(lost.is_err(), "this program is wrong, and nothing said so");
}
