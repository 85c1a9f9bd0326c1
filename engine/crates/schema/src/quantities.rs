//! Titles, digits, scales, colours and thresholds of columns and quantities, for page and kernel. The test of this crate generates
//! the tables of both.

use crate::contract::{ColumnElement, ColumnName};

/// The title of a column of results; empty where it goes by its name.
pub const fn title(column: ColumnName) -> &'static str {
    match column {
        ColumnName::Lmp => "Price",
        ColumnName::LmpQ => "Reactive price",
        ColumnName::LmpEnergy => "Price: energy",
        ColumnName::LmpLosses => "Price: losses",
        ColumnName::LmpCongestion => "Price: congestion",
        ColumnName::LmpWithoutSecurity => "LMP without security",
        ColumnName::LmpSecurity => "Price: security",
        ColumnName::LmpVoltage => "Price: voltage limits",
        ColumnName::SlackWeight => "Weight in the slack",
        ColumnName::VmPu => "Voltage magnitude",
        ColumnName::VaRad => "Voltage angle",
        ColumnName::VmMinPu => "Vmin",
        ColumnName::VmMaxPu => "Vmax",
        ColumnName::DemandMw => "Demand",
        ColumnName::DemandMvar => "Reactive demand",
        ColumnName::InjectionMw => "Net injection",
        ColumnName::InjectionMvar => "Net reactive injection",
        ColumnName::FlowMw => "Flow",
        ColumnName::FlowMvar => "Reactive flow",
        ColumnName::FlowToMw => "Flow at the to end",
        ColumnName::FlowToMvar => "Reactive flow at the to end",
        ColumnName::Loading => "Loading",
        ColumnName::RatingMva => "Rating",
        ColumnName::ProductReal => "Voltage product, real part",
        ColumnName::ProductImag => "Voltage product, imaginary part",
        ColumnName::ConeGap => "Gap of the relaxation",
        ColumnName::DispatchMw => "Dispatch",
        ColumnName::DispatchMvar => "Reactive output",
        ColumnName::LimitShadow => "Shadow price of the limit",
        ColumnName::LinkMw => "Link power",
        ColumnName::LinkToMw => "Link power at the to end",
        ColumnName::LinkFromMvar => "Reactive injection at the from end",
        ColumnName::LinkToMvar => "Reactive injection at the to end",
        ColumnName::LinkPriceDifference => "Price difference over the link",
        ColumnName::LinkShadow => "Shadow price of the link's limit",
        ColumnName::LinkRent => "Congestion rent of the link",
        ColumnName::StorageMw => "Storage power",
        ColumnName::StorageMvar => "Reactive injection of storage",
        ColumnName::StorageChargesBelow => "Charges below",
        ColumnName::StorageDischargesAbove => "Discharges above",
        ColumnName::ChargeMw => "Charging",
        ColumnName::DischargeMw => "Discharging",
        ColumnName::StoredMwh => "Stored energy",
        ColumnName::StoredValue => "Value of stored energy",
        ColumnName::RampValue => "Value of the ramp limit",
        ColumnName::QMinMvar => "Qmin",
        ColumnName::QMaxMvar => "Qmax",
        _ => "",
    }
}

/// The unit of a quantity.
#[derive(Clone, Copy)]
pub enum Unit {
    /// The unit of a column.
    Of(ColumnName),
    /// Another unit; empty for numbers of areas and zones.
    Own(&'static str),
}

/// How values become colours: prices with a hue of their own below zero, changes around zero, voltage magnitudes around 1 pu, amounts
/// at buses and on branches, and kinds without an order.
#[derive(Clone, Copy)]
pub enum Scale {
    Price,
    Change,
    Magnitude,
    Amount,
    Branch,
    Category,
}

impl Scale {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Price => "price",
            Self::Change => "change",
            Self::Magnitude => "magnitude",
            Self::Amount => "amount",
            Self::Branch => "branch",
            Self::Category => "category",
        }
    }
}

/// The format of the numbers of a quantity.
#[derive(Clone, Copy)]
pub enum Digits {
    /// The usual format of powers, prices, changes of prices, derivatives and voltages.
    Power,
    Price,
    PriceChange,
    Derivative,
    PerUnit,
    /// Significant digits, as many as fit.
    Significant,
    /// Whole numbers without separators: areas and zones.
    Plain,
    /// This number of decimals.
    Decimals(u8),
}

