//! `layout`: the synthetic layout of a case.

use super::timing::least;
use crate::Outcome;
use serde_json::json;
use std::path::Path;
use wattbook_network::layout::{layout_graph, Layout, LayoutOptions};
use wattbook_network::{format_of, ingest_case};

/// Lays out one case. Writes the input of the other sides and of the quality measures into `folder` under the name of
/// the case: `.module.json`, `.edges.u32` (pairs of dense vertices) and `.native.f64` (x and y by vertex), little
/// endian.
pub(crate) fn file(path: &Path, folder: &Path, repeats: usize) -> Outcome {
    let failed = |e: &dyn std::fmt::Display| format!("{}: {e}", path.display());
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let format = format_of(&path.to_string_lossy()).ok_or_else(|| failed(&"no case file"))?;
    let bytes = std::fs::read(path).map_err(|e| failed(&e))?;
    let case = ingest_case(&bytes, format).map_err(|e| failed(&e))?;
    let (graph, graph_ms) = least(repeats, || layout_graph(&case.module_json));
    let graph = graph.map_err(|e| failed(&e))?;
    let (positions, layout_ms) = least(repeats, || Layout::new(&graph, LayoutOptions::default()).finish());

    let put = |extension: &str, bytes: &[u8]| {
        let file = folder.join(format!("{name}.{extension}"));
        std::fs::write(&file, bytes).map_err(|e| format!("{}: {e}", file.display()))
    };
    let edges: Vec<u8> = graph
        .edges()
        .iter()
        .flat_map(|&(a, b)| [a.to_le_bytes(), b.to_le_bytes()])
        .flatten()
        .collect();
    let points: Vec<u8> = positions.iter().flatten().flat_map(|x| x.to_le_bytes()).collect();
    put("module.json", case.module_json.as_bytes())?;
    put("edges.u32", &edges)?;
    put("native.f64", &points)?;
    println!(
        "{}",
        json!({
            "case": name,
            "n_bus": graph.len(),
            "n_edge": graph.edges().len(),
            "graph_ms": graph_ms,
            "layout_ms": layout_ms,
        })
    );
    Ok(())
}
