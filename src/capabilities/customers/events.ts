import type { CustomerRow } from '#capabilities/customers/customer-row.ts';
import { ADA, ADA_APPROVED, ENGINES } from '#capabilities/customers/examples.ts';
import { CustomerReply } from '#capabilities/customers/schemas.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { emit } from '#foundation/events/emit.ts';
import type { EventType } from '#foundation/events/types.ts';
import { webhookBody } from '#foundation/events/webhook-body.ts';
import type { WebhookDeclaration } from '#foundation/http/document/openapi.ts';
import { publicId } from '#foundation/lib/ids.ts';

/** UNVERIFIED and HOLD have no event (customers.md §8.1). */
const EVENTS: Record<CustomerRow['customer_type'], Partial<Record<CustomerRow['status'], EventType>>> = {
  INDIVIDUAL: {
    PENDING: 'CUSTOMER.KYC_PENDING',
    APPROVED: 'CUSTOMER.KYC_APPROVED',
    REJECTED: 'CUSTOMER.KYC_REJECTED',
  },
  BUSINESS: {
    PENDING: 'CUSTOMER.KYB_PENDING',
    APPROVED: 'CUSTOMER.KYB_APPROVED',
    REJECTED: 'CUSTOMER.KYB_REJECTED',
  },
};

/** Emits the event of a new status, also at creation; `data` is the customer as GET returns it. */
export function emitStatus(tx: Tx, { id, customer_type, status }: CustomerRow, data: CustomerReply): void {
  const type = EVENTS[customer_type][status];
  if (type) emit(tx, { type, resourceId: publicId('Customer', id), data });
}

export const customerWebhook: WebhookDeclaration<CustomerReply> = {
  name: 'customer-update',
  summary: 'A customer’s verification status changed',
  description:
    'Sent when a customer enters `PENDING`, `APPROVED` or `REJECTED`, also at creation. No event is sent ' +
    'for an update or a deletion.',
  body: webhookBody(
    'CustomerWebhook',
    Object.values(EVENTS).flatMap((types) => Object.values(types)),
    CustomerReply,
    'A customer and the status it entered.',
  ),
  examples: {
    'CUSTOMER.KYC_PENDING': { ...ADA, kycStatus: 'PENDING' },
    'CUSTOMER.KYC_APPROVED': ADA_APPROVED,
    'CUSTOMER.KYC_REJECTED': { ...ADA, kycStatus: 'REJECTED' },
    'CUSTOMER.KYB_PENDING': { ...ENGINES, kybStatus: 'PENDING' },
    'CUSTOMER.KYB_APPROVED': { ...ENGINES, kybStatus: 'APPROVED' },
    'CUSTOMER.KYB_REJECTED': { ...ENGINES, kybStatus: 'REJECTED' },
  },
};