impl Digits {
    /// The value in the generated tables: a word, or the number of decimals.
    pub fn text(self) -> String {
        match self {
            Self::Power => "\"power\"".to_owned(),
            Self::Price => "\"price\"".to_owned(),
            Self::PriceChange => "\"price_change\"".to_owned(),
            Self::Derivative => "\"derivative\"".to_owned(),
            Self::PerUnit => "\"per_unit\"".to_owned(),
            Self::Significant => "\"significant\"".to_owned(),
            Self::Plain => "\"plain\"".to_owned(),
            Self::Decimals(count) => count.to_string(),
        }
    }
}

/// A quantity that colours the buses or the lines of a map.
pub struct Quantity {
    /// The name in `study.map(quantity=...)` or `lines=`.
    pub name: &'static str,
    pub element: ColumnElement,
    /// The name in menus.
    pub label: &'static str,
    /// The title in legends; empty if it is the label, or depends on the state.
    pub title: &'static str,
    pub unit: Unit,
    pub scale: Scale,
    pub digits: Digits,
    /// Columns from which it is computed; without one of them the quantity is absent.
    pub needs: &'static [ColumnName],
    /// Further columns that it replaces in menus.
    pub covers: &'static [ColumnName],
}

/// A quantity that is one column under its title.
const fn column(name: &'static str, needs: &'static [ColumnName; 1], scale: Scale, digits: Digits) -> Quantity {
    let (_, element, _) = needs[0].head();
    Quantity {
        name,
        element,
        label: title(needs[0]),
        title: "",
        unit: Unit::Of(needs[0]),
        scale,
        digits,
        needs,
        covers: &[],
    }
}

/// The quantities with rules of their own, in the order of menus: those of buses, then those of lines.
pub const QUANTITIES: [Quantity; 27] = {
    use ColumnName as C;
    use Digits::{Decimals, Derivative, PerUnit, Plain, Power, Price, PriceChange, Significant};
    [
        column("lmp", &[C::Lmp], Scale::Price, Price),
        Quantity {
            label: "Change in price",
            ..column("lmp_change", &[C::Lmp], Scale::Change, PriceChange)
        },
        Quantity {
            label: "Change by the last move",
            ..column("lmp_move", &[C::Lmp], Scale::Change, PriceChange)
        },
        Quantity {
            label: "LMP sensitivity",
            unit: Unit::Of(C::LmpSlope),
            ..column("sensitivity", &[C::Lmp], Scale::Change, Derivative)
        },
        column("lmp_q", &[C::LmpQ], Scale::Change, Price),
        column("lmp_losses", &[C::LmpLosses], Scale::Change, Price),
        column("lmp_security", &[C::LmpSecurity], Scale::Change, Price),
        column("lmp_without_security", &[C::LmpWithoutSecurity], Scale::Price, Price),
        column("lmp_congestion", &[C::LmpCongestion], Scale::Change, Price),
        column("lmp_voltage", &[C::LmpVoltage], Scale::Change, Price),
        column("voltage", &[C::VmPu], Scale::Magnitude, Decimals(3)),
        Quantity {
            label: "Voltage outside its limits",
            needs: &[C::VmPu, C::VmMinPu, C::VmMaxPu],
            ..column("voltage_excess", &[C::VmPu], Scale::Change, PerUnit)
        },
        Quantity {
            unit: Unit::Own("degrees"),
            ..column("angle", &[C::VaRad], Scale::Amount, Decimals(1))
        },
        column("demand", &[C::DemandMw], Scale::Amount, Power),
        column("reactive_demand", &[C::DemandMvar], Scale::Change, Power),
        Quantity {
            element: ColumnElement::Bus,
            label: "Generation",
            ..column("generation", &[C::DispatchMw], Scale::Amount, Power)
        },
        Quantity {
            needs: &[C::DispatchMw, C::DemandMw],
            covers: &[C::InjectionMw],
            ..column("net_injection", &[C::InjectionMw], Scale::Change, Power)
        },
        Quantity {
            label: "Area",
            unit: Unit::Own(""),
            ..column("area", &[C::DemandMw], Scale::Category, Plain)
        },
        Quantity {
            label: "Zone",
            unit: Unit::Own(""),
            ..column("zone", &[C::DemandMw], Scale::Category, Plain)
        },
        Quantity {
            element: ColumnElement::Bus,
            label: "Reactive generation",
            ..column("reactive_generation", &[C::DispatchMvar], Scale::Change, Power)
        },
        Quantity {
            unit: Unit::Own("of the rating"),
            covers: &[C::RatingMva],
            ..column("loading", &[C::Loading], Scale::Branch, Decimals(2))
        },
        Quantity {
            label: "Flow and its direction",
            title: "Lines: flow",
            ..column("flow", &[C::FlowMw], Scale::Branch, Power)
        },
        Quantity {
            label: "Reactive flow and its direction",
            title: "Lines: reactive flow",
            covers: &[C::FlowToMvar],
            ..column("reactive_flow", &[C::FlowMvar], Scale::Branch, Power)
        },
        Quantity {
            label: "Losses",
            title: "Lines: losses",
            needs: &[C::FlowMw, C::FlowToMw],
            ..column("losses", &[C::FlowMw], Scale::Branch, Power)
        },
        Quantity {
            label: "Tightness of the relaxation",
            title: "Lines: gap of the relaxation",
            unit: Unit::Own("%"),
            ..column("cone_gap", &[C::ConeGap], Scale::Branch, Significant)
        },
        Quantity {
            label: "Shadow price",
            title: "Lines: shadow price",
            ..column("shadow", &[C::Shadow], Scale::Branch, Price)
        },
        Quantity {
            label: "Change of the rating",
            title: "Lines: change of the rating",
            unit: Unit::Of(C::RatingMw),
            covers: &[C::RatingMw],
            ..column("rating_change", &[C::Loading], Scale::Change, Power)
        },
    ]
};

