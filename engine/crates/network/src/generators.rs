//! Generator rows and their costs.

use powerio::BalancedNetwork;

use crate::analysis::{Bus, Cost, ElementKind, ElementRef, Generator, Warning};
use crate::assemble::{finite, source_uid};
use crate::buses::BusIndex;
use crate::cost;
use crate::error::{EngineError, Result};

const FREE: Cost = Cost::Quadratic {
    c2: 0.0,
    c1: 0.0,
    c0: 0.0,
};

/// Generator rows in source order, per unit. A generator that takes no part keeps its row; its cost is read where it can be.
///
/// # Errors
/// `INPUT.COST` naming generator and row, `INPUT.GENERATOR_LIMITS`, `INPUT.NOT_FINITE`, `INPUT.UNKNOWN_BUS`.
pub(crate) fn read(
    net: &BalancedNetwork,
    index: &BusIndex,
    buses: &[Bus],
    base: f64,
    warnings: &mut Vec<Warning>,
) -> Result<Vec<Generator>> {
    let (mut free, mut extended, mut rounded) = (Vec::new(), Vec::new(), Vec::new());
    let mut out = Vec::with_capacity(net.generators().len());
    for (row, g) in net.generators().iter().enumerate() {
        let id = row as u64 + 1;
        let element = ElementRef {
            kind: ElementKind::Generator,
            id,
            uid: source_uid(net, &g.uid),
        };
        let bus = index.row(g.bus.0, || format!("Generator {id}"))?;
        let in_service = g.in_service && buses[bus].in_service;
        let pmin_pu = number(g.pmin, "lower active limit", &element)? / base;
        let pmax_pu = number(g.pmax, "upper active limit", &element)? / base;
        if (g.pmin == f64::INFINITY || g.pmax == f64::NEG_INFINITY) && in_service {
            let message = format!(
                "Generator {id} at bus {} has active limits from {} to {} MW, between which there is no output.",
                g.bus, g.pmin, g.pmax
            );
            return Err(EngineError::new("INPUT.GENERATOR_LIMITS", message).at(element));
        }
        if in_service && pmin_pu > pmax_pu {
            let message = format!(
                "Generator {id} at bus {} has a lower limit of {} MW above its upper limit of {} MW.",
                g.bus, g.pmin, g.pmax
            );
            return Err(EngineError::new("INPUT.GENERATOR_LIMITS", message).at(element));
        }
        let cost = match g.cost.as_ref().map(|c| cost::read(c, base)) {
            Some(Ok(curve)) => {
                if in_service && curve.rounded {
                    rounded.push(id);
                }
                curve.cost
            }
            Some(Err(what)) if in_service => {
                let message = format!(
                    "The cost of generator {id} at bus {} (row {id} of the cost table) {what}.",
                    g.bus
                );
                return Err(EngineError::new("INPUT.COST", message).at(element));
            }
            Some(Err(what)) => {
                let message = format!("The cost of generator {id}, which is out of service, {what}; it is left out.");
                warnings.push(Warning {
                    code: "COST.REFUSED_ROW",
                    message,
                    element: Some(element.clone()),
                });
                FREE
            }
            None => FREE,
        };
        if in_service && g.cost.is_none() {
            free.push(id);
        }
        if in_service && cost::extended(&cost, pmin_pu, pmax_pu) {
            extended.push(id);
        }
        out.push(Generator {
            id,
            bus,
            in_service,
            pg_pu: finite(g.pg, "active set point", &element)? / base,
            qg_pu: finite(g.qg, "reactive set point", &element)? / base,
            pmin_pu,
            pmax_pu,
            qmin_pu: number(g.qmin, "lower reactive limit", &element)? / base,
            qmax_pu: number(g.qmax, "upper reactive limit", &element)? / base,
            vset_pu: finite(g.vg, "voltage set point", &element)?,
            cost,
            uid: element.uid,
        });
    }
    // Where the format has no place for costs, its reader has said so once.
    let told = warnings.iter().any(|w| w.code == "COST.NOT_IN_FORMAT");
    let free = if told { Vec::new() } else { free };
    let mut tell = |code, ids: Vec<u64>, what: &str| {
        if !ids.is_empty() {
            warnings.push(Warning {
                code,
                message: format!("{} {what}", list(&ids)),
                element: None,
            });
        }
    };
    tell("COST.MISSING", free, "without a cost: taken as free.");
    tell(
        "COST.EXTENDED",
        extended,
        "with limits beyond the cost curve: its first and last slopes are extended.",
    );
    tell(
        "COST.ROUNDED",
        rounded,
        "with cost slopes that fall by no more than the rounding of the printed digits: such segments are merged.",
    );
    Ok(out)
}

/// A limit, which may be infinite (there is none) but not undefined.
fn number(value: f64, what: &str, element: &ElementRef) -> Result<f64> {
    if value.is_nan() {
        finite(value, what, element)
    } else {
        Ok(value)
    }
}

/// `Generator 3`, `Generators 1, 2 and 5`, or the first ten and how many more.
fn list(ids: &[u64]) -> String {
    const SHOWN: usize = 10;
    let mut names: Vec<String> = ids.iter().take(SHOWN).map(u64::to_string).collect();
    if ids.len() > SHOWN {
        return format!("Generators {} and {} more", names.join(", "), ids.len() - SHOWN);
    }
    match names.pop() {
        Some(last) if !names.is_empty() => format!("Generators {} and {last}", names.join(", ")),
        Some(only) => format!("Generator {only}"),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn lists_read_as_sentences() {
        assert_eq!(super::list(&[3]), "Generator 3");
        assert_eq!(super::list(&[1, 2, 5]), "Generators 1, 2 and 5");
        assert_eq!(
            super::list(&(1..=12).collect::<Vec<_>>()),
            "Generators 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 2 more"
        );
    }
}
