//! The data folder: `WATTBOOK_DATA`, else `../shared/data` beside the repository.

#![allow(dead_code)] // each test file uses its part

use std::path::{Path, PathBuf};

/// The data folder, or None with a line on the output.
pub fn folder() -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/data");
    let folder = std::env::var_os("WATTBOOK_DATA").map_or(beside, PathBuf::from);
    if folder.is_dir() {
        return Some(folder);
    }
    println!("skipped: no data folder at {}", folder.display());
    None
}

/// Every file below `folder`, sorted, whose extension (any letter case) is among `extensions`.
pub fn files(folder: &Path, extensions: &[&str]) -> Vec<PathBuf> {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|e| e.path())
        .collect();
    entries.sort();
    let mut out = Vec::new();
    for path in entries {
        let extension = path.extension().map(|e| e.to_string_lossy().to_ascii_lowercase());
        if path.is_dir() {
            out.extend(files(&path, extensions));
        } else if extension.is_some_and(|e| extensions.contains(&e.as_str())) {
            out.push(path);
        }
    }
    out
}