/// Thresholds of the words and pictures of page and kernel: name, value, meaning.
pub const THRESHOLDS: [(&str, f64, &str); 9] = [
    ("WARNING_LOADING", 0.8, "From this share of its rating a line is heavily loaded."),
    (
        "SAME_LOADING",
        1e-9,
        "Loadings that differ by less are equal, so that a state has one class however it was reached.",
    ),
    ("FULL_LOADING", 0.9995, "From this share of its rating a line is shown at 100 %."),
    (
        "EXCEEDED_LOADING",
        1.0 + 1e-6,
        "Loadings above this exceed the rating, in formulations without limits.",
    ),
    (
        "SUBSTATION_KM",
        0.801,
        "Two ends of a branch within this distance are in one substation: the engine draws buses in one place on a ring of 400 m around it.",
    ),
    ("EARTH_RADIUS_KM", 6371.0088, "Mean radius of the earth."),
    (
        "TIGHT_CONE_GAP",
        1e-6,
        "A gap below this is zero up to the accuracy of the solver: the cone is tight.",
    ),
    (
        "VOLTAGE_TOLERANCE_PU",
        1e-6,
        "A voltage that is outside its limit by less is at the limit: solvers meet set-points more closely.",
    ),
    ("SAME_PRICE", 1e-6, "Changes of all prices below this, $/MWh, are rounding."),
];

/// Choices of a map's style by keyword of `study.map`: source of the colour range, meaning of the width of a line, form of the values,
/// meaning of the symbols of generators. The first choice is the default.
pub const CHOICES: [(&str, &[&str]); 4] = [
    ("range", &["auto", "quantile", "fixed"]),
    ("width", &["class", "rating", "kv"]),
    ("surface", &["dots", "contour"]),
    ("generators", &["none", "fuel", "cost"]),
];

/// Ranges of numbers: name, ends, meaning.
pub const RANGES: [(&str, f64, f64, &str); 2] = [
    (
        "USUAL_MAGNITUDES",
        0.95,
        1.05,
        "Usual voltage magnitudes of transmission networks, per unit, whatever the limits of a case.",
    ),
    ("MAP_SIZES", 0.25, 4.0, "Factors of the sizes of buses and lines."),
];

