//! Elements by kind, as in the source.

use powerio::dist::{DistShunt, Extras, MulticonductorNetwork};

use crate::distribution::elements::edges::disabled_lines;
use crate::distribution::elements::fold::{original, Fold};
use crate::distribution::shown::warnings::{is_active, CONTROLS};
use crate::distribution::{DistributionEdge, DistributionEdgeKind as Kind};

/// Counts in their fixed order. Elements out of service are included; internal elements of the parser are not.
///
/// A shunt with positive susceptance and no conductance is a capacitor, and one with negative susceptance a reactor,
/// since formats represent them differently. Series reactors are reactors rather than lines.
pub(crate) fn all(net: &MulticonductorNetwork, fold: &Fold, edges: &[DistributionEdge]) -> Vec<(&'static str, u32)> {
    let untyped = |classes: &[&str]| {
        let of = |o: &&powerio::dist::UntypedObject| classes.contains(&o.class.to_ascii_lowercase().as_str());
        net.untyped_objects().iter().filter(of).count()
    };
    let made_of = |extras: &Extras, class: &str| original(extras).is_some_and(|o| o.split('.').next() == Some(class));
    let written = |s: &&DistShunt| fold.is_shunt(&s.name) && !made_of(&s.extras, "generator");
    let shunts = |kind: Shunt| {
        net.shunts()
            .iter()
            .filter(written)
            .filter(|s| Shunt::of(s) == kind)
            .count()
    };
    let lines = || net.lines().iter().filter(|l| fold.is_line(&l.name));
    let series_reactors = lines().filter(|l| made_of(&l.extras, "reactor")).count();
    let switches = edges.iter().filter(|e| e.kind == Kind::Switch).count();
    let declared = lines()
        .filter(|l| crate::distribution::elements::edges::is_declared_switch(&l.extras))
        .count();
    let storage = net.loads().iter().filter(|l| made_of(&l.extras, "storage")).count();
    let motors = net.shunts().iter().filter(|s| made_of(&s.extras, "generator")).count();
    let transformers = net
        .transformers()
        .iter()
        .filter(|t| fold.transformer(t).is_some())
        .count();
    // A disabled line may end at buses that no other element uses, and still counts.
    let disabled = disabled_lines(net).filter(|l| l.kind == Kind::Line).count();
    let hidden = disabled_lines(net).filter(|l| l.kind == Kind::Switch).count()
        - edges.iter().filter(|e| is_disabled_switch(net, e)).count();
    let counts = [
        ("buses", fold.buses.len()),
        ("lines", lines().count() - declared - series_reactors + disabled),
        ("switches", switches + hidden),
        ("transformers", transformers + untyped(&["transformer", "autotrans"])),
        ("loads", net.loads().len() - storage),
        (
            "generators",
            net.generators().len() + motors + untyped(&["generator", "indmach012"]),
        ),
        ("inverters", net.ibrs().len() + untyped(&["pvsystem"])),
        ("storage", storage + untyped(&["storage"])),
        (
            "capacitors",
            net.capacitors().len() + shunts(Shunt::Capacitor) + untyped(&["capacitor"]),
        ),
        ("shunts", shunts(Shunt::Other)),
        (
            "reactors",
            series_reactors + shunts(Shunt::Reactor) + untyped(&["reactor"]),
        ),
        ("sources", fold.n_sources + untyped(&["vsource"])),
        (
            "controls",
            untyped(&CONTROLS) + net.control_profiles().iter().filter(|p| is_active(p)).count(),
        ),
    ];
    counts
        .map(|(kind, n)| (kind, u32::try_from(n).unwrap_or(u32::MAX)))
        .to_vec()
}

fn is_disabled_switch(net: &MulticonductorNetwork, edge: &DistributionEdge) -> bool {
    edge.kind == Kind::Switch && disabled_lines(net).any(|l| l.kind == Kind::Switch && l.name == edge.id)
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Shunt {
    Capacitor,
    Reactor,
    Other,
}

impl Shunt {
    pub(super) fn of(shunt: &DistShunt) -> Self {
        let diagonal = shunt.b.iter().enumerate().filter_map(|(row, b)| b.get(row));
        let b: f64 = diagonal.sum();
        let lossless = shunt.g.iter().flatten().all(|g| *g == 0.0);
        match (lossless, b) {
            (true, b) if b > 0.0 => Self::Capacitor,
            (true, b) if b < 0.0 => Self::Reactor,
            _ => Self::Other,
        }
    }
}
