//! Values of HVDC links that replace those of the case: in the network that solvers use, and in the rows of a module.

use powerio::{GenCost, Hvdc};

use crate::analysis::{AnalysisNetwork, Cost};

/// Values of a link that replace those of the case.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LinkValues {
    pub in_service: Option<bool>,
    /// Scheduled power at the from end, MW.
    pub p_mw: Option<f64>,
    /// Limits, MW: at the from end if at least zero, otherwise at the to end.
    pub pmin_mw: Option<f64>,
    pub pmax_mw: Option<f64>,
    /// Constant loss, MW, and loss as a fraction of the sent power, in [0, 1).
    pub loss_mw: Option<f64>,
    pub loss_factor: Option<f64>,
    /// Cost of the power at the from end, $/MWh.
    pub cost: Option<f64>,
}

impl AnalysisNetwork {
    /// Sets values of a link (dense row), so that the network is the one that is read from [`crate::materialize_module`] with
    /// the same values.
    pub fn set_link(&mut self, row: usize, values: &LinkValues) {
        let base = self.base_mva;
        let link = &mut self.links[row];
        let ends_in_service = [link.from, link.to].iter().all(|&bus| self.buses[bus].in_service);
        link.in_service = values.in_service.unwrap_or(link.in_service) && ends_in_service;
        link.pf_pu = values.p_mw.map_or(link.pf_pu, |mw| mw / base);
        link.pmin_pu = values.pmin_mw.map_or(link.pmin_pu, |mw| mw / base);
        link.pmax_pu = values.pmax_mw.map_or(link.pmax_pu, |mw| mw / base);
        link.loss0_pu = values.loss_mw.map_or(link.loss0_pu, |mw| mw / base);
        link.loss1 = values.loss_factor.unwrap_or(link.loss1);
        if let Some(cost) = values.cost {
            link.cost = Cost::Quadratic {
                c2: 0.0,
                c1: cost * base,
                c0: 0.0,
            };
        }
    }
}

/// Sets values in the row of a link; its delivered power follows from its schedule and its losses.
pub(super) fn change_link(link: &mut Hvdc, values: &LinkValues) {
    link.in_service = values.in_service.unwrap_or(link.in_service);
    link.pf = values.p_mw.unwrap_or(link.pf);
    link.pmin = values.pmin_mw.unwrap_or(link.pmin);
    link.pmax = values.pmax_mw.unwrap_or(link.pmax);
    link.loss0 = values.loss_mw.unwrap_or(link.loss0);
    link.loss1 = values.loss_factor.unwrap_or(link.loss1);
    if values.p_mw.is_some() || values.loss_mw.is_some() || values.loss_factor.is_some() {
        link.pt = Hvdc::calc_delivered_power(link.pf, link.loss0, link.loss1);
    }
    if let Some(cost) = values.cost {
        link.cost = Some(GenCost::new(2, 0.0, 0.0, vec![cost, 0.0]));
    }
}
