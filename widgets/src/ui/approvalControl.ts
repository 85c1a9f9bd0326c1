import { armControl, disarmControl } from "../workspace/index.ts";

/** How long the approved content must be on the screen unchanged, ms. */
export const SEEN_MS = 1000;
/** Interval between checks, ms. */
const LOOK_MS = 100;
/**
 * Distance of the tested points from the edges of an element, px: clicks on rounded corners reach the element behind.
 */
const INSET = 3;

/** The control of an approval and the lines that it approves, inside the same element. */
export interface ApprovalParts {
  /** Contains the lines and the button. */
  readonly card: HTMLElement;
  readonly button: HTMLElement;
  /** The lines of the card that must be seen. */
  readonly lines: string;
  /** `proposalDigest` of the displayed lines. */
  readonly digest: string;
}

/**
 * Arms a button once every line that it approves has been on the screen for a second, and only while the button itself
 * is visible, uncovered and not clipped, and the card unchanged. Earlier clicks do nothing. The click is taken at the
 * document as the browser made it, so a script that calls the page's handlers approves nothing.
 */
export class ApprovalControl {
  readonly #parts: ApprovalParts;
  readonly #approve: (event: Event, digest: string) => void;
  readonly #sight: Sight;
  readonly #changes: MutationObserver;
  readonly #timer: ReturnType<typeof setInterval>;
  /** Time since which each line, and the button, has been visible. */
  readonly #since = new Map<Element, number>();
  readonly #seen = new Set<Element>();

  constructor(parts: ApprovalParts, approve: (event: Event, digest: string) => void) {
    this.#parts = parts;
    this.#approve = approve;
    const lines = this.#lines();
    this.#sight = new Sight([parts.button, ...lines]);
    this.#changes = new MutationObserver(() => this.#reset());
    for (const line of lines) {
      this.#changes.observe(line, { subtree: true, childList: true, characterData: true });
    }
    this.#timer = setInterval(() => this.#look(), LOOK_MS);
    this.#show(false);
    document.addEventListener("click", this.#clicked, { capture: true });
  }

  dispose(): void {
    clearInterval(this.#timer);
    document.removeEventListener("click", this.#clicked, { capture: true });
    this.#changes.disconnect();
    this.#sight.dispose();
    disarmControl(this.#parts.button);
  }

  readonly #clicked = (event: Event): void => {
    const { button, digest } = this.#parts;
    if (event.composedPath().includes(button) && this.#look()) {
      this.#approve(event, digest);
    }
  };

  #lines(): Element[] {
    const { card, lines } = this.#parts;
    return [...card.querySelectorAll(lines)];
  }

  #reset(): void {
    this.#since.clear();
    this.#seen.clear();
    this.#show(false);
  }

  /** Checks the screen: whether the button is armed now. */
  #look(): boolean {
    const now = performance.now();
    const { button } = this.#parts;
    for (const line of this.#lines()) {
      if (this.#seenFor(line, now) >= SEEN_MS) {
        this.#seen.add(line);
      }
    }
    const ready = this.#seenFor(button, now) >= SEEN_MS && this.#lines().every((line) => this.#seen.has(line));
    this.#show(ready);
    return ready;
  }

  /** How long an element has been visible without a break, ms; negative while it is hidden. */
  #seenFor(element: Element, now: number): number {
    if (document.visibilityState !== "visible" || !this.#sight.sees(element)) {
      this.#since.delete(element);
      return -1;
    }
    const since = this.#since.get(element) ?? now;
    this.#since.set(element, since);
    return now - since;
  }

  #show(ready: boolean): void {
    const { card, button, digest } = this.#parts;
    if (ready) {
      armControl(button, digest);
    } else {
      disarmControl(button);
    }
    if (button.getAttribute("aria-disabled") !== String(!ready)) {
      button.setAttribute("aria-disabled", String(!ready));
      card.dataset["armed"] = String(ready);
    }
  }
}

/** What the browser reports about the visibility of elements. */
class Sight {
  readonly #hidden = new Set<Element>();
  readonly #observer: IntersectionObserver;

  constructor(elements: readonly Element[]) {
    // `trackVisibility` belongs to version 2 of the interface: it counts anything that covers, dims or moves an
    // element.
    const options = { threshold: [0, 0.5, 0.99, 1], trackVisibility: true, delay: LOOK_MS };
    this.#observer = new IntersectionObserver((entries) => {
      for (const entry of entries) {
        const { isVisible = true } = entry as { isVisible?: boolean };
        this.#hidden[entry.isIntersecting && isVisible ? "delete" : "add"](entry.target);
      }
    }, options);
    for (const element of elements) {
      this.#hidden.add(element); // until the browser has reported
      this.#observer.observe(element);
    }
  }

  dispose(): void {
    this.#observer.disconnect();
  }

  sees(element: Element): boolean {
    return !this.#hidden.has(element) && isUncovered(element);
  }
}

/** Whether the middle and the corners of an element are inside the window and receive clicks there. */
function isUncovered(element: Element): boolean {
  const { left, right, top, bottom } = element.getBoundingClientRect();
  if (right - left <= 2 * INSET || bottom - top <= 2 * INSET) {
    return false;
  }
  const root = element.getRootNode() as Document | ShadowRoot;
  const xs = [left + INSET, (left + right) / 2, right - INSET];
  const ys = [top + INSET, (top + bottom) / 2, bottom - INSET];
  return xs.every((x) => ys.every((y) => element.contains(root.elementFromPoint(x, y))));
}
