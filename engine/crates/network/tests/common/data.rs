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
    let of = |path: &PathBuf| path.extension().map(|e| e.to_string_lossy().to_ascii_lowercase());
    let listed = |path: &PathBuf| of(path).is_some_and(|e| extensions.contains(&e.as_str()));
    all_files(folder).into_iter().filter(listed).collect()
}

/// Every file below `folder`, sorted.
pub fn all_files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut out = Vec::new();
    for path in entries.map(|e| e.path()) {
        if path.is_dir() {
            out.extend(all_files(&path));
        } else {
            out.push(path);
        }
    }
    out.sort();
    out
}

/// What an OpenDSS script may refer to: the files of its folder, of the folder above and of `subdir`, by relative path.
pub fn companions(script: &Path) -> Vec<(String, Vec<u8>)> {
    let own = script.parent().expect("a folder");
    let beside = [
        ("", own.to_path_buf()),
        ("../", own.join("..")),
        ("subdir/", own.join("subdir")),
    ];
    let mut out = Vec::new();
    for (prefix, folder) in beside {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            if entry.path().is_file() && entry.path().canonicalize().ok() != script.canonicalize().ok() {
                let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
                out.push((name, std::fs::read(entry.path()).expect("a companion")));
            }
        }
    }
    out.sort();
    out
}
