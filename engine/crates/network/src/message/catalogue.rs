//! The table of templates, which `build.rs` generates from `engine/messages/en.json`, and compile-time checks of their
//! use.

/// A sentence with `{name:kind}` in place of its values. The value `count` selects the form: `one` if it is 1.
#[derive(Clone, Copy, Debug)]
pub struct Template {
    pub key: &'static str,
    pub one: &'static str,
    pub other: &'static str,
}

impl Template {
    /// The full name of a placeholder, if the template has it.
    pub fn placeholder(&self, name: &str) -> Option<&'static str> {
        let from = self.other.find(&format!("{{{name}:"))? + 1;
        self.other.get(from..from + name.len())
    }
}

include!(concat!(env!("OUT_DIR"), "/catalogue.rs"));

/// The template of a key; `None` for a key of another version.
pub fn template(key: &str) -> Option<&'static Template> {
    let found = CATALOGUE.binary_search_by(|template| template.key.cmp(key)).ok()?;
    CATALOGUE.get(found)
}

/// Fails to compile if a key is not in the catalogue or the given values are not those of its placeholders.
pub const fn check(key: &str, given: &[&str]) {
    let names = placeholders(key);
    assert!(
        names.len() == given.len(),
        "the template has more placeholders, or fewer"
    );
    let mut k = 0;
    while k < given.len() {
        assert!(holds(names, given[k]), "the template has no such placeholder");
        k += 1;
    }
}

const fn placeholders(key: &str) -> &'static [&'static str] {
    let mut k = 0;
    while k < PLACEHOLDERS.len() {
        if same(PLACEHOLDERS[k].0, key) {
            return PLACEHOLDERS[k].1;
        }
        k += 1;
    }
    panic!("engine/messages/en.json has no such key")
}

const fn holds(names: &[&str], name: &str) -> bool {
    let mut k = 0;
    while k < names.len() {
        if same(names[k], name) {
            return true;
        }
        k += 1;
    }
    false
}

const fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut k = 0;
    while k < a.len() && k < b.len() && a[k] == b[k] {
        k += 1;
    }
    k == a.len() && k == b.len()
}
