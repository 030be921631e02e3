import type { Actor } from '#database/tx.ts';
import type { Platform } from '#lib/platform.ts';

export type Permission = 'VIEW' | 'TRANSACT' | 'MANAGE';

/** A platform's own program, known by its API token. */
export interface TokenCaller {
  readonly kind: 'token';
  readonly id: string;
  readonly platform: Platform;
  readonly permissions: readonly Permission[];
  /** SPKI PEM; a request that signs itself is held against it (platform.md §4.5). */
  readonly webhookPublicKey: string;
}

/** An agent of a customer, a visitor of a page, the operator, or a worker that carries something out later. */
export interface OtherCaller {
  readonly kind: 'agent' | 'page' | 'operator' | 'worker';
  readonly id: string;
  readonly platform: Platform;
}

/** Who calls, as the credential says: never anything from the request. */
export type Caller = TokenCaller | OtherCaller;

export type CallerKind = Caller['kind'];

/** How a call came in over HTTP. */
export interface RequestFacts {
  readonly id: string;
  readonly remoteAddress: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** As it was called. */
  readonly path: string;
  readonly search: string;
}

/** Who acts, as the audit log names them. */
export function actorOf({ kind, id }: Caller): Actor {
  return { kind, id };
}

/** Whose a caller's idempotency keys are: those of a platform's tokens are the platform's, all others are one's own. */
export function keysOwner({ kind, id }: Caller): string {
  return kind === 'token' ? '' : `${kind} ${id} `;
}

/** Calls without credentials act for nobody; they find their platform by what they are handed. */
export const VISITOR: Caller = Object.freeze({
  kind: 'page',
  id: 'public',
  platform: Object.freeze({
    id: '00000000-0000-0000-0000-000000000000',
    name: '',
    environment: 'PRODUCTION',
    clockOffsetMs: 0,
    settings: {} as never,
    ownCurrencies: {},
  }),
});
