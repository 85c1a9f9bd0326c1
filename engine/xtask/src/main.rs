//! `cargo run -p xtask --release -- wasm [--dev]`: builds crates/wasm and writes its JavaScript bindings to engine/wasm.
//!
//! `--dev` uses the profile `release` (no link-time optimisation); without it the profile is `ship`, without sections that only tools
//! read, above all function names.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

const TARGET: &str = "wasm32-unknown-unknown";
const NAME: &str = "wattbook_engine";
const USAGE: &str = "usage: cargo run -p xtask --release -- wasm [--dev]";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match words[..] {
        ["wasm"] => wasm("ship"),
        ["wasm", "--dev"] => wasm("release"),
        _ => Err(USAGE.into()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}

/// Compiles crates/wasm in `profile` and writes `wattbook_engine.js`, `.d.ts` and `_bg.wasm` for use with a URL or bytes.
fn wasm(profile: &str) -> Result<(), String> {
    let engine = Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .ok_or("xtask has no parent folder")?;
    let module = compile(engine, profile)?;
    let out = engine.join("wasm");
    let mut bindgen = wasm_bindgen_cli_support::Bindgen::new();
    let bindings = |e: &dyn std::fmt::Display| format!("the bindings were not written: {e:#}");
    bindgen.web(true).map_err(|e| bindings(&e))?;
    bindgen
        .typescript(true)
        .remove_name_section(profile == "ship")
        .remove_producers_section(profile == "ship")
        .omit_default_module_path(true)
        .out_name(NAME)
        .input_path(&module);
    bindgen.generate(&out).map_err(|e| bindings(&e))?;
    let written = out.join(format!("{NAME}_bg.wasm"));
    let size = std::fs::metadata(&written)
        .map_err(|e| format!("{}: {e}", written.display()))?
        .len();
    println!("{} ({:.2} MB, profile {profile})", written.display(), size as f64 / 1e6);
    Ok(())
}

/// Runs cargo for the wasm target and returns the module it made.
fn compile(engine: &Path, profile: &str) -> Result<PathBuf, String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let target_folder = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| engine.join("target"), PathBuf::from);
    let status = Command::new(cargo)
        .current_dir(engine)
        .args([
            "build",
            "--package",
            "wattbook-wasm",
            "--target",
            TARGET,
            "--profile",
            profile,
            "--target-dir",
        ])
        .arg(&target_folder)
        .status()
        .map_err(|e| format!("cargo could not be started: {e}"))?;
    if !status.success() {
        return Err(format!(
            "cargo failed; if the target is missing, run: rustup target add {TARGET}"
        ));
    }
    Ok(target_folder.join(TARGET).join(profile).join("wattbook_wasm.wasm"))
}
