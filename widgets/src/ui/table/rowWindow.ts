/** The rendered rows of a long table: those on screen and a few around them. */
export interface RowWindow {
  first: number;
  /** One past the last. */
  end: number;
  /** Height above and below that the other rows would take, px. */
  above: number;
  below: number;
}

/** Rows rendered above and below the visible ones, for a flick before the next frame. */
const MARGIN = 8;

/** The window of a table of `count` rows of one height, scrolled by `top` in a box of `height`, all in px. */
export function rowWindow(count: number, rowHeight: number, top: number, height: number): RowWindow {
  const visible = Math.ceil(height / rowHeight) + 2 * MARGIN;
  const first = Math.max(0, Math.min(count - visible, Math.floor(top / rowHeight) - MARGIN));
  const end = Math.min(count, first + visible);
  return { first, end, above: first * rowHeight, below: (count - end) * rowHeight };
}

/** The scroll position that shows a row below a head of `head` px; `top` itself where it is visible already. */
export function scrolledTo(row: number, rowHeight: number, top: number, height: number, head: number): number {
  const [from, to] = [row * rowHeight, (row + 1) * rowHeight + head];
  return from < top ? from : to > top + height ? to - height : top;
}

/** The row after a key; null for keys that do not move. */
export function keyedRow(row: number, count: number, key: string, page: number): number | null {
  const moves: Record<string, number> = {
    ArrowDown: row + 1,
    ArrowUp: row - 1,
    PageDown: row + page,
    PageUp: row - page,
    Home: 0,
    End: count - 1,
  };
  const moved = moves[key];
  return moved === undefined ? null : Math.max(0, Math.min(count - 1, moved));
}
