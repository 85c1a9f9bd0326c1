//! MATPOWER's column names: outputs of `idx_bus`, `idx_brch`, `idx_gen` and `idx_cost`, which `define_constants` sets
//! together (MATPOWER manual, appendix B).

/// Functions with their outputs in order: the name in `define_constants`, and the value.
const FUNCTIONS: [(&str, &[(&str, u8)]); 4] = [
    (
        "idx_bus",
        &[
            ("PQ", 1),
            ("PV", 2),
            ("REF", 3),
            ("NONE", 4),
            ("BUS_I", 1),
            ("BUS_TYPE", 2),
            ("PD", 3),
            ("QD", 4),
            ("GS", 5),
            ("BS", 6),
            ("BUS_AREA", 7),
            ("VM", 8),
            ("VA", 9),
            ("BASE_KV", 10),
            ("ZONE", 11),
            ("VMAX", 12),
            ("VMIN", 13),
            ("LAM_P", 14),
            ("LAM_Q", 15),
            ("MU_VMAX", 16),
            ("MU_VMIN", 17),
        ],
    ),
    (
        "idx_brch",
        &[
            ("F_BUS", 1),
            ("T_BUS", 2),
            ("BR_R", 3),
            ("BR_X", 4),
            ("BR_B", 5),
            ("RATE_A", 6),
            ("RATE_B", 7),
            ("RATE_C", 8),
            ("TAP", 9),
            ("SHIFT", 10),
            ("BR_STATUS", 11),
            ("PF", 14),
            ("QF", 15),
            ("PT", 16),
            ("QT", 17),
            ("MU_SF", 18),
            ("MU_ST", 19),
            ("ANGMIN", 12),
            ("ANGMAX", 13),
            ("MU_ANGMIN", 20),
            ("MU_ANGMAX", 21),
        ],
    ),
    (
        "idx_gen",
        &[
            ("GEN_BUS", 1),
            ("PG", 2),
            ("QG", 3),
            ("QMAX", 4),
            ("QMIN", 5),
            ("VG", 6),
            ("MBASE", 7),
            ("GEN_STATUS", 8),
            ("PMAX", 9),
            ("PMIN", 10),
            ("MU_PMAX", 22),
            ("MU_PMIN", 23),
            ("MU_QMAX", 24),
            ("MU_QMIN", 25),
            ("PC1", 11),
            ("PC2", 12),
            ("QC1MIN", 13),
            ("QC1MAX", 14),
            ("QC2MIN", 15),
            ("QC2MAX", 16),
            ("RAMP_AGC", 17),
            ("RAMP_10", 18),
            ("RAMP_30", 19),
            ("RAMP_Q", 20),
            ("APF", 21),
        ],
    ),
    (
        "idx_cost",
        &[
            ("PW_LINEAR", 1),
            ("POLYNOMIAL", 2),
            ("MODEL", 1),
            ("STARTUP", 2),
            ("SHUTDOWN", 3),
            ("NCOST", 4),
            ("COST", 5),
        ],
    ),
];

/// Values that a function returns, in order; `None` for other functions.
pub(super) fn outputs(function: &str) -> Option<impl Iterator<Item = f64>> {
    let (_, outputs) = FUNCTIONS.iter().find(|(name, _)| *name == function)?;
    Some(outputs.iter().map(|&(_, value)| f64::from(value)))
}

/// Names and values that `define_constants` sets, except those of `idx_ct`, which concern changes between cases.
pub(super) fn all() -> impl Iterator<Item = (&'static str, f64)> {
    let values = FUNCTIONS.iter().flat_map(|(_, outputs)| outputs.iter());
    values.map(|&(name, value)| (name, f64::from(value)))
}
