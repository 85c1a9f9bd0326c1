//! Results: columns, the rows built from them, certificates.

mod certificates;
mod columns;
mod modules;
mod rows;
mod series;
mod solutions;

pub use certificates::*;
pub use columns::*;
pub use modules::*;
pub use rows::*;
pub use series::*;
pub use solutions::*;
