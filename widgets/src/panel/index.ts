export type { LargeView, OpenLarge } from "./sections/largeView.ts";
export type { PanelStorage } from "./sections/openSections.ts";
export { StudyPanel, type StudyPanelProps } from "./StudyPanel.tsx";
