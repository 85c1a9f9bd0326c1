//! The bundled grids and the two fallback cases in every formulation, with default options or those that a refusal
//! offers.

mod common;

use common::{data_case, grid, Answer};
use wattbook_study::contract::ColumnName;
use wattbook_study::Study;

const FORMULATIONS: [(&str, &str, ColumnName); 3] = [
    ("dcopf", "optimal", ColumnName::Lmp),
    ("acpf", "feasible", ColumnName::VmPu),
    ("socwr", "optimal", ColumnName::Lmp),
];

/// Solves in all three formulations; returns the objectives of the DC OPF and of the relaxation.
fn solve(name: &str, module: &str) -> [f64; 2] {
    let mut objectives = Vec::new();
    for (formulation, status, quantity) in FORMULATIONS {
        // PGLib's dispatches are midpoints of the limits: where one has no power flow, the offered options have.
        let study = Study::create(module, formulation, "").or_else(|refused| {
            let offered = refused.details.as_ref().map(|details| details["options"].to_string());
            assert_eq!(formulation, "acpf", "{name}: {refused}");
            Study::create(module, formulation, &offered.expect("an offer"))
        });
        let study = study.unwrap_or_else(|e| panic!("{name}, {formulation}: {e}"));
        let solved = Answer::of(&study);
        assert_eq!(solved.head["status"], status, "{name}, {formulation}");
        let values = solved.at(quantity);
        assert!(
            !values.is_empty() && values.iter().any(|v| v.is_finite()),
            "{name}, {formulation}"
        );
        // The certificate of its kind.
        let certificate = &solved.head["certificate"];
        match formulation {
            "acpf" => {
                let mismatch = certificate["mismatch_mw"].as_f64().expect("a mismatch");
                assert!(mismatch < 1e-4, "{name}: {mismatch} MW");
                assert!(solved.head["power_flow"]["start"].is_string());
            }
            _ => {
                let gap = certificate["relative_gap"].as_f64().expect("a gap");
                assert!(gap.abs() < 1e-6, "{name}, {formulation}: gap {gap}");
                objectives.push(solved.objective());
            }
        }
    }
    let [dc, relaxed] = objectives[..] else {
        panic!("two objectives")
    };
    assert!(dc > 0.0 && relaxed > 0.0, "{name}: {dc} and {relaxed}");
    [dc, relaxed]
}

#[test]
fn bundled_grids_solve_in_every_formulation() {
    for name in ["illinois", "carolina", "texas", "california"] {
        let [dc, relaxed] = solve(name, &grid(name));
        // Losses and voltage limits raise the cost, but by less than a half.
        assert!(relaxed > 0.95 * dc && relaxed < 1.5 * dc, "{name}: {dc} and {relaxed}");
    }
}

#[test]
fn fallback_cases_solve_in_every_formulation() {
    // As PGLib's BASELINE.md prints them: the objectives of DC and AC, and the gap of the relaxation in per cent.
    for (name, dc, ac, gap) in [
        ("case200_activ", 27_480.0, 27_558.0, 0.01),
        ("case500_goc", 440_550.0, 454_950.0, 0.25),
    ] {
        let Some(module) = data_case(&format!("pglib/pglib_opf_{name}.m")) else {
            return;
        };
        let [found, relaxed] = solve(name, &module);
        assert!((found - dc).abs() < 2e-5 * dc, "{name}: {found} against {dc}");
        let bound = ac * (1.0 - 0.01 * gap);
        assert!((relaxed - bound).abs() < 2e-4 * ac, "{name}: {relaxed} against {bound}");
    }
}
