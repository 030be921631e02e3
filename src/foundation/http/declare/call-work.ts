import { AuditedRefusal, type AuditFact, audit } from '#foundation/audit/audit.ts';
import type { Changes, Runtime, Tx } from '#foundation/database/tx.ts';
import { Work } from '#foundation/database/work.ts';
import { actorOf, type Caller, type RequestFacts, viaOf } from '#foundation/http/caller.ts';
import { auditedResource } from '#foundation/http/declare/audited-resource.ts';
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
import { type Reply, serializeReply, toReply } from '#foundation/http/idempotency/reply.ts';
import type { OperatorRule } from '#foundation/http/operator-rule.ts';
import { isObject } from '#foundation/lib/is-object.ts';
import { Refusal } from '#foundation/lib/refusals.ts';

export interface CallContext {
  readonly caller: Caller;
  /** The operation, for the audit row. */
  readonly action: string;
  /** The rule of an operators' operation: its functions write their audit rows, which the command line needs as well. */
  readonly operator?: OperatorRule | undefined;
  readonly key: KeyUse | undefined;
  /** The called path, for the audit row. */
  readonly path: string;
  readonly request: RequestFacts | undefined;
  /** The status of the operation's usual reply. */
  readonly status: number;
  /** Details of a successful reply for the audit row. */
  readonly auditDetails?: ((reply: never) => AuditFact['details']) | undefined;
}

/**
 * The work of one call of an operation. Its write commits the effect together with the idempotency key, its reply and the
 * audit row.
 */
export class CallWork extends Work {
  readonly #context: CallContext;
  #keyUsed = false;
  /** The resource of the last audit row of an external call. */
  #audited: string | undefined;

  constructor(runtime: Runtime, context: CallContext) {
    super(runtime, context.caller.platform, actorOf(context.caller, context.operator?.roles));
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

  /** Writes a prepared change in one attempt; if something is stale, the caller of this function prepares again. */
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
    else this.#auditCall(tx, answer, details);
    return answer;
  }

  #auditCall(changes: Changes, answer: unknown, details?: AuditFact['details']): void {
    if (!this.#context.operator) audit(changes, this.#answered(answer, details));
  }

  /** Adds the audit row and the idempotency key with its reply to a change that is committed with those of others. */
  recordCall(
    changes: Changes,
    answer: Reply<unknown>,
    serialized: StoredReply,
    details?: AuditFact['details'],
  ): void {
    const { key } = this.#context;
    this.#auditCall(changes, answer, details);
    if (key) keepReply(changes, key, serialized);
  }

  /** The same for a refusal whose change is committed: only some refusals are audited. */
  recordRefusal(changes: Changes, refusal: Refusal): void {
    if (refusal instanceof AuditedRefusal) audit(changes, this.#refused(refusal));
  }

  /** A thrown refusal rolls everything back; its audit row is written afterwards. */
  async auditingRefusals<T>(steps: () => Promise<T>): Promise<T> {
    try {
      return await steps();
    } catch (error) {
      if (error instanceof AuditedRefusal) await super.write(async (tx) => audit(tx, this.#refused(error)));
      throw error;
    }
  }

  /** Before an external call: commits the steps and the claim of the key. `lost`: an earlier call's outcome is unknown. */
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
   * Between external calls: commits the steps with an interim reply. A repetition of the call gets that reply if this
   * process dies before `endExternal`.
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

  /** After the external call: commits the steps and the reply that is stored under the key. */
  async endExternal<T>(until: Date, steps: (tx: Tx) => Promise<T>): Promise<T> {
    const { key } = this.#context;
    return super.write(async (tx) => {
      const answer = await steps(tx);
      if (key) await settleKey(tx, key, this.#reply(answer), until);
      this.#auditCreated(tx, answer);
      return answer;
    });
  }

  /** Audits a resource that was created only after the audit row of the call was written. */
  #auditCreated(tx: Tx, answer: unknown): void {
    if (answer instanceof Refusal) return;
    const fact = this.#answered(answer);
    if (fact.resource === this.#audited) return;
    this.#audited = fact.resource;
    audit(tx, fact);
  }

  /** After an external call that failed because of us: steps that `continueExternal` has committed are not repeated. */
  async releaseKey(until: Date): Promise<void> {
    const { key } = this.#context;
    if (key) await super.write((tx) => releaseLease(tx, key, until));
  }

  /** The audit row of an answered call names the resource in its reply, which it created or used (platform.md §12.6). */
  #answered(answer: unknown, details?: AuditFact['details']): AuditFact {
    const { path, status, auditDetails } = this.#context;
    const { body } = toReply(status, answer);
    const fact = this.#fact();
    return {
      ...fact,
      resource: auditedResource(body, path),
      customerId: isObject(body) && typeof body.customerId === 'string' ? body.customerId : undefined,
      details: { ...fact.details, ...details, ...auditDetails?.(body as never) },
    };
  }

  #fact(): AuditFact {
    const { action, path, request } = this.#context;
    return {
      action,
      resource: auditedResource(undefined, path),
      requestId: request?.id,
      remoteAddress: request?.remoteAddress,
      details: this.#way(),
    };
  }

  #refused(refused: AuditedRefusal): AuditFact {
    const { request } = this.#context;
    const fact = refused.fact();
    const details = { ...this.#way(), ...fact.details };
    return { ...fact, details, requestId: request?.id, remoteAddress: request?.remoteAddress };
  }

  #way(): AuditFact['details'] {
    const via = viaOf(this.#context.caller);
    return via && { via };
  }

  /** The reply to store under the key; undefined for a refusal, which releases the key. */
  #reply(answer: unknown): StoredReply | undefined {
    return answer instanceof Refusal ? undefined : serializeReply(toReply(this.#context.status, answer));
  }
}
