//! Looks at memory that is about to be written or counted, so that the machine fetches it all at once. Changes nothing, and
//! knows nothing of what lies there.
//!
//! In a large catalog what a change touches lies in no cache. Writing it piece by piece waits for one piece after the other, since
//! a count of references is a barrier; plain looks wait together.

use std::hint::black_box;
use std::sync::Arc;

/// Looks at the counts of references of nodes that are about to be counted once more.
#[inline]
pub(super) fn counts<'a, T: ?Sized + 'a>(nodes: impl Iterator<Item = &'a Arc<T>>) {
    looks(nodes.map(Arc::strong_count));
}

/// Looks at what is about to be read or written.
#[inline]
pub(super) fn looks(found: impl Iterator<Item = usize>) {
    black_box(found.fold(0, usize::wrapping_add));
}
