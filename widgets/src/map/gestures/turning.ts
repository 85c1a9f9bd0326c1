import { type Camera, MOST_PITCH } from "../view/camera.ts";
import { prefersReducedMotion } from "../../ui/theme.ts";

/** Duration of a turn, ms. */
const TURN_MS = 220;

/**
 * Animates a camera to a bearing, the shorter way round, and to a pitch; without animation where the system requests
 * reduced motion.
 */
export class Turning {
  readonly #camera: Camera;
  readonly #moved: () => void;
  #frame = 0;
  #goal = { bearing: 0, pitch: 0 };

  /** `moved` is called after every step. */
  constructor(camera: Camera, moved: () => void) {
    this.#camera = camera;
    this.#moved = moved;
  }

  /** The target bearing and pitch, or the present ones. */
  get goal(): { bearing: number; pitch: number } {
    const { bearing, pitch } = this.#camera;
    return this.#frame === 0 ? { bearing, pitch } : this.#goal;
  }

  to(bearing: number, pitch: number): void {
    this.stop();
    const { bearing: from, pitch: leaning } = this.#camera;
    const way = shorterWay(from, bearing);
    const lean = Math.max(0, Math.min(MOST_PITCH, pitch)) - leaning;
    this.#goal = { bearing, pitch: leaning + lean };
    if ((way === 0 && lean === 0) || prefersReducedMotion()) {
      this.#reach(1, { from, way, leaning, lean });
      return;
    }
    const began = performance.now();
    const step = (now: number): void => {
      const share = Math.min(1, Math.max(0, (now - began) / TURN_MS));
      this.#frame = share < 1 ? requestAnimationFrame(step) : 0;
      this.#reach(share, { from, way, leaning, lean });
    };
    this.#frame = requestAnimationFrame(step);
  }

  #reach(share: number, { from, way, leaning, lean }: Record<"from" | "way" | "leaning" | "lean", number>): void {
    const part = 1 - (1 - share) ** 3;
    this.#camera.turnTo(share < 1 ? from + way * part : this.#goal.bearing);
    this.#camera.tiltTo(share < 1 ? leaning + lean * part : this.#goal.pitch);
    this.#moved();
  }

  /** Stops at the present position. */
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
