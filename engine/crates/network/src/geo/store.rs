//! Opening and writing the balanced network of a module text.

use powerio::{BalancedNetwork, PioModule, PioValue};

use crate::error::{EngineError, Result};
use crate::message;
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
            let said = message!("module.not_balanced", kind = other.type_name());
            Err(EngineError::new("MODULE.KIND", said))
        }
    }
}

/// # Errors
/// `MODULE.WRITE`.
pub(crate) fn write(module: &PioModule<PioValue>) -> Result<String> {
    module::write(module)
}
