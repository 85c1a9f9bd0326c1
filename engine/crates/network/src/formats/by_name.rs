//! The reader for a file name.

/// Format token of a case file by its extension in any letter case, or `None` for extensions outside the specification:
/// `.m .raw .rawx .aux .pwb .epc .cdf .uct .xiidm .iidm .zip .xml` for balanced networks, and `.dss` (token `dss`) for multiconductor ones, which have a
/// separate reader.
pub fn format_of(name: &str) -> Option<&'static str> {
    let (stem, extension) = name.rsplit_once('.')?;
    if stem.is_empty() {
        return None;
    }
    match extension.to_ascii_lowercase().as_str() {
        "m" => Some("matpower"),
        "raw" => Some("psse"),
        "rawx" => Some("psse-rawx"),
        "aux" => Some("powerworld"),
        "pwb" => Some("pwb"),
        "epc" => Some("pslf"),
        "cdf" => Some("ieee-cdf"),
        "uct" => Some("ucte"),
        "xiidm" | "iidm" => Some("xiidm"),
        "zip" | "xml" => Some("cgmes"),
        "dss" => Some("dss"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::format_of;

    #[test]
    fn extensions_of_the_specification() {
        let tokens = [
            "a.m",
            "A.RAW",
            "b.rawx",
            "x.y.aux",
            "c.pwb",
            "d.epc",
            "e.cdf",
            "f.UCT",
            "g.xiidm",
            "h.iidm",
            "i.zip",
            "j.xml",
            "Master.DSS",
        ]
        .map(format_of);
        assert_eq!(
            tokens,
            [
                Some("matpower"),
                Some("psse"),
                Some("psse-rawx"),
                Some("powerworld"),
                Some("pwb"),
                Some("pslf"),
                Some("ieee-cdf"),
                Some("ucte"),
                Some("xiidm"),
                Some("xiidm"),
                Some("cgmes"),
                Some("cgmes"),
                Some("dss")
            ]
        );
        assert_eq!(["case", "a.json", "a.pwd", ".m", "a.", ""].map(format_of), [None; 6]);
    }
}
