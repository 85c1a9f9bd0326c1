export { StudyPanel } from "./StudyPanel.tsx";
