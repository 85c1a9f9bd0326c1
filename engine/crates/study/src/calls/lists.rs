//! Lists of outages, monitored branches and interfaces in the contract's types.

use crate::contract as c;
use wattbook_network::error::Result;
use wattbook_network::lists::{self, Statement};

/// Reads lists, given as names and bytes, against the case of a module: `SecurityLists` as JSON.
///
/// Errors: those of `wattbook_network::lists::read_lists`.
pub fn read_security_lists_json(module_json: &str, files: &[(String, Vec<u8>)]) -> Result<String> {
    let read = lists::read_lists(module_json, files)?;
    let outages = read.outages.into_iter().map(|out| match (out.name, &out.branches[..]) {
        (None, [branch]) if out.generators.is_empty() => c::OutageOf::Branch(c::ElementKey::Id(*branch)),
        (name, _) => c::OutageOf::Elements {
            name,
            branches: keys(out.branches),
            generators: keys(out.generators),
        },
    });
    let interfaces = read.interfaces.into_iter().map(|interface| {
        let branches = interface.branches.into_iter();
        c::InterfaceLimit {
            name: interface.name,
            branches: branches
                .map(|(id, weight)| c::InterfaceBranch {
                    branch: c::ElementKey::Id(id),
                    weight: (weight != 1.0).then_some(weight),
                })
                .collect(),
            min_mw: interface.min_mw,
            max_mw: interface.max_mw,
            outage: None,
        }
    });
    Ok(crate::json::to_json(&c::SecurityLists {
        outages: outages.collect(),
        monitored: read.monitored.map(keys),
        interfaces: interfaces.collect(),
        not_found: statements(read.not_found),
        out_of_service: statements(read.out_of_service),
        without_effect: statements(read.without_effect),
        unsupported: statements(read.unsupported),
    }))
}

/// Whether a file is such a list and no case.
pub fn is_security_list(name: &str, bytes: &[u8]) -> bool {
    lists::is_list(name, bytes)
}

fn keys(ids: Vec<u64>) -> Vec<c::ElementKey> {
    ids.into_iter().map(c::ElementKey::Id).collect()
}

fn statements(all: Vec<Statement>) -> Vec<c::ListStatement> {
    let statement = |one: Statement| c::ListStatement {
        file: one.file,
        line: u32::try_from(one.line).unwrap_or(u32::MAX),
        text: one.text,
        left_out: one.left_out,
    };
    all.into_iter().map(statement).collect()
}
