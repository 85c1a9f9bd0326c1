//! Sparse and dense linear algebra of the engine: orderings, LDL^T, LU.
//!
//! Knows no power systems. Every sum has a fixed order and no fused multiply-add is used, so native code and WebAssembly
//! give the same bits.

mod dense;
mod inverse;
mod ldl;
mod symmetric;

pub use dense::Lu;
pub use inverse::{add_scaled, dot, Inverse};
pub use ldl::{Ldl, Part, Singular};
pub use symmetric::SymmetricBuilder;
