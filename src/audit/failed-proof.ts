import type { AuditFact } from '#audit/audit.ts';
import { Refusal } from '#lib/refusals.ts';

/** A code, a signature or another proof that did not hold (platform.md §1.3.9). Never the proof itself. */
export interface FailedProof {
  /** What was to be proven with: `EMAIL_CODE`, `WALLET_SIGNATURE`, … */
  readonly proof: string;
  /** Whose it was to be: the customer's or the wallet's public id. */
  readonly resource: string;
  /** Why it failed, for the operator: the caller may be told less. */
  readonly reason: string;
  /** The customer behind a wallet, and where the person was, as far as that is known. */
  readonly customerId?: string | undefined;
  readonly endUserIpAddress?: string | undefined;
}

/**
 * The refusal of a proof that failed. Whether it is thrown or returned, the request that brought the proof leaves an
 * audit row: one for a call, as a call that succeeds does.
 */
export class RefusedProof extends Refusal {
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
