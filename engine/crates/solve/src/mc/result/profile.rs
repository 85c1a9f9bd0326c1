//! Distances from the sources, for voltage profiles.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use wattbook_network::feeder::Feeder;

/// By node, its location, with the number of locations. The terminals of a bus in the file share a location. Contacts
/// that the reader adds have locations of their own, since the contacts of an opened line are not joined.
pub(crate) fn places(feeder: &Feeder) -> (Vec<usize>, usize) {
    let mut count = feeder.buses.len();
    let place = |node: &wattbook_network::feeder::FeederNode| {
        if feeder.buses[node.bus].is_written {
            return node.bus;
        }
        count += 1;
        count - 1
    };
    (feeder.nodes.iter().map(place).collect(), count)
}

/// By bus: metres of line from the nearest source, NaN without a path. Switches and transformers have no length.
pub fn distances(feeder: &Feeder) -> Vec<f64> {
    let (place, count) = places(feeder);
    let mut ways: Vec<Vec<(usize, f64)>> = vec![Vec::new(); count];
    let mut join = |a: usize, b: usize, length: f64| {
        let (a, b) = (place[a], place[b]);
        if ways[a].last() != Some(&(b, length)) {
            ways[a].push((b, length));
            ways[b].push((a, length));
        }
    };
    for line in &feeder.lines {
        let is_written = |&node: &usize| feeder.buses[feeder.nodes[node].bus].is_written;
        for (a, b) in line.from.iter().zip(&line.to) {
            // Elements that the reader adds, such as the impedance of a source, have no location.
            let is_somewhere = is_written(a) && is_written(b) && line.length.is_finite();
            join(*a, *b, if is_somewhere { line.length.max(0.0) } else { 0.0 });
        }
    }
    for switch in feeder.switches.iter().filter(|s| s.is_closed) {
        switch.from.iter().zip(&switch.to).for_each(|(a, b)| join(*a, *b, 0.0));
    }
    for t in &feeder.transformers {
        let [one, two] = &t.windings;
        for &a in &one.nodes {
            two.nodes.iter().for_each(|&b| join(a, b, 0.0));
        }
    }
    let mut distance = vec![f64::NAN; count];
    // Lengths are not negative, so their bit patterns have the same order.
    let sources = feeder.sources.iter().flat_map(|s| &s.nodes);
    let mut open: BinaryHeap<Reverse<(u64, usize)>> = sources.map(|&node| Reverse((0, place[node]))).collect();
    while let Some(Reverse((bits, at))) = open.pop() {
        if !distance[at].is_nan() {
            continue;
        }
        let here = f64::from_bits(bits);
        distance[at] = here;
        for &(next, length) in ways[at].iter().filter(|(next, _)| distance[*next].is_nan()) {
            open.push(Reverse(((here + length).to_bits(), next)));
        }
    }
    distance.truncate(feeder.buses.len());
    distance
}
