//! IEEE Common Data Format: solved power flows in cards of fixed columns.
//!
//! Columns: Working Group on a Common Format for Exchange of Solved Load Flow Data, "Common format for exchange of
//! solved load flow data", IEEE Trans. PAS-92 (1973), with the columns of the names and of the generation as in the
//! archive of the University of Washington. Only columns that have an effect are read.

use powerio::{
    BalancedNetwork, Branch, Bus, BusId, BusType, Generator, Load, PioModule, PioValue, Shunt, SourceFormat,
};

use super::{built, tell_no_costs};
use crate::analysis::Warning;
use crate::error::{EngineError, Result};
use crate::message;
use crate::message::amounts::mw_exact;
use crate::message::Message;

/// First and last column, counted from 1.
type Columns = (usize, usize);

const BASE: Columns = (32, 37);
const CASE_NAME: Columns = (46, 73);

mod bus {
    use super::Columns;
    pub const NUMBER: Columns = (1, 4);
    pub const NAME: Columns = (6, 17);
    pub const AREA: Columns = (19, 20);
    pub const ZONE: Columns = (21, 23);
    pub const TYPE: Columns = (25, 26);
    pub const VOLTAGE: Columns = (28, 33);
    pub const ANGLE: Columns = (34, 40);
    pub const DEMAND: [Columns; 2] = [(41, 49), (50, 58)];
    pub const GENERATION: [Columns; 2] = [(59, 67), (68, 75)];
    pub const BASE_KV: Columns = (77, 83);
    pub const SET_POINT: Columns = (85, 90);
    pub const LARGEST: Columns = (91, 98);
    pub const LEAST: Columns = (99, 106);
    pub const SHUNT: [Columns; 2] = [(107, 114), (115, 122)];
    pub const REMOTE: Columns = (124, 127);
}

mod branch {
    use super::Columns;
    pub const FROM: Columns = (1, 4);
    pub const TO: Columns = (6, 9);
    pub const CIRCUIT: Columns = (17, 17);
    pub const TYPE: Columns = (19, 19);
    pub const RESISTANCE: Columns = (20, 29);
    pub const REACTANCE: Columns = (30, 39);
    pub const CHARGING: Columns = (41, 49);
    pub const RATINGS: [Columns; 3] = [(51, 55), (57, 61), (63, 67)];
    pub const RATIO: Columns = (77, 82);
    pub const ANGLE: Columns = (84, 90);
}

mod interchange {
    use super::Columns;
    pub const AREA: Columns = (1, 2);
    pub const EXPORT: Columns = (21, 28);
}

/// Voltage limits of a bus without its own, per unit, as MATPOWER's `cdf2mpc` assumes them.
const VOLTAGE_LIMITS: [f64; 2] = [0.94, 1.06];

/// Whether a text is in this format: the card after the title begins the bus data.
pub(super) fn is_one(text: &str) -> bool {
    let mut cards = text.lines().skip(1).filter(|line| !line.trim().is_empty());
    cards
        .next()
        .is_some_and(|card| Section::begun_by(card) == Some(Section::Bus))
}

