import { type AuditRow, endUserIpContext, insertAuditRows } from '#foundation/audit/store.ts';
import type { Writer } from '#foundation/database/changes.ts';
import type { Database } from '#foundation/database/database.ts';
import type { Changes } from '#foundation/database/tx.ts';
import type { PublicId } from '#foundation/lib/ids.ts';
import { Refusal } from '#foundation/lib/refusals.ts';

export type AuditFact = Pick<AuditRow, 'action' | 'resource' | 'requestId' | 'remoteAddress' | 'details'>;

/**
 * Writes an audit row in the commit of this transaction or change. Its time is real time, whatever the platform's clock.
 * A person's IP address is sealed: `endUserIpAddress` of the details, and the address of a page's visitor.
 */
export function audit(changes: Changes, { details = {}, remoteAddress, ...fact }: AuditFact): void {
  const { platformId, actor, runtime } = changes;
  const at = new Date(runtime.clock.now());
  const id = changes.newId<'AuditRow'>();
  const { endUserIpAddress, ...others } = details;
  const isPerson = actor.kind === 'page';
  const address = endUserIpAddress ?? (isPerson ? remoteAddress : undefined);
  changes.collect(AUDIT, {
    ...{ id, platformId, at, actor, ...fact, details: others },
    remoteAddress: isPerson ? undefined : remoteAddress,
    endUserIp: typeof address === 'string' ? runtime.vault.seal(address, endUserIpContext(id)) : undefined,
  });
}

const AUDIT: Writer<AuditRow> = {
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
    return { action: 'proof failed', resource, details };
  }
}
