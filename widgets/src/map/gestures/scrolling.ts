/** Whether something that contains an element scrolls up and down, so that the wheel is the page's. */
export function scrollsWithPage(element: Element): boolean {
  const full = document.fullscreenElement;
  for (let parent = element.parentElement; parent !== null; parent = parent.parentElement) {
    const scrolls = parent === document.scrollingElement || /auto|scroll/.test(getComputedStyle(parent).overflowY);
    if (scrolls && parent.scrollHeight > parent.clientHeight + 1) {
      return true;
    }
    if (parent === full) {
      return false; // what lies behind the full screen does not scroll
    }
  }
  return false;
}
