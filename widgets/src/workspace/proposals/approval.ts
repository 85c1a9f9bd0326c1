import type { Proposal } from "./proposal.ts";

/** Whether an event is a click of a person, handled now, on a control that showed the changes of this digest. */
export type TrustClick = (event: Event, digest: string) => boolean;

/** The parts of a proposal that a person must have seen before it can be approved. */
export type ShownProposal = Pick<Proposal, "caseId" | "baseRevision" | "formulation" | "changes" | "circuits">;

/**
 * A text that identifies the changes and new circuits, case, formulation and starting state of a proposal uniquely. It is a text rather
 * than a hash because pages on plain http have no `crypto.subtle`, and texts compare exactly.
 */
export function proposalDigest({ caseId, baseRevision, formulation, changes, circuits }: ShownProposal): string {
  const lines = changes.map(({ element, mw }) => [element.kind, element.id, mw]);
  return JSON.stringify([caseId, baseRevision, formulation, ...lines, ...circuits]);
}

/** The browser's own function: an event may carry a replaced one. */
const { composedPath } = Event.prototype;
/** Clicks that have already decided something. */
const used = new WeakSet<Event>();
/** Controls that may approve now, with the digest of the changes shown beside them. */
const armed = new WeakMap<EventTarget, string>();

/** Lets clicks on a control approve the changes it shows. */
export function armControl(control: EventTarget, digest: string): void {
  armed.set(control, digest);
}

/** Stops clicks on a control from approving anything. */
export function disarmControl(control: EventTarget): void {
  armed.delete(control);
}

/**
 * Whether an event is a person's click that is being handled now and has decided nothing yet. The browser marks events
 * made by scripts, commands and kernels as not trusted, and objects that only resemble an event are not accepted.
 */
export function isPersonsClick(event: Event): boolean {
  if (!isEvent(event) || used.has(event) || !isActivated()) {
    return false;
  }
  used.add(event);
  return event.isTrusted && event.type === "click" && event.eventPhase !== Event.NONE;
}

/** Whether an event is a person's click on a control that is armed for these changes. */
export function isTrustedClick(event: Event, digest: string): boolean {
  return isPersonsClick(event) && composedPath.call(event).some((target) => armed.get(target) === digest);
}

/**
 * Whether the browser reports a user activation at this moment. Browsers without that report rely on the event alone.
 */
function isActivated(): boolean {
  const { navigator } = globalThis as { navigator?: { userActivation?: UserActivation } };
  return navigator?.userActivation?.isActive ?? true;
}

/** Whether a value is a browser event: the getters of events throw for everything else, including proxies of events. */
function isEvent(value: Event): boolean {
  try {
    const phase = Object.getOwnPropertyDescriptor(Event.prototype, "eventPhase");
    return phase?.get !== undefined && typeof phase.get.call(value) === "number";
  } catch {
    return false;
  }
}
