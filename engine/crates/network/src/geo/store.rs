//! Opening and writing the balanced network of a module text.

use powerio::{BalancedNetwork, PioModule, PioValue};

use crate::error::{EngineError, Result};
use crate::module;

/// # Errors
/// `MODULE.INVALID`.
pub(crate) fn open(module_json: &str) -> Result<PioModule<PioValue>> {
    module::open(module_json)
}

/// # Errors
/// `MODULE.KIND` when the module holds something else.
pub(crate) fn balanced(module: &PioModule<PioValue>) -> Result<&BalancedNetwork> {
    module::balanced(module)
}

/// # Errors
/// `MODULE.KIND` when the module holds something else.
pub(crate) fn balanced_mut(module: &mut PioModule<PioValue>) -> Result<&mut BalancedNetwork> {
    match module.value_mut() {
        PioValue::BalancedNetwork(network) => Ok(network),
        other => {
            let message = format!("The module holds a `{}`, not a balanced network.", other.type_name());
            Err(EngineError::new("MODULE.KIND", message))
        }
    }
}

/// # Errors
/// `MODULE.WRITE`.
pub(crate) fn write(module: &PioModule<PioValue>) -> Result<String> {
    module::write(module)
}
