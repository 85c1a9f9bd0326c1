//! The targets, with the seeds of their mutations: one for each entry point of `crates/network`, one for each
//! formulation with voltages through a Study, including the power flow of feeders, and one for each text that a program
//! sends (request, edits, plan, Study file).

mod cases;
mod distribution;
mod documents;
mod feeders;
mod places;
pub mod requests;
pub mod saved;
mod studies;

use crate::data::Choice;

/// One entry point under hostile input.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    pub name: &'static str,
    /// Feeds the bytes to the entry point; a panic is a finding.
    pub run: fn(&[u8]),
    /// Small files of the repository that it reads.
    pub seeds: &'static [&'static [u8]],
    /// Number of mutated seeds in the fixed run.
    pub cases: usize,
    /// Further files in the data folder.
    pub data: &'static [Choice],
    /// Number of mutated files of the data folder in the fixed run.
    pub data_cases: usize,
}

impl Target {
    const fn new(name: &'static str, run: fn(&[u8]), seeds: &'static [&'static [u8]], cases: usize) -> Self {
        Self {
            name,
            run,
            seeds,
            cases,
            data: &[],
            data_cases: 0,
        }
    }

    const fn with(mut self, data: &'static [Choice], cases: usize) -> Self {
        (self.data, self.data_cases) = (data, cases);
        self
    }
}

const fn choice(folder: &'static str, extension: &'static str, largest: u64) -> Choice {
    Choice {
        folder,
        extension,
        largest,
    }
}

macro_rules! seeds {
    ($($name:literal),* $(,)?) => { &[$(include_bytes!(concat!("../seeds/", $name)).as_slice()),*] };
}

/// Largest file of the data folder that is mutated, bytes.
const SMALL: u64 = 30_000;
const MODULES: &[&[u8]] = seeds!["four_bus.module.json", "three_winding.module.json"];
const DOCUMENTS: &[&[u8]] = seeds![
    "four_bus.module.json",
    "powermodels.json",
    "egret.json",
    "pandapower.json",
    "opfdata.json",
    "goc3.json",
    "bmopf.json",
    "pmd.json",
    "layer.json",
    "layer.geojson",
];
const RAW: &[&[u8]] = seeds![
    "four_bus_33.raw",
    "four_bus_35.raw",
    "three_winding.raw",
    "node_breaker.raw",
    "all_sections_34.raw",
    "names.raw",
    "revision_30.raw"
];
const GRIDS: &[&[u8]] = seeds!["ac_grid.m", "four_bus.m", "units.m"];
const LAYERS: &[&[u8]] = seeds![
    "layer.csv",
    "layer_routes.csv",
    "layer_plain.csv",
    "layer.geojson",
    "layer.json",
    "layer.aux",
];
const LAYER_FILES: &[Choice] = &[
    choice("aux", "aux", SMALL),
    choice("new_england250", "csv", SMALL),
    choice("activsg200", "csv", SMALL),
    choice("dss", "dat", SMALL),
];

/// Every target.
pub const TARGETS: &[Target] = &[
    Target::new(
        "matpower",
        cases::matpower,
        seeds!["four_bus.m", "units.m", "version_1.m", "arithmetic.m"],
        700,
    )
    .with(&[choice("matpower", "m", SMALL)], 200),
    Target::new("psse", cases::psse, RAW, 800).with(&[choice("raw", "raw", SMALL)], 200),
    Target::new(
        "powerworld",
        cases::powerworld,
        seeds!["four_bus.aux", "concise.aux", "star.aux"],
        700,
    )
    .with(&[choice("aux", "aux", SMALL)], 200),
    // A damaged file of this format takes up to a second.
    Target::new("pwb", cases::pwb, seeds!["head.pwb"], 200).with(&[choice("rts_gmlc", "pwb", 100_000)], 15),
    Target::new("pslf", cases::pslf, seeds!["four_bus.epc"], 700).with(&[choice("epc", "epc", SMALL)], 200),
    Target::new("ieee-cdf", cases::cdf, seeds!["five_bus.cdf"], 700),
    Target::new("ucte", cases::ucte, seeds!["ten_nodes.uct"], 700),
    Target::new("xiidm", cases::xiidm, seeds!["two_areas.xiidm"], 500),
    Target::new(
        "cgmes",
        cases::cgmes,
        seeds!["every_class.cgmes.xml", "every_class.zip"],
        500,
    ),
    Target::new("psse-rawx", cases::rawx, seeds!["every_table.rawx"], 700).with(&[choice("raw", "rawx", SMALL)], 200),
    Target::new("powermodels-json", cases::powermodels, seeds!["powermodels.json"], 500),
    Target::new("egret-json", cases::egret, seeds!["egret.json"], 500).with(&[choice("case_json", "json", SMALL)], 100),
    Target::new("pandapower-json", cases::pandapower, seeds!["pandapower.json"], 500),
    Target::new("opfdata-json", cases::opfdata, seeds!["opfdata.json"], 500),
    Target::new("goc3-json", cases::goc3, seeds!["goc3.json"], 500),
    Target::new("drop", documents::drop_json, DOCUMENTS, 600).with(
        &[choice("case_json", "json", SMALL), choice("dist_json", "json", SMALL)],
        100,
    ),
    Target::new("module", documents::module, MODULES, 700),
    Target::new("export", documents::export, MODULES, 400),
    Target::new("layout", places::layout, MODULES, 400),
    Target::new("geo-module", places::geo_module, MODULES, 400),
    Target::new("layer", places::layer, LAYERS, 1000).with(LAYER_FILES, 200),
    Target::new(
        "lists",
        places::lists,
        seeds!["lists.con", "lists.sub", "lists.mon", "lists.aux", "lists.csv"],
        500,
    )
    .with(&[choice("aux", "aux", SMALL)], 50),
    Target::new(
        "place-from-source",
        places::from_source,
        seeds!["layer.aux", "four_bus_35.raw", "concise.aux"],
        500,
    ),
    Target::new(
        "dss",
        distribution::dss,
        seeds!["micro.dss", "names.dss", "values.dss"],
        700,
    )
    .with(&[choice("dss", "dss", SMALL)], 200),
    Target::new("bmopf-json", distribution::bmopf, seeds!["bmopf.json"], 500)
        .with(&[choice("dist_json", "json", SMALL)], 100),
    Target::new("pmd-json", distribution::pmd, seeds!["pmd.json"], 500)
        .with(&[choice("dist_json/pmd", "json", SMALL)], 100),
    Target::new(
        "distribution-module",
        distribution::module,
        seeds!["micro.module.json"],
        500,
    ),
    Target::new("display", places::display, seeds!["two_bus.pwd"], 1000),
    Target::new("acpf", studies::acpf, GRIDS, 500),
    Target::new("socwr", studies::socwr, GRIDS, 500),
    Target::new("feeder", feeders::feeder, seeds!["feeder.dss", "names.dss"], 1500)
        .with(&[choice("dss", "dss", SMALL)], 100),
    Target::new(
        "request",
        requests::request,
        seeds!["opf.request.json", "flow.request.json", "cone.request.json"],
        1500,
    ),
    Target::new(
        "edits",
        requests::edits,
        seeds!["opf.edits.txt", "flow.edits.txt", "cone.edits.txt"],
        1500,
    ),
    Target::new(
        "plan",
        requests::plan,
        seeds!["ratings.plan.json", "placement.plan.json", "move.plan.json"],
        700,
    ),
    Target::new("bundle", saved::bundle, seeds!["three_bus.study.json"], 700),
    Target::new("bundle-draft", saved::draft, seeds!["three_bus.study.json"], 700),
];

/// The target of a name.
pub fn target(name: &str) -> Option<&'static Target> {
    TARGETS.iter().find(|t| t.name == name)
}
