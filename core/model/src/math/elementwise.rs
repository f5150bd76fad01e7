//! What stands between the products: activations, softmax, normalisation, sums. Knows nothing of models.
//!
//! The loops are plain Rust on floats, inlined into a dispatch of [`pulp`], so that the compiler uses the widest registers.
//! `exp` and `erf` are polynomials, not calls: a call for each value took a quarter of candle's time.

use pulp::{Arch, Simd, WithSimd};

use super::panels::LANES;

/// What an encoder applies between its two wide layers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Activation {
    /// `x` times the share of a normal distribution below `x`, by the error function.
    Gelu,
    /// The same by a hyperbolic tangent, as some configurations ask.
    GeluTanh,
    /// What is above zero.
    Relu,
}

/// Applies an activation to every value.
pub(crate) fn activate(arch: Arch, activation: Activation, values: &mut [f32]) {
    match activation {
        Activation::Gelu => arch.dispatch(Each(values, gelu)),
        Activation::GeluTanh => arch.dispatch(Each(values, gelu_tanh)),
        Activation::Relu => arch.dispatch(Each(values, |value: f32| value.max(0.0))),
    }
}

/// Turns each row of `stride` values, of which `length` count, into shares that add up to one: `exp(scale · value)`.
pub(crate) fn softmax(arch: Arch, values: &mut [f32], stride: usize, length: usize, scale: f32) {
    arch.dispatch(Softmax {
        values,
        stride,
        length,
        scale,
    });
}

/// Adds `addend` to `values`, then takes each row to mean 0 and variance 1 and weighs it.
pub(crate) fn add_and_norm(arch: Arch, values: &mut [f32], addend: Option<&[f32]>, norm: &Norm) {
    arch.dispatch(AddAndNorm { values, addend, norm });
}

/// Takes a vector to length one; a vector of zeros stays.
pub(crate) fn to_unit(arch: Arch, vector: &mut [f32]) {
    arch.dispatch(ToUnit(vector));
}

/// The weights of a layer normalisation.
#[derive(Debug, Clone)]
pub(crate) struct Norm {
    /// Factors.
    pub(crate) weight: Vec<f32>,
    /// Summands.
    pub(crate) bias: Vec<f32>,
    /// Keeps the divisor from zero.
    pub(crate) epsilon: f32,
}

struct Each<'a, F>(&'a mut [f32], F);

impl<F: Fn(f32) -> f32> WithSimd for Each<'_, F> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        for value in self.0 {
            *value = (self.1)(*value);
        }
    }
}

struct Softmax<'a> {
    values: &'a mut [f32],
    stride: usize,
    length: usize,
    scale: f32,
}

impl WithSimd for Softmax<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        for row in self.values.chunks_mut(self.stride) {
            let row = row.get_mut(..self.length).unwrap_or_default();
            let most = largest(row);
            for value in row.iter_mut() {
                *value = exp((*value - most) * self.scale);
            }
            let share = 1.0 / sum(row, |value| value);
            for value in row {
                *value *= share;
            }
        }
    }
}

struct AddAndNorm<'a> {
    values: &'a mut [f32],
    addend: Option<&'a [f32]>,
    norm: &'a Norm,
}

impl WithSimd for AddAndNorm<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let width = self.norm.weight.len();
        if let Some(addend) = self.addend {
            for (value, more) in self.values.iter_mut().zip(addend) {
                *value += more;
            }
        }
        for row in self.values.chunks_exact_mut(width) {
            #[allow(clippy::cast_precision_loss, reason = "a width is far below 2^24")]
            let count = width as f32;
            let mean = sum(row, |value| value) / count;
            let variance = sum(row, |value| (value - mean) * (value - mean)) / count;
            let factor = 1.0 / (variance + self.norm.epsilon).sqrt();
            for ((value, weight), bias) in row.iter_mut().zip(&self.norm.weight).zip(&self.norm.bias) {
                *value = (*value - mean) * factor * weight + bias;
            }
        }
    }
}

struct ToUnit<'a>(&'a mut [f32]);

impl WithSimd for ToUnit<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let length = sum(self.0, |value| value * value).sqrt();
        if length > 0.0 {
            for value in self.0 {
                *value /= length;
            }
        }
    }
}

/// The sum of what `of` makes of each value, in sixteen lanes whatever the registers are: one order everywhere.
#[inline(always)]
fn sum(values: &[f32], of: impl Fn(f32) -> f32) -> f32 {
    let mut lanes = [0.0_f32; LANES];
    let mut chunks = values.chunks_exact(LANES);
    for chunk in &mut chunks {
        for (lane, value) in lanes.iter_mut().zip(chunk) {
            *lane += of(*value);
        }
    }
    for (lane, value) in lanes.iter_mut().zip(chunks.remainder()) {
        *lane += of(*value);
    }
    lanes.iter().sum()
}

/// The largest of the values.
#[inline(always)]
fn largest(values: &[f32]) -> f32 {
    let mut lanes = [f32::NEG_INFINITY; LANES];
    let mut chunks = values.chunks_exact(LANES);
    for chunk in &mut chunks {
        for (lane, value) in lanes.iter_mut().zip(chunk) {
            *lane = if *value > *lane { *value } else { *lane };
        }
    }
    for (lane, value) in lanes.iter_mut().zip(chunks.remainder()) {
        *lane = if *value > *lane { *value } else { *lane };
    }
    lanes.into_iter().fold(f32::NEG_INFINITY, f32::max)
}

