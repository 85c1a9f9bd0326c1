//! The coverage-guided run of one target, named by `WATTBOOK_FUZZ_TARGET`; `binder/fuzz.mjs` builds and starts it.

#![no_main]

use std::sync::OnceLock;
use wattbook_fuzz::{target, Target};

static TARGET: OnceLock<&'static Target> = OnceLock::new();

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let chosen = TARGET.get_or_init(|| {
        let name = std::env::var("WATTBOOK_FUZZ_TARGET").unwrap_or_default();
        target(&name).unwrap_or_else(|| panic!("There is no target `{name}`."))
    });
    (chosen.run)(bytes);
});
