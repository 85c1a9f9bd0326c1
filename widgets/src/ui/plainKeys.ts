/** Stops plain keys from leaving an element, so that they do not trigger the page's shortcuts. */
export function keepPlainKeys(element: HTMLElement): void {
  element.addEventListener("keydown", (event) => {
    if (!event.ctrlKey && !event.metaKey && !event.altKey && event.key !== "Tab") {
      event.stopPropagation();
    }
  });
}
