//! Looks over the sums of a block, as many at once as a register holds. Knows nothing of words, documents and the order of hits.
//!
//! What is counted and compared stays in registers from the first row to the last, which a compiler does not find by itself: it
//! adds each row's count up before it goes on to the next. These are integers, so all widths of registers count alike; only how
//! many sums share a place in `highest` depends on them.

use pulp::Simd;
use pulp::bytemuck::cast_slice;

/// As many sums as one row has at the most; how many there are of a block is a multiple of it.
pub(super) const ROW: usize = 64;

/// From which scores on a sum counts; both are positive.
#[derive(Clone, Copy)]
pub(super) struct Bars {
    /// It matches.
    pub(super) least: i32,
    /// It can be among the best.
    pub(super) among: i32,
}

/// How many sums match; the highest of each place in a row are noted. The sums stay.
#[inline(always)]
pub(super) fn look<S: Simd>(simd: S, sums: &mut [i32], least: i32, highest: &mut [i32; ROW]) -> usize {
    let bars = Bars {
        least,
        among: i32::MAX,
    };
    in_rows::<S, true>(simd, sums, bars, highest, &mut |_, _| {})
}

/// The same, and hands on the sums beside each one that can be among the best, with their place; then the sums are zero.
#[inline(always)]
pub(super) fn take<S: Simd>(
    simd: S,
    sums: &mut [i32],
    bars: Bars,
    highest: &mut [i32; ROW],
    found: &mut impl FnMut(usize, &[i32]),
) -> usize {
    in_rows::<S, false>(simd, sums, bars, highest, found)
}

/// Goes through rows of as many registers as machines with registers of this width have to spare.
#[inline(always)]
fn in_rows<S: Simd, const STAY: bool>(
    simd: S,
    sums: &mut [i32],
    bars: Bars,
    highest: &mut [i32; ROW],
    found: &mut impl FnMut(usize, &[i32]),
) -> usize {
    if S::I32_LANES >= 16 {
        each::<S, 4, STAY>(simd, sums, bars, highest, found)
    } else {
        each::<S, 8, STAY>(simd, sums, bars, highest, found)
    }
}

/// Goes through rows of so many registers.
#[inline(always)]
fn each<S: Simd, const REGISTERS: usize, const STAY: bool>(
    simd: S,
    sums: &mut [i32],
    bars: Bars,
    highest: &mut [i32; ROW],
    found: &mut impl FnMut(usize, &[i32]),
) -> usize {
    let zero = simd.splat_i32s(0);
    // Machines compare for more, not for as much.
    let below = |bar: i32| simd.splat_i32s(bar.saturating_sub(1));
    let (least, among) = (below(bars.least), below(bars.among));
    let (none, one) = (simd.splat_u32s(0), simd.splat_u32s(1));
    let known = S::as_simd_i32s(highest.as_slice()).0;
    let mut tops: [S::i32s; REGISTERS] = std::array::from_fn(|at| known.get(at).copied().unwrap_or(zero));
    let mut count = none;
    let (rows, _) = S::as_mut_simd_i32s(sums).0.as_chunks_mut::<REGISTERS>();
    for (at, row) in rows.iter_mut().enumerate() {
        let mut top = zero;
        for (sums, high) in row.iter().zip(&mut tops) {
            let matches = simd.greater_than_i32s(*sums, least);
            count = simd.add_u32s(count, simd.select_u32s(matches, one, none));
            *high = simd.max_i32s(*high, *sums);
            top = simd.max_i32s(top, *sums);
        }
        if !STAY {
            let reaches = |sums| simd.first_true_m32s(simd.greater_than_i32s(sums, among)) < S::I32_LANES;
            if reaches(top) {
                for (register, sums) in row.iter().enumerate().filter(|(_, sums)| reaches(**sums)) {
                    let place = (at * REGISTERS + register) * S::I32_LANES;
                    found(place, cast_slice(std::slice::from_ref(sums)));
                }
            }
            *row = [zero; REGISTERS];
        }
    }
    for (to, high) in S::as_mut_simd_i32s(highest.as_mut_slice()).0.iter_mut().zip(tops) {
        *to = high;
    }
    let counts = [count];
    let counts = cast_slice::<S::u32s, u32>(&counts);
    counts.iter().map(|count| *count as usize).sum()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use pulp::{Arch, Scalar, WithSimd};

    use super::*;

    /// What a look and a taking say: counts, what was handed on as places and sums, and the greatest of the highest.
    type Said = (usize, usize, Vec<(usize, i32)>, Option<i32>);

    struct Both<'a> {
        sums: &'a mut [i32],
        bars: Bars,
    }

    impl WithSimd for Both<'_> {
        type Output = Said;

        fn with_simd<S: Simd>(self, simd: S) -> Said {
            let Both { sums, bars } = self;
            let (mut highest, mut again) = ([0; ROW], [0; ROW]);
            let before = sums.to_vec();
            let seen = look(simd, sums, bars.least, &mut highest);
            assert_eq!(sums, before);
            let mut found = Vec::new();
            let taken = take(simd, sums, bars, &mut again, &mut |place, row| {
                assert!(row.iter().any(|sum| *sum >= bars.among));
                found.extend(
                    (place..)
                        .zip(row.iter().copied())
                        .filter(|(_, sum)| *sum >= bars.among),
                );
            });
            assert_eq!(highest, again);
            (seen, taken, found, highest.into_iter().max())
        }
    }

    proptest! {
        #[test]
        fn registers_of_any_width_find_what_one_look_after_the_other_finds(
            rows in 0usize..=4, values in proptest::collection::vec(0i32..40, 4 * ROW), least in 1i32..40, among in 1i32..40,
        ) {
            let sums = &values[..rows * ROW];
            let bars = Bars { least, among };
            let matching = sums.iter().filter(|sum| **sum >= least).count();
            let found: Vec<(usize, i32)> = (0..).zip(sums.iter().copied()).filter(|(_, sum)| *sum >= among).collect();
            let expected = (matching, matching, found, Some(sums.iter().copied().max().unwrap_or(0)));
            let (mut widest, mut narrowest) = (sums.to_vec(), sums.to_vec());
            prop_assert_eq!(Arch::new().dispatch(Both { sums: &mut widest, bars }), expected.clone());
            prop_assert_eq!(Both { sums: &mut narrowest, bars }.with_simd(Scalar::new()), expected);
            prop_assert!(widest.iter().chain(&narrowest).all(|sum| *sum == 0));
        }
    }
}
