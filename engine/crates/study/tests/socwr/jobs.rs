//! Solves in steps.

use crate::common::Answer;
use crate::solutions::case;
use serde_json::json;
use wattbook_study::contract::Column;
use wattbook_study::{Job, Study};

/// A solve in steps of any budget gives the same bits and iterations as a single run; until its result is adopted the
/// Study is unchanged.
#[test]
fn solves_in_steps() {
    for name in ["pglib_opf_case118_ieee", "pglib_opf_case500_goc"] {
        let Some(module) = case(name) else { return };
        let whole = Study::create(&module, "socwr", "").expect("an optimum");
        let mut opening = Job::study_of_module(&module, "socwr", "").expect("a job");
        let (mut fraction, mut iteration, mut gap);
        (fraction, iteration) = (0.0, 0);
        loop {
            let step = opening.step(1).expect("a step");
            assert!(step.fraction >= fraction, "{step:?}");
            fraction = step.fraction;
            let progress = step.iteration.expect("an iteration");
            assert!(
                progress.iteration >= iteration && progress.residual.is_finite(),
                "{progress:?}"
            );
            (iteration, gap) = (progress.iteration, step.gap.expect("a gap"));
            if step.done {
                break;
            }
        }
        assert!(
            fraction == 1.0 && iteration > 10 && gap < 1e-8,
            "{iteration} iterations to {gap}"
        );
        let (mut study, rows) = opening.finish().and_then(|left| left.study()).expect("a study");
        assert_eq!(rows.json, whole.rows().json);
        let hash = |study: &Study| Answer::of(study).sha256().to_string();
        let base = hash(&study);
        assert_eq!(base, hash(&whole));

        let deltas = json!({ "10": 7.5 }).to_string();
        let mut by_call = whole;
        let reply = by_call.commit("c", (&deltas, ""), r#"{"bus":10}"#).expect("a commit");
        for budget in [1, 1000] {
            let mut job = Job::commit(&study, "c", (&deltas, ""), r#"{"bus":10}"#).expect("a job");
            while !job.step(budget).expect("a step").done {
                assert_eq!(hash(&study), base);
            }
            let finished = job.finish().expect("a commit");
            assert_eq!(finished.reply.json, reply.json);
            let bits = |columns: &[Column]| -> Vec<u64> {
                columns
                    .iter()
                    .flat_map(|c| c.values.iter().map(|x| x.to_bits()))
                    .collect()
            };
            assert_eq!(bits(&finished.reply.columns), bits(&reply.columns));
            assert_eq!(hash(&study), base);
            study.keep(&finished);
            assert_eq!(hash(&study), hash(&by_call));
            study.reset("c").expect("the base case");
        }
        // A cancelled solve has no effect.
        let mut job = Job::commit(&study, "c", (&deltas, ""), "").expect("a job");
        job.step(1).expect("a step");
        drop(job);
        assert_eq!(hash(&study), base);
        // Infeasibility is reported by a step.
        let mut job = Job::commit(&study, "c", (&json!({ "10": 1e5 }).to_string(), ""), "").expect("a job");
        let refused = loop {
            match job.step(1) {
                Ok(step) => assert!(!step.done, "an optimum"),
                Err(error) => break error,
            }
        };
        assert_eq!(refused.code, "SOLVE.INFEASIBLE");
        assert_eq!(hash(&study), base);
    }
}

/// Non-iterative formulations are solved when the job is finished.
#[test]
fn a_linear_solve_is_a_job_too() {
    let Some(module) = case("pglib_opf_case118_ieee") else {
        return;
    };
    for formulation in ["dcopf", "acpf"] {
        let mut opening = Job::study_of_module(&module, formulation, "").expect("a job");
        assert!(opening.step(1).expect("a step").done);
        let (mut study, _) = opening.finish().and_then(|left| left.study()).expect("a study");
        let mut whole = Study::create(&module, formulation, "").expect("a study");
        let job = Job::commit(&study, "c", (r#"{"10":3}"#, ""), "").expect("a job");
        let finished = job.finish().expect("a commit");
        study.keep(&finished);
        assert_eq!(
            finished.reply.json,
            whole.commit("c", (r#"{"10":3}"#, ""), "").expect("a commit").json
        );
        assert!(Job::commit(&study, "c", ("", ""), "")
            .expect("a job")
            .finish()
            .and_then(|left| left.study())
            .is_err());
    }
}
