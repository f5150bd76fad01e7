//! A matrix as the product reads it: cut into panels of columns, each panel in the order of the sums. Knows no arithmetic.

/// The columns of a panel come in sixteens: the floats of the widest register.
pub(crate) const LANES: usize = 16;
/// Four of the widest registers: what a row of the product's innermost block holds.
pub(crate) const WIDEST: usize = 4 * LANES;

/// The right side of a product, `depth` × `columns`, in panels of `width` columns; columns that are not there are zero.
#[derive(Debug, Clone, Default)]
pub(crate) struct Panels {
    depth: usize,
    columns: usize,
    width: usize,
    data: Vec<f32>,
}

impl Panels {
    /// Packs a linear layer as its file holds it: row major, `columns` (outputs) × `depth` (inputs).
    pub(crate) fn from_layer(weights: &[f32], columns: usize, depth: usize) -> Self {
        let mut panels = Self::default();
        panels.transposed(depth, columns, |column| row(weights, column * depth, depth));
        panels
    }

    /// Packs the transpose of `columns` rows of `depth` values, in place of what is there.
    pub(crate) fn transposed<'a>(
        &mut self,
        depth: usize,
        columns: usize,
        row_at: impl Fn(usize) -> &'a [f32],
    ) {
        self.shape(depth, columns);
        if depth == 0 {
            return;
        }
        for (panel, values) in self.data.chunks_exact_mut(depth * self.width).enumerate() {
            for place in 0..self.width.min(columns.saturating_sub(panel * self.width)) {
                let source = row_at(panel * self.width + place);
                for (target, value) in values.iter_mut().skip(place).step_by(self.width).zip(source) {
                    *target = *value;
                }
            }
        }
    }

    /// Packs `depth` rows of `columns` values, in place of what is there.
    pub(crate) fn straight<'a>(&mut self, depth: usize, columns: usize, row_at: impl Fn(usize) -> &'a [f32]) {
        self.shape(depth, columns);
        if depth == 0 {
            return;
        }
        let width = self.width;
        for (panel, values) in self.data.chunks_exact_mut(depth * width).enumerate() {
            for (at, target) in values.chunks_exact_mut(width).enumerate() {
                let source = row_at(at);
                let from = source.get(panel * width..).unwrap_or_default();
                for (target, value) in target.iter_mut().zip(from) {
                    *target = *value;
                }
            }
        }
    }

    /// Takes a shape, all zero.
    fn shape(&mut self, depth: usize, columns: usize) {
        self.depth = depth;
        self.columns = columns;
        // The product has blocks of one, two and four registers.
        self.width = match columns {
            0..=LANES => LANES,
            17..=32 => 2 * LANES,
            _ => WIDEST,
        };
        self.data.clear();
        self.data
            .resize(columns.div_ceil(self.width) * self.width * depth, 0.0);
    }

    /// How many values each sum has.
    pub(crate) fn depth(&self) -> usize {
        self.depth
    }

    /// How many columns the product has.
    pub(crate) fn columns(&self) -> usize {
        self.columns
    }

    /// Columns of a panel.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// The panels, each with its first column.
    pub(crate) fn each(&self) -> impl Iterator<Item = (usize, &[f32])> {
        let size = (self.depth * self.width).max(1);
        let width = self.width;
        self.data
            .chunks_exact(size)
            .enumerate()
            .map(move |(at, values)| (at * width, values))
    }
}

/// `length` values from a place; none when they are not all there.
fn row(values: &[f32], start: usize, length: usize) -> &[f32] {
    values.get(start..start + length).unwrap_or_default()
}
