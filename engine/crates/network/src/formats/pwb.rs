//! Checks around the reader of PowerWorld binary files, whose layout is not published.

use powerio::BalancedNetwork;

use crate::error::{EngineError, Result};
use crate::message;
use crate::message::amounts::plain;
use crate::message::Message;

/// Largest plausible load at a bus, MW or Mvar.
const LARGEST_LOAD: f64 = 1e5;

/// Refuses a file with misread load records: some writers store other numbers in place of active power, so that every
/// load has the same active power with different reactive powers.
///
/// # Errors
/// `INPUT.IMPLAUSIBLE`.
pub(super) fn refuse_implausible(net: &BalancedNetwork) -> Result<()> {
    let loads: Vec<(f64, f64)> = net.loads().iter().map(|l| (l.p, l.q)).collect();
    let fail = |why: Message| {
        let message = message!("pwb.loads", why = why);
        Err(EngineError::new("INPUT.IMPLAUSIBLE", message))
    };
    if loads
        .iter()
        .any(|(p, q)| !(p.abs() < LARGEST_LOAD && q.abs() < LARGEST_LOAD))
    {
        return fail(message!("pwb.loads_too_large"));
    }
    let Some(first) = loads.first().filter(|_| loads.len() >= 3) else {
        return Ok(());
    };
    let same_p = loads.iter().all(|l| l.0 == first.0) && first.0 != 0.0;
    let same_q = loads.iter().all(|l| l.1 == first.1);
    if same_p && !same_q {
        return fail(message!(
            "pwb.loads_equal",
            count = loads.len(),
            power = plain(first.0, "MW")
        ));
    }
    let reactive = loads.iter().filter(|(p, q)| q.abs() > p.abs() && *q != 0.0).count();
    if 2 * reactive > loads.len() {
        return fail(message!("pwb.loads_reactive"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use powerio::{BusId, Load};

    fn judge(loads: &[(f64, f64)]) -> Option<&'static str> {
        let mut net = BalancedNetwork::new("loads", 100.0);
        net.loads_mut()
            .extend(loads.iter().map(|(p, q)| Load::new(BusId(1), *p, *q)));
        refuse_implausible(&net).err().map(|e| e.code)
    }

    #[test]
    fn loads_that_were_misread_are_refused() {
        assert_eq!(
            judge(&[(100.0, 108.0), (100.0, 97.0), (100.0, 180.0)]),
            Some("INPUT.IMPLAUSIBLE")
        );
        assert_eq!(
            judge(&[(10.0, 20.0), (11.0, 30.0), (12.0, 1.0)]),
            Some("INPUT.IMPLAUSIBLE")
        );
        assert_eq!(judge(&[(1e9, 0.0)]), Some("INPUT.IMPLAUSIBLE"));
        assert_eq!(judge(&[(f64::NAN, 0.0)]), Some("INPUT.IMPLAUSIBLE"));
        assert_eq!(judge(&[(100.0, 35.0), (100.0, 35.0), (100.0, 35.0)]), None);
        assert_eq!(judge(&[(100.0, 35.0), (90.0, 30.0), (0.0, 5.0)]), None);
        assert_eq!(judge(&[]), None);
    }
}
