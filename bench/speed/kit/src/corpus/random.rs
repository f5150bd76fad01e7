//! Repeatable chance: one stream of numbers for every item of a catalog, the same on every machine. Knows no words.

/// A stream of numbers (splitmix64).
#[derive(Debug)]
pub struct Random(u64);

impl Random {
    /// The stream of one item.
    pub fn new(seed: u64, stream: u64, number: usize) -> Self {
        let mut random = Self(seed ^ (stream << 56) ^ (number as u64).wrapping_mul(0xd134_2543_de82_ef95));
        random.next();
        random
    }

    /// The next number.
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`; 0 when there is none.
    pub fn below(&mut self, end: usize) -> usize {
        (self.unit() * end as f64) as usize
    }

    /// A number from 0 to less than 1.
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }
}
