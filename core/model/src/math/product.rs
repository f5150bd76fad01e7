//! The matrix product: rows times panels, plus a bias. Knows nothing of what the numbers mean.
//!
//! One value of the result is one chain of fused multiply-adds over the depth, in order, in every block size: neither the
//! other rows nor the width of the registers change a bit of it.

#![allow(
    clippy::indexing_slicing,
    reason = "the innermost loops; every range is checked against the shapes when a product begins"
)]

use pulp::{Arch, Simd, WithSimd};

use super::panels::{LANES, Panels, WIDEST};

/// Rows of the innermost block: with four columns of registers, 24 sums stay in the 32 registers there are.
const ROWS: usize = 6;
/// Depth of a block: a panel's part stays in the first cache while the rows pass.
const DEPTH: usize = 128;

/// Some rows of a row-major matrix: `rows` rows, `stride` apart.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rows<'a> {
    /// The values, from the first row on.
    pub(crate) values: &'a [f32],
    /// From the start of a row to the start of the next.
    pub(crate) stride: usize,
    /// How many rows.
    pub(crate) rows: usize,
}

/// Where a product goes: rows `stride` apart.
#[derive(Debug)]
pub(crate) struct Target<'a> {
    /// The values, from the first row on.
    pub(crate) values: &'a mut [f32],
    /// From the start of a row to the start of the next.
    pub(crate) stride: usize,
}

/// Writes `left · right + bias`; without a bias, `left · right`.
pub(crate) fn multiply(arch: Arch, left: Rows<'_>, right: &Panels, bias: Option<&[f32]>, target: Target<'_>) {
    if left.rows == 0 || right.columns() == 0 {
        return;
    }
    let last = left.rows - 1;
    assert!(
        left.values.len() >= last * left.stride + right.depth(),
        "the left side is too short"
    );
    assert!(
        target.values.len() >= last * target.stride + right.columns(),
        "the target is too short"
    );
    assert!(
        bias.is_none_or(|bias| bias.len() == right.columns()),
        "the bias does not fit"
    );
    arch.dispatch(Product {
        left,
        right,
        bias,
        target,
    });
}

struct Product<'a> {
    left: Rows<'a>,
    right: &'a Panels,
    bias: Option<&'a [f32]>,
    target: Target<'a>,
}

impl WithSimd for Product<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(mut self, simd: S) {
        // As many columns as the registers hold beside six rows: all of a panel in the widest, sixteen in others.
        if S::F32_LANES == LANES {
            match self.right.width() / LANES {
                1 => self.columns::<S, 1>(simd),
                2 => self.columns::<S, 2>(simd),
                _ => self.columns::<S, 4>(simd),
            }
        } else {
            match LANES / S::F32_LANES {
                2 => self.columns::<S, 2>(simd),
                4 => self.columns::<S, 4>(simd),
                _ => self.columns::<S, 16>(simd),
            }
        }
    }
}

impl Product<'_> {
    /// The product in blocks of `WIDE` registers of columns.
    #[inline(always)]
    fn columns<S: Simd, const WIDE: usize>(&mut self, simd: S) {
        let Self { left, right, .. } = *self;
        let (width, depth) = (right.width(), right.depth());
        for (first, panel) in right.each() {
            for start in (0..depth).step_by(DEPTH) {
                let end = (start + DEPTH).min(depth);
                let part = &panel[start * width..end * width];
                for row in (0..left.rows).step_by(ROWS) {
                    let block = Block {
                        left: &left.values[row * left.stride + start..],
                        stride: left.stride,
                        part,
                        width,
                        depth: end - start,
                    };
                    for column in (first..right.columns().min(first + width)).step_by(WIDE * S::F32_LANES) {
                        self.block::<S, WIDE>(simd, block, row, column, start == 0);
                    }
                }
            }
        }
    }

    /// Adds one block to the rows from `row` on.
    #[inline(always)]
    fn block<S: Simd, const WIDE: usize>(
        &mut self,
        simd: S,
        block: Block<'_>,
        row: usize,
        column: usize,
        first: bool,
    ) {
        let tile = Tile {
            offset: column % block.width,
            columns: (self.right.columns() - column).min(WIDE * S::F32_LANES),
            begin: match self.bias {
                _ if !first => Begin::Carried,
                Some(bias) => Begin::Bias(&bias[column..]),
                None => Begin::Zero,
            },
            target: &mut self.target.values[row * self.target.stride + column..],
            stride: self.target.stride,
        };
        match self.left.rows - row {
            1 => block.run::<S, 1, WIDE>(simd, tile),
            2 => block.run::<S, 2, WIDE>(simd, tile),
            3 => block.run::<S, 3, WIDE>(simd, tile),
            4 => block.run::<S, 4, WIDE>(simd, tile),
            5 => block.run::<S, 5, WIDE>(simd, tile),
            _ => block.run::<S, ROWS, WIDE>(simd, tile),
        }
    }
}