/// Share of the values that a quantile range leaves outside at each end.
pub const QUANTILE_SHARE: f64 = 0.05;

/// Colours from the lowest value to the highest.
#[derive(Clone, Copy)]
pub enum Ramp {
    /// Through these colours, in equal steps of CIE Lab.
    Through(&'static [&'static str]),
    /// The part of a ramp of matplotlib or ColorBrewer that contrasts with the ground.
    Part(&'static str, f64, f64),
}

/// Ramps on a light and on a dark ground.
pub struct Colours {
    pub name: &'static str,
    pub light: Ramp,
    pub dark: Ramp,
}

/// The colour maps that a user chooses from, the default first. `market` has one order of hues on every ground, cool for cheap and warm
/// for expensive as market operators draw prices: blue, cyan, gold, orange, red. Blue and yellow remain distinct with any colour vision deficiency,
/// and the warm end falls in lightness.
pub const COLOUR_MAPS: [Colours; 6] = [
    Colours {
        name: "market",
        light: Ramp::Through(&[
            "#27408f", "#2f77b8", "#5fb0c9", "#d8c65c", "#e8902b", "#cf4428", "#86102f",
        ]),
        dark: Ramp::Through(&[
            "#5a78e8", "#4a9ee6", "#6fc9dc", "#f0e07c", "#f8a63f", "#f2643f", "#d93b5e",
        ]),
    },
    Colours {
        name: "viridis",
        light: Ramp::Part("viridis", 0.0, 0.93),
        dark: Ramp::Part("viridis", 0.18, 1.0),
    },
    Colours {
        name: "cividis",
        light: Ramp::Part("cividis", 0.0, 0.9),
        dark: Ramp::Part("cividis", 0.2, 1.0),
    },
    Colours {
        name: "plasma",
        light: Ramp::Part("plasma", 0.0, 0.9),
        dark: Ramp::Part("plasma", 0.18, 1.0),
    },
    Colours {
        name: "magma",
        light: Ramp::Part("magma", 0.05, 0.85),
        dark: Ramp::Part("magma", 0.28, 1.0),
    },
    Colours {
        name: "ylgnbu",
        light: Ramp::Part("ylgnbu", 0.2, 0.88),
        dark: Ramp::Part("ylgnbu", 0.8, 0.05),
    },
];

/// The other ramps. On white, more is darker, on a dark ground brighter; prices below zero have a hue of their own, from zero downwards;
/// changes pass through grey at zero; amounts on lines have another hue than those of buses.
pub const RAMPS: [Colours; 4] = [
    Colours {
        name: "negative_price",
        light: Ramp::Part("rdpu", 0.4, 0.9),
        dark: Ramp::Part("rdpu", 0.62, 0.22),
    },
    Colours {
        name: "change",
        light: Ramp::Through(&[
            "#0b4f8a", "#3f8fc4", "#9cc6e0", "#d9d9d6", "#f2b98d", "#d9722e", "#8f3a06",
        ]),
        dark: Ramp::Through(&[
            "#a5dcff", "#4aa3df", "#2f6287", "#5a5d61", "#8c5a2c", "#e08a3c", "#ffd2a1",
        ]),
    },
    Colours {
        name: "amount",
        light: Ramp::Part("purples", 0.38, 1.0),
        dark: Ramp::Part("plasma", 0.25, 1.0),
    },
    Colours {
        name: "branch",
        light: Ramp::Part("ylorbr", 0.3, 1.0),
        dark: Ramp::Part("ylorbr", 0.85, 0.05),
    },
];

/// Hues of kinds that have no order: areas, zones, sources of energy; on a light and on a dark ground. After the last one they begin
/// again.
pub const CATEGORIES: [[&str; 10]; 2] = [
    [
        "#3b6fb5", "#d9822b", "#3f9a6b", "#b8476b", "#7a5cab", "#8c6a3f", "#2f9fa8", "#a3a02c", "#5a6672", "#cc5fa8",
    ],
    [
        "#7ba7ea", "#f2ab62", "#6fd09c", "#f0819f", "#b59ae6", "#cfa877", "#69d3da", "#d8d466", "#a9b4bf", "#f29ad4",
    ],
];
