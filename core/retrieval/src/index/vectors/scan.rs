//! Similarities of a query to many documents: a straight scan over small integers. Knows nothing of slots and models.
//!
//! Everything here is inlined into one function, of which [`pulp`] keeps a version for each width of registers (ADR 0018). A plain
//! sum of products of eight by sixteen bits is what compilers make multiply-and-add instructions of, and sums of integers are
//! the same in any order of lanes. From some ten thousand rows on, memory is what the scan waits for.

use pulp::{Arch, Simd, WithSimd};

use super::unit::Probe;

/// Rows one after the other, and their scales.
pub(crate) struct Rows<'a> {
    pub(crate) coarse: &'a [i8],
    pub(crate) scales: &'a [u32],
}

/// Calls `take` with the similarity of each row of each part, in order.
pub(crate) fn scan<'a>(probe: &Probe, parts: impl Iterator<Item = Rows<'a>>, take: impl FnMut(i32)) {
    Arch::new().dispatch(Scan { probe, parts, take });
}

struct Scan<'p, P, T> {
    probe: &'p Probe,
    parts: P,
    take: T,
}

impl<'a, P: Iterator<Item = Rows<'a>>, T: FnMut(i32)> WithSimd for Scan<'_, P, T> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(mut self, _: S) {
        let numbers = self.probe.numbers();
        for part in self.parts {
            for (row, scale) in part.coarse.chunks_exact(numbers.len().max(1)).zip(part.scales) {
                let product = multiply(row, numbers);
                (self.take)(self.probe.similarity(*scale, product));
            }
        }
    }
}

#[inline(always)]
fn multiply(row: &[i8], numbers: &[i16]) -> i32 {
    row.iter()
        .zip(numbers)
        .map(|(coarse, number)| i32::from(*coarse) * i32::from(*number))
        .sum()
}

/// The similarity of one row with its fine numbers.
pub(crate) fn finely(probe: &Probe, row: &[i8], fine: &[u8], scale: u32) -> i32 {
    Arch::new().dispatch(Finely {
        probe,
        row,
        fine,
        scale,
    })
}

struct Finely<'a> {
    probe: &'a Probe,
    row: &'a [i8],
    fine: &'a [u8],
    scale: u32,
}

impl WithSimd for Finely<'_> {
    type Output = i32;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> i32 {
        let numbers = self.probe.numbers();
        let mut sum = 0;
        let (pairs, last) = numbers.as_chunks::<2>();
        for (pair, numbers) in self.fine.iter().zip(pairs) {
            let [first, second] = numbers.map(i32::from);
            sum += i32::from(pair & 15) * first + i32::from(pair >> 4) * second;
        }
        if let (Some(pair), [number]) = (self.fine.get(pairs.len()), last) {
            sum += i32::from(pair & 15) * i32::from(*number);
        }
        self.probe
            .similarity_finely(self.scale, multiply(self.row, numbers), sum)
    }
}
