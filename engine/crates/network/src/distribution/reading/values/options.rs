//! Options of `Set` and of `Solve`.

use super::kinds::Kind;

/// Options that are neither names nor texts, with their kinds as in [`super::classes`].
const OPTIONS: &str = "hour:n sec:n year:i frequency:n stepsize:duration h:duration number:i time:l tolerance:n maxiterations:i
    random:none|gaussian|uniform|lognormal loadmodel:powerflow|admittance loadmult:n normvminpu:n normvmaxpu:n emergvminpu:n
    emergvmaxpu:n %mean:n %stddev:n %growth:n genkw:n genpf:n capkvar:n addtype:generator|capacitor allowduplicates:b zonelock:b
    ueweight:n lossweight:n ueregs:l lossregs:l voltagebases:l algorithm:normal|newton trapezoidal:b
    controlmode:off|static|event|time|multirate tracecontrol:b genmult:n allocationfactors:n cktmodel:multiphase|positive
    pricesignal:n terminal:i basefrequency:n maxcontroliter:i demandinterval:b %normal:n diverbose:b markercode:i nodewidth:n log:b
    recorder:b overloadreport:b voltexceptionreport:b cfactors:n showexport:b numallociterations:i defaultbasefrequency:n
    markswitches:b switchmarkercode:i daisysize:n marktransformers:b transmarkercode:i transmarkersize:n
    loadshapeclass:none|daily|yearly|duty earthmodel:earth querylog:b markcapacitors:b markregulators:b markpvsystems:b
    markstorage:b capmarkercode:i regmarkercode:i pvmarkercode:i storemarkercode:i capmarkersize:n regmarkersize:n pvmarkersize:n
    storemarkersize:n neglectloady:b markfuses:b fusemarkercode:i fusemarkersize:n markreclosers:b reclosermarkercode:i
    reclosermarkersize:n registryupdate:b markrelays:b relaymarkercode:i relaymarkersize:n sampleenergymeters:b miniterations:i
    keepload:b zmag:n seasonrating:b eventlogdefault:b longlinecorrection:b showreports:b
    mode:mode";

/// The kind of an option by its whole name in lower case.
pub(super) fn kind(option: &str) -> Kind {
    let named = OPTIONS.split_whitespace().filter_map(|written| written.split_once(':'));
    named
        .filter(|(name, _)| *name == option)
        .map(|(_, kind)| Kind::named(kind))
        .next()
        .unwrap_or(Kind::Text)
}

#[cfg(test)]
mod tests {
    use super::{kind, Kind, OPTIONS};
    use crate::distribution::settings;

    #[test]
    fn every_option_is_one() {
        for written in OPTIONS.split_whitespace() {
            let name = written.split(':').next().unwrap_or_default();
            assert_eq!(settings::option(name, None).1, name);
            assert!(settings::option(name, None).0.is_some(), "{name}");
        }
        assert_eq!(kind("loadmult"), Kind::Number);
        assert_eq!(kind("datapath"), Kind::Text);
    }
}
