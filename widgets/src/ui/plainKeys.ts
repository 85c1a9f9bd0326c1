/** Keeps plain keys inside an element, so that they do not run the shortcuts of the page around it. */
export function keepPlainKeys(element: HTMLElement): void {
  element.addEventListener("keydown", (event) => {
    if (!event.ctrlKey && !event.metaKey && !event.altKey && event.key !== "Tab") {
      event.stopPropagation();
    }
  });
}
