//! One value that is published whole: a reader loads a pointer and never waits, writers take turns.
//! Knows nothing of what is published.
//!
//! Two replicas take turns too. The state that was published before the last change misses only that change; once its
//! readers are gone, the next writer lets it catch up and changes it in place, where a copy of the published state would copy
//! every piece that the change touches. Whoever still reads it keeps it, and then the writer copies as before: what is
//! published never depends on which of the two happened.
//!
//! Its primitives come from the module beside it, so that `core/tests/publication.rs` runs this very file under the
//! interleavings of a model checker.

use super::primitives::{Arc, ArcSwap, Loaded, Mutex, PoisonError};

/// A value that can make changes again which another copy of it has seen.
pub(super) trait Replica: Clone {
    /// Changes to be made again.
    type Missed: std::fmt::Debug;

    /// What was changed since this was last asked; nothing when it is too much to make again.
    fn take_missed(&mut self) -> Option<Self::Missed>;

    /// Makes the changes that it misses, and ends equal to the published value.
    fn catch_up(&mut self, missed: &[Self::Missed], published: &Self);

    /// Whether it is what it was when it had caught up.
    fn is_untouched(&self) -> bool;
}

/// A replica that is further behind is given up.
const BEHIND_MOST: usize = 64;

/// A value, and what writers share.
#[derive(Debug, Default)]
pub(super) struct Published<T: Replica, W> {
    value: ArcSwap<T>,
    /// Swapped as a whole after a fork, since a thread that is gone may hold the lock.
    writer: ArcSwap<Mutex<Writer<T, W>>>,
}

#[derive(Debug)]
struct Writer<T: Replica, W> {
    shared: W,
    other: Option<Other<T>>,
}

/// A value that was published once, and the changes since.
#[derive(Debug)]
struct Other<T: Replica> {
    value: Arc<T>,
    missed: Vec<T::Missed>,
}

impl<T: Replica, W: Default> Default for Writer<T, W> {
    fn default() -> Self {
        Self {
            shared: W::default(),
            other: None,
        }
    }
}

impl<T: Replica, W: Default> From<T> for Published<T, W> {
    fn from(value: T) -> Self {
        Self {
            value: ArcSwap::from(Arc::new(value)),
            writer: ArcSwap::default(),
        }
    }
}

impl<T: Replica, W> Published<T, W> {
    /// The value as it is now; whoever holds it keeps what they began with.
    pub(super) fn load(&self) -> Loaded<T> {
        self.value.load()
    }

    /// Prepares the next value and publishes it when `apply` says that something changed.
    pub(super) fn change<A, E>(
        &self,
        apply: impl FnOnce(&mut T, &mut W) -> Result<(A, bool), E>,
    ) -> Result<A, E> {
        let writer = self.writer.load_full();
        // What writers share must be whole even after one of them panicked; see its type.
        let mut writer = writer.lock().unwrap_or_else(PoisonError::into_inner);
        let (mut next, still_read) = self.next(writer.other.take());
        let (answer, changed) = apply(&mut next, &mut writer.shared)?;
        if changed {
            let missed = next.take_missed();
            let value = self.value.swap(Arc::new(next));
            writer.other = missed.and_then(|missed| Other::after(value, still_read, missed));
        } else {
            let unchanged = next.is_untouched().then(|| Other {
                value: Arc::new(next),
                missed: Vec::new(),
            });
            writer.other = still_read.or(unchanged);
        }
        Ok(answer)
    }

    /// A value equal to the published one, to be changed, and the other replica when it is still read. Called inside a turn:
    /// what another writer published before it must not be lost.
    fn next(&self, other: Option<Other<T>>) -> (T, Option<Other<T>>) {
        let published = self.value.load();
        let still_read = match other {
            None => None,
            Some(Other { value, missed }) => match Arc::try_unwrap(value) {
                Ok(mut replica) => {
                    replica.catch_up(&missed, &published);
                    return (replica, None);
                }
                Err(value) => Some(Other { value, missed }),
            },
        };
        (T::clone(&published), still_read)
    }

    /// In a forked child, before anything else: a lock that no vanished thread can hold.
    pub(super) fn after_fork(&self, shared: W) {
        self.writer
            .store(Arc::new(Mutex::new(Writer { shared, other: None })));
    }
}

impl<T: Replica> Other<T> {
    /// The replica to go on with after a change: the one that was still read, so that its last reader does not have to take
    /// it apart, or else the value that was published before.
    fn after(value: Arc<T>, still_read: Option<Self>, missed: T::Missed) -> Option<Self> {
        let mut other = still_read.unwrap_or(Self {
            value,
            missed: Vec::new(),
        });
        other.missed.push(missed);
        (other.missed.len() <= BEHIND_MOST).then_some(other)
    }
}