/// A part of a panel, and the rows that meet it.
#[derive(Clone, Copy)]
struct Block<'a> {
    left: &'a [f32],
    stride: usize,
    part: &'a [f32],
    width: usize,
    depth: usize,
}

/// The piece of the result that a block adds to.
struct Tile<'a> {
    /// The first column within the panel.
    offset: usize,
    /// How many columns there are, at most those of the registers.
    columns: usize,
    begin: Begin<'a>,
    target: &'a mut [f32],
    stride: usize,
}

/// What a sum begins with.
enum Begin<'a> {
    Zero,
    Bias(&'a [f32]),
    /// What the block before left in the target.
    Carried,
}

impl Block<'_> {
    /// `HIGH` rows by `WIDE` registers of columns, all sums in registers.
    #[inline(always)]
    fn run<S: Simd, const HIGH: usize, const WIDE: usize>(self, simd: S, tile: Tile<'_>) {
        let unit = WIDE * S::F32_LANES;
        let mut sums = [[simd.splat_f32s(0.0); WIDE]; HIGH];
        match tile.begin {
            Begin::Zero => {}
            Begin::Bias(bias) => {
                let row = load::<S, WIDE>(simd, bias, tile.columns);
                sums = [row; HIGH];
            }
            Begin::Carried => {
                for (row, sums) in sums.iter_mut().enumerate() {
                    *sums = load::<S, WIDE>(simd, &tile.target[row * tile.stride..], tile.columns);
                }
            }
        }
        let mut left = [&self.left[..self.depth]; HIGH];
        for (row, values) in left.iter_mut().enumerate() {
            *values = &self.left[row * self.stride..][..self.depth];
        }
        for (at, line) in self.part.chunks_exact(self.width).enumerate() {
            let columns = S::as_simd_f32s(&line[tile.offset..tile.offset + unit]).0;
            for row in 0..HIGH {
                let value = simd.splat_f32s(left[row][at]);
                for column in 0..WIDE {
                    sums[row][column] = simd.mul_add_e_f32s(value, columns[column], sums[row][column]);
                }
            }
        }
        for (row, sums) in sums.iter().enumerate() {
            store::<S, WIDE>(&mut tile.target[row * tile.stride..], tile.columns, sums);
        }
    }
}

/// The first `columns` values as registers, zero behind them.
#[inline(always)]
fn load<S: Simd, const WIDE: usize>(simd: S, values: &[f32], columns: usize) -> [S::f32s; WIDE] {
    let mut loaded = [simd.splat_f32s(0.0); WIDE];
    if columns == WIDE * S::F32_LANES {
        loaded.copy_from_slice(S::as_simd_f32s(&values[..columns]).0);
    } else {
        let mut whole = [0.0; WIDEST];
        whole[..columns].copy_from_slice(&values[..columns]);
        loaded.copy_from_slice(S::as_simd_f32s(&whole[..WIDE * S::F32_LANES]).0);
    }
    loaded
}