/// Reads a case.
///
/// # Errors
/// `INPUT.BASE_MVA`, `INPUT.TRUNCATED` for a section without its end, `INPUT.EMPTY` without bus data, and `INPUT.PARSE`
/// naming the line for fields that are not numbers, codes that the format does not have and limits that cross.
pub(super) fn read(text: &str) -> Result<PioModule<PioValue>> {
    let mut lines = text.lines().zip(1..);
    let title = Card::of(lines.next());
    let base_mva = match title.number(BASE) {
        Ok(base) if base > 0.0 => base,
        _ => {
            let message = message!("cdf.base", base = title.field(BASE));
            return Err(EngineError::new("INPUT.BASE_MVA", message));
        }
    };
    let mut case = Case::new(base_mva);
    let mut closed = Vec::new();
    let mut open = None;
    let mut ended = false;
    for line in lines {
        let card = Card::of(Some(line));
        let first = card.text.split_whitespace().next().unwrap_or_default();
        match (open, Section::begun_by(card.text)) {
            _ if first.is_empty() => {}
            (None, Some(section)) => open = Some(section),
            (Some(section), Some(_)) => return Err(section.cut()),
            (section, None) if is_word(card.text) => {
                if let Some(section) = section {
                    return Err(section.cut());
                }
                ended = first.eq_ignore_ascii_case("END");
                if ended {
                    break;
                }
            }
            (section, None) if matches!(first, "-9" | "-99" | "-999") => {
                closed.extend(section);
                open = None;
            }
            (Some(section), None) => case.take(section, &card)?,
            // Files of the archive have the records of an area behind the end of their section.
            (None, None) if closed.last() == Some(&Section::Interchange) => case.take(Section::Interchange, &card)?,
            (None, None) => {
                let message = message!("cdf.outside", line = card.line);
                return Err(EngineError::new("INPUT.PARSE", message));
            }
        }
    }
    if let Some(section) = open {
        return Err(section.cut());
    }
    if !closed.contains(&Section::Bus) {
        return Err(EngineError::new("INPUT.EMPTY", message!("cdf.no_buses")));
    }
    if !ended && !closed.contains(&Section::Branch) {
        return Err(Section::Branch.cut());
    }
    let warnings = case.warnings();
    let mut parsed = built(case.network(title.field(CASE_NAME)), "case.cdf", "ieee-cdf", text)?;
    for warning in &warnings {
        crate::module::store_warning(&mut parsed, warning)?;
    }
    tell_no_costs(&mut parsed, message!("cost.not_in_cdf"))?;
    Ok(parsed)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Section {
    Bus,
    Branch,
    LossZones,
    Interchange,
    TieLines,
}

impl Section {
    const ALL: [(&'static str, Self); 5] = [
        ("BUS", Self::Bus),
        ("BRANCH", Self::Branch),
        ("LOSS", Self::LossZones),
        ("INTERCHANGE", Self::Interchange),
        ("TIE", Self::TieLines),
    ];

    /// The section that a card begins: its first word counts.
    fn begun_by(card: &str) -> Option<Self> {
        let first = card.split_whitespace().next().filter(|_| is_word(card))?;
        let known = |(word, _): &&(&str, Self)| first.eq_ignore_ascii_case(word);
        Self::ALL.iter().find(known).map(|(_, section)| *section)
    }

    fn cut(self) -> EngineError {
        let word = Self::ALL.iter().find(|(_, section)| *section == self);
        let section = word.map_or("", |(word, _)| word);
        EngineError::new("INPUT.TRUNCATED", message!("cdf.cut", section = section))
    }
}

/// Whether a card begins with a word, as those that begin a section do; records begin with a number or blanks.
fn is_word(card: &str) -> bool {
    card.starts_with(|c: char| c.is_ascii_alphabetic())
}

struct Card<'a> {
    line: usize,
    text: &'a str,
}

impl<'a> Card<'a> {
    fn of(line: Option<(&'a str, usize)>) -> Self {
        let (text, line) = line.unwrap_or(("", 1));
        Self { line, text }
    }

    fn field(&self, (first, last): Columns) -> &'a str {
        let offset = |column: usize| {
            self.text
                .char_indices()
                .nth(column)
                .map_or(self.text.len(), |(at, _)| at)
        };
        self.text[offset(first - 1)..offset(last)].trim()
    }

    /// A number; 0 if the field is blank.
    fn number(&self, columns: Columns) -> Result<f64> {
        let field = self.field(columns);
        if field.is_empty() {
            return Ok(0.0);
        }
        let value = field.parse().ok().filter(|value: &f64| value.is_finite());
        value.ok_or_else(|| {
            let (first, last) = columns;
            let message = message!(
                "cdf.not_a_number",
                line = self.line,
                first = first,
                last = last,
                value = field
            );
            EngineError::new("INPUT.PARSE", message)
        })
    }

    /// A whole number of at least 0, also written as `1.`; 0 if the field is blank.
    fn whole(&self, columns: Columns) -> Result<usize> {
        let value = self.number(columns)?;
        if value >= 0.0 && value.fract() == 0.0 {
            return Ok(value as usize);
        }
        Err(self.refused(columns))
    }

    /// The error that a field has a value that the format does not have.
    fn refused(&self, columns: Columns) -> EngineError {
        let (first, last) = columns;
        let value = self.field(columns);
        let message = message!("cdf.code", line = self.line, first = first, last = last, value = value);
        EngineError::new("INPUT.PARSE", message)
    }

    fn bus(&self, columns: Columns) -> Result<BusId> {
        match self.whole(columns)? {
            0 => Err(self.refused(columns)),
            number => Ok(BusId(number)),
        }
    }
}

/// The tables during reading.
struct Case {
    base_mva: f64,
    buses: Vec<Bus>,
    branches: Vec<Branch>,
    generators: Vec<Generator>,
    loads: Vec<Load>,
    shunts: Vec<Shunt>,
    /// Transformers whose control holds a voltage or reactive flow, and those that hold an active flow.
    held: [usize; 2],
    /// Areas with a scheduled interchange.
    exports: Vec<Message>,
    /// Generators whose reactive power follows voltage limits.
    held_reactive: usize,
}

impl Case {
    fn new(base_mva: f64) -> Self {
        Self {
            base_mva,
            buses: Vec::new(),
            branches: Vec::new(),
            generators: Vec::new(),
            loads: Vec::new(),
            shunts: Vec::new(),
            held: [0; 2],
            exports: Vec::new(),
            held_reactive: 0,
        }
    }

    fn take(&mut self, section: Section, card: &Card<'_>) -> Result<()> {
        match section {
            Section::Bus => self.bus(card),
            Section::Branch => self.branch(card),
            Section::Interchange => {
                let export = card.number(interchange::EXPORT)?;
                if export != 0.0 {
                    let area = card.field(interchange::AREA);
                    self.exports
                        .push(message!("psse.area", area = area, export = mw_exact(export)));
                }
                Ok(())
            }
            Section::LossZones | Section::TieLines => Ok(()),
        }
    }

    fn bus(&mut self, card: &Card<'_>) -> Result<()> {
        let id = card.bus(bus::NUMBER)?;
        let numbers =
            |columns: [Columns; 2]| Ok::<_, EngineError>([card.number(columns[0])?, card.number(columns[1])?]);
        let kind = card.whole(bus::TYPE)?;
        let is_controlled = match kind {
            0 | 1 => false,
            2 | 3 => true,
            _ => return Err(card.refused(bus::TYPE)),
        };
        let kinds = [BusType::Pq, BusType::Pq, BusType::Pv, BusType::Ref];
        let mut row = Bus::new(id, kinds[kind], card.number(bus::BASE_KV)?);
        row.name = Some(card.field(bus::NAME).to_string()).filter(|name| !name.is_empty());
        (row.area, row.zone) = (card.whole(bus::AREA)?, card.whole(bus::ZONE)?);
        (row.vm, row.va) = (card.number(bus::VOLTAGE)?, card.number(bus::ANGLE)?);
        let limits = match kind {
            0 => [0.0; 2],
            _ => [card.number(bus::LEAST)?, card.number(bus::LARGEST)?],
        };
        if limits[0] > limits[1] {
            let message = message!("cdf.limits", line = card.line, bus = id.to_string());
            return Err(EngineError::new("INPUT.PARSE", message));
        }
        let is_limited = limits != [0.0; 2];
        [row.vmin, row.vmax] = if kind == 1 && is_limited {
            limits
        } else {
            VOLTAGE_LIMITS
        };
        let demand = numbers(bus::DEMAND)?;
        if demand != [0.0; 2] {
            self.loads.push(Load::new(id, demand[0], demand[1]));
        }
        let [g, b] = numbers(bus::SHUNT)?;
        if [g, b] != [0.0; 2] {
            self.shunts.push(Shunt::new(id, g * self.base_mva, b * self.base_mva));
        }
        let [active, reactive] = numbers(bus::GENERATION)?;
        if kind != 0 || [active, reactive] != [0.0; 2] {
            let mut unit = Generator::new(id);
            (unit.pg, unit.qg) = (active, reactive);
            // As MATPOWER's `cdf2mpc` assumes, except that a unit that draws power may go on doing so.
            (unit.pmin, unit.pmax) = (active.min(0.0), active + self.base_mva);
            [unit.qmin, unit.qmax] = match (is_controlled, is_limited) {
                (false, _) => [reactive; 2],
                (true, true) => limits,
                (true, false) => [f64::NEG_INFINITY, f64::INFINITY],
            };
            let set_point = card.number(bus::SET_POINT)?;
            unit.vg = if is_controlled && set_point > 0.0 {
                set_point
            } else {
                row.vm
            };
            unit.mbase = self.base_mva;
            unit.voltage_regulation_on = is_controlled;
            let remote = if kind == 2 { card.whole(bus::REMOTE)? } else { 0 };
            unit.regulated_bus = Some(BusId(remote)).filter(|remote| remote.0 != 0 && *remote != id);
            self.held_reactive += usize::from(kind == 1 && is_limited);
            self.generators.push(unit);
        }
        self.buses.push(row);
        Ok(())
    }

    fn branch(&mut self, card: &Card<'_>) -> Result<()> {
        let ends = [card.bus(branch::FROM)?, card.bus(branch::TO)?];
        let [r, x] = [card.number(branch::RESISTANCE)?, card.number(branch::REACTANCE)?];
        let mut row = Branch::new(ends[0], ends[1], r, x);
        row.b = card.number(branch::CHARGING)?;
        let [a, b, c] = branch::RATINGS.map(|columns| card.number(columns));
        (row.rate_a, row.rate_b, row.rate_c) = (a?, b?, c?);
        (row.tap, row.shift) = (card.number(branch::RATIO)?, card.number(branch::ANGLE)?);
        if row.tap < 0.0 {
            return Err(card.refused(branch::RATIO));
        }
        let kind = card.whole(branch::TYPE)?;
        match kind {
            0 | 1 => {}
            2 | 3 => self.held[0] += 1,
            4 => self.held[1] += 1,
            _ => return Err(card.refused(branch::TYPE)),
        }
        if kind != 0 && row.tap == 0.0 {
            row.tap = 1.0;
        }
        let circuit = card.field(branch::CIRCUIT);
        if !matches!(circuit, "" | "1") {
            row.extras.insert("id".into(), circuit.into());
        }
        self.branches.push(row);
        Ok(())
    }

    fn warnings(&self) -> Vec<Warning> {
        let mut out = Vec::new();
        let mut tell = |code, count: usize, message: Message| {
            if count > 0 {
                out.push(Warning::new(code, message));
            }
        };
        tell(
            "INPUT.LIMITS_NOT_IN_FORMAT",
            self.buses.len(),
            message!("cdf.no_limits"),
        );
        let [taps, angles] = self.held;
        tell("INPUT.HELD", taps, message!("psse.held_taps", count = taps));
        tell("INPUT.HELD", angles, message!("psse.held_angles", count = angles));
        let held = self.held_reactive;
        tell("INPUT.HELD", held, message!("cdf.held_reactive", count = held));
        let (count, areas) = (self.exports.len(), self.exports.clone());
        tell(
            "INPUT.HELD",
            count,
            message!("psse.held_interchange", count = count, areas = areas),
        );
        out
    }

    fn network(self, name: &str) -> BalancedNetwork {
        let name = if name.is_empty() { "case" } else { name };
        let mut net = BalancedNetwork::new(name, self.base_mva);
        *net.source_format_mut() = SourceFormat::IeeeCdf;
        *net.buses_mut() = self.buses;
        *net.branches_mut() = self.branches;
        *net.generators_mut() = self.generators;
        *net.loads_mut() = self.loads;
        *net.shunts_mut() = self.shunts;
        net
    }
}
