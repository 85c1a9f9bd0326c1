//! Small files of the data folder as additional seeds, read in place.

use std::path::{Path, PathBuf};

/// The data folder: `WATTBOOK_DATA`, else `../shared/data` beside the repository. `None` if it is absent.
pub fn folder() -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let folder = std::env::var_os("WATTBOOK_DATA").map_or(beside, PathBuf::from);
    folder.is_dir().then_some(folder)
}

/// Files of the data folder that suit a target.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// Folder below the data folder.
    pub folder: &'static str,
    /// Extension in lower case.
    pub extension: &'static str,
    /// Files above this size are too slow for thousands of cases, bytes.
    pub largest: u64,
}

/// The files of a choice by name; at most `most`, spread evenly.
pub fn files(choices: &[Choice], most: usize) -> Vec<Vec<u8>> {
    let Some(root) = folder() else { return Vec::new() };
    let mut paths = Vec::new();
    for choice in choices {
        below(&root.join(choice.folder), choice, &mut paths);
    }
    paths.sort();
    let step = paths.len().div_ceil(most.max(1)).max(1);
    let chosen = paths.iter().step_by(step);
    chosen.filter_map(|path| std::fs::read(path).ok()).collect()
}

fn below(folder: &Path, choice: &Choice, out: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    for path in entries.flatten().map(|entry| entry.path()) {
        let extension = path.extension().map(|e| e.to_string_lossy().to_ascii_lowercase());
        if path.is_dir() {
            below(&path, choice, out);
        } else if extension.is_some_and(|e| e == choice.extension)
            && path.metadata().is_ok_and(|m| m.len() <= choice.largest)
        {
            out.push(path);
        }
    }
}
