//! Drawings of the data folder; damaged ones.

#[path = "common/data.rs"]
mod data_folder;

use wattbook_network::display::{parse_display, Display};

fn data(path: &str) -> Option<Vec<u8>> {
    let file = data_folder::folder()?.join(path);
    Some(std::fs::read(&file).unwrap_or_else(|e| panic!("{}: {e}", file.display())))
}

#[test]
fn what_is_no_drawing_is_refused() {
    assert_eq!(parse_display(b"").expect_err("empty").code, "INPUT.EMPTY");
    for bytes in [b"mpc.bus = [".as_slice(), &[0; 4096], &[50, 0, 0, 0, 9, 0, 9, 0]] {
        assert_eq!(parse_display(bytes).expect_err("no drawing").code, "INPUT.DISPLAY");
    }
    // A header as the parser wants it, with nothing behind.
    let mut header = vec![0u8; 256];
    header[0] = 50;
    (header[4], header[6], header[22]) = (100, 100, 7);
    assert_eq!(parse_display(&header).expect_err("no equipment").code, "INPUT.DISPLAY");
}

#[test]
fn substations_of_one_drawing_and_buses_and_lines_of_another() {
    if let Some(bytes) = data("activsg200/ACTIVSg200.pwd") {
        let display = parse_display(&bytes).expect("a drawing");
        // The auxiliary file of the grid has 111 substations, the first CREVE COEUR at longitude -89.59956.
        assert_eq!(display.substations.len(), 111);
        let first = display
            .substations
            .iter()
            .find(|s| s.number == 1)
            .expect("substation 1");
        assert_eq!(first.name.as_deref().map(str::trim), Some("CREVE COEUR"));
        assert!((first.x / 535.81608 + 89.59956).abs() < 0.05, "{}", first.x);
        assert!(display.canvas.is_some_and(|[w, h]| w > 0.0 && h > 0.0));
    }
    if let Some(bytes) = data("new_england250/New_England_One-Line.pwd") {
        let Display { buses, branches, .. } = parse_display(&bytes).expect("a drawing");
        assert!(
            buses.len() > 100 && branches.len() > 100,
            "{} {}",
            buses.len(),
            branches.len()
        );
        let known: std::collections::BTreeSet<u64> = buses.iter().map(|b| b.number).collect();
        assert!(branches
            .iter()
            .all(|b| b.points.len() > 1 && known.contains(&b.from) && known.contains(&b.to)));
    }
}

#[test]
fn a_drawing_cut_at_every_hundredth_is_read_in_part_or_refused() {
    let Some(bytes) = data("activsg200/ACTIVSg200.pwd") else {
        return;
    };
    for k in 0..100 {
        match parse_display(&bytes[..bytes.len() * k / 100]) {
            Ok(display) => assert!(!display.substations.is_empty() || !display.buses.is_empty()),
            Err(e) => assert!(e.code.starts_with("INPUT."), "{e}"),
        }
    }
}
