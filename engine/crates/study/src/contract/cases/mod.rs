//! Cases: the content of an opened file, its files and its geography.

mod balanced;
mod costs;
mod distribution;
mod files;
mod geography;

pub use balanced::*;
pub use costs::*;
pub use distribution::*;
pub use files::*;
pub use geography::*;
