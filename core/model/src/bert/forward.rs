//! One pass of a few texts through the layers, without padding: their tokens stand one text after the other.
//! Knows nothing of how texts were chosen.

use pulp::Arch;

use crate::math::elementwise::{activate, add_and_norm};
use crate::math::product::{Rows, Target, multiply};
use crate::recipe::Pooling;

use super::attention::{self, Attention};
use super::{Bert, Layer, Linear};

/// The memory of a pass, kept between passes.
#[derive(Debug, Default)]
pub(crate) struct Workspace {
    state: Vec<f32>,
    projected: Vec<f32>,
    mixed: Vec<f32>,
    wide: Vec<f32>,
    added: Vec<f32>,
    attention: Attention,
}

impl Bert {
    /// Writes the vector of each text, row by row. Every text has a token at least, and every id a row in the table.
    pub(crate) fn encode(&self, space: &mut Workspace, texts: &[&[u32]], vectors: &mut [f32]) {
        let arch = Arch::new();
        let width = self.config.width;
        self.embed(arch, space, texts);
        for layer in &self.layers {
            self.pass(arch, layer, space, texts);
        }
        let mut rest = space.state.as_slice();
        for (ids, vector) in texts.iter().zip(vectors.chunks_exact_mut(width)) {
            let (states, behind) = rest.split_at((ids.len() * width).min(rest.len()));
            pool(self.pooling, states, vector);
            rest = behind;
        }
    }

    /// The sum of what is known of each token on its own.
    fn embed(&self, arch: Arch, space: &mut Workspace, texts: &[&[u32]]) {
        let width = self.config.width;
        let tokens: usize = texts.iter().map(|ids| ids.len()).sum();
        space.state.clear();
        space.state.resize(tokens * width, 0.0);
        let first = self.config.first_position;
        let places = texts.iter().flat_map(|ids| ids.iter().zip(first..));
        for (row, (id, position)) in space.state.chunks_exact_mut(width).zip(places) {
            if let Some(known) = self.positions.get(position * width..(position + 1) * width) {
                row.copy_from_slice(known);
            }
            self.words
                .add_row(usize::try_from(*id).unwrap_or(usize::MAX), 1.0, row);
        }
        add_and_norm(arch, &mut space.state, None, &self.norm);
    }

    /// One layer: attention, then two wide products, each added to what came in.
    fn pass(&self, arch: Arch, layer: &Layer, space: &mut Workspace, texts: &[&[u32]]) {
        let tokens = space.state.len() / self.config.width;
        linear(
            arch,
            &layer.projection,
            &space.state,
            tokens,
            &mut space.projected,
        );
        let shape = attention::Shape {
            width: self.config.width,
            heads: self.config.heads,
        };
        space
            .attention
            .mix(arch, shape, texts, &space.projected, &mut space.mixed);
        linear(arch, &layer.output, &space.mixed, tokens, &mut space.added);
        add_and_norm(arch, &mut space.state, Some(&space.added), &layer.output_norm);
        linear(arch, &layer.wide, &space.state, tokens, &mut space.wide);
        activate(arch, self.config.activation, &mut space.wide);
        linear(arch, &layer.narrow, &space.wide, tokens, &mut space.added);
        add_and_norm(arch, &mut space.state, Some(&space.added), &layer.narrow_norm);
    }
}

/// A linear layer over every token.
fn linear(arch: Arch, layer: &Linear, input: &[f32], tokens: usize, output: &mut Vec<f32>) {
    let columns = layer.weights.columns();
    output.resize(tokens * columns, 0.0);
    let left = Rows {
        values: input,
        stride: layer.weights.depth(),
        rows: tokens,
    };
    let target = Target {
        values: output,
        stride: columns,
    };
    multiply(arch, left, &layer.weights, Some(&layer.bias), target);
}

/// One vector of the states of a text's tokens.
pub(crate) fn pool(pooling: Pooling, states: &[f32], vector: &mut [f32]) {
    let width = vector.len();
    let mut rows = states.chunks_exact(width);
    let Some(first) = rows.next() else {
        return;
    };
    vector.copy_from_slice(first);
    if pooling == Pooling::Cls {
        return;
    }
    for row in rows {
        for (value, other) in vector.iter_mut().zip(row) {
            *value = if pooling == Pooling::Max {
                value.max(*other)
            } else {
                *value + other
            };
        }
    }
    #[allow(clippy::cast_precision_loss, reason = "a text has far fewer than 2^24 tokens")]
    let tokens = (states.len() / width) as f32;
    let divisor = match pooling {
        Pooling::Mean => tokens,
        Pooling::MeanRoot => tokens.sqrt(),
        Pooling::Cls | Pooling::Max => return,
    };
    for value in vector {
        *value /= divisor;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_pooling_makes_its_own_vector_of_the_same_states() {
        let states = [1.0, -2.0, 3.0, 4.0, 5.0, -1.0, 7.0, 3.0];
        let pooled = |pooling| {
            let mut vector = [0.0; 2];
            pool(pooling, &states, &mut vector);
            vector
        };
        assert_eq!(pooled(Pooling::Cls), [1.0, -2.0]);
        assert_eq!(pooled(Pooling::Mean), [4.0, 1.0]);
        assert_eq!(pooled(Pooling::Max), [7.0, 4.0]);
        assert_eq!(pooled(Pooling::MeanRoot), [8.0, 2.0]);
    }
}
