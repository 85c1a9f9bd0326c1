//! The elements of the source, reconstructed from the parser's internal elements.

use powerio::dist::{DistLineCode, DistTransformer, DistWinding, Extras, MulticonductorNetwork};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The internal elements of the parser, and the source elements that they represent. Numbers are rows of the network's
/// tables.
pub(crate) struct Fold {
    /// Rows of the buses in the source, in order: the rows of the graph.
    pub buses: Vec<usize>,
    /// Row of `buses` by lower-case name.
    pub by_name: BTreeMap<String, usize>,
    /// Terminals of source buses with the internal voltage of an ungrounded source.
    pub internal_terminals: BTreeSet<(usize, String)>,
    /// Rows of `buses` with a source.
    pub sources: BTreeSet<usize>,
    /// Number of sources in the file.
    pub n_sources: usize,
    /// Number of internal lines of sources.
    pub source_lines: usize,
    /// The element (`class.name`) that an internal bus belongs to, by the lower-case name of the bus.
    pub internal: BTreeMap<String, String>,
    /// Internal lines, switches, shunts and transformers by name, lower case.
    lines: BTreeSet<String>,
    switches: BTreeSet<String>,
    shunts: BTreeSet<String>,
    transformers: BTreeSet<String>,
    /// Lines with opened terminals.
    pub opened: Vec<OpenedLine>,
    /// Source windings of a transformer with opened terminals, and whether all are closed, by lower-case name.
    ports: BTreeMap<String, (Vec<DistWinding>, bool)>,
    /// Source windings of an autotransformer, under the name of its first bank.
    autos: BTreeMap<String, (String, Vec<DistWinding>)>,
}

/// A line that is open at one end.
pub(crate) struct OpenedLine {
    pub name: String,
    pub from: (String, Vec<String>),
    pub to: (String, Vec<String>),
}

/// A transformer as in the source.
pub(crate) struct Written<'a> {
    pub name: String,
    pub windings: &'a [DistWinding],
    pub closed: bool,
    pub phases: usize,
}

impl Fold {
    pub fn new(net: &MulticonductorNetwork) -> Self {
        let mut fold = Self {
            buses: Vec::new(),
            by_name: BTreeMap::new(),
            internal_terminals: BTreeSet::new(),
            sources: BTreeSet::new(),
            n_sources: 0,
            source_lines: 0,
            internal: BTreeMap::new(),
            lines: BTreeSet::new(),
            switches: BTreeSet::new(),
            shunts: BTreeSet::new(),
            transformers: BTreeSet::new(),
            opened: Vec::new(),
            ports: BTreeMap::new(),
            autos: BTreeMap::new(),
        };
        let sources = fold.source_lines(net);
        fold.opened_lines(net);
        fold.opened_transformers(net);
        fold.autotransformers(net);
        for (row, bus) in net.buses().iter().enumerate() {
            let name = bus.id.to_lowercase();
            if !fold.internal.contains_key(&name) {
                fold.by_name.entry(name).or_insert(fold.buses.len());
                fold.buses.push(row);
            }
        }
        for (internal, bus, terminals) in sources {
            fold.sources.extend(fold.by_name.get(&bus));
            if let Some(&row) = fold.by_name.get(&internal) {
                fold.internal_terminals.extend(terminals.into_iter().map(|t| (row, t)));
            }
        }
        fold
    }

    /// The internal lines of sources: voltage end, end at the source bus, and terminals of the former.
    fn source_lines(&mut self, net: &MulticonductorNetwork) -> Vec<(String, String, Vec<String>)> {
        let codes: BTreeMap<String, &str> = net
            .line_codes()
            .iter()
            .filter_map(|c| Some((c.name.to_lowercase(), source_of(c)?)))
            .collect();
        let mut out = Vec::new();
        let mut held = BTreeSet::new();
        for line in net.lines() {
            let Some(source) = codes.get(&line.linecode.to_lowercase()) else {
                continue;
            };
            let internal = line.bus_from.to_lowercase();
            if internal.starts_with("_pio_vsource_") {
                self.internal.insert(internal.clone(), format!("vsource.{source}"));
            }
            self.lines.insert(line.name.to_lowercase());
            held.insert(internal.clone());
            out.push((internal, line.bus_to.to_lowercase(), line.terminal_map_from.clone()));
        }
        self.source_lines = out.len();
        self.n_sources = out.len();
        // In JSON, sources without an impedance remain at their own bus.
        for source in net.sources().iter().filter(|s| !held.contains(&s.bus.to_lowercase())) {
            self.n_sources += 1;
            out.push((String::new(), source.bus.to_lowercase(), Vec::new()));
        }
        out
    }

    /// An opened line is a shunt at an internal bus, with a contact to either end.
    fn opened_lines(&mut self, net: &MulticonductorNetwork) {
        for shunt in net.shunts() {
            let (Some(original), Some(Value::Array(contacts))) =
                (original(&shunt.extras), shunt.extras.get("dss_external_contacts"))
            else {
                continue;
            };
            let end = |row: usize| {
                let name = contacts.get(row)?.as_str()?;
                let contact = net.switches().iter().find(|s| s.name == name)?;
                Some((contact.bus_from.clone(), contact.terminal_map_from.clone()))
            };
            if let (Some(("line", name)), Some(from), Some(to)) = (original.split_once('.'), end(0), end(1)) {
                self.switches.extend(names(contacts));
                self.shunts.insert(shunt.name.to_lowercase());
                self.internal.insert(shunt.bus.to_lowercase(), format!("line.{name}"));
                self.opened.push(OpenedLine {
                    name: name.to_owned(),
                    from,
                    to,
                });
            }
        }
    }

