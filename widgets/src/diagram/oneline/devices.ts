import type { ViewedDevice } from "../../workspace/index.ts";
import type { DeviceSymbol } from "./symbols.ts";

/** Equipment of one kind at a bus. */
export interface DeviceGroup {
  readonly kind: DeviceSymbol;
  readonly count: number;
  /** Whether any of it is in service. */
  readonly live: boolean;
  readonly terminals: readonly string[];
}

/** The devices of a bus by kind, sources first. */
export function groupsOf(devices: readonly ViewedDevice[]): DeviceGroup[] {
  const kinds = [...new Set(devices.map(({ kind }) => kind))];
  return kinds.map((kind) => {
    const own = devices.filter((device) => device.kind === kind);
    const terminals = [...new Set(own.flatMap((device) => device.terminals))];
    return { kind, count: own.length, live: own.some(({ inService }) => inService), terminals };
  });
}

/** Directions to try, radians: downwards first, as loads are drawn, then sideways, upwards and diagonals. */
const DIRECTIONS = [90, 0, 180, 270, 45, 135, 315, 225, 67.5, 112.5, 22.5, 157.5, 337.5, 202.5, 292.5, 247.5].map(
  (degrees) => (degrees * Math.PI) / 180,
);
/** A direction with this much room is good enough, radians. */
const ENOUGH = 1.1;

/**
 * The direction with the most room around a bus whose lines leave at the angles `taken`, radians clockwise from the
 * right.
 */
export function freeDirection(taken: readonly number[]): number {
  let best = DIRECTIONS[0] ?? 0;
  let most = -1;
  for (const direction of DIRECTIONS) {
    const room = Math.min(ENOUGH, ...taken.map((angle) => apart(direction, angle)));
    if (room > most + 1e-6) {
      [best, most] = [direction, room];
    }
  }
  return best;
}

function apart(a: number, b: number): number {
  const turn = Math.abs(a - b) % (2 * Math.PI);
  return turn > Math.PI ? 2 * Math.PI - turn : turn;
}
