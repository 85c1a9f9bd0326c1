export type { LargeView, OpenLarge } from "./largeView.ts";
export type { PanelStorage } from "./openSections.ts";
export { StudyPanel, type StudyPanelProps } from "./StudyPanel.tsx";
