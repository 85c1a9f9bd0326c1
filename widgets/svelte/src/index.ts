export { default as CaseMap } from "./CaseMap.svelte";
export { default as NetworkView } from "./NetworkView.svelte";
export { default as StudyPanel } from "./StudyPanel.svelte";
export type { CaseMapProps, NetworkViewProps, StudyPanelProps } from "./props.js";
