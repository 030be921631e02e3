import type { OperatorOperation } from '../../api/operator/call.ts';
import type { WorkItem } from '../../api/operator/generated/schemas.ts';

/** What can be done about an item, where it stands. */
export interface ItemAction {
  readonly operation: OperatorOperation;
  readonly label: string;
  readonly kind?: 'danger';
  /** Values that the item names already. */
  readonly given?: (item: WorkItem) => Readonly<Record<string, unknown>>;
  /** Only for items about this kind of resource. */
  readonly of?: string;
}

/** The currency of a debt is in the key of its item. */
const currency = ({ key }: WorkItem) => ({ currency: key.split(':').at(-1) });

const PAYMENT: readonly ItemAction[] = [
  { operation: 'settlePayment', label: 'Settle' },
  { operation: 'failPayment', label: 'Fail', kind: 'danger' },
];

/** By kind of work. Other kinds are worked on at the page of their subject. */
export const ACTIONS: Readonly<Record<string, readonly ItemAction[]>> = {
  suspense: [{ operation: 'resolveSuspense', label: 'Resolve' }],
  receivables: [
    {
      operation: 'writeOffDebtOfCustomer',
      label: 'Write off',
      kind: 'danger',
      given: currency,
      of: 'Customer',
    },
    {
      operation: 'writeOffDebtOfPlatform',
      label: 'Write off',
      kind: 'danger',
      given: currency,
      of: 'Platform',
    },
  ],
  'card-exceptions': [
    { operation: 'collectException', label: 'Collect' },
    { operation: 'writeOffException', label: 'Write off', kind: 'danger' },
  ],
  'payments-overdue': PAYMENT,
  'payments-by-hand': PAYMENT,
  coins: [
    { operation: 'approveStablecoin', label: 'Approve' },
    { operation: 'declineStablecoin', label: 'Decline', kind: 'danger' },
  ],
  'coin-operations': [
    { operation: 'completeStablecoinOperation', label: 'Complete' },
    { operation: 'failStablecoinOperation', label: 'Fail', kind: 'danger' },
  ],
  webhooks: [{ operation: 'resendWebhook', label: 'Send again' }],
  'break-glass': [{ operation: 'acknowledgeBreakGlass', label: 'Acknowledge' }],
};

/** The page of an item: that of its subject, but a review is more than its customer. */
export function pageOf({ kind, subject }: WorkItem): string | undefined {
  return kind === 'reviews' ? `/console/operator/reviews/${subject}` : undefined;
}
