/** Whether an event is a click of a person that is being handled now. */
export type TrustClick = (event: Event) => boolean;

/** Clicks that have approved something. */
const used = new WeakSet<Event>();

/**
 * Whether an event is a click that a person made, is being handled now, and was not asked about before. Scripts, commands and kernels
 * can make events, but the browser marks them as not trusted, and an object that only looks like an event is none.
 */
export function isTrustedClick(event: Event): boolean {
  if (!isEvent(event) || used.has(event)) {
    return false;
  }
  used.add(event);
  return event.isTrusted && event.type === "click" && event.eventPhase !== Event.NONE;
}

/** Whether a value is an event of the browser: the getters of events throw for everything else, proxies of events included. */
function isEvent(value: Event): boolean {
  try {
    const phase = Object.getOwnPropertyDescriptor(Event.prototype, "eventPhase");
    return phase?.get !== undefined && typeof phase.get.call(value) === "number";
  } catch {
    return false;
  }
}
