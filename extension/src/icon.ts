import { LabIcon } from "@jupyterlab/ui-components";

/** The mark of the Study panel: two buses and the line between them. */
export const studyIcon = new LabIcon({
  name: "wattbook:study",
  svgstr:
    '<svg xmlns="http://www.w3.org/2000/svg" width="16" viewBox="0 0 24 24">' +
    '<g class="jp-icon3" fill="none" stroke="#616161" stroke-width="2" stroke-linecap="round" stroke-linejoin="round">' +
    '<path d="M8.2 15.8L12.5 9l-1 5h4l-3.2 5"/><circle cx="5.5" cy="5.5" r="2.5"/><circle cx="18.5" cy="5.5" r="2.5"/>' +
    '<path d="M8 5.5h8"/></g></svg>',
});
