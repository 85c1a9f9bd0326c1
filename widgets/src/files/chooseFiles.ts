/** Extensions offered first. */
const ACCEPT =
  ".m,.raw,.rawx,.aux,.pwb,.epc,.cdf,.uct,.xiidm,.iidm,.zip,.xml,.dss,.json,.pwd,.csv,.geojson,.dat,.txt,.gz";

/**
 * Opens the browser's file chooser; returns an empty list if it is closed without a choice. `accept` are the extensions
 * offered first.
 */
export function chooseFiles(accept: string = ACCEPT): Promise<File[]> {
  return new Promise((resolve) => {
    const input = document.createElement("input");
    input.type = "file";
    input.multiple = true;
    input.accept = accept;
    input.addEventListener("change", () => resolve([...(input.files ?? [])]));
    input.addEventListener("cancel", () => resolve([]));
    input.click();
  });
}
