//! The files to which a script refers, found by path.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use crate::error::{EngineError, Result};
use crate::input::text;
use crate::message;
use crate::message::amounts::plain;
use crate::message::visible::visible;
use crate::message::Message;

/// Largest number of companions; a script with its parts has a few dozen.
const MOST: usize = 4096;
/// Bytes of a script and its companions together: 128 MiB (specification, Limits).
const LARGEST: usize = 128 << 20;

/// Companions by their path relative to the script, in lower case.
pub(crate) struct Companions<'a> {
    files: Vec<File<'a>>,
    by_path: BTreeMap<String, usize>,
    /// File names without folders, in lower case.
    names: BTreeSet<String>,
}

struct File<'a> {
    /// Folders and file name relative to the script.
    path: Vec<String>,
    bytes: &'a [u8],
}

impl<'a> Companions<'a> {
    /// # Errors
    /// `INPUT.TOO_LARGE`, `INPUT.COMPANION` for an invalid path and for two files with one path.
    pub fn new(script: &[u8], given: &'a [(String, Vec<u8>)]) -> Result<Self> {
        let bytes = given.iter().map(|(_, b)| b.len()).sum::<usize>() + script.len();
        if bytes > LARGEST || given.len() > MOST {
            let message = message!(
                "feeder.too_large",
                files = given.len(),
                size = plain((bytes >> 20) as f64, "MiB"),
                most = MOST
            );
            return Err(EngineError::new("INPUT.TOO_LARGE", message));
        }
        let mut files: Vec<File<'a>> = Vec::new();
        let mut by_path = BTreeMap::new();
        for (name, bytes) in given {
            let path = resolve(&[], name);
            if path.last().is_none_or(|last| last == "..") {
                return Err(refusal(name, message!("feeder.companion_path", file = name)));
            }
            if by_path.insert(key(&path), files.len()).is_some() {
                return Err(refusal(name, message!("feeder.companion_twice", file = name)));
            }
            files.push(File { path, bytes });
        }
        let name = |f: &File<'_>| f.path.last().map_or(String::new(), |n| n.to_ascii_lowercase());
        let names = files.iter().map(name).collect();
        Ok(Self { files, by_path, names })
    }

    /// Number of files.
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// Whether a file has this name, in lower case and without folders.
    pub fn has_name(&self, name: &str) -> bool {
        self.names.contains(name)
    }

    /// Folder of a companion, relative to the script.
    pub fn folder(&self, file: usize) -> &[String] {
        let path = &self.files[file].path;
        &path[..path.len() - 1]
    }

    /// File name without folders.
    pub fn name(&self, file: usize) -> &str {
        self.files[file].path.last().map_or("", String::as_str)
    }

    /// # Errors
    /// `INPUT.COMPANION` for a companion that is not text.
    pub fn text(&self, file: usize) -> Result<Cow<'a, str>> {
        let name = self.name(file);
        let refused = |e: EngineError| refusal(name, message!("feeder.companion_text", file = name, why = *e.sentence));
        text::decode(self.files[file].bytes).map_err(refused)
    }

    pub fn bytes(&self, file: usize) -> &'a [u8] {
        self.files[file].bytes
    }

    /// The file that `written` denotes in a script in `folder`, which is the companion `own` (`None` for the main
    /// script); `None` if the file is missing.
    ///
    /// # Errors
    /// `INPUT.COMPANION` naming the file, if `written` names no file or several.
    pub fn find(&self, folder: &[String], written: &str, own: Option<usize>) -> Result<Option<usize>> {
        if let Some(&file) = self.by_path.get(&key(&resolve(folder, written))) {
            return Ok(Some(file));
        }
        // Files dropped on a page lack their folders, and scripts name folders of their author's machine.
        let plain = resolve(&[], written);
        let Some(name) = plain.last().map(|n| n.to_ascii_lowercase()) else {
            return Err(refusal(written, message!("feeder.companion_no_name", file = written)));
        };
        let same = |file: &usize| self.name(*file).to_ascii_lowercase() == name && Some(*file) != own;
        let mut found = (0..self.files.len()).filter(same);
        match (found.next(), found.next()) {
            (found, None) => Ok(found),
            _ => Err(refusal(written, message!("feeder.companion_ambiguous", file = written))),
        }
    }
}

fn refusal(file: &str, message: Message) -> EngineError {
    EngineError::new("INPUT.COMPANION", message).with_details(serde_json::json!({ "file": file }))
}

fn key(path: &[String]) -> String {
    path.join("/").to_lowercase()
}

/// Resolves a path with either slash against a folder; `..` above the script's own folder is preserved.
fn resolve(folder: &[String], written: &str) -> Vec<String> {
    let mut path = folder.to_vec();
    // The page removes invisible characters from file names.
    for part in visible(written).trim().split(['/', '\\']) {
        match part {
            "" | "." => {}
            ".." if path.last().is_some_and(|p| p != "..") => {
                path.pop();
            }
            part => path.push(part.to_owned()),
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use super::Companions;

    fn given(names: &[&str]) -> Vec<(String, Vec<u8>)> {
        names.iter().map(|n| ((*n).to_owned(), vec![b'x'])).collect()
    }

    fn found(names: &[&str], folder: &[&str], written: &str, own: Option<usize>) -> Result<Option<usize>, String> {
        let given = given(names);
        let companions = Companions::new(b"", &given).map_err(|e| e.message())?;
        let folder: Vec<String> = folder.iter().map(|f| (*f).to_owned()).collect();
        companions.find(&folder, written, own).map_err(|e| e.message())
    }

    #[test]
    fn paths_match_in_any_letter_case_and_with_either_slash() {
        let names = ["Sub/Codes.DSS", "../codes.dss", "x.csv"];
        assert_eq!(found(&names, &[], ".\\sub\\CODES.dss", None), Ok(Some(0)));
        assert_eq!(found(&names, &["sub"], "codes.dss", None), Ok(Some(0)));
        assert_eq!(found(&names, &["sub"], "../../Codes.dss", None), Ok(Some(1)));
        assert_eq!(found(&names, &["sub"], "..\\X.CSV", None), Ok(Some(2)));
    }

    #[test]
    fn a_file_name_alone_will_do_where_it_is_the_only_one() {
        assert_eq!(
            found(&["codes.dss"], &[], "C:\\feeders\\13Bus\\Codes.dss", None),
            Ok(Some(0))
        );
        assert!(found(&["a/c.dss", "b/c.dss"], &[], "c.dss", None)
            .expect_err("two")
            .contains("several"));
        // A file that includes a file of its own name elsewhere does not mean itself.
        assert_eq!(found(&["c.dss"], &[], "../c.dss", Some(0)), Ok(None));
    }

    #[test]
    fn hostile_names() {
        assert!(Companions::new(b"", &given(&["a.dss", "A.DSS"])).is_err());
        for name in ["", "/", "..", "a/.."] {
            assert!(Companions::new(b"", &given(&[name])).is_err(), "{name}");
        }
    }
}
