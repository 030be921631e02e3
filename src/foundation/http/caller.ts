import type { Actor } from '#foundation/database/tx.ts';
import type { Platform } from '#foundation/lib/platform.ts';

export type Permission = 'VIEW' | 'TRANSACT' | 'MANAGE';

/** A platform's own program, authenticated by its API token. */
export interface TokenCaller {
  readonly kind: 'token';
  readonly id: string;
  readonly platform: Platform;
  readonly permissions: readonly Permission[];
}

/** A program that acts for one customer, authenticated by its own token, with what its policy lets it do (C.3). */
export interface AgentCaller {
  readonly kind: 'agent';
  readonly id: string;
  readonly platform: Platform;
  /** Bare UUID. */
  readonly customerId: string;
  readonly permissions: readonly string[];
  readonly isPaused: boolean;
}

/** A visitor of a page, the operator, or a worker that carries something out later. */
export interface OtherCaller {
  readonly kind: 'page' | 'operator' | 'worker';
  readonly id: string;
  readonly platform: Platform;
}

/** Who calls: taken from the credential, never from the rest of the request. */
export type Caller = TokenCaller | AgentCaller | OtherCaller;

export type CallerKind = Caller['kind'];

/** How a call came in over HTTP. */
export interface RequestFacts {
  readonly id: string;
  readonly remoteAddress: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** As it was called, but for secrets. */
  readonly path: string;
  readonly search: string;
  /** For a call that waits: reports when the client has gone. Returns a function that ends the watch. */
  onLeft?(tell: () => void): () => void;
}

/** Who acts, as the audit log names them. */
export function actorOf({ kind, id }: Caller): Actor {
  return { kind, id };
}

/** Who owns a caller's idempotency keys: a platform's tokens share theirs, every other caller has its own. */
export function keyOwner({ kind, id }: Caller): string {
  return kind === 'token' ? '' : `${kind} ${id} `;
}

/** A call without credentials acts for nobody; it finds its platform by what it is called with. */
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
    disabledCurrencies: [],
  }),
});
