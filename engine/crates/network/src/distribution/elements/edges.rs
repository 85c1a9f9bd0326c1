//! Edges of the graph: lines, switches, transformers.

use powerio::dist::{DistWinding, MulticonductorNetwork};
use serde_json::Value;

use crate::distribution::elements::fold::{original, Fold};
use crate::distribution::elements::service::Service;
use crate::distribution::{last, DistributionEdge, DistributionEdgeKind as Kind};

/// Every edge: lines and declared switches in source order, followed by switches, opened lines, disabled lines and
/// transformers.
/// transformers.
pub(crate) fn all(net: &MulticonductorNetwork, fold: &Fold, service: &Service) -> Vec<DistributionEdge> {
    let neutrals = Neutrals { net, fold };
    let mut out = Vec::new();
    let mut add = |kind, id: String, from: &str, to: &str, conductors: Vec<(String, String)>, closed, phases, path| {
        let (Some(from), Some(to)) = (fold.row(from), fold.row(to)) else {
            return;
        };
        let n_phases = match phases {
            Some(n) => n,
            None => conductors
                .iter()
                .filter(|(a, b)| !neutrals.has(from, a) && !neutrals.has(to, b))
                .count(),
        };
        let name = |row: usize| net.buses()[fold.buses[row]].id.clone();
        out.push(DistributionEdge {
            kind,
            id,
            from: name(from),
            to: name(to),
            conductors,
            closed,
            regulated: false,
            n_phases: u32::try_from(n_phases).unwrap_or(u32::MAX),
            path,
        });
    };
    for l in net.lines().iter().filter(|l| fold.is_line(&l.name)) {
        let kind = if is_declared_switch(&l.extras) {
            Kind::Switch
        } else {
            Kind::Line
        };
        let id = original(&l.extras).unwrap_or(&l.name).to_owned();
        let path = l
            .route
            .as_ref()
            .map(|r| r.iter().map(|p| [p.x, p.y]).collect::<Vec<_>>());
        let closed = service.has("line", &l.name, &l.extras);
        let path = path.filter(|p| p.len() > 1);
        add(
            kind,
            id,
            &l.bus_from,
            &l.bus_to,
            pairs(&l.terminal_map_from, &l.terminal_map_to),
            closed,
            None,
            path,
        );
    }
    for s in net.switches().iter().filter(|s| fold.is_switch(&s.name)) {
        let closed = !s.open && service.has("switch", &s.name, &s.extras);
        let conductors = pairs(&s.terminal_map_from, &s.terminal_map_to);
        add(
            Kind::Switch,
            s.name.clone(),
            &s.bus_from,
            &s.bus_to,
            conductors,
            closed,
            None,
            None,
        );
    }
    for l in &fold.opened {
        let conductors = pairs(&l.from.1, &l.to.1);
        add(
            Kind::Switch,
            l.name.clone(),
            &l.from.0,
            &l.to.0,
            conductors,
            false,
            None,
            None,
        );
    }
    for line in disabled_lines(net) {
        let conductors = pairs(&line.from.1, &line.to.1);
        add(
            line.kind,
            line.name.to_owned(),
            &line.from.0,
            &line.to.0,
            conductors,
            false,
            None,
            None,
        );
    }
    for t in net.transformers() {
        let Some(written) = fold.transformer(t) else { continue };
        let closed = written.closed && service.has("transformer", &t.name, &t.extras);
        for (first, other, conductors) in winding_pairs(written.windings) {
            let id = written.name.clone();
            add(
                Kind::Transformer,
                id,
                &first.bus,
                &other.bus,
                conductors,
                closed,
                Some(written.phases),
                None,
            );
        }
    }
    out
}

/// A line with `switch=yes`.
pub(crate) fn is_declared_switch(extras: &powerio::dist::Extras) -> bool {
    extras.get("dss_switch").and_then(Value::as_bool) == Some(true)
}

/// First winding, another one, and the conductors between their buses.
type WindingPair<'a> = (&'a DistWinding, &'a DistWinding, Vec<(String, String)>);

/// Pairs the first winding with each other bus; windings at one bus (the halves of a centre-tapped secondary) form one
/// edge.
fn winding_pairs(windings: &[DistWinding]) -> Vec<WindingPair<'_>> {
    let mut out: Vec<WindingPair<'_>> = Vec::new();
    let Some((first, others)) = windings.split_first() else {
        return out;
    };
    for other in others.iter().filter(|w| !w.bus.eq_ignore_ascii_case(&first.bus)) {
        let conductors = pairs(&first.terminal_map, &other.terminal_map);
        match out
            .iter_mut()
            .find(|(_, known, _)| known.bus.eq_ignore_ascii_case(&other.bus))
        {
            Some((_, _, known)) => known.extend(conductors),
            None => out.push((first, other, conductors)),
        }
    }
    out
}

fn pairs(from: &[String], to: &[String]) -> Vec<(String, String)> {
    from.iter().cloned().zip(to.iter().cloned()).collect()
}

/// A line that the script disables, which the parser stores as text only.
pub(crate) struct DisabledLine<'a> {
    pub name: &'a str,
    pub kind: Kind,
    from: (String, Vec<String>),
    to: (String, Vec<String>),
}

pub(crate) fn disabled_lines(net: &MulticonductorNetwork) -> impl Iterator<Item = DisabledLine<'_>> {
    net.untyped_objects().iter().filter(|o| o.class == "line").map(|o| {
        let phases = last(o, "phases").and_then(|p| p.parse().ok()).unwrap_or(3);
        let yes = |v: &str| v.starts_with(['y', 'Y', 't', 'T']);
        let kind = if last(o, "switch").is_some_and(yes) {
            Kind::Switch
        } else {
            Kind::Line
        };
        let end = |property| terminals(last(o, property).unwrap_or_default(), phases);
        DisabledLine {
            name: &o.name,
            kind,
            from: end("bus1"),
            to: end("bus2"),
        }
    })
}

/// `name.1.2` as name and terminals; without nodes, the first `phases` terminals (64 at most, as in the parser).
fn terminals(bus: &str, phases: usize) -> (String, Vec<String>) {
    let mut parts = bus.split('.');
    let name = parts.next().unwrap_or_default().to_owned();
    let nodes: Vec<String> = parts.map(str::to_owned).collect();
    match nodes.is_empty() {
        true => (name, (1..=phases.min(64)).map(|n| n.to_string()).collect()),
        false => (name, nodes),
    }
}

/// The neutral terminals.
struct Neutrals<'a> {
    net: &'a MulticonductorNetwork,
    fold: &'a Fold,
}

impl Neutrals<'_> {
    /// Whether a terminal is grounded, declared as a neutral by the document, named `n`, or named `4` as the highest of
    /// up to four numbered, ungrounded terminals.
    fn has(&self, row: usize, terminal: &str) -> bool {
        let bus = &self.net.buses()[self.fold.buses[row]];
        if terminal == "0" || bus.grounded.iter().any(|t| t == terminal) {
            return true;
        }
        if let Some(roles) = self.net.extras().get("bmopf_terminal_conventions") {
            let called = |role: &str| {
                roles[role]
                    .as_array()
                    .is_some_and(|names| names.iter().any(|n| n == terminal))
            };
            return called("neutral") || called("earth");
        }
        let live = bus.terminals.iter().filter(|t| !bus.grounded.contains(t));
        let highest = live.filter_map(|t| t.parse::<u32>().ok()).max();
        terminal.eq_ignore_ascii_case("n") || (terminal == "4" && highest == Some(4))
    }
}
