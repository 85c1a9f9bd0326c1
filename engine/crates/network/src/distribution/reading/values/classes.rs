//! Classes of elements, their options in the order of OpenDSS, and the kind of each value.
//!
//! Names and order are those of the parser (`dss/prop.rs` there), so that positional values and abbreviated names have
//! the same meaning. For classes that the parser stores as text, and after its own names, they are those of OpenDSS
//! (DSS C-API 0.14.5).

use std::sync::OnceLock;

use super::kinds::Kind;

/// Options followed by their kind (see [`Kind::named`]); options without one name buses, curves, other elements and
/// files.
const CLASSES: [(&str, &str); 25] = [
    ("line", "bus1 bus2 linecode length:n phases:i r1:n x1:n r0:n x0:n c1:n c0:n rmatrix:l xmatrix:l cmatrix:l switch:b rg:n xg:n
        rho:n geometry units:units spacing wires earthmodel:earth cncables tscables b1:n b0:n seasons:i ratings:l linetype:linetype
        normamps:n emergamps:n faultrate:n pctperm:n repair:n basefreq:n enabled:b like"),
    ("linecode", "nphases:i r1:n x1:n r0:n x0:n c1:n c0:n units:units rmatrix:l xmatrix:l cmatrix:l basefreq:n normamps:n emergamps:n
        faultrate:n pctperm:n repair:n kron:b rg:n xg:n rho:n neutral:i b1:n b0:n seasons:i ratings:l linetype:linetype like"),
    ("linegeometry", "nconds:i nphases:i cond:i wire x:n h:n units:units normamps:n emergamps:n reduce:b spacing wires cncable tscable
        cncables tscables seasons:i ratings:l linetype:linetype like"),
    ("linespacing", "nconds:i nphases:i x:l h:l units:units like"),
    ("wiredata", "rdc:n rac:n runits:units gmrac:n gmrunits:units radius:n radunits:units normamps:n emergamps:n diam:n seasons:i
        ratings:l capradius:n like"),
    ("cndata", "k:i diastrand:n gmrstrand:n rstrand:n epsr:n inslayer:n diains:n diacable:n rdc:n rac:n runits:units gmrac:n
        gmrunits:units radius:n radunits:units normamps:n emergamps:n diam:n seasons:i ratings:l capradius:n like"),
    ("tsdata", "diashield:n tapelayer:n tapelap:n epsr:n inslayer:n diains:n diacable:n rdc:n rac:n runits:units gmrac:n
        gmrunits:units radius:n radunits:units normamps:n emergamps:n diam:n seasons:i ratings:l capradius:n like"),
    ("load", "phases:i bus1 kv:n kw:n pf:pf model:i yearly daily duty growth conn:conn kvar:n rneut:n xneut:n
        status:variable|fixed|exempt class:i vminpu:n vmaxpu:n vminnorm:n vminemerg:n xfkva:n allocationfactor:n kva:n %mean:n
        %stddev:n cvrwatts:n cvrvars:n kwh:n kwhdays:n cfactor:n cvrcurve numcust:i zipv:l %seriesrl:n relweight:n vlowpu:n
        puxharm:n xrharm:n spectrum basefreq:n enabled:b like"),
    ("loadshape", "npts:i interval:n mult:s hour:s mean:n stddev:n csvfile sngfile dblfile action:normalize|dblsave|sngsave qmult:s
        useactual:b pmax:n qmax:n sinterval:n minterval:n pbase:n qbase:n pmult:s pqcsvfile memorymapping:b interpolation:avg|edge
        like"),
    ("xycurve", "npts:i points:s yarray:s xarray:s csvfile sngfile dblfile x:n y:n like xshift:n yshift:n xscale:n yscale:n"),
    ("transformer", "phases:i windings:i wdg:i bus conn:conn kv:n kva:n tap:n %r:n rneut:n xneut:n buses conns:conns kvs:l kvas:l
        taps:l xhl:n xht:n xlt:n xscarray:l thermal:n n:n m:n flrise:n hsrise:n %loadloss:n %noloadloss:n normhkva:n emerghkva:n
        sub:b maxtap:n mintap:n numtaps:i subname %imag:n ppm_antifloat:n %rs:l bank xfmrcode xrconst:b x12:n x13:n x23:n
        leadlag:lead wdgcurrents core:core rdcohms:n seasons:i ratings:l normamps:n emergamps:n faultrate:n pctperm:n repair:n
        basefreq:n enabled:b like"),
    ("xfmrcode", "phases:i windings:i wdg:i conn:conn kv:n kva:n tap:n %r:n rneut:n xneut:n conns:conns kvs:l kvas:l taps:l xhl:n
        xht:n xlt:n xscarray:l thermal:n n:n m:n flrise:n hsrise:n %loadloss:n %noloadloss:n normhkva:n emerghkva:n maxtap:n
        mintap:n numtaps:i %imag:n ppm_antifloat:n %rs:l x12:n x13:n x23:n rdcohms:n seasons:i ratings:l like"),
    ("autotrans", "phases:i windings:i wdg:i bus conn:auto kv:n kva:n tap:n %r:n rdcohms:n core:core buses conns:autos kvs:l kvas:l
        taps:l xhx:n xht:n xxt:n xscarray:l thermal:n n:n m:n flrise:n hsrise:n %loadloss:n %noloadloss:n normhkva:n emerghkva:n
        sub:b maxtap:n mintap:n numtaps:i subname %imag:n ppm_antifloat:n %rs:l bank xrconst:b leadlag:lead wdgcurrents normamps:n
        emergamps:n faultrate:n pctperm:n repair:n basefreq:n enabled:b like"),
    ("vsource", "bus1 basekv:n pu:n angle:n frequency:n phases:i mvasc3:n mvasc1:n x1r1:n x0r0:n isc3:n isc1:n r1:n x1:n r0:n x0:n
        scantype:none|zero|positive sequence:negative|zero|positive bus2 z1:l z0:l z2:l puz1:l puz0:l puz2:l basemva:n yearly daily
        duty model:thevenin|ideal puzideal:l spectrum basefreq:n enabled:b like"),
    ("isource", "bus1 amps:n angle:n frequency:n phases:i scantype:none|zero|positive sequence:negative|zero|positive yearly daily
        duty bus2 spectrum basefreq:n enabled:b like"),
    ("capacitor", "bus1 bus2 phases:i kvar:l kv:n conn:conn cmatrix:l cuf:l r:l xl:l harm:l numsteps:i states:l normamps:n
        emergamps:n faultrate:n pctperm:n repair:n basefreq:n enabled:b like"),
    ("reactor", "bus1 bus2 phases:i kvar:n kv:n conn:conn rmatrix:l xmatrix:l parallel:b r:n x:n rp:n z1:l z2:l z0:l z:l rcurve
        lcurve lmh:n normamps:n emergamps:n faultrate:n pctperm:n repair:n basefreq:n enabled:b like"),
    ("generator", "phases:i bus1 kv:n kw:n pf:pf kvar:n model:i vminpu:n vmaxpu:n yearly daily duty dispmode:default|loadlevel|price
        dispvalue:n conn:conn rneut:n xneut:n status:variable|fixed class:i vpu:n maxkvar:n minkvar:n pvfactor:n forceon:b kva:n
        mva:n xd:n xdp:n xdpp:n h:n d:n usermodel userdata shaftmodel shaftdata dutystart:n debugtrace:b balanced:b xrdp:n
        usefuel:b fuelkwh:n %fuel:n %reserve:n refuel:b dynamiceq dynout spectrum basefreq:n enabled:b like"),
    ("pvsystem", "phases:i bus1 kv:n irradiance:n pmpp:n %pmpp:n temperature:n pf:pf conn:conn kvar:n kva:n %cutin:n %cutout:n effcurve
        ptcurve daily yearly duty tdaily tyearly tduty class:i user_model user_data debugtrace:b varfollowinverter:b duty_start:n
        wattpriority:b pfpriority:b pctpmpp:n pctcutin:n pctcutout:n kvarmax:n kvarmaxabs:n kvarlimit:n kvarlimitneg:n
        %pminnovars:n %pminkvarmax:n vminpu:n vmaxpu:n spectrum basefreq:n enabled:b like p-tcurve %r:n %x:n model:i balanced:b
        limitcurrent:b usermodel userdata dutystart:n kvdc:n kp:n pitol:n safevoltage:n safemode:b dynamiceq dynout
        controlmode:gfl|gfm amplimit:n amplimitgain:n"),
    ("storage", "phases:i bus1 kv:n conn:conn kw:n kvar:n pf:pf kva:n %cutin:n %cutout:n effcurve varfollowinverter:b kvarmax:n
        kvarmaxabs:n wattpriority:b pfpriority:b %pminnovars:n %pminkvarmax:n kwrated:n %kwrated:n kwhrated:n kwhstored:n %stored:n
        %reserve:n state:charging|idling|discharging|charge|idle|discharge|c|i|d %discharge:n %charge:n %effcharge:n %effdischarge:n %idlingkw:n %idlingkvar:n
        %r:n %x:n model:i vminpu:n vmaxpu:n balanced:b limitcurrent:b yearly daily duty
        dispmode:default|loadlevel|price|external|follow dischargetrigger:n chargetrigger:n timechargetrig:n class:i dynadll
        dynadata usermodel userdata debugtrace:b kvdc:n kp:n pitol:n safevoltage:n safemode:b dynamiceq dynout controlmode:gfl|gfm
        amplimit:n amplimitgain:n spectrum basefreq:n enabled:b like"),
    ("fault", "bus1 bus2 phases:i r:n %stddev:n gmatrix:l ontime:n temporary:b minamps:n normamps:n emergamps:n faultrate:n pctperm:n
        repair:n basefreq:n enabled:b like"),
    ("regcontrol", "transformer winding:i vreg:n band:n ptratio:n ctprim:n r:n x:n bus delay:n reversible:b revvreg:n revband:n revr:n
        revx:n tapdelay:n debugtrace:b maxtapchange:i inversetime:b tapwinding:i vlimit:n ptphase:phase revthreshold:n revdelay:n
        revneutral:b eventlog:b remoteptratio:n tapnum:i reset:b ldc_z:n rev_z:n cogen:b basefreq:n enabled:b like"),
    ("capcontrol", "element terminal:i capacitor type:current|voltage|kvar|time|powerfactor|pf|follow ptratio:n ctratio:n onsetting:n
        offsetting:n delay:n voltoverride:b vmax:n vmin:n delayoff:n deadtime:n ctphase:phase ptphase:phase vbus eventlog:b
        usermodel userdata pctminkvar:n reset:b controlsignal basefreq:n enabled:b like"),
    ("swtcontrol", "switchedobj switchedterm:i action:states lock:b delay:n normal:states state:states reset:b basefreq:n enabled:b
        like"),
    (
        "invcontrol",
        "derlist mode combimode vvc_curve1 hysteresis_offset:n voltage_curvex_ref avgwindowlen volt_watt_curve dbvmin:n dbvmax:n
        armingtime:n deltaq_factor:n voltagechange_tolerance:n varchange_tolerance:n voltwatt_curve voltwattyaxis rateofchange_mode
        lpftau:n risefalllimit:n deltap_factor:n eventlog:b refreactivepower activepchange_tolerance:n monvoltagecalc monbus
        monbusesvbase:l basefreq:n enabled:b like argralowv:n argrahiv:n dynreacavgwindowlen voltagechangetolerance:n
        varchangetolerance:n rateofchangemode activepchangetolerance:n voltwattch_curve wattpf_curve wattvar_curve
        vv_refreactivepower pvsystemlist vsetpoint:n controlmodel:i",
    ),
];

/// A class and its options.
pub(super) struct Class {
    name: &'static str,
    options: Vec<(&'static str, Kind)>,
}

impl Class {
    /// The class of a name; `None` for classes that do not affect a power flow.
    pub fn of(name: &str) -> Option<&'static Self> {
        static READ: OnceLock<Vec<Class>> = OnceLock::new();
        // A circuit denotes its source.
        let name = if name.eq_ignore_ascii_case("circuit") {
            "vsource"
        } else {
            name
        };
        let classes = READ.get_or_init(|| CLASSES.iter().map(|(name, options)| Self::new(name, options)).collect());
        classes.iter().find(|class| class.name.eq_ignore_ascii_case(name))
    }

    fn new(name: &'static str, options: &'static str) -> Self {
        let option = |written: &'static str| match written.split_once(':') {
            Some((option, kind)) => (option, Kind::named(kind)),
            None => (written, Kind::Text),
        };
        let options = options.split_whitespace().map(option).collect();
        Self { name, options }
    }

    /// Name in lower case.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Position of the option that a name denotes: by the whole name, otherwise the first that begins with it.
    pub fn position(&self, written: &str) -> Option<usize> {
        let whole = |(option, _): &(&str, Kind)| option.eq_ignore_ascii_case(written);
        let begins = |(option, _): &(&str, Kind)| {
            let beginning = option.as_bytes().get(..written.len());
            beginning.is_some_and(|b| b.eq_ignore_ascii_case(written.as_bytes()))
        };
        let options = || self.options.iter();
        options().position(whole).or_else(|| options().position(begins))
    }

    /// Name and kind of the option at a position.
    pub fn option(&self, position: usize) -> Option<(&'static str, Kind)> {
        self.options.get(position).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::{Class, Kind, CLASSES};

    #[test]
    fn names_are_found_as_opendss_finds_them() {
        let line = Class::of("LINE").expect("a class");
        assert_eq!(line.position("r1"), Some(5));
        assert_eq!(line.position("R"), Some(5));
        assert_eq!(line.position("rm"), Some(11));
        assert_eq!(line.position("zzz"), None);
        assert_eq!(line.option(11), Some(("rmatrix", Kind::Numbers)));
        assert_eq!(Class::of("circuit").map(Class::name), Some("vsource"));
        assert!(Class::of("monitor").is_none());
    }

    #[test]
    fn each_class_and_each_of_its_options_stands_once() {
        for (k, (name, options)) in CLASSES.iter().enumerate() {
            assert!(CLASSES[..k].iter().all(|(other, _)| other != name), "{name}");
            let mut names: Vec<&str> = options
                .split_whitespace()
                .map(|o| o.split(':').next().unwrap_or(o))
                .collect();
            let count = names.len();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), count, "{name}");
        }
    }
}
