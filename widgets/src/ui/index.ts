export { ApprovalControl, type ApprovalParts, SEEN_MS } from "./approvalControl.ts";
export { button, h, svg, setText } from "./dom.ts";
export { ICONS } from "./icons.ts";
export { Menu } from "./menu.ts";
export type { MenuGroup, MenuItem } from "./MenuGroups.tsx";
export { MwField, type MwFieldEvents } from "./mwField.ts";
export { pageFrame } from "./pageFrame.ts";
export { keepPlainKeys } from "./plainKeys.ts";
export { type ChoiceStorage, localStorageOrNone, RememberedChoices } from "./rememberedChoices.ts";
export { type Theme, ThemeWatcher } from "./theme.ts";
export { listenUndoKeys } from "./undoKeys.ts";
export { whenIdle } from "./whenIdle.ts";
export { changeSentence, changeText } from "./editrow/changeText.ts";
export { ValueControls } from "./editrow/ValueControls.tsx";
export { ElementControls } from "./editrow/elementControls.ts";
export * from "./editrow/elementValue.ts";
export { listenSlider } from "./editrow/sliderInput.ts";
export { columnIsZero, type Readout, readout } from "./session/editReadout.ts";
export { PathTable } from "./session/pathTable.ts";
export {
  changeName,
  commitPlan,
  relaxationOfNetwork,
  relaxationOfSession,
  relaxedMw,
} from "./session/relaxationOffer.ts";
export { RelaxationView } from "./session/relaxationView.ts";
export { Pages } from "./table/pages.ts";
export { PictureTable } from "./table/pictureTable.ts";
export { keyedRow, type RowWindow, rowWindow, scrolledTo } from "./table/rowWindow.ts";
export { InspectionMark } from "./session/inspectionMark.ts";
export { SeriesMark } from "./session/seriesMark.ts";
export { OutageMark } from "./session/outageMark.ts";
export { FormulationSelect } from "./session/formulationSelect.ts";
export { solveOffers } from "./session/solveOffers.ts";
export { isPending, statusSentence, statusText } from "./session/statusText.ts";
