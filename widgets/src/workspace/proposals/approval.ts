import type { Proposal } from "./proposal.ts";

/** Whether an event is a click of a person, handled now, on a control that showed the changes of this digest. */
export type TrustClick = (event: Event, digest: string) => boolean;

/** What a person has to have seen of a proposal before it can be approved. */
export type ShownProposal = Pick<Proposal, "caseId" | "baseRevision" | "formulation" | "changes">;

/**
 * What a proposal changes, as one text that differs for any other change, case, formulation or starting state. It is a text and no
 * hash: pages on plain http have no `crypto.subtle`, and texts compare exactly.
 */
export function proposalDigest({ caseId, baseRevision, formulation, changes }: ShownProposal): string {
  const lines = changes.map(({ element, mw }) => [element.kind, element.id, mw]);
  return JSON.stringify([caseId, baseRevision, formulation, ...lines]);
}

/** As the browser has it: an event may have been given another one. */
const { composedPath } = Event.prototype;
/** Clicks that have decided something. */
const used = new WeakSet<Event>();
/** Controls that may approve now, with the digest of what stands beside them on the screen. */
const armed = new WeakMap<EventTarget, string>();

/** Lets clicks on a control approve the changes that it shows. */
export function armControl(control: EventTarget, digest: string): void {
  armed.set(control, digest);
}

/** Clicks on a control approve nothing any more. */
export function disarmControl(control: EventTarget): void {
  armed.delete(control);
}

/**
 * Whether an event is a click that a person made, is being handled now, and has decided nothing before. Scripts, commands and kernels
 * can make events, but the browser marks them as not trusted, and an object that only resembles an event is not accepted.
 */
export function isPersonsClick(event: Event): boolean {
  if (!isEvent(event) || used.has(event) || !isActivated()) {
    return false;
  }
  used.add(event);
  return event.isTrusted && event.type === "click" && event.eventPhase !== Event.NONE;
}

/** Whether an event is a click of a person on a control that is armed for these changes. */
export function isTrustedClick(event: Event, digest: string): boolean {
  return isPersonsClick(event) && composedPath.call(event).some((target) => armed.get(target) === digest);
}

/** Whether the browser knows of an input of a person at this moment. Browsers without such a record have the event alone. */
function isActivated(): boolean {
  const { navigator } = globalThis as { navigator?: { userActivation?: UserActivation } };
  return navigator?.userActivation?.isActive ?? true;
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
