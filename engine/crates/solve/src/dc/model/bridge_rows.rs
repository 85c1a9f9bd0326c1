//! Bridges: the flow of such a line is the net injection of one side of the network, so it needs no shift factors.
//!
//! A bridge with a single movable unit on one side is a bound of that unit (docs/method/dc-opf.md, section 2). A bridge
//! with few units there is a row with that many ones.

use crate::dc::model::Line;
use crate::generator_columns::GenColumn;
use crate::topology::bridges::{Bridge, Bridges};

/// Sides with more columns than this use shift factors instead.
const LARGEST_SIDE: usize = 32;

/// A bridge seen from its smaller side: `flow = base + kappa D + sign sum p` over the columns of that side, where `base` is
/// the flow without generation and `D` the demand of the island.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct BridgeRow {
    /// +1 if the from end is on this side.
    pub sign: f64,
    /// 0 if `base` is the withdrawal of this side, `-sign` if it is that of the other side.
    pub kappa: f64,
    /// Ascending.
    pub columns: Vec<usize>,
    /// The only movable column, if there is exactly one.
    pub unit: Option<usize>,
}

/// The bridges among lines that carry flow, by line.
pub(crate) fn bridge_rows(
    found: &Bridges,
    lines: &[Line],
    columns: &[GenColumn],
    island_of_bus: &[usize],
    node_of_bus: &[usize],
) -> Vec<Option<BridgeRow>> {
    // Columns in the order in which the search met their buses, and the number before each position.
    let mut before = vec![0u32; found.order.len() + 2];
    // A column of excess is at no bus of the network.
    let at_buses = || columns.iter().enumerate().filter(|(_, column)| !column.is_excess());
    for (_, column) in at_buses() {
        before[found.search_index[column.bus] as usize + 2] += 1;
    }
    for k in 2..before.len() {
        before[k] += before[k - 1];
    }
    let mut by_place = vec![0usize; columns.len()];
    for (j, column) in at_buses() {
        let next = &mut before[found.search_index[column.bus] as usize + 1];
        by_place[*next as usize] = j;
        *next += 1;
    }
    let first_at = |place: usize| before[place] as usize;
    let mut bridges = vec![None; lines.len()];
    for Bridge {
        line: l,
        below,
        from,
        to,
    } in found.bridges.iter().copied()
    {
        let whole = found.islands[island_of_bus[below]];
        let (all, side) = (first_at(whole.0)..first_at(whole.1), first_at(from)..first_at(to));
        let (inside, outside) = (side.len(), all.len() - side.len());
        let outer = outside < inside;
        if inside.min(outside) > LARGEST_SIDE {
            continue;
        }
        let mut members: Vec<usize> = if outer {
            by_place[all.start..side.start]
                .iter()
                .chain(&by_place[side.end..all.end])
                .copied()
                .collect()
        } else {
            by_place[side].to_vec()
        };
        members.sort_unstable();
        let from_is_inside = (from..to).contains(&(found.search_index[lines[l].from] as usize));
        let sign = if from_is_inside != outer { 1.0 } else { -1.0 };
        // The reference supplies the imbalance, so `base` is the withdrawal of the other side. For a merged line at the
        // node of the reference, whose supply does not affect angles, it is the withdrawal of its from side
        // (`row_values`).
        let reference = found.order[whole.0] as usize;
        let is_at_reference = lines[l].merged.is_some() && node_of_bus[lines[l].from] == node_of_bus[reference];
        let base_is_of_from = from_is_inside || is_at_reference;
        let mut movable = members.iter().filter(|&&j| columns[j].hi > columns[j].lo);
        let unit = match (movable.next(), movable.next()) {
            (Some(&j), None) => Some(j),
            _ => None,
        };
        bridges[l] = Some(BridgeRow {
            sign,
            kappa: if base_is_of_from == (sign > 0.0) { 0.0 } else { -sign },
            columns: members,
            unit,
        });
    }
    bridges
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generator_columns::EVERYWHERE;

    fn line(from: usize, to: usize) -> Line {
        Line {
            row: 0,
            from,
            to,
            b: 10.0,
            shift_flow: 0.0,
            angle_min: -1.0,
            angle_max: 1.0,
            limits_follow_shift: false,
            shift_room: [f64::INFINITY; 2],
            merged: None,
            tie: None,
            combination: None,
        }
    }

    fn column(bus: usize, lo: f64, hi: f64) -> GenColumn {
        GenColumn {
            generator: 0,
            bus,
            island: 0,
            lo,
            hi,
            c: 1.0,
            q: 0.0,
            beside: (1.0, 0.0),
            segment: EVERYWHERE,
            is_first: true,
            is_last: true,
            open_below: false,
            open_above: false,
        }
    }

    /// A triangle 0-1-2, a double line 2-3, and a path 2-4-5; columns at 0, 1, 4, 5 (fixed) and 5.
    #[test]
    fn bridges_and_their_smaller_sides() {
        let lines = [
            line(0, 1),
            line(1, 2),
            line(2, 0),
            line(2, 3),
            line(3, 2),
            line(2, 4),
            line(5, 4),
        ];
        let columns = [
            column(0, 0.0, 1.0),
            column(1, 0.0, 1.0),
            column(4, 0.0, 1.0),
            column(5, 0.5, 0.5),
            column(5, 0.0, 2.0),
        ];
        let found = bridge_rows(
            &Bridges::find(6, crate::dc::model::outline::connections(&lines), &[0]),
            &lines,
            &columns,
            &[0; 6],
            &[0, 1, 2, 3, 4, 5],
        );
        assert!(found[..5].iter().all(Option::is_none));
        // Three columns are behind 2-4 and two before it, so the side of the reference is the smaller one.
        let outer = found[5].as_ref().unwrap();
        assert_eq!(
            (outer.sign, outer.kappa, &outer.columns[..], outer.unit),
            (1.0, -1.0, &[0, 1][..], None)
        );
        let inner = found[6].as_ref().unwrap();
        assert_eq!(
            (inner.sign, inner.kappa, &inner.columns[..], inner.unit),
            (1.0, 0.0, &[3, 4][..], Some(4))
        );
    }
}
