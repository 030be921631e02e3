import type { VerificationStatus } from '#customers/field-schemas.ts';
import type { ReadTx } from '#database/tx.ts';

export interface PendingCustomer {
  readonly id: string;
  readonly customer_type: 'INDIVIDUAL' | 'BUSINESS';
  readonly platform_customer_id: string;
  readonly status: VerificationStatus;
  readonly updated_at: Date;
}

/** For the operator's list: who is under review or held, longest first. */
export function pendingCustomers(tx: ReadTx): Promise<PendingCustomer[]> {
  return tx.sql<PendingCustomer>`
    select id, customer_type, platform_customer_id, status, updated_at from customers
     where platform_id = ${tx.platformId} and status in ('PENDING', 'HOLD') and deleted_at is null
     order by updated_at, id`;
}
