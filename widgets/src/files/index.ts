export { chooseFiles } from "./chooseFiles.ts";
export { downloadFile } from "./download.ts";
export { DropZone } from "./dropZone.ts";
export { FilesReport } from "./FilesReport.tsx";
export { Reports } from "./reports.ts";
export { copyText } from "./copyText.ts";
