import type { Actor } from '#foundation/database/tx.ts';
import type { OperatorRole } from '#foundation/http/operator-rule.ts';
import { INSTALLATION, type Platform } from '#foundation/lib/platform.ts';

export type Permission = 'VIEW' | 'TRANSACT' | 'MANAGE';

/** A platform's own program, authenticated by its API token. */
export interface TokenCaller {
  readonly kind: 'token';
  readonly id: Id<'Token'>;
  readonly platform: Platform;
  readonly permissions: readonly Permission[];
  /** The console, if a developer's session called with the token's rights (operator.md §9.2). */
  readonly via?: 'console';
}

/** A program that acts for one customer, authenticated by its own token and limited by its policy (agents.md §3). */
export interface AgentCaller {
  readonly kind: 'agent';
  readonly id: AgentId;
  readonly platform: Platform;
  readonly customerId: CustomerId;
  readonly permissions: readonly string[];
  readonly isPaused: boolean;
}

/** A person who runs the service, authenticated by a session of the console, or a command that somebody runs there. */
export interface OperatorCaller {
  readonly kind: 'operator';
  /** The public id of the operator; at the command line the name of an account. */
  readonly id: string;
  /** The platform of the resource, or the installation. */
  readonly platform: Platform;
  readonly roles: readonly OperatorRole[];
  /** Undefined: the command line. */
  readonly session?: {
    readonly id: Id<'OperatorSession'>;
    /** When the operator last proved to be present; real time. */
    readonly steppedUpAt: Date | undefined;
  };
}

/** A visitor of a page, or a worker that performs an operation later. */
export interface OtherCaller {
  readonly kind: 'page' | 'worker';
  readonly id: string;
  readonly platform: Platform;
}

/** The caller, taken from the credential and never from the rest of the request. */
export type Caller = TokenCaller | AgentCaller | OperatorCaller | OtherCaller;

export type CallerKind = Caller['kind'];

/** The facts of a call's HTTP request. */
export interface RequestFacts {
  readonly id: string;
  readonly remoteAddress: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The called path, without its secrets. */
  readonly path: string;
  readonly search: string;
  /** For a call that waits: calls `tell` when the client disconnects. Returns a function that ends the watch. */
  onLeft?(tell: () => void): () => void;
}

/** The caller as the audit log names it. `used`: the roles that allow an operator the call. */
export function actorOf(caller: Caller, used?: readonly OperatorRole[]): Actor {
  const { kind, id } = caller;
  if (caller.kind !== 'operator') return { kind, id };
  const roles = caller.roles.filter((role) => used?.includes(role) ?? true);
  return { kind, id, details: { rolesUsed: roles, ...(caller.session && { session: caller.session.id }) } };
}

/** The way that a call took beside the public API, for the audit log and the request log. */
export function viaOf(caller: Caller): 'console' | undefined {
  return caller.kind === 'token' ? caller.via : undefined;
}

/** The owner of a caller's idempotency keys: a platform's tokens share theirs, every other caller has its own. */
export function keyOwner({ kind, id }: Caller): string {
  return kind === 'token' ? '' : `${kind} ${id} `;
}

/** A call without credentials has no platform of its own; the operation finds the platform by the call's input. */
export const VISITOR: Caller = Object.freeze({ kind: 'page', id: 'public', platform: INSTALLATION });
