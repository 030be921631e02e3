import { type AuditFact, audit, RefusedProof } from '#audit/audit.ts';
import type { Changes, Runtime, Tx } from '#database/tx.ts';
import { Work } from '#database/work.ts';
import { actorOf, type Caller, type RequestFacts } from '#http/caller.ts';
import {
  claimKey,
  type KeyUse,
  keepReply,
  leaseKey,
  type StoredReply,
  settleKey,
} from '#http/idempotency.ts';
import { replyOf, writeReply } from '#http/reply.ts';
import { Refusal } from '#lib/refusals.ts';

export interface CallContext {
  readonly caller: Caller;
  /** The operation, for the audit row. */
  readonly action: string;
  readonly key: KeyUse | undefined;
  /** What was called, for the audit row. */
  readonly path: string;
  readonly request: RequestFacts | undefined;
  /** Of the operation's usual reply. */
  readonly status: number;
}

/**
 * The work of one call of an operation. Its write commits, together with the effect, the idempotency key with the
 * reply and the audit row of a caller that changed something.
 */
export class CallWork extends Work {
  readonly #context: CallContext;
  #keyUsed = false;

  constructor(runtime: Runtime, context: CallContext) {
    super(runtime, context.caller.platform, actorOf(context.caller));
    this.#context = context;
  }

  /** The key that the next write takes. */
  get key(): KeyUse | undefined {
    // Only the first write of a call is the effect the key stands for.
    return this.#keyUsed ? undefined : this.#context.key;
  }

  override async write<T>(steps: (tx: Tx) => Promise<T>): Promise<T> {
    const { key } = this;
    this.#keyUsed = true;
    return this.keepingFailedProofs(() => super.write((tx) => this.#effect(tx, key, steps)));
  }

  /** The write of what was prepared: one try, to be prepared anew where something is stale. */
  commitOwn<T>(steps: (tx: Tx) => Promise<T>, details?: AuditFact['details']): Promise<T> {
    return this.writeOnce((tx) => this.#effect(tx, this.#context.key, steps, details));
  }

  async #effect<T>(
    tx: Tx,
    key: KeyUse | undefined,
    steps: (tx: Tx) => Promise<T>,
    details?: AuditFact['details'],
  ): Promise<T> {
    if (key) await claimKey(tx, key);
    const answer = await steps(tx);
    if (key) await settleKey(tx, key, this.#reply(answer));
    if (answer instanceof Refusal) this.accompanyRefusal(tx, answer);
    else audit(tx, this.#fact(details));
    return answer;
  }

  /** Puts what the call wants committed with its effect into a commit that is shared with strangers'. */
  accompany(changes: Changes, reply: StoredReply, details?: AuditFact['details']): void {
    const { key } = this.#context;
    audit(changes, this.#fact(details));
    if (key) keepReply(changes, key, reply);
  }

  /** The same for a refusal that keeps what was written: it leaves no trace but that of a proof that failed. */
  accompanyRefusal(changes: Changes, refusal: Refusal): void {
    if (refusal instanceof RefusedProof) audit(changes, this.#failedProof(refusal));
  }

  /** What is thrown undoes everything; that somebody tried stays. */
  async keepingFailedProofs<T>(steps: () => Promise<T>): Promise<T> {
    try {
      return await steps();
    } catch (error) {
      if (error instanceof RefusedProof) await super.write(async (tx) => audit(tx, this.#failedProof(error)));
      throw error;
    }
  }

  /** Before a call outside: commits with the claim of the key. `lost`: an earlier call with it came to no known end. */
  async beginExternal<T>(until: Date, steps: (tx: Tx) => Promise<T>): Promise<{ value: T } | 'lost'> {
    const { key } = this.#context;
    this.#keyUsed = true;
    return super.write(async (tx) => {
      if (key && !(await leaseKey(tx, key, until))) return 'lost';
      const value = await steps(tx);
      audit(tx, this.#fact());
      return { value };
    });
  }

  /** After it: commits with the reply that the key keeps. */
  async endExternal<T>(until: Date, steps: (tx: Tx) => Promise<T>): Promise<T> {
    const { key } = this.#context;
    return super.write(async (tx) => {
      const answer = await steps(tx);
      if (key) await settleKey(tx, key, this.#reply(answer), until);
      return answer;
    });
  }

  /** After one that failed by our fault. */
  async freeExternal(until: Date): Promise<void> {
    const { key } = this.#context;
    if (key) await super.write((tx) => settleKey(tx, key, undefined, until));
  }

  #fact(details?: AuditFact['details']): AuditFact {
    const { action, path, request } = this.#context;
    return {
      action,
      resource: path,
      requestId: request?.id,
      remoteAddress: request?.remoteAddress,
      details,
    };
  }

  #failedProof(refused: RefusedProof): AuditFact {
    const { request } = this.#context;
    return { ...refused.fact(), requestId: request?.id, remoteAddress: request?.remoteAddress };
  }
  /** What the key keeps: a refusal frees it. */
  #reply(answer: unknown): StoredReply | undefined {
    return answer instanceof Refusal ? undefined : writeReply(replyOf(this.#context.status, answer));
  }
}
