//! `engine/src/contract.generated.ts` matches the Rust contract. `WATTBOOK_UPDATE=1` writes it.

use std::fmt::Write;
use std::path::Path;
use ts_rs::{Config, TS};
use wattbook_study::contract::*;
use wattbook_study::{
    abilities_of, contract_source_files, contract_source_sha256, options_of, Ability, CONTRACT_VERSION,
};

fn declare<T: TS + 'static>(out: &mut String, config: &Config) {
    if let Some(docs) = T::docs() {
        out.push_str(&docs);
    }
    writeln!(out, "export {}\n", T::decl(config)).expect("a string grows");
}

fn tags<T: serde::Serialize>(values: &[T]) -> String {
    let tags: Vec<String> = values
        .iter()
        .map(|v| serde_json::to_string(v).expect("a tag"))
        .collect();
    format!("[{}] as const", tags.join(", "))
}

fn generate() -> String {
    let config = &Config::new();
    let mut out =
        String::from("// Generated from engine/crates/study/src/contract by its test `contract`; do not edit.\n\n");
    let formulations = [
        FormulationId::Dcpf,
        FormulationId::Dcopf,
        FormulationId::Acpf,
        FormulationId::Socwr,
    ];
    let statuses = [SolveStatus::Optimal, SolveStatus::Feasible];
    for (name, value) in [
        ("CONTRACT_VERSION", format!("{CONTRACT_VERSION:?}")),
        ("CONTRACT_SOURCE_SHA256", format!("{:?}", contract_source_sha256())),
        ("FORMULATION_IDS", tags(&formulations)),
        ("SOLVE_STATUSES", tags(&statuses)),
        ("DCOPF_COLUMNS", tags(&DCOPF_COLUMNS)),
        ("DCPF_COLUMNS", tags(&DCPF_COLUMNS)),
        ("ACPF_COLUMNS", tags(&ACPF_COLUMNS)),
        ("SOCWR_COLUMNS", tags(&SOCWR_COLUMNS)),
        ("SOLUTION_ROWS", tags(&SOLUTION_ROWS)),
        ("RESPONSE_ROWS", tags(&RESPONSE_ROWS)),
    ] {
        writeln!(out, "export const {name} = {value};").expect("a string grows");
    }
    out.push_str("\n/** The columns of results: what their rows are, and the unit of their numbers. */\n");
    out.push_str(
        "export const COLUMNS: { readonly [name in ColumnName]: { element: ColumnElement; unit: string } } = {\n",
    );
    for column in ColumnName::ALL {
        let (name, element, unit) = column.head();
        writeln!(out, "  {name}: {{ element: {:?}, unit: {unit:?} }},", element.name()).expect("a string grows");
    }
    out.push_str("};\n");
    out.push_str("\n/** What Studies of each formulation do; nothing where this engine has none. */\n");
    out.push_str("export const ABILITIES: { readonly [id in FormulationId]: readonly Ability[] } = {\n");
    for formulation in formulations {
        writeln!(
            out,
            "  {}: {},",
            formulation.id(),
            tags(abilities_of(formulation)).replace(" as const", "")
        )
        .expect("a string grows");
    }
    out.push_str("};\n");
    out.push_str("\n/** The solve options that each formulation reads; it refuses the others. */\n");
    out.push_str("export const OPTIONS: { readonly [id in FormulationId]: readonly (keyof SolveOptions)[] } = {\n");
    for formulation in formulations {
        let names: Vec<&str> = options_of(formulation).collect();
        writeln!(out, "  {}: {names:?},", formulation.id()).expect("a string grows");
    }
    out.push_str("};\n");
    out.push_str("\n/** Demand changes in MW from the base case, by bus id or uid. */\n");
    out.push_str("export type DemandDeltas = { [key in string]: number };\n\n");
    out.push_str("/** Rating changes in MW from the base case, by branch row or uid. */\n");
    out.push_str("export type RatingDeltas = { [key in string]: number };\n\n");
    out.push_str("/** Values of generators in place of those of the case, by generator row or uid. */\n");
    out.push_str("export type GeneratorEdits = { [key in string]: GeneratorEdit };\n\n");
    out.push_str("/** Values of branches in place of those of the case, by branch row or uid. */\n");
    out.push_str("export type BranchEdits = { [key in string]: BranchEdit };\n\n");
    out.push_str("/** Values of HVDC links in place of those of the case, by link row or uid. */\n");
    out.push_str("export type LinkEdits = { [key in string]: LinkEdit };\n\n");
    out.push_str("/** Values of storage units in place of those of the case, by storage row or uid. */\n");
    out.push_str("export type StorageEdits = { [key in string]: StorageEdit };\n\n");
    out.push_str("/** Edits of interfaces, keyed by their names in the option `limits`. */\n");
    out.push_str("export type InterfaceEdits = { [key in string]: InterfaceEdit };\n\n");
    out.push_str("/** Loads that are not as in the case, by name in any letter case (`load.` before it or not). */\n");
    out.push_str("export type McLoads = { [key in string]: McLoadPower };\n\n");
    macro_rules! declare_all {
        ($($t:ty),* $(,)?) => { $( declare::<$t>(&mut out, config); )* };
    }
    declare_all![
        FormulationId,
        SolveStatus,
        DcConvention,
        SolveOptions,
        DispatchSource,
        SlackRule,
        BranchEdit,
        GeneratorEdit,
        InterfaceValue,
        LinkEdit,
        StorageEdit,
        InterfaceEdit,
        StorageOption,
        SecurityOptions,
        Outages,
        AllOutages,
        OutageOf,
        RaisedLimit,
        LostLoad,
        Monitored,
        EmergencyRating,
        SourceRating,
        SoftLimits,
        ExcessPrice,
        HardLimit,
        SecurityReport,
        BindingLimit,
        NetworkLimits,
        InterfaceLimit,
        InterfaceBranch,
        SecurityLists,
        ListStatement,
        InterfaceFlow,
        AddedElements,
        AddedBranch,
        AddedGenerator,
        AddedLink,
        AddedStorage,
        AddedLoad,
        BranchValue,
        GeneratorValue,
        Edits,
        SolveRequest,
        Power,
        FlowEnd,
        VoltageKind,
        Operand,
        CostTerm,
        AdmittancePart,
        Bound,
        TransformerPart,
        Parameter,
        Mode,
        SensRequest,
        Element,
        Message,
        MessageValue,
        Diagnostic,
        BusValue,
        BusPrice,
        BranchFlow,
        GeneratorDispatch,
        Certificate,
        PowerFlowCertificate,
        ResponseCertificate,
        PowerFlowStart,
        ReactiveLimits,
        PowerFlowReport,
        SolveIteration,
        Solution,
        SolutionHead,
        ColumnElement,
        ColumnName,
        Column,
        RowsHead,
        FlowRow,
        DispatchRow,
        InjectionRow,
        SolveResponse,
        SolveResponseHead,
        Solved,
        Collapse,
        BranchSlope,
        WarrantKind,
        BreakpointEvent,
        WarrantEnd,
        Warrant,
        MatrixRow,
        MatrixCol,
        SensitivityMatrix,
        SensitivityMatrixHead,
        SensTarget,
        ElementKey,
        SensitivityColumn,
        SensitivityHead,
        Preview,
        PreviewHead,
        CommitResult,
        CommitHead,
        SolutionModule,
        SolutionModuleHead,
        PriceReference,
        CongestionPart,
        LmpComponents,
        ExplanationKind,
        LimitKind,
        NamedElement,
        ContradictingLimit,
        RelaxedLimit,
        DemandLimit,
        ExplanationCheck,
        Explanation,
        TrackBreakpoint,
        TrackSegment,
        TrackStopReason,
        TrackStop,
        Track,
        TrackState,
        TrackBinding,
        ScreeningOptions,
        ContingencyKind,
        NewOverload,
        ContingencyRow,
        ImplicitObjectiveJson,
        BusWeight,
        CapacityPlanSpecJson,
        RatingIncrease,
        GradientEntry,
        CapacityPlanTrial,
        CapacityPlanState,
        CapacityPlanEnd,
        CapacityPlanOutcomeJson,
        DemandPlanKind,
        DemandPlanSpecJson,
        DemandChange,
        DemandGradientEntry,
        DemandPlanTrial,
        DemandPlanOutcomeJson,
        PlanSpecJson,
        PlanOutcomeJson,
        PlanTrial,
        StudyBundle,
        ArtifactKind,
        StudyArtifact,
        StudyDocument,
        StudyCase,
        StudyProducer,
        StateNode,
        StudyDisplay,
        StudyLayer,
        StudyView,
        StudyCamera,
        ExperimentKind,
        StudyExperiment,
        GoalScope,
        StudyGoal,
        StudyDecision,
        LoadabilityTarget,
        LoadabilityBus,
        Loadability,
        JobStep,
        LayoutHead,
        DayEnd,
        DayStorage,
        RampLimit,
        DaySpec,
        DayCertificate,
        DayHead,
        DayEventKind,
        DayEvent,
        DaySensitivity,
        SeriesSpec,
        SeriesStep,
        SeriesHead,
        ProfileHead,
        Ability,
        ProblemCaps,
        Capabilities,
        TopologyBus,
        TopologyBranch,
        TopologyGenerator,
        TopologyLink,
        TopologyStorage,
        EnergySource,
        Topology,
        NetworkBus,
        NetworkBranch,
        Network,
        CoordsSpace,
        CoordsKind,
        CaseSummary,
        IngestedCase,
        TopologyHead,
        NetworkHead,
        IngestedCaseHead,
        DistributionBus,
        DistributionDevice,
        DistributionDeviceKind,
        DistributionEdgeKind,
        DistributionEdge,
        DistributionGraph,
        IngestedDistribution,
        IngestedNetwork,
        IngestedNetworkHead,
        JsonDropKind,
        JsonDropClassification,
        IngestedJsonDrop,
        IngestedJsonDropHead,
        DisplaySubstation,
        DisplayBus,
        DisplayBranch,
        DisplayCanvas,
        Display,
        GeoBasis,
        GeoWarning,
        GeoReport,
        GeoDrawingBus,
        GeoDrawingBranch,
        GeoDrawing,
        GeoApplied,
        GeoAppliedHead,
        Placement,
        ExportFormat,
        TypicalCost,
        FuelUnits,
        GivenCost,
        AssumedCosts,
        McSourceImpedance,
        McControls,
        McOptions,
        McLoadPower,
        McRows,
        McTerminal,
        McUnbalance,
        McCertificate,
        McTotals,
        McResult,
        McPreview,
        McStoredColumn,
        McUnknowns,
        McStoredResult,
        McInput,
        McStudyFile,
        McReplay,
        ErrorBody,
    ];
    out.truncate(out.trim_end().len());
    out.push('\n');
    out
}

#[test]
fn typescript_is_current() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../src/contract.generated.ts");
    let want = generate();
    if std::env::var_os("WATTBOOK_UPDATE").is_some() {
        std::fs::write(&path, &want).expect("a writable file");
    }
    let have = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        have.replace("\r\n", "\n") == want,
        "{} is not what src/contract says; run WATTBOOK_UPDATE=1 cargo test -p wattbook-study --test documents",
        path.display()
    );
}

/// Paths of all files in a folder, relative to `from`.
fn files_in(folder: &Path, from: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("a folder of the contract");
    let paths = entries.map(|e| e.expect("an entry").path());
    let below = |path: &Path| {
        path.strip_prefix(from)
            .expect("below")
            .to_string_lossy()
            .replace('\\', "/")
    };
    paths
        .flat_map(|path| match path.is_dir() {
            true => files_in(&path, from),
            false => vec![below(&path)],
        })
        .collect()
}

/// The hash covers the whole folder, by ascending path.
#[test]
fn every_source_of_the_contract_is_hashed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/contract");
    let mut files = files_in(&folder, &folder);
    files.sort();
    assert_eq!(files, contract_source_files());
}
