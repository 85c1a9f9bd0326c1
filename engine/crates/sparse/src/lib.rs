//! Sparse and dense linear algebra of the engine: orderings, LDL^T of scalars, of complex
//! groups in trees and of blocks, LU of blocks, dense LU.
//!
//! It is independent of power systems. Every sum has a fixed order and no fused multiply-add is used, so native code
//! and WebAssembly give the same bits.

mod block_ldl;
mod block_lu;
mod block_tridiagonal;
mod complex;
mod dense;
mod double_double;
mod inverse;
mod kernels;
mod ldl;
mod order;
mod pairs;
mod symmetric;
mod symmetric_inverse;
mod unrolled;

pub use block_ldl::{elimination_order, Block3, BlockFactor, BlockLdl, Diagonal};
pub use block_lu::{BlockLu, BlockPattern, BlockRows, FourPairs};
pub use block_tridiagonal::BlockTridiagonal;
pub use complex::{TreeFactors, TreeMatrix, TreeOrder};
pub use dense::Lu;
pub use double_double::{DoubleDouble, Number};
pub use inverse::Inverse;
pub use kernels::{add_rows, add_scaled, dot, products};
pub use ldl::{Descent, Ldl, Orders, Part, Singular, Wanted};
pub use pairs::{Block, Pair, Pairs, PairsFactor, SymmetricBlock};
pub use symmetric::SymmetricBuilder;
pub use symmetric_inverse::SymmetricInverse;
