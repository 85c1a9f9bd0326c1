//! Options and commands of a script, and those that a power flow of the module may ignore.
//!
//! The parser stores `Set` assignments and commands in two lists without their common order: of the values from `Set`
//! the last one applies, whereas each value on a `Solve` line counts.

use std::collections::BTreeMap;

use powerio::dist::MulticonductorNetwork;

use super::script;

/// Options in the order of OpenDSS, which resolves abbreviations (`ExecOptions` in its sources). Those marked `!`
/// change the solution; the others concern reports, searches, time steps (which a snapshot does not have) or the
/// parser.
const OPTIONS: &str = "type element hour sec !year !frequency stepsize mode random number time class object !circuit editor tolerance
    maxiterations h !loadmodel !loadmult normvminpu normvmaxpu emergvminpu emergvmaxpu %mean %stddev ldcurve %growth genkw genpf
    capkvar addtype !allowduplicates zonelock ueweight lossweight ueregs lossregs voltagebases algorithm trapezoidal autobuslist
    controlmode tracecontrol genmult defaultdaily defaultyearly !allocationfactors !cktmodel pricesignal pricecurve terminal
    basefrequency harmonics maxcontroliter bus datapath keeplist reduceoption demandinterval %normal diverbose casename markercode
    nodewidth log recorder overloadreport voltexceptionreport !cfactors showexport numallociterations defaultbasefrequency
    markswitches switchmarkercode daisysize marktransformers transmarkercode transmarkersize loadshapeclass earthmodel querylog
    markcapacitors markregulators markpvsystems markstorage capmarkercode regmarkercode pvmarkercode storemarkercode capmarkersize
    regmarkersize pvmarkersize storemarkersize neglectloady markfuses fusemarkercode fusemarkersize markreclosers
    reclosermarkercode reclosermarkersize registryupdate markrelays relaymarkercode relaymarkersize processtime totaltime steptime
    sampleenergymeters miniterations dssvisualizationtool keepload !zmag seasonrating seasonsignal linetypes eventlogdefault
    !longlinecorrection showreports numcpus numcores numactors !activeactor cpu actorprogress parallel concatenatereports numanodes";

/// Commands that report, measure, name or place, and those that the parser or this crate executes.
const COMMANDS: &str = "new edit more m ~ select save show solve enable disable plot reset compile set dump open close redirect help quit
    ? panel sample clear about calcvoltagebases setkvbase buildy get init export fileedit voltages currents powers seqvoltages
    seqcurrents seqpowers losses phaselosses cktlosses formedit totals capacity classes userclasses zsc zsc10 zscrefresh ysc
    puvoltages varvalues varnames buscoords makebuslist interpolate alignfile top rotate vdiff summary di_plot comparecases
    yearlycurves cd visualize closedi doscmd _initsnap _solvenocontrol _solvepflow _showcontrolqueue addbusmarker uuids nodediff
    setbusxy latlongcoords batchedit pstcalc reprocessbuses clearbusmarkers relcalc var nodelist clearall wait solveall calcincmatrix
    calcincmatrix_o refine_buslevels calclaplacian exportoverloads exportvviolations zsc012 aggregateprofiles allpceatbus
    allpdeatbus totalpowers comhelp gis giscoords";

/// The settings of a script beyond its elements.
pub(super) struct Settings {
    /// Full name of the option in lower case if it is known, and its value.
    values: Vec<(String, String)>,
    /// Commands that are not executed and may change the circuit, by full name in lower case.
    pub commands: Vec<String>,
    /// Number of `Solve` commands.
    pub solves: usize,
}

impl Settings {
    pub fn new(net: &MulticonductorNetwork) -> Self {
        let mut last = BTreeMap::new();
        let mut before = None;
        for (name, value) in net.options() {
            let (position, name) = option(name, before);
            before = position;
            last.insert(name, value.trim().to_owned());
        }
        let mut values: Vec<(String, String)> = last.into_iter().collect();
        let mut commands = Vec::new();
        let mut solves = 0;
        for (verb, args) in net.commands() {
            let verb = verb.to_ascii_lowercase();
            if !COMMANDS.split_whitespace().any(|known| known == verb) && !commands.contains(&verb) {
                commands.push(verb.clone());
            }
            if verb != "solve" {
                continue;
            }
            solves += 1;
            let mut before = None;
            for param in script::params(args) {
                let value = args[param.value].trim().to_owned();
                let name = param.name.map_or("", |name| &args[name]);
                if name.is_empty() && value.is_empty() {
                    continue;
                }
                let (position, name) = option(name, before);
                before = position;
                values.push((name, value));
            }
        }
        Self {
            values,
            commands,
            solves,
        }
    }

    /// The effective values of an option.
    pub fn of<'a>(&'a self, option: &'a str) -> impl Iterator<Item = &'a str> {
        let named = move |(name, value): &'a (String, String)| (name == option).then_some(value.as_str());
        self.values.iter().filter_map(named)
    }

    /// Values of options that change the solution or are unknown, unless they equal those of the solution here.
    pub fn refused(&self, base_frequency: f64) -> impl Iterator<Item = (&str, &str)> {
        let is_refused = move |(name, value): &&(String, String)| {
            let is = |number: f64| value.parse::<f64>().is_ok_and(|v| v == number);
            let begins = |letters: &[char]| value.to_ascii_lowercase().starts_with(letters);
            match name.as_str() {
                "loadmult" => !is(1.0),
                "year" => !is(0.0),
                "frequency" => !is(base_frequency),
                "loadmodel" => !begins(&['p']),
                "cktmodel" => !begins(&['m']),
                "allowduplicates" | "longlinecorrection" => !begins(&['n', 'f']),
                name => !OPTIONS.split_whitespace().any(|known| known == name),
            }
        };
        self.values
            .iter()
            .filter(is_refused)
            .map(|(name, value)| (name.as_str(), value.as_str()))
    }
}

/// Whether an option, by full name in lower case, changes the solution.
pub(super) fn is_of_solution(option: &str) -> bool {
    let named = |name: &str| name.strip_prefix('!') == Some(option);
    OPTIONS.split_whitespace().any(named)
}

/// Position and name of the option that `written` denotes: exactly, otherwise the first that begins with it; without a
/// name, the option after `before`.
pub(super) fn option(written: &str, before: Option<usize>) -> (Option<usize>, String) {
    let written = written.trim().to_ascii_lowercase();
    let known = || OPTIONS.split_whitespace().map(|name| name.trim_start_matches('!'));
    let position = match written.is_empty() {
        true => Some(before.map_or(0, |k| k + 1)),
        false => known()
            .position(|name| name == written)
            .or_else(|| known().position(|name| name.starts_with(&written))),
    };
    let name = position.and_then(|k| known().nth(k)).map(str::to_owned);
    (position, name.unwrap_or(written))
}
