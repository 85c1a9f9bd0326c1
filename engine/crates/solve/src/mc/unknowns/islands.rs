//! Energised nodes, and nodes connected by conductors.

use super::ties::Ties;
use crate::mc::elements::transformer::coil_ends;
use crate::mc::C;
use wattbook_network::feeder::{Feeder, FeederShunt};
use wattbook_network::union_find::{components, Groups};

/// By place (nodes counted from one, place 0 being ground): whether a source reaches it. Every element with several
/// terminals connects them, including transformers and the conductors of a line; ground does not.
pub(crate) fn energised(feeder: &Feeder, ties: &Ties) -> Vec<bool> {
    let n = feeder.nodes.len() + 1;
    // Nodes at ground, however tied to it, connect nothing.
    let carries = |place: usize| ties.group[place] != 0 || ties.offset[place] != C::default();
    // Nodes tied to ground share its group, which connects nothing.
    let of_ground = |place: usize| ties.group[place] == 0;
    let mut islands = Groups::of((0..n).map(|place| if of_ground(place) { place } else { ties.group[place] }));
    let places = |node: &usize| Some(node + 1).filter(|&place| carries(place));
    for line in &feeder.lines {
        join(&mut islands, line.from.iter().chain(&line.to).filter_map(places));
    }
    for transformer in &feeder.transformers {
        let nodes = transformer.windings.iter().flat_map(|w| &w.nodes);
        join(&mut islands, nodes.filter_map(places));
    }
    for branch in feeder.loads.iter().flat_map(|load| &load.branches) {
        join(&mut islands, branch.nodes.iter().flatten().filter_map(places));
    }
    // A shunt joins the nodes that its matrix couples; the two ends of a line opened at one end are not joined.
    for (a, b) in feeder.shunts.iter().flat_map(coupled) {
        join(&mut islands, [a, b].iter().filter_map(places));
    }
    let mut is_live = vec![false; n];
    for place in (1..n).filter(|&place| ties.offset[place] != C::default()) {
        is_live[islands.first(place)] = true;
    }
    (0..n).map(|place| is_live[islands.first(place)]).collect()
}

/// Joins places; the iterator may be empty.
fn join(islands: &mut Groups, mut places: impl Iterator<Item = usize>) {
    if let Some(first) = places.next() {
        places.for_each(|place| {
            islands.join(first, place);
        });
    }
}

/// By node: the first node connected to it by conductors, through lines, coils, loads, shunts and switches, but neither
/// through ground nor across a transformer.
pub(crate) fn galvanic(feeder: &Feeder, ties: &Ties) -> Vec<usize> {
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    for line in &feeder.lines {
        pairs.extend(line.from.iter().copied().zip(line.to.iter().copied()));
    }
    pairs.extend(feeder.shunts.iter().flat_map(coupled));
    for t in &feeder.transformers {
        for (winding, w) in t.windings.iter().enumerate() {
            for phase in 0..t.phases {
                let [a, b] = coil_ends(t, winding, phase);
                pairs.push((w.nodes[a], w.nodes[b]));
            }
        }
    }
    for branch in feeder.loads.iter().flat_map(|load| &load.branches) {
        if let [Some(a), Some(b)] = branch.nodes {
            pairs.push((a, b));
        }
    }
    pairs.extend(
        ties.all
            .iter()
            .filter(|t| t.from > 0 && t.to > 0)
            .map(|t| (t.from - 1, t.to - 1)),
    );
    components(feeder.nodes.len(), pairs.into_iter())
}

/// Pairs of nodes between which a shunt has an admittance.
fn coupled(shunt: &FeederShunt) -> impl Iterator<Item = (usize, usize)> + '_ {
    let n = shunt.nodes.len();
    let between = move |at: &usize| at / n != at % n && (shunt.g[*at] != 0.0 || shunt.b[*at] != 0.0);
    (0..n * n)
        .filter(between)
        .map(move |at| (shunt.nodes[at / n], shunt.nodes[at % n]))
}
