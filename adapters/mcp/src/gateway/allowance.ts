// What a person has been asked and has allowed, in this process. Knows no protocol.

import { randomUUID } from "node:crypto";
import type { ApprovalRequest } from "honeyguide";

/** The most questions that are remembered; those that nobody came back for are forgotten, the oldest first. */
const mostOpen = 1000;

export class Allowances {
  readonly #forSession = new Set<string>();
  readonly #open = new Map<string, string>();

  /** Whether this tool, as it is defined now, may run until the session ends. */
  holds(request: ApprovalRequest): boolean {
    return this.#forSession.has(toolOf(request));
  }

  /** Allows it until then. */
  allow(request: ApprovalRequest): void {
    this.#forSession.add(toolOf(request));
  }

  /** Notes that this call was asked about; answers the ticket that its answer has to bring back. */
  ask(request: ApprovalRequest): string {
    const ticket = randomUUID();
    this.#open.set(ticket, callOf(request));
    if (this.#open.size > mostOpen) this.#open.delete(this.#open.keys().next().value ?? "");
    return ticket;
  }

  /** Takes a ticket back: whether it is of this very call. An answer counts once. */
  takeBack(ticket: unknown, request: ApprovalRequest): boolean {
    if (typeof ticket !== "string") return false;
    const call = this.#open.get(ticket);
    this.#open.delete(ticket);
    return call !== undefined && call === callOf(request);
  }
}

function toolOf({ toolId, digest }: ApprovalRequest): string {
  return JSON.stringify([toolId, digest]);
}

function callOf({ toolId, digest, arguments: args }: ApprovalRequest): string {
  return JSON.stringify([toolId, digest, args]);
}