/// e to the power `value`, within two units in the last place; 0 far below and a large number far above.
#[inline(always)]
fn exp(value: f32) -> f32 {
    // Adding 1.5 · 2^23 leaves the nearest whole number in the lowest bits.
    const ROUNDER: f32 = 12_582_912.0;
    // The logarithm of two as a short number and the rest, so that the first product is exact.
    const SHORT: f32 = 0.693_359_4;
    const REST: f32 = -2.121_944_4e-4;
    let value = value.clamp(-87.0, 88.0);
    let shifted = value * std::f32::consts::LOG2_E + ROUNDER;
    let whole = shifted - ROUNDER;
    let rest = value - whole * SHORT - whole * REST;
    let mut series = 1.987_569_1e-4;
    for factor in [
        1.398_199_9e-3,
        8.333_452e-3,
        4.166_579_6e-2,
        1.666_666_5e-1,
        5e-1,
        1.0,
        1.0,
    ] {
        series = series * rest + factor;
    }
    // The whole part goes straight into the exponent.
    f32::from_bits(f32::to_bits(series).wrapping_add(shifted.to_bits() << 23))
}

/// The error function, by Abramowitz and Stegun 7.1.26: exact to 1.5e-7.
#[inline(always)]
fn erf(value: f32) -> f32 {
    let size = value.abs();
    let step = 1.0 / (1.0 + 0.327_591_1 * size);
    let mut series = 1.061_405_4;
    for factor in [-1.453_152, 1.421_413_7, -0.284_496_72, 0.254_829_6] {
        series = series * step + factor;
    }
    (1.0 - series * step * exp(-size * size)).copysign(value)
}

#[inline(always)]
fn gelu(value: f32) -> f32 {
    0.5 * value * (1.0 + erf(value * std::f32::consts::FRAC_1_SQRT_2))
}

#[inline(always)]
fn gelu_tanh(value: f32) -> f32 {
    // tanh(x) = 1 - 2 / (exp(2x) + 1), and the factor is the square root of 2/π.
    let inner = 0.797_884_6 * (value + 0.044_715 * value * value * value);
    value * (1.0 - 1.0 / (exp(2.0 * inner) + 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn many() -> impl Iterator<Item = f32> {
        (-2_000..=2_000_i16).map(|step| f32::from(step) / 100.0)
    }

    #[test]
    fn exp_is_within_two_units_in_the_last_place() {
        for value in many() {
            let expected = f64::from(value).exp();
            let error = (f64::from(exp(value)) - expected).abs() / expected;
            assert!(error < 2.4e-7, "{value}: {error}");
        }
        assert!(exp(f32::NEG_INFINITY) < 1e-37);
        assert!(exp(f32::NAN).is_nan());
    }

    #[test]
    fn erf_follows_its_integral() {
        // Simpson's rule over the definition.
        for value in [0.0, 0.01, 0.1, 0.5, 1.0, 1.7, 2.5, 4.0_f32] {
            let (steps, end) = (20_000_u32, f64::from(value));
            let width = end / f64::from(steps);
            let bell = |at: u32| (-(f64::from(at) * width).powi(2)).exp();
            let inner: f64 = (1..steps)
                .map(|at| bell(at) * if at % 2 == 1 { 4.0 } else { 2.0 })
                .sum();
            let expected = (bell(0) + inner + bell(steps)) * width / 3.0 * std::f64::consts::FRAC_2_SQRT_PI;
            assert!((f64::from(erf(value)) - expected).abs() < 5e-7, "{value}");
            assert!((f64::from(erf(-value)) + expected).abs() < 5e-7, "-{value}");
        }
    }

    #[test]
    fn gelu_by_tanh_stays_near_gelu() {
        for value in many() {
            assert!((gelu(value) - gelu_tanh(value)).abs() < 5e-4, "{value}");
        }
    }

    #[test]
    fn shares_add_up_to_one_and_what_is_behind_the_length_stays() {
        let mut values = vec![3.0, 1.0, 2.0, 9.0, -200.0, 0.0, 0.0, 9.0];
        softmax(Arch::new(), &mut values, 4, 3, 1.0);
        assert!((values[..3].iter().sum::<f32>() - 1.0).abs() < 1e-6);
        assert!(values[0] > values[2] && values[2] > values[1]);
        assert_eq!((values[3], values[7]), (9.0, 9.0));
        assert!(values[4] < 1e-30 && (values[5] - 0.5).abs() < 1e-6);
    }

    #[test]
    fn a_normalised_row_has_mean_zero_and_variance_one() {
        let norm = Norm {
            weight: vec![1.0; 20],
            bias: vec![0.0; 20],
            epsilon: 1e-12,
        };
        let mut values: Vec<f32> = (0..20_u8).map(f32::from).collect();
        let addend = vec![1.0; 20];
        add_and_norm(Arch::new(), &mut values, Some(&addend), &norm);
        let mean: f32 = values.iter().sum::<f32>() / 20.0;
        let variance: f32 = values.iter().map(|value| value * value).sum::<f32>() / 20.0;
        assert!(mean.abs() < 1e-6 && (variance - 1.0).abs() < 1e-5);
    }

    #[test]
    fn a_vector_of_zeros_stays_and_others_get_length_one() {
        let mut vector = vec![3.0, 4.0];
        to_unit(Arch::new(), &mut vector);
        assert_eq!(vector, [0.6, 0.8]);
        let mut zero = vec![0.0; 3];
        to_unit(Arch::new(), &mut zero);
        assert_eq!(zero, [0.0; 3]);
    }
}
