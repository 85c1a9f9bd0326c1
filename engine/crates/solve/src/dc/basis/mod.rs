//! The linear algebra of an active set: lazy rows, row products, and inverses between active rows and free columns.

pub(crate) mod inverse;
pub(crate) mod kkt;
pub(crate) mod lazy_rows;
pub(crate) mod row_products;
pub(crate) mod system;
