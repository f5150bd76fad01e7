//! Vectors of length one in small integers: a document's in twelve bits a number, a query's in sixteen.
//! Knows nothing of where they are kept.
//!
//! A document's number is `scale * (coarse + fine / 16)`: eight bits that are scanned, and four that are read for the best only.
//! Everything after the rounding is integers, so a similarity is the same on every platform and for every instruction set.

/// A similarity of 1, in steps of similarities.
pub(crate) const ONE: i32 = 1 << ONE_BITS;
const ONE_BITS: u32 = 24;
/// Bits of a scale after the point.
const SCALE_BITS: u32 = 32;
/// The largest coarse number.
const COARSE_MOST: f64 = 127.0;
/// Fine steps in a coarse one.
const FINE_STEPS: i32 = 16;
const FINE_BITS: u32 = 4;
/// The largest number of a query.
const QUERY_MOST: f64 = 32_767.0;
/// What the sizes of a query's numbers may add up to, so that no sum with coarse numbers leaves an `i32`.
const QUERY_SUM_MOST: f64 = 16_000_000.0;

/// Why a vector is not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unfit {
    /// It has another length than the model's vectors.
    Length {
        /// What the model says.
        expected: usize,
        /// What came.
        found: usize,
    },
    /// A number at this place is not finite.
    NotFinite(usize),
    /// It has no direction.
    Zero,
}

/// A document's vector, as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unit {
    pub(crate) scale: u32,
    pub(crate) coarse: Vec<i8>,
    /// Two numbers a byte, the first in the low half, each 8 too large.
    pub(crate) fine: Vec<u8>,
}

impl Unit {
    /// Rounds a vector of any length but zero.
    pub(crate) fn new(values: &[f32], dimensions: usize) -> Result<Self, Unfit> {
        let length = length(values, dimensions)?;
        let most = values
            .iter()
            .fold(0.0f64, |most, value| most.max(f64::from(*value).abs()));
        let scale = whole(((most / length) * exp2(SCALE_BITS) / COARSE_MOST).ceil()).max(1);
        let step = f64::from(scale) / exp2(SCALE_BITS) / f64::from(FINE_STEPS) * length;
        let mut unit = Self {
            scale,
            coarse: Vec::with_capacity(values.len()),
            fine: vec![0; values.len().div_ceil(2)],
        };
        for (place, value) in values.iter().enumerate() {
            let steps = small((f64::from(*value) / step).round());
            let coarse = (steps + FINE_STEPS / 2).div_euclid(FINE_STEPS).clamp(-127, 127);
            let fine = (steps - coarse * FINE_STEPS).clamp(-FINE_STEPS / 2, FINE_STEPS / 2 - 1);
            unit.coarse.push(i8::try_from(coarse).unwrap_or(0));
            if let Some(pair) = unit.fine.get_mut(place / 2) {
                *pair |= u8::try_from(fine + FINE_STEPS / 2).unwrap_or(0)
                    << (FINE_BITS * u32::from(place % 2 == 1));
            }
        }
        Ok(unit)
    }

    /// Whether its numbers are such that no sum leaves its integer, whoever wrote them.
    pub(crate) fn is_sound(&self) -> bool {
        self.scale <= whole(exp2(SCALE_BITS) / COARSE_MOST) + 1
            && self.coarse.iter().all(|number| *number > i8::MIN)
    }
}

/// A query's vector.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Probe {
    numbers: Vec<i16>,
    /// Bits of its numbers after the point.
    bits: u32,
    /// The sum of its numbers.
    sum: i32,
}

impl Probe {
    /// Rounds a vector of any length but zero.
    pub fn new(values: &[f32], dimensions: usize) -> Result<Self, Unfit> {
        let length = length(values, dimensions)?;
        let (mut most, mut sum) = (0.0f64, 0.0f64);
        for value in values {
            let size = f64::from(*value).abs() / length;
            most = most.max(size);
            sum += size;
        }
        let mut bits = 24;
        // Rounding adds at most a half to each number.
        let spare = QUERY_SUM_MOST - 0.5 * float(values.len());
        while bits > 1 && (most * exp2(bits) > QUERY_MOST || sum * exp2(bits) > spare) {
            bits -= 1;
        }
        let numbers: Vec<i16> = values
            .iter()
            .map(|value| i16::try_from(small((f64::from(*value) / length * exp2(bits)).round())).unwrap_or(0))
            .collect();
        let sum = numbers
            .iter()
            .fold(0i32, |sum, number| sum.wrapping_add(i32::from(*number)));
        Ok(Self { numbers, bits, sum })
    }

    /// Its numbers.
    pub(crate) fn numbers(&self) -> &[i16] {
        &self.numbers
    }

    /// The similarity to a document, in steps of 1 / [`ONE`], from the product with its coarse numbers.
    #[inline(always)]
    pub(crate) fn similarity(&self, scale: u32, product: i32) -> i32 {
        rounded(
            i64::from(product) * i64::from(scale),
            SCALE_BITS + self.bits - ONE_BITS,
        )
    }

    /// The same, from the products with its coarse numbers and with its fine ones as they are kept.
    pub(crate) fn similarity_finely(&self, scale: u32, product: i32, fine: i32) -> i32 {
        let fine = i64::from(fine) - i64::from(FINE_STEPS / 2) * i64::from(self.sum);
        let steps = i64::from(FINE_STEPS) * i64::from(product) + fine;
        rounded(
            steps * i64::from(scale),
            SCALE_BITS + FINE_BITS + self.bits - ONE_BITS,
        )
    }
}

/// The length of a vector that is fit; the sum is made in the order of its numbers.
fn length(values: &[f32], dimensions: usize) -> Result<f64, Unfit> {
    if values.len() != dimensions {
        return Err(Unfit::Length {
            expected: dimensions,
            found: values.len(),
        });
    }
    if let Some(place) = values.iter().position(|value| !value.is_finite()) {
        return Err(Unfit::NotFinite(place));
    }
    let squares = values
        .iter()
        .fold(0.0f64, |sum, value| sum + f64::from(*value) * f64::from(*value));
    if squares > 0.0 {
        Ok(squares.sqrt())
    } else {
        Err(Unfit::Zero)
    }
}

/// A power of two; exact.
fn exp2(bits: u32) -> f64 {
    float(1usize << bits)
}

#[allow(
    clippy::cast_precision_loss,
    reason = "powers of two and lengths of vectors, both below 2^53"
)]
const fn float(number: usize) -> f64 {
    number as f64
}

#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a scale is at most 2^32 / 127"
)]
const fn whole(number: f64) -> u32 {
    number as u32
}

#[allow(clippy::cast_possible_truncation, reason = "at most 2^15, up to rounding")]
const fn small(number: f64) -> i32 {
    number as i32
}

/// A product shifted right, the nearest number and not the one below.
#[inline(always)]
#[allow(
    clippy::cast_possible_truncation,
    reason = "a similarity is at most 1, up to rounding"
)]
const fn rounded(product: i64, bits: u32) -> i32 {
    ((product + (1 << (bits - 1))) >> bits) as i32
}
