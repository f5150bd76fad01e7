//! Loops over numbers: matrix products and what stands between them. Knows nothing of models and files.
//!
//! Every loop runs inside [`pulp`]'s dispatch, which compiles it once for each width of registers and takes the widest that
//! the machine has. Sums are taken in one fixed order, whatever stands beside them and however wide the registers are, so
//! a vector does not depend on the batch its text came in.

pub(crate) mod elementwise;
pub(crate) mod panels;
pub(crate) mod product;
