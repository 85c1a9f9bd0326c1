/** A map of MapLibre that holds a WebGL context. */
export interface PooledGround {
  /** Whether its picture is complete, so that it can be stored. */
  readonly settled: boolean;
  /** Releases the context; the last picture stays. */
  sleep(): void;
  /** Called when a context may be available. */
  roomMade(): void;
}

/** Browsers lose the oldest of more than about sixteen contexts, and a page has other contexts too. */
const MOST = 6;

/** The maps that hold a context, the most recently used last. */
const awake: PooledGround[] = [];
const waiting = new Set<PooledGround>();

/**
 * Takes a context: true if one is available, if necessary from the least recently used map. Otherwise `roomMade` is
 * called when to ask again.
 */
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

/** Marks a map as used. */
export function usedContext(ground: PooledGround): void {
  const at = awake.indexOf(ground);
  if (at >= 0 && at < awake.length - 1) {
    awake.splice(at, 1);
    awake.push(ground);
  }
}

/** Must be called when a map becomes idle, after which its context may be taken. */
export function contextSettled(): void {
  const [next] = waiting;
  next?.roomMade();
}

/** Releases a context. */
export function giveContext(ground: PooledGround): void {
  waiting.delete(ground);
  const at = awake.indexOf(ground);
  if (at >= 0) {
    awake.splice(at, 1);
  }
}
