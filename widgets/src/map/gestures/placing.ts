import { downloadFile } from "../../files/download.ts";
import { errorText, formatCount, parseNumber, trans } from "../../text/index.ts";
import { type Geography, LatestOnly, MutationQueue, type Point, saveGeography } from "../../workspace/index.ts";
import type { Camera } from "../view/camera.ts";
import { button, h, setText } from "../../ui/dom.ts";
import { mercator, unproject } from "../view/geometry.ts";
import { arrowOf } from "./pictureKeys.ts";

/** The target centre and the length of the longer side. */
interface Goal {
  centre: Point;
  scaleKm: number;
}

/** Factor of one press of plus or minus. */
const SCALE_STEP = 1.25;

/** Pixels per press of an arrow key: for moving the network, with Shift, and for panning. */
const STEP = { move: 16, far: 80, pan: 60 };

/**
 * Puts a network without coordinates on the map, and moves, scales and unplaces it later. A bar above the picture gives
 * instructions; the stage forwards clicks and arrow keys.
 */
export class Placing {
  readonly node: HTMLElement;
  /** Starts moving; shown beside the notice that the layout is synthetic. */
  readonly moveButton: HTMLButtonElement;
  readonly #named: { name: string; geography: Geography };
  readonly #changed: () => void;
  readonly #words = h("span", { attributes: { role: "status" } });
  readonly #size = h("input", {
    class: "wb-Size",
    attributes: { type: "text", inputmode: "decimal", "aria-label": trans.__("Longer side of the layout, km") },
  });
  readonly #undo: HTMLButtonElement;
  readonly #placedTools: HTMLElement[];
  #unplaced = false;
  #moving = false;
  #busy = 0;
  #problem: string | null = null;
  /** The target of a pending move. */
  #goal: Goal | null = null;
  readonly #steps = new MutationQueue();
  /** Goes to the latest target only, so that keys held down do not queue up. */
  readonly #moves = new LatestOnly<Goal>(({ centre, scaleKm }) =>
    this.#run(() => this.#geography.place(centre, scaleKm)),
  );

  constructor(named: { name: string; geography: Geography }, changed: () => void) {
    this.#named = named;
    this.#changed = changed;
    this.moveButton = button(trans.__("Move case"), () => this.begin(), { class: "wb-mod-link" });
    this.#undo = button(trans.__("Undo"), () => void this.#run(() => this.#geography.undo()));
    const smaller = button(trans.__("Smaller"), () => this.#scaleBy(1 / SCALE_STEP), { icon: "\u2212" });
    const larger = button(trans.__("Larger"), () => this.#scaleBy(SCALE_STEP), { icon: "+" });
    const size = h(
      "label",
      { class: "wb-PlacingBar-size" },
      trans.__("Size"),
      this.#size,
      h("span", { class: "wb-unit", text: "km" }),
    );
    this.#placedTools = [
      h("div", { class: "wb-PlacingBar-group" }, size, smaller, larger),
      this.#undo,
      button(trans.__("Reset to automatic"), () => void this.#run(() => this.#geography.resetToAutomatic())),
      button(trans.__("Download .geo.json"), () => void this.#run(() => saveGeography(this.#named).then(downloadFile))),
      button(trans.__("Done"), () => this.end()),
    ];
    this.#size.addEventListener("change", () => this.#typed());
    this.node = h(
      "div",
      { class: "wb-PlacingBar", attributes: { role: "group", "aria-label": trans.__("Placement"), hidden: "" } },
      this.#words,
      ...this.#placedTools,
    );
    this.#geography.changed.connect(this.#refresh, this);
  }

  /** Whether a placed network is being moved. */
  get moving(): boolean {
    return this.#moving && this.#geography.placeable; // a layer may have arrived in the meantime
  }

  /** Whether the network may be moved or downloaded as a layout. */
  get available(): boolean {
    return this.#geography.synthetic;
  }

  /** Shows the bar for a network that is not on the map, or hides it. */
  show(unplaced: boolean): void {
    if (unplaced !== this.#unplaced) {
      this.#unplaced = unplaced;
      this.#problem = null;
    }
    this.#refresh();
  }

  /** Starts moving a placed network. */
  begin(): void {
    if (this.available && !this.#moving) {
      this.#moving = true;
      this.#refresh();
      this.#changed();
    }
  }

  end(): void {
    if (this.#moving) {
      this.#moving = false;
      this.#problem = null;
      this.#refresh();
      this.#changed();
    }
  }

  /** Puts the centre of the network at a longitude and latitude. */
  put(centre: Point): void {
    void this.#run(async () => {
      const current = await this.#geography.placement();
      await this.#geography.place(centre, current?.scale_km);
    });
  }

  /** Handles a key of the picture while a network is being placed; false for keys with their usual action. */
  key(event: KeyboardEvent, camera: Camera): boolean {
    if (event.key === "Enter") {
      this.put(unproject(camera.view.x, camera.view.y));
      return true;
    }
    if (event.key === "Escape" && this.moving) {
      this.end();
      return true;
    }
    const arrow = arrowOf(event);
    if (arrow === null) {
      return false;
    }
    const [dx, dy] = arrow;
    if (this.moving) {
      const step = (event.shiftKey ? STEP.far : STEP.move) / camera.scale;
      this.#nudge(...camera.unturned(step * dx, step * dy));
    } else {
      camera.panBy(-STEP.pan * dx, -STEP.pan * dy);
    }
    return true;
  }

  dispose(): void {
    this.#geography.changed.disconnect(this.#refresh, this);
  }

  get #geography(): Geography {
    return this.#named.geography;
  }

  async #current(): Promise<Goal | null> {
    const placement = await this.#geography.placement();
    return placement === null ? null : { centre: placement.centre_lon_lat, scaleKm: placement.scale_km };
  }

  /** Moves the network by a vector in the plane of the map, y downwards. */
  #nudge(dx: number, dy: number): void {
    this.#step(({ centre, scaleKm }) => {
      const [x, y] = mercator(centre);
      return { centre: unproject(x + dx, y + dy), scaleKm };
    });
  }

  #scaleBy(factor: number): void {
    this.#step(({ centre, scaleKm }) => ({ centre, scaleKm: scaleKm * factor }));
  }

  #typed(): void {
    const km = parseNumber(this.#size.value);
    if (km === null || km <= 0) {
      this.#size.setAttribute("aria-invalid", "true");
      this.#problem = trans.__("Type the length of the longer side in km as a number above zero.");
      this.#refresh();
      return;
    }
    this.#step(({ centre }) => ({ centre, scaleKm: km }));
  }

  /** Changes the pending target, or the present position if there is no target. */
  #step(change: (from: Goal) => Goal): void {
    void this.#steps.run(async () => {
      const from = this.#goal ?? (await this.#current());
      if (from !== null) {
        const goal = (this.#goal = change(from));
        void this.#moves.request(goal).then(() => {
          if (this.#goal === goal) {
            this.#goal = null;
          }
        });
      }
    });
  }

  /** Runs a task and reports its progress and errors. */
  async #run(work: () => Promise<unknown>): Promise<void> {
    this.#busy += 1;
    this.#problem = null;
    this.#refresh();
    try {
      await work();
    } catch (error) {
      this.#problem = errorText(error);
    } finally {
      this.#busy -= 1;
      this.#refresh();
    }
  }

  #refresh(): void {
    const moving = this.#moving && this.available;
    this.node.hidden = !moving && !this.#unplaced;
    this.#placedTools.forEach((tool) => (tool.hidden = !moving));
    this.#undo.disabled = !this.#geography.canUndo;
    const waiting = this.#busy > 0 ? trans.__("Placing\u2026") : null;
    setText(
      this.#words,
      this.#problem ??
        waiting ??
        (moving
          ? trans.__("Click where its centre should be, or use the arrow keys; with Shift they go further.")
          : trans.__("This case has no coordinates. Click the map to place it, or open the diagram.")),
    );
    this.#words.classList.toggle("wb-mod-failed", this.#problem !== null);
    if (moving) {
      void this.#showSize();
    }
  }

  async #showSize(): Promise<void> {
    const current = await this.#current();
    if (current !== null && document.activeElement !== this.#size) {
      this.#size.value = sizeText(current.scaleKm);
      this.#size.removeAttribute("aria-invalid");
    }
  }
}

/** Kilometres to three significant digits. */
function sizeText(km: number): string {
  return km >= 100 ? formatCount(km) : String(Number(km.toPrecision(3)));
}