/// Writes the first `columns` values of the registers.
#[inline(always)]
fn store<S: Simd, const WIDE: usize>(values: &mut [f32], columns: usize, sums: &[S::f32s; WIDE]) {
    if columns == WIDE * S::F32_LANES {
        S::as_mut_simd_f32s(&mut values[..columns])
            .0
            .copy_from_slice(sums);
    } else {
        let mut whole = [0.0; WIDEST];
        S::as_mut_simd_f32s(&mut whole[..WIDE * S::F32_LANES])
            .0
            .copy_from_slice(sums);
        values[..columns].copy_from_slice(&whole[..columns]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers between -1 and 1 that look random and are the same every time.
    fn numbers(count: usize, mut seed: u32) -> Vec<f32> {
        std::iter::repeat_with(|| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 8) as f32 / (1 << 23) as f32 - 1.0
        })
        .take(count)
        .collect()
    }

    fn product(arch: Arch, left: &[f32], rows: usize, right: &Panels, bias: Option<&[f32]>) -> Vec<f32> {
        let mut values = vec![f32::NAN; rows * right.columns()];
        let left = Rows {
            values: left,
            stride: right.depth(),
            rows,
        };
        let target = Target {
            values: &mut values,
            stride: right.columns(),
        };
        multiply(arch, left, right, bias, target);
        values
    }

    #[test]
    fn a_product_is_the_sum_of_products_in_every_shape() {
        for (rows, depth, columns) in [
            (1, 1, 1),
            (1, 384, 64),
            (2, 3, 16),
            (5, 200, 17),
            (6, 129, 32),
            (7, 300, 33),
            (13, 64, 130),
            (30, 384, 96),
        ] {
            let (left, weights) = (numbers(rows * depth, 1), numbers(columns * depth, 2));
            let bias = numbers(columns, 3);
            let found = product(
                Arch::new(),
                &left,
                rows,
                &Panels::from_layer(&weights, columns, depth),
                Some(&bias),
            );
            for row in 0..rows {
                for column in 0..columns {
                    let sum: f64 = (0..depth)
                        .map(|at| f64::from(left[row * depth + at]) * f64::from(weights[column * depth + at]))
                        .sum();
                    let expected = sum + f64::from(bias[column]);
                    let error = (f64::from(found[row * columns + column]) - expected).abs();
                    assert!(
                        error < 1e-4,
                        "{rows}x{depth}x{columns} at {row},{column}: {error}"
                    );
                }
            }
        }
    }

    #[test]
    fn the_rows_beside_a_row_change_no_bit_of_it() {
        let (rows, depth, columns) = (23, 200, 100);
        let left = numbers(rows * depth, 4);
        let panels = Panels::from_layer(&numbers(columns * depth, 5), columns, depth);
        let together = product(Arch::new(), &left, rows, &panels, None);
        for row in 0..rows {
            let alone = product(Arch::new(), &left[row * depth..], 1, &panels, None);
            assert_eq!(alone, together[row * columns..(row + 1) * columns], "row {row}");
        }
    }

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn every_width_of_registers_gives_the_same_bits() {
        let (rows, depth, columns) = (11, 150, 200);
        let left = numbers(rows * depth, 6);
        let panels = Panels::from_layer(&numbers(columns * depth, 7), columns, depth);
        let widest = product(Arch::new(), &left, rows, &panels, None);
        let Some(narrow) = pulp::x86::V3::try_new() else {
            return;
        };
        let mut values = vec![f32::NAN; rows * columns];
        let left = Rows {
            values: &left,
            stride: depth,
            rows,
        };
        let target = Target {
            values: &mut values,
            stride: columns,
        };
        Simd::vectorize(
            narrow,
            Product {
                left,
                right: &panels,
                bias: None,
                target,
            },
        );
        assert_eq!(values, widest);
    }

    #[test]
    fn packed_rows_and_packed_columns_are_the_same_matrix() {
        let (depth, columns) = (7, 70);
        let values = numbers(depth * columns, 8);
        let mut straight = Panels::default();
        straight.straight(depth, columns, |at| &values[at * columns..(at + 1) * columns]);
        let turned: Vec<f32> = (0..columns * depth)
            .map(|at| values[at % depth * columns + at / depth])
            .collect();
        let transposed = Panels::from_layer(&turned, columns, depth);
        let left = numbers(3 * depth, 9);
        assert_eq!(
            product(Arch::new(), &left, 3, &straight, None),
            product(Arch::new(), &left, 3, &transposed, None)
        );
    }
}
