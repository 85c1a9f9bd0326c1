import { armControl, disarmControl } from "../workspace/index.ts";

/** How long what is to be approved has to be on the screen, unchanged, ms. */
export const SEEN_MS = 1000;
/** How often it is looked at, ms. */
const LOOK_MS = 100;
/** Distance of the tested points from the edges of an element, px: rounded corners belong to what lies behind. */
const INSET = 3;

/** An approval's control, and the lines that it approves, which stand in the same element. */
export interface ApprovalParts {
  /** Contains the lines and the button. */
  readonly card: HTMLElement;
  readonly button: HTMLElement;
  /** The lines of the card that have to be seen. */
  readonly lines: string;
  /** `proposalDigest` of what the lines show. */
  readonly digest: string;
}

/**
 * Arms a button once every line that it approves has been on the screen for a second, and while the button itself has been: visible,
 * uncovered, not clipped, and nothing in the card changed meanwhile. A click before that does nothing. The click is taken at the
 * document, as the browser made it, so that handlers of the page that a script calls approve nothing.
 */
export class ApprovalControl {
  readonly #parts: ApprovalParts;
  readonly #approve: (event: Event, digest: string) => void;
  readonly #sight: Sight;
  readonly #changes: MutationObserver;
  readonly #timer: ReturnType<typeof setInterval>;
  /** Since when each line, and the button, has been visible. */
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

  /** Looks at the screen: whether the button is armed now. */
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

  /** How long an element has been visible without a break, ms; below zero where it is not. */
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

/** What the browser knows of elements that a person may or may not see. */
class Sight {
  readonly #hidden = new Set<Element>();
  readonly #observer: IntersectionObserver;

  constructor(elements: readonly Element[]) {
    // `trackVisibility` is of the second version of the interface: what covers, dims or moves an element counts as hiding it.
    const options = { threshold: [0, 0.5, 0.99, 1], trackVisibility: true, delay: LOOK_MS };
    this.#observer = new IntersectionObserver((entries) => {
      for (const entry of entries) {
        const { isVisible = true } = entry as { isVisible?: boolean };
        this.#hidden[entry.isIntersecting && isVisible ? "delete" : "add"](entry.target);
      }
    }, options);
    for (const element of elements) {
      this.#hidden.add(element); // until the browser has answered
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

/** Whether the middle and the corners of an element are inside the window, and a click there would reach it. */
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
