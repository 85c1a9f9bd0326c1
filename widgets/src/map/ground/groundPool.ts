/** A map of MapLibre that holds a WebGL context. */
export interface PooledGround {
  /** Whether its picture is finished, so that it can be kept as one. */
  readonly settled: boolean;
  /** Gives the context back; the last picture stays. */
  sleep(): void;
  /** To be called when there may be room for it. */
  roomMade(): void;
}

/** Browsers end the oldest of more than about sixteen contexts; a page has others besides these. */
const MOST = 6;

/** The maps that hold a context, the one used last at the end. */
const awake: PooledGround[] = [];
const waiting = new Set<PooledGround>();

/** Takes a context: true where there is room, if need be that of the map that was used longest ago. Otherwise `roomMade` tells when to ask again. */
export function takeContext(ground: PooledGround): boolean {
  if (awake.length >= MOST) {
    const oldest = awake.find(({ settled }) => settled);
    if (oldest === undefined) {
      waiting.add(ground);
      return false;
    }
    giveContext(oldest);
    oldest.sleep();
  }
  waiting.delete(ground);
  awake.push(ground);
  return true;
}

/** Notes that a map was used. */
export function usedContext(ground: PooledGround): void {
  const at = awake.indexOf(ground);
  if (at >= 0 && at < awake.length - 1) {
    awake.splice(at, 1);
    awake.push(ground);
  }
}

/** To be called when a map has come to rest: others may take its place from now on. */
export function contextSettled(): void {
  const [next] = waiting;
  next?.roomMade();
}

/** Gives a context back. */
export function giveContext(ground: PooledGround): void {
  waiting.delete(ground);
  const at = awake.indexOf(ground);
  if (at >= 0) {
    awake.splice(at, 1);
  }
}
