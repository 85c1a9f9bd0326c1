/**
 * Sends keys that are pressed while nothing has the focus to the picture in front, so that `/`, `?` and the arrows work
 * without a click on it first. The map handles keys that are pressed inside it.
 */
export function routePageKeys(): void {
  document.addEventListener("keydown", (event) => {
    const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
    const picture = document.querySelector<HTMLElement>(".wb-Page-document:not([hidden]) .wb-Canvas");
    const free = event.target === document.body || event.target === document.getElementById("main");
    if (!free || picture === null || ctrlKey || metaKey || altKey || key === "Tab") {
      return;
    }
    const repeated = new KeyboardEvent("keydown", { key, shiftKey, bubbles: true, cancelable: true });
    if (!picture.dispatchEvent(repeated)) {
      event.preventDefault();
    }
  });
}
