import { AuditedRefusal, type AuditFact, audit } from '#foundation/audit/audit.ts';
import type { Changes, Runtime, Tx } from '#foundation/database/tx.ts';
import { Work } from '#foundation/database/work.ts';
import { actorOf, type Caller, type RequestFacts } from '#foundation/http/caller.ts';
import { resourceOf } from '#foundation/http/declare/audited-resource.ts';
import {
  claimKey,
  type KeyUse,
  keepInterimReply,
  keepReply,
  leaseKey,
  releaseLease,
  type StoredReply,
  settleKey,
} from '#foundation/http/idempotency/idempotency.ts';
import { type Reply, replyOf, serializeReply } from '#foundation/http/idempotency/reply.ts';
import { Refusal } from '#foundation/lib/refusals.ts';

export interface CallContext {
  readonly caller: Caller;
  /** The operation, for the audit row. */
  readonly action: string;
  readonly key: KeyUse | undefined;
  /** The called path, for the audit row. */
  readonly path: string;
  readonly request: RequestFacts | undefined;
  /** The status of the operation's usual reply. */
  readonly status: number;
  /** What the audit row says of a successful reply. */
  readonly auditDetails?: ((reply: never) => AuditFact['details']) | undefined;
}

/**
 * The work of one call of an operation. Its write commits, together with the effect, the idempotency key with its reply
 * and the audit row.
 */
export class CallWork extends Work {
  readonly #context: CallContext;
  #keyUsed = false;
  /** What the last row of an external call is about. */
  #audited: string | undefined;

  constructor(runtime: Runtime, context: CallContext) {
    super(runtime, context.caller.platform, actorOf(context.caller));
    this.#context = context;
  }

  /** The key that the next write claims. */
  get key(): KeyUse | undefined {
    // Only the first write of a call is the effect that the key covers.
    return this.#keyUsed ? undefined : this.#context.key;
  }

  override async write<T>(steps: (tx: Tx) => Promise<T>): Promise<T> {
    const { key } = this;
    this.#keyUsed = true;
    return this.auditingRefusals(() => super.write((tx) => this.#effect(tx, key, steps)));
  }

  /** Writes what was prepared, in one attempt; if something is stale the caller prepares anew. */
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
    if (answer instanceof Refusal) this.recordRefusal(tx, answer);
    else audit(tx, this.#answered(answer, details));
    return answer;
  }

  /** Adds the audit row and the idempotency key with its reply to a change that is committed with others'. */
  recordCall(
    changes: Changes,
    answer: Reply<unknown>,
    serialized: StoredReply,
    details?: AuditFact['details'],
  ): void {
    const { key } = this.#context;
    audit(changes, this.#answered(answer, details));
    if (key) keepReply(changes, key, serialized);
  }

  /** The same for a refusal that keeps what was written: only some are audited. */
  recordRefusal(changes: Changes, refusal: Refusal): void {
    if (refusal instanceof AuditedRefusal) audit(changes, this.#refused(refusal));
  }

  /** What is thrown rolls everything back; the audit row of such a refusal is written all the same. */
  async auditingRefusals<T>(steps: () => Promise<T>): Promise<T> {
    try {
      return await steps();
    } catch (error) {
      if (error instanceof AuditedRefusal) await super.write(async (tx) => audit(tx, this.#refused(error)));
      throw error;
    }
  }

  /** Before an external call: commits with the claim of the key. `lost`: the outcome of an earlier call is unknown. */
  async beginExternal<T>(until: Date, steps: (tx: Tx) => Promise<T>): Promise<{ value: T } | 'lost'> {
    const { key } = this.#context;
    this.#keyUsed = true;
    return super.write(async (tx) => {
      if (key && !(await leaseKey(tx, key, until))) return 'lost';
      const value = await steps(tx);
      this.#audited = this.#fact().resource;
      audit(tx, this.#fact());
      return { value };
    });
  }

  /**
   * Between external calls: commits with the reply to whoever repeats the call, should this process die before
   * `endExternal`.
   */
  async continueExternal<T>(
    until: Date,
    steps: (tx: Tx) => Promise<T>,
    interim: (value: T) => unknown,
  ): Promise<T> {
    const { key } = this.#context;
    return super.write(async (tx) => {
      const value = await steps(tx);
      const reply = this.#reply(interim(value));
      if (key && reply) await keepInterimReply(tx, key, reply, until);
      this.#auditCreated(tx, interim(value));
      return value;
    });
  }

  /** After the external call: commits with the reply that is stored under the key. */
  async endExternal<T>(until: Date, steps: (tx: Tx) => Promise<T>): Promise<T> {
    const { key } = this.#context;
    return super.write(async (tx) => {
      const answer = await steps(tx);
      if (key) await settleKey(tx, key, this.#reply(answer), until);
      this.#auditCreated(tx, answer);
      return answer;
    });
  }

  /** A resource that was made only after the row of the call was written gets a row of its own. */
  #auditCreated(tx: Tx, answer: unknown): void {
    if (answer instanceof Refusal) return;
    const fact = this.#answered(answer);
    if (fact.resource === this.#audited) return;
    this.#audited = fact.resource;
    audit(tx, fact);
  }

  /** After an external call that failed because of us; what `continueExternal` has committed is not done again. */
  async releaseKey(until: Date): Promise<void> {
    const { key } = this.#context;
    if (key) await super.write((tx) => releaseLease(tx, key, until));
  }

  /** The row of a call that has been answered names what it created or concerned, by the reply (platform.md §12.6). */
  #answered(answer: unknown, details?: AuditFact['details']): AuditFact {
    const { path, status, auditDetails } = this.#context;
    const { body } = replyOf(status, answer);
    return {
      ...this.#fact(),
      resource: resourceOf(body, path),
      details: { ...details, ...auditDetails?.(body as never) },
    };
  }

  #fact(): AuditFact {
    const { action, path, request } = this.#context;
    return {
      action,
      resource: resourceOf(undefined, path),
      requestId: request?.id,
      remoteAddress: request?.remoteAddress,
    };
  }

  #refused(refused: AuditedRefusal): AuditFact {
    const { request } = this.#context;
    return { ...refused.fact(), requestId: request?.id, remoteAddress: request?.remoteAddress };
  }

  /** What is stored under the key: a refusal releases it. */
  #reply(answer: unknown): StoredReply | undefined {
    return answer instanceof Refusal ? undefined : serializeReply(replyOf(this.#context.status, answer));
  }
}
