//! Every token of a text looks at every other, in several heads. Knows one text at a time and no weights.

#![allow(
    clippy::indexing_slicing,
    reason = "ranges of one buffer whose size is made of the same numbers a few lines above"
)]

use pulp::Arch;

use crate::math::elementwise::softmax;
use crate::math::panels::{Panels, WIDEST};
use crate::math::product::{Rows, Target, multiply};

/// Rows of scores at a time, so that a text of thousands of tokens takes no square of its length.
const ROWS: usize = 48;

/// How wide a state is, and how many heads share it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shape {
    pub(crate) width: usize,
    pub(crate) heads: usize,
}

/// The memory of an attention.
#[derive(Debug, Default)]
pub(crate) struct Attention {
    keys: Panels,
    values: Panels,
    scores: Vec<f32>,
}

impl Attention {
    /// Mixes the values of each text's tokens. `projected` has queries, keys and values of a token side by side.
    pub(crate) fn mix(
        &mut self,
        arch: Arch,
        shape: Shape,
        texts: &[&[u32]],
        projected: &[f32],
        mixed: &mut Vec<f32>,
    ) {
        let stride = 3 * shape.width;
        mixed.resize(projected.len() / 3, 0.0);
        let mut first = 0;
        for ids in texts {
            let last = first + ids.len();
            let projected = &projected[first * stride..last * stride];
            let mixed = &mut mixed[first * shape.width..last * shape.width];
            for head in 0..shape.heads {
                self.head(arch, shape, head, projected, mixed);
            }
            first = last;
        }
    }

    fn head(&mut self, arch: Arch, shape: Shape, head: usize, projected: &[f32], mixed: &mut [f32]) {
        let Shape { width, heads } = shape;
        let (stride, size) = (3 * width, width / heads);
        let tokens = projected.len() / stride;
        let part = |token: usize, which: usize| {
            let start = token * stride + which * width + head * size;
            &projected[start..start + size]
        };
        self.keys.transposed(size, tokens, |token| part(token, 1));
        self.values.straight(tokens, size, |token| part(token, 2));
        #[allow(clippy::cast_precision_loss, reason = "a head is far narrower than 2^24")]
        let scale = 1.0 / (size as f32).sqrt();
        let wide = tokens.div_ceil(WIDEST) * WIDEST;
        self.scores.resize(ROWS * wide, 0.0);
        for row in (0..tokens).step_by(ROWS) {
            let rows = (tokens - row).min(ROWS);
            let scores = &mut self.scores[..rows * wide];
            let queries = Rows {
                values: &projected[row * stride + head * size..],
                stride,
                rows,
            };
            let target = Target {
                values: scores,
                stride: wide,
            };
            multiply(arch, queries, &self.keys, None, target);
            softmax(arch, scores, wide, tokens, scale);
            let shares = Rows {
                values: scores,
                stride: wide,
                rows,
            };
            let target = Target {
                values: &mut mixed[row * width + head * size..],
                stride: width,
            };
            multiply(arch, shares, &self.values, None, target);
        }
    }
}