    /// The windings of a transformer with opened terminals are at internal buses, with contacts for closed terminals.
    fn opened_transformers(&mut self, net: &MulticonductorNetwork) {
        for transformer in net.transformers() {
            let Some(Value::Array(ports)) = transformer.extras.get("dss_open_transformer_ports") else {
                continue;
            };
            let mut windings = transformer.windings.clone();
            let mut closed = true;
            for (port, winding) in ports.iter().zip(&mut windings) {
                if let Some(bus) = port["bus"].as_str().filter(|bus| *bus != winding.bus) {
                    let element = format!("transformer.{}", transformer.name);
                    self.internal.insert(winding.bus.to_lowercase(), element);
                    winding.bus = bus.to_owned();
                    let stated = |v: &Value| v.as_str().map(str::to_owned);
                    winding.terminal_map = array(&port["terminal_map"]).iter().filter_map(stated).collect();
                }
                // The last conductor is the neutral.
                let phases = array(&port["closed"]);
                closed &= phases
                    .iter()
                    .take(transformer.phases)
                    .all(|c| c.as_bool() != Some(false));
                self.switches.extend(names(array(&port["contacts"])));
                self.shunts
                    .extend(port["stabilization"].as_str().map(str::to_lowercase));
            }
            self.ports.insert(transformer.name.to_lowercase(), (windings, closed));
        }
    }

    /// An autotransformer consists of three banks, with its series coils between two contacts.
    fn autotransformers(&mut self, net: &MulticonductorNetwork) {
        fn of<'a>(bank: &'a DistTransformer, key: &str) -> &'a [Value] {
            bank.extras.get(key).map_or(&[], array)
        }
        for bank in net.transformers() {
            let Some(original) = bank.extras.get("dss_autotrans_original").and_then(Value::as_str) else {
                continue;
            };
            let contacts = of(bank, "dss_autotrans_contacts");
            let banks: Vec<String> = names(of(bank, "dss_autotrans_banks")).collect();
            let mut windings = bank.windings.clone();
            let first = contacts.first().and_then(Value::as_str);
            if let Some(contact) = net.switches().iter().find(|s| Some(&*s.name) == first) {
                self.internal.insert(contact.bus_to.to_lowercase(), original.to_owned());
                if let Some(series) = windings.first_mut() {
                    series.bus.clone_from(&contact.bus_from);
                    series.terminal_map.clone_from(&contact.terminal_map_from);
                }
            }
            self.switches.extend(names(contacts));
            let own = bank.name.to_lowercase();
            self.transformers.extend(banks.into_iter().filter(|b| *b != own));
            let name = original.split_once('.').map_or(original, |(_, name)| name);
            self.autos.insert(own, (name.to_owned(), windings));
        }
    }

    pub fn is_line(&self, name: &str) -> bool {
        !self.lines.contains(&name.to_lowercase())
    }

    pub fn is_switch(&self, name: &str) -> bool {
        !self.switches.contains(&name.to_lowercase())
    }

    pub fn is_shunt(&self, name: &str) -> bool {
        !self.shunts.contains(&name.to_lowercase())
    }

    /// A transformer as in the source; `None` for further banks of an autotransformer.
    pub fn transformer<'a>(&'a self, t: &'a DistTransformer) -> Option<Written<'a>> {
        let key = t.name.to_lowercase();
        if self.transformers.contains(&key) {
            return None;
        }
        if let Some((name, windings)) = self.autos.get(&key) {
            return Some(Written {
                name: name.clone(),
                windings,
                closed: true,
                phases: 3,
            });
        }
        let (windings, closed) = match self.ports.get(&key) {
            Some((windings, closed)) => (windings.as_slice(), *closed),
            None => (t.windings.as_slice(), true),
        };
        Some(Written {
            name: t.name.clone(),
            windings,
            closed,
            phases: t.phases,
        })
    }

    /// Row of the graph for a bus.
    pub fn row(&self, bus: &str) -> Option<usize> {
        self.by_name.get(&bus.to_lowercase()).copied()
    }
}

/// The source to which an impedance belongs.
pub(crate) fn source_of(code: &DistLineCode) -> Option<&str> {
    let source = code.source.as_deref()?.strip_prefix("OpenDSS Vsource.")?;
    source.strip_suffix(" Thevenin impedance")
}

/// `class.name`, with the class in lower case, of the source element that the parser converted.
pub(crate) fn original(extras: &Extras) -> Option<&str> {
    extras.get("dss_original_element").and_then(Value::as_str)
}

fn array(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn names(values: &[Value]) -> impl Iterator<Item = String> + '_ {
    values.iter().filter_map(Value::as_str).map(str::to_lowercase)
}
