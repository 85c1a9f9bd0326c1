//! Options and commands of a script, and those that a power flow of the module may ignore.
//!
//! The parser stores `Set` assignments and commands in two lists without their common order: of the values from `Set`
//! the last one applies, whereas each value on a `Solve` line counts.

use std::collections::BTreeMap;

use powerio::dist::MulticonductorNetwork;

use super::script;

/// Options in the order of OpenDSS, which resolves abbreviations (`ExecOptions` in its sources). Those marked `!` change the solution;
/// the others concern reports, searches, time steps (which a snapshot does not have) or the parser. Behind `:` stands the kind of the
/// value, as in the table of classes; a value without one is a name or a text.
const OPTIONS: &str = "type element hour:n sec:n !year:i !frequency:n stepsize:duration mode:mode
    random:none|gaussian|uniform|lognormal number:i time:l class object !circuit editor tolerance:n maxiterations:i h:duration
    !loadmodel:powerflow|admittance !loadmult:n normvminpu:n normvmaxpu:n emergvminpu:n emergvmaxpu:n %mean:n %stddev:n ldcurve
    %growth:n genkw:n genpf:n capkvar:n addtype:generator|capacitor !allowduplicates:b zonelock:b ueweight:n lossweight:n
    ueregs:l lossregs:l voltagebases:l algorithm:normal|newton trapezoidal:b autobuslist
    controlmode:off|static|event|time|multirate tracecontrol:b genmult:n defaultdaily defaultyearly !allocationfactors:n
    !cktmodel:multiphase|positive pricesignal:n pricecurve terminal:i basefrequency:n harmonics maxcontroliter:i bus datapath
    keeplist reduceoption demandinterval:b %normal:n diverbose:b casename markercode:i nodewidth:n log:b recorder:b
    overloadreport:b voltexceptionreport:b !cfactors:n showexport:b numallociterations:i defaultbasefrequency:n markswitches:b
    switchmarkercode:i daisysize:n marktransformers:b transmarkercode:i transmarkersize:n loadshapeclass:none|daily|yearly|duty
    earthmodel:earth querylog:b markcapacitors:b markregulators:b markpvsystems:b markstorage:b capmarkercode:i regmarkercode:i
    pvmarkercode:i storemarkercode:i capmarkersize:n regmarkersize:n pvmarkersize:n storemarkersize:n neglectloady:b markfuses:b
    fusemarkercode:i fusemarkersize:n markreclosers:b reclosermarkercode:i reclosermarkersize:n registryupdate:b markrelays:b
    relaymarkercode:i relaymarkersize:n processtime totaltime steptime sampleenergymeters:b miniterations:i dssvisualizationtool
    keepload:b !zmag:n seasonrating:b seasonsignal linetypes eventlogdefault:b !longlinecorrection:b showreports:b numcpus
    numcores numactors !activeactor cpu actorprogress parallel concatenatereports numanodes";

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
                name => !entries().any(|(known, _)| known == name),
            }
        };
        self.values
            .iter()
            .filter(is_refused)
            .map(|(name, value)| (name.as_str(), value.as_str()))
    }
}

/// Names of the options, with `!` where they have one, and kinds of their values.
fn entries() -> impl Iterator<Item = (&'static str, Option<&'static str>)> {
    OPTIONS.split_whitespace().map(|entry| match entry.split_once(':') {
        Some((name, kind)) => (name, Some(kind)),
        None => (entry, None),
    })
}

/// Whether an option, by full name in lower case, changes the solution.
pub(super) fn is_of_solution(option: &str) -> bool {
    entries().any(|(name, _)| name.strip_prefix('!') == Some(option))
}

/// The kind of the value of an option, whole and in lower case; `None` for a name or a text.
pub(super) fn kind(option: &str) -> Option<&'static str> {
    let own = |(name, kind): (&str, Option<&'static str>)| kind.filter(|_| name.trim_start_matches('!') == option);
    entries().find_map(own)
}

/// Position and name of the option that `written` denotes: exactly, otherwise the first that begins with it; without a
/// name, the option after `before`.
pub(super) fn option(written: &str, before: Option<usize>) -> (Option<usize>, String) {
    let written = written.trim().to_ascii_lowercase();
    let known = || entries().map(|(name, _)| name.trim_start_matches('!'));
    let position = match written.is_empty() {
        true => Some(before.map_or(0, |k| k + 1)),
        false => known()
            .position(|name| name == written)
            .or_else(|| known().position(|name| name.starts_with(&written))),
    };
    let name = position.and_then(|k| known().nth(k)).map(str::to_owned);
    (position, name.unwrap_or(written))
}

#[cfg(test)]
mod tests {
    use super::{kind, option};

    #[test]
    fn the_kind_of_a_value_goes_with_the_name_of_its_option() {
        assert_eq!(option("loadm", None).1, "loadmodel");
        assert_eq!(kind("loadmodel"), Some("powerflow|admittance"));
        assert_eq!(kind("loadmult"), Some("n"));
        assert_eq!(kind("datapath"), None);
    }
}
