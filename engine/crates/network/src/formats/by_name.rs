//! Which reader a file name asks for.

/// Format token of a case file by its extension (any letter case), or None when the extension is not one of the
/// specification's: `.m .raw .aux .pwb .epc` for balanced networks, `.dss` (the token is `dss`) for multiconductor ones, which
/// have a reader of their own.
pub fn format_of(name: &str) -> Option<&'static str> {
    let (stem, extension) = name.rsplit_once('.')?;
    if stem.is_empty() {
        return None;
    }
    match extension.to_ascii_lowercase().as_str() {
        "m" => Some("matpower"),
        "raw" => Some("psse"),
        "aux" => Some("powerworld"),
        "pwb" => Some("pwb"),
        "epc" => Some("pslf"),
        "dss" => Some("dss"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::format_of;

    #[test]
    fn extensions_of_the_specification() {
        let tokens = ["a.m", "A.RAW", "x.y.aux", "c.pwb", "d.epc", "Master.DSS"].map(format_of);
        assert_eq!(
            tokens,
            [
                Some("matpower"),
                Some("psse"),
                Some("powerworld"),
                Some("pwb"),
                Some("pslf"),
                Some("dss")
            ]
        );
        assert_eq!(["case", "a.json", "a.pwd", ".m", "a.", ""].map(format_of), [None; 6]);
    }
}
