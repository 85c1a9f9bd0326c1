import type { Camera } from "../view/camera.ts";
import { prefersReducedMotion } from "../../ui/theme.ts";

/** How long a turn takes, ms. */
const TURN_MS = 220;

/** Turns a camera to a bearing, the shorter way round; at once where the system asks for little motion. */
export class Turning {
  readonly #camera: Camera;
  readonly #moved: () => void;
  #frame = 0;
  #goal = 0;

  /** `moved` is told after every step. */
  constructor(camera: Camera, moved: () => void) {
    this.#camera = camera;
    this.#moved = moved;
  }

  /** Where the turn ends, or the present bearing. */
  get goal(): number {
    return this.#frame === 0 ? this.#camera.bearing : this.#goal;
  }

  to(bearing: number): void {
    this.stop();
    const from = this.#camera.bearing;
    const way = shorterWay(from, bearing);
    this.#goal = bearing;
    if (way === 0 || prefersReducedMotion()) {
      this.#camera.turnTo(bearing);
      this.#moved();
      return;
    }
    const began = performance.now();
    const step = (now: number): void => {
      const share = Math.min(1, Math.max(0, (now - began) / TURN_MS));
      this.#frame = share < 1 ? requestAnimationFrame(step) : 0;
      this.#camera.turnTo(share < 1 ? from + way * (1 - (1 - share) ** 3) : bearing);
      this.#moved();
    };
    this.#frame = requestAnimationFrame(step);
  }

  /** Leaves the camera where it is. */
  stop(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
  }
}

/** Degrees from one bearing to another, in [-180, 180). */
export function shorterWay(from: number, to: number): number {
  const turns = (to - from + 180) / 360;
  return 360 * (turns - Math.floor(turns)) - 180;
}
