import type { ChangedValue } from '#foundation/audit/changed-values.ts';
import { type AuditRow, endUserIpContext, insertAuditRows, privateContext } from '#foundation/audit/store.ts';
import type { PersonId } from '#foundation/crypto/person-seal.ts';
import type { Writer } from '#foundation/database/changes.ts';
import type { Database } from '#foundation/database/database.ts';
import type { Changes } from '#foundation/database/tx.ts';
import { NIL_ID, type PublicId, parseId } from '#foundation/lib/ids.ts';
import { Refusal } from '#foundation/lib/refusals.ts';
import { peopleOrStrangers, strangersOf } from '#foundation/person-keys/people.ts';

export type AuditFact = Pick<AuditRow, 'action' | 'resource' | 'requestId' | 'remoteAddress' | 'details'> & {
  /**
   * The customer whom the fact concerns, as a bare UUID or a public id, if neither the resource nor `customerId` of the
   * details names one. Null: nobody is known, but the texts may describe a person, so the month's key seals them.
   */
  readonly customerId?: string | null | undefined;
  /** The values that a change of settings replaces. The preview of a proposal shows them (operator.md §5.2). */
  readonly changed?: readonly ChangedValue[];
  /** Whether the texts stay in clear: sentences of the service itself, or a reason that must outlive a key. */
  readonly isClear?: boolean;
};

/**
 * Writes an audit row in the commit of this transaction or change. Its time is real time, whatever the platform's clock.
 * A person's IP address is sealed: `endUserIpAddress` of the details, and the address of a page's visitor. So are texts
 * that people wrote about a customer.
 */
export function audit(changes: Changes, fact: AuditFact): void {
  const { platformId, actor, runtime } = changes;
  const { customerId: _customer, isClear = false, details = {}, changed = [], remoteAddress, ...rest } = fact;
  const at = new Date(runtime.clock.now());
  const id = changes.newId<'AuditRow'>();
  const values: Readonly<Record<string, unknown>> = changed.length > 0 ? { changed } : {};
  const { endUserIpAddress, ...others } = { ...details, ...values, ...actor.details };
  const isVisitor = actor.kind === 'page';
  const address = endUserIpAddress ?? (isVisitor ? remoteAddress : undefined);
  const { vault } = runtime;
  const month = () => strangersOf(vault, platformId, at);
  const person = customerOf(fact) ?? (fact.customerId === null ? month() : undefined);
  const people = () => peopleOrStrangers(changes, [person ?? month()]);
  const isWritten = person !== undefined && !isClear;
  const written = isWritten ? WRITTEN.filter((name) => others[name] !== undefined) : [];
  changes.collect(AUDIT, {
    ...{ id, platformId: platformId === NIL_ID ? null : platformId, at, actor, ...rest },
    details: written.length === 0 ? others : omit(others, written),
    remoteAddress: isVisitor ? undefined : remoteAddress,
    endUserIp:
      typeof address === 'string' ? vault.sealNaming(people(), address, endUserIpContext(id)) : undefined,
    private:
      written.length > 0
        ? vault.sealNaming(people(), JSON.stringify(pick(others, written)), privateContext(id))
        : undefined,
  });
}

/**
 * Details that people write, and that may describe a customer. The trigger of the table has the same
 * names (refuse_audit_change).
 */
const WRITTEN: readonly string[] = ['reason', 'name'];

function customerOf({ customerId, resource, details }: AuditFact): PersonId | undefined {
  if (customerId === null) return undefined;
  const named = customerId ?? details?.customerId;
  if (typeof named === 'string') return parseId('Customer', named);
  return resource === undefined ? undefined : parseId('Customer', resource, 'full');
}

function pick(details: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(details).filter(([name]) => names.includes(name)));
}

function omit(details: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(details).filter(([name]) => !names.includes(name)));
}

export const AUDIT: Writer<AuditRow> = {
  name: 'audit',
  stage: 'audit',
  write: (rows) => [insertAuditRows(rows)],
};

/** For actions without a transaction of their own: the operator's, failed authentications. */
export async function writeAudit(
  database: Pick<Database, 'query'>,
  rows: readonly AuditRow[],
): Promise<void> {
  await database.query(insertAuditRows(rows));
}

/** A code, signature or other proof that was wrong (platform.md §1.3.9). Never contains the proof itself. */
export interface FailedProof {
  /** The kind of proof: `EMAIL_CODE`, `WALLET_SIGNATURE`, … */
  readonly proof: string;
  /** The expected owner of the proof: the public id of a customer or a wallet. */
  readonly resource: string;
  /** Why it failed, for the operator; the caller may get less detail. */
  readonly reason: string;
  /** The customer that owns a wallet, and the person's IP address, if they are known. */
  readonly customerId?: PublicId<'Customer'> | undefined;
  readonly endUserIpAddress?: string | undefined;
  /** The consequence of the failure, such as a lock. */
  readonly consequence?: string | undefined;
}

/** A refusal for which the request writes one audit row, as for a successful call, whether it is thrown or returned. */
export abstract class AuditedRefusal extends Refusal {
  abstract fact(): AuditFact;
}

export class RefusedProof extends AuditedRefusal {
  readonly failed: FailedProof;

  constructor(refusal: Refusal, failed: FailedProof) {
    super(refusal.code, refusal.message, refusal.details, refusal.headers);
    this.failed = failed;
  }

  fact(): AuditFact {
    const { resource, ...details } = this.failed;
    return { action: 'proof failed', resource, details, isClear: true };
  }
}
