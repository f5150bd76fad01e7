//! Looks at memory that is about to be written or counted, so that the machine fetches it all at once. Changes nothing, and
//! knows nothing of what lies there.
//!
//! In a large catalog what a change touches lies in no cache. Writing it piece by piece waits for one piece after the other, since
//! a count of references is a barrier; plain looks wait together. What leads nowhere further is asked for without a look, where the
//! machine can be asked.

use std::hint::black_box;
use triomphe::Arc;

/// Bytes of a line of memory.
const LINE: usize = 64;

/// What a change does to a term of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Touch {
    /// It weighs another amount, or the same.
    Weight,
    /// It comes or goes, and what lies behind it moves.
    Posting,
}

/// Looks at the counts of references of nodes that are about to be counted once more.
#[inline]
pub(super) fn counts<'a, T: 'a>(nodes: impl Iterator<Item = &'a Arc<T>>) {
    looks(nodes.map(Arc::strong_count));
}

/// Looks at what is about to be read or written.
#[inline]
pub(crate) fn looks(found: impl Iterator<Item = usize>) {
    black_box(found.fold(0, usize::wrapping_add));
}

/// Asks for all lines in which values lie, and waits for none.
#[inline(always)]
pub(crate) fn ask<T>(values: &[T]) {
    values
        .iter()
        .step_by((LINE / size_of::<T>()).max(1))
        .for_each(ask_for);
}

/// Asks for the line in which a value begins, and waits for nothing.
#[inline(always)]
pub(crate) fn ask_for<T>(value: &T) {
    ask_at(value, 0);
}

/// Asks for the line so many bytes behind where a value begins, and waits for nothing.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(crate) fn ask_at<T>(value: &T, byte: usize) {
    const TO_ALL_CACHES: i32 = 3;
    if let Some(sse) = pulp::core_arch::x86::Sse::try_new() {
        let begin = std::ptr::from_ref(value).cast::<i8>();
        sse._mm_prefetch::<TO_ALL_CACHES>(begin.wrapping_add(byte));
    }
}

/// Looks at where a value begins, since the machine cannot be asked.
#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
pub(crate) fn ask_at<T>(value: &T, _: usize) {
    black_box(value);
}
