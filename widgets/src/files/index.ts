export { chooseFiles } from "./chooseFiles.ts";
export { downloadFile } from "./download.ts";
export { DropZone } from "./dropZone.ts";
export { FilesReport } from "./filesReport.ts";
export { ExportReport } from "./exportReport.ts";
export { copyText } from "./copyText.ts";
