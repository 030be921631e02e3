import { type AuditFact, audit } from '#audit/audit.ts';
import { RefusedProof } from '#audit/failed-proof.ts';
import type { Actor, Change, Surroundings, Tx } from '#database/tx.ts';
import { Work } from '#database/work.ts';
import type { Caller } from '#http/access.ts';
import {
  claimKey,
  endWith,
  findKey,
  type KeyUse,
  keepReply,
  leaseKey,
  type StoredReply,
  settleKey,
} from '#http/idempotency.ts';
import { type Answer, type NamedOperation, Reply, type RequestFacts } from '#http/operation.ts';
import type { Platform } from '#lib/platform.ts';
import { Refusal } from '#lib/refusals.ts';

export interface RequestContext {
  readonly operation: NamedOperation;
  readonly platform: Platform;
  readonly caller: Caller | undefined;
  readonly facts: RequestFacts;
  readonly key: KeyUse | undefined;
  /** The path as it was called, for the audit row. */
  readonly path: string;
}

/**
 * The work of one request. Its write commits, together with the effect, the idempotency record with the
 * reply and the audit row of a token that changed something.
 */
export class RequestWork extends Work {
  readonly #context: RequestContext;
  #keyUsed = false;

  constructor(surroundings: Surroundings, context: RequestContext) {
    super(surroundings, context.platform, actorOf(context.facts.tokenId));
    this.#context = context;
  }

  override async write<T>(steps: (tx: Tx) => Promise<T>): Promise<T> {
    const { key } = this.#context;
    // Only the first write of a request is the effect the key stands for.
    const use = this.#keyUsed ? undefined : key;
    this.#keyUsed = true;
    try {
      return await super.write(async (tx) => {
        if (use) await claimKey(tx, use);
        const answer = await steps(tx);
        if (use) await settleKey(tx, use, storedReply(this.#context.operation, answer));
        if (answer instanceof RefusedProof) audit(tx, this.#failedProof(answer));
        else if (!(answer instanceof Refusal)) this.#audit(tx);
        return answer;
      });
    } catch (error) {
      // What was thrown undid everything; that somebody tried stays.
      if (error instanceof RefusedProof) await super.write(async (tx) => audit(tx, this.#failedProof(error)));
      throw error;
    }
  }

  #failedProof(refused: RefusedProof): AuditFact {
    const { id: requestId, remoteAddress } = this.#context.facts;
    return { ...refused.fact(), requestId, remoteAddress };
  }

  /** Before a call outside: commits with the claim of the key. `lost`: an earlier call with it came to no known end. */
  async beginOutside<T>(until: Date, steps: (tx: Tx) => Promise<T>): Promise<{ value: T } | 'lost'> {
    const { key } = this.#context;
    this.#keyUsed = true;
    return super.write(async (tx) => {
      if (key && !(await leaseKey(tx, key, until))) return 'lost';
      const value = await steps(tx);
      this.#audit(tx);
      return { value };
    });
  }

  /** After it: commits with the reply that the key keeps. */
  async endOutside<T>(until: Date, steps: (tx: Tx) => Promise<T>): Promise<T> {
    const { key, operation } = this.#context;
    return super.write(async (tx) => {
      const answer = await steps(tx);
      if (key) await settleKey(tx, key, storedReply(operation, answer), until);
      return answer;
    });
  }

  /** After one that failed by our fault. */
  async freeOutside(until: Date): Promise<void> {
    const { key } = this.#context;
    if (key) await super.write((tx) => settleKey(tx, key, undefined, until));
  }

  /**
   * For an effect that is committed together with strangers' effects instead of in a transaction of its own:
   * what has to go into that commit. Taken once; it is then this request's write.
   */
  companion(): Companion {
    const companion = this.peek();
    this.#keyUsed = true;
    return companion;
  }

  /** The same, without taking it. */
  peek(): Companion {
    const { operation, facts, path, key } = this.#context;
    const use = this.#keyUsed ? undefined : key;
    const { id: requestId, remoteAddress } = facts;
    return { audit: { action: operation.id, resource: path, requestId, remoteAddress }, key: use };
  }

  #audit(tx: Tx): void {
    const { operation, facts, path } = this.#context;
    const { id: requestId, remoteAddress } = facts;
    audit(tx, { action: operation.id, resource: path, requestId, remoteAddress });
  }
}

/** The audit row of a request and, where it has one, its idempotency key, which keeps the reply. */
export interface Companion {
  readonly audit?: AuditFact;
  readonly key?: KeyUse | undefined;
}

/** Puts what a request wants committed with its effect into that commit. */
export function accompany(change: Change, { audit: fact, key }: Companion, reply: StoredReply): void {
  if (fact) audit(change, fact);
  if (key) keepReply(change, key, reply);
}

function peek(work: Work): Companion {
  return work instanceof RequestWork ? work.peek() : {};
}

/** The key of the request that asked for this work, until its write has taken it. */
export function keyOf(work: Work): KeyUse | undefined {
  return peek(work).key;
}

/** Nothing, for work that no request asked for. */
export function companionOf(work: Work): Companion {
  return work instanceof RequestWork ? work.companion() : {};
}

/** Ends the call with the first one's reply where its key was used before; for effects that take a companion. */
export async function endIfReplayed(work: Work, { key }: Companion = peek(work)): Promise<void> {
  if (!key) return;
  const stored = await work.read((tx) => findKey(tx, key));
  if (stored) endWith(work.surroundings.vault, work.platform.id, key, stored);
}

export function actorOf(tokenId: string | undefined): Actor {
  return tokenId === undefined ? { kind: 'page', id: 'public' } : { kind: 'token', id: tokenId };
}

function storedReply(
  operation: NamedOperation,
  answer: unknown,
): { status: number; body: string } | undefined {
  if (answer instanceof Refusal) return undefined;
  const { status, body } = replyOf(operation, answer);
  return { status, body: body === undefined ? '' : JSON.stringify(body) };
}

/** Status and body of what a handler answered. */
export function replyOf(operation: NamedOperation, answer: Answer<unknown>): Reply<unknown> {
  if (answer instanceof Reply) return answer;
  return new Reply(operation.status ?? (operation.reply ? 200 : 204), answer);
}
