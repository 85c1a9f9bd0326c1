//! Positions in PSS/E RAW files from revision 34: latitude and longitude of a substation, whose nodes name its buses.

use crate::input::psse_fields::fields;

/// Blocks inside the record of a substation.
enum Block {
    Substation,
    Nodes,
    SwitchingDevices,
    Terminals,
}

/// Bus numbers with the position of their substation, `[lon, lat]` in degrees. 0, 0 means no position.
pub(crate) fn bus_positions(text: &str) -> Vec<(u64, [f64; 2])> {
    let mut found = Vec::new();
    let mut lines = text.lines();
    if !lines.any(|l| l.to_ascii_uppercase().contains("BEGIN SUBSTATION DATA")) {
        return found;
    }
    let mut block = Block::Substation;
    let mut at: Option<[f64; 2]> = None;
    for line in lines {
        let line = line.trim();
        if line.starts_with("@!") {
            continue;
        }
        let cells = fields(line);
        let Some(&first) = cells.first() else { continue };
        if first == "Q" {
            break;
        }
        let end = first == "0";
        block = match block {
            Block::Substation if end => break,
            Block::Substation => {
                at = position(&cells);
                Block::Nodes
            }
            Block::Nodes if end => Block::SwitchingDevices,
            Block::Nodes => {
                let bus = cells.get(2).and_then(|c| c.parse::<u64>().ok());
                found.extend(bus.zip(at));
                Block::Nodes
            }
            Block::SwitchingDevices if end => Block::Terminals,
            Block::Terminals if end => Block::Substation,
            other => other,
        };
    }
    found
}

/// `IS, 'NAME', LATI, LONG, SRG`.
fn position(cells: &[&str]) -> Option<[f64; 2]> {
    let value = |k: usize| cells.get(k)?.parse::<f64>().ok();
    let at = [value(3)?, value(2)?];
    (at[0].abs() <= 180.0 && at[1].abs() <= 90.0 && at != [0.0, 0.0]).then_some(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    const RAW: &str = "0, 100.0, 35\n\n\n 1,'A',138\n0 / END OF INDUCTION MACHINE DATA, BEGIN SUBSTATION DATA
 1, 'O'NEIL, 1', 40.25, -89.5, 0.1
   / BEGIN SUBSTATION NODE DATA
   1, 'NB1', 10, 1, 1.0, 0.0
   2, 'NB2', 11, 1, 1.0, 0.0
 0 / END OF SUBSTATION NODE DATA, BEGIN SUBSTATION SWITCHING DEVICE DATA
   1, 2, '1 ', 'Sw', 2, 1, 1, 0, 0, 0, 0
 0 / END OF SUBSTATION SWITCHING DEVICE DATA, BEGIN SUBSTATION TERMINAL DATA
   10, 1, 'M', '1 '
 0 / END OF SUBSTATION TERMINAL DATA
 2, 'NOWHERE', 0.0, 0.0, 0.1
   1, 'NB1', 12, 1, 1.0, 0.0
 0
 0
 0
 3, 'SOUTH', 39.0, -90.0, 0.1
   1, 'NB1', 13, 1, 1.0, 0.0
 0
 0
 0
0 / END OF SUBSTATION DATA
Q
";

    #[test]
    fn nodes_take_the_position_of_their_substation() {
        let expected = vec![(10, [-89.5, 40.25]), (11, [-89.5, 40.25]), (13, [-90.0, 39.0])];
        assert_eq!(bus_positions(RAW), expected);
    }

    #[test]
    fn a_file_cut_anywhere_gives_a_part() {
        for end in 0..RAW.len() {
            assert!(bus_positions(&RAW[..end]).len() <= 3);
        }
    }
}
