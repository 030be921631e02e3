import type { Agent, Card, InternalAccount, TransactionOneOf } from '@corridor/client';
import type { ComponentChildren } from 'preact';
import { shortId } from './id.tsx';
import { Money } from './money.tsx';
import { Status } from './status.tsx';
import type { Column } from './table.tsx';
import { sayName } from './text.tsx';
import { Time } from './time.tsx';

/** What several screens show of the same resources, in the same words. */

const ACCOUNT_KINDS: Readonly<Record<string, string>> = {
  INTERNAL_FIAT: 'Fiat',
  INTERNAL_CRYPTO: 'Crypto',
  EMBEDDED_WALLET: 'Wallet',
};

export function sayAccountKind(type: string): string {
  return ACCOUNT_KINDS[type] ?? sayName(type);
}

export const ACCOUNT_COLUMNS: readonly Column<InternalAccount>[] = [
  { title: 'Account', cell: ({ id }) => <code>{shortId(id)}</code> },
  {
    title: 'Kind',
    cell: ({ id, type }) =>
      type === 'EMBEDDED_WALLET' ? <a href={`/console/wallets/${id}`}>Wallet</a> : sayAccountKind(type),
  },
  { title: 'Status', cell: ({ status }) => <Status value={status} /> },
  {
    title: 'Available',
    align: 'end',
    cell: ({ balance }) => <Money amount={balance.amount} currency={balance.currency} />,
  },
  {
    title: 'Total',
    align: 'end',
    cell: ({ totalBalance }) => <Money amount={totalBalance.amount} currency={totalBalance.currency} />,
  },
];

/** The columns of a short list of payments. */
export function paymentColumns(
  amount: (payment: TransactionOneOf) => ComponentChildren = PaymentAmount,
): readonly Column<TransactionOneOf>[] {
  return [
    { title: 'Payment', isWide: true, cell: ({ id = '' }) => <code>{shortId(id)}</code> },
    { title: 'Status', cell: ({ status }) => <Status value={status} /> },
    { title: 'Type', cell: ({ type }) => sayName(type) },
    { title: 'Amount', align: 'end', cell: amount },
    { title: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
  ];
}

/** The amount on the side of the platform or its customer. */
export function PaymentAmount(payment: TransactionOneOf) {
  const { amount, currency } = amountOf(payment) ?? {};
  return <Money amount={amount} currency={currency} />;
}

function amountOf(payment: TransactionOneOf) {
  if (payment.type === 'CARD') return payment.settledAmount ?? payment.authorizedAmount;
  return payment.type === 'OUTGOING' ? payment.sentAmount : payment.receivedAmount;
}

/** `Visa •••• 4242` */
export function sayCard({ brand, last4 }: Pick<Card, 'brand' | 'last4'>): string {
  return [brand ? sayName(brand) : 'Card', last4 && `•••• ${last4}`].filter(Boolean).join(' ');
}

export function AgentState({ agent: { isPaused, isConnected } }: { agent: Agent }) {
  if (isPaused) return <Status value="PAUSED" kind="wait" />;
  return <Status value={isConnected ? 'CONNECTED' : 'NOT_CONNECTED'} kind={isConnected ? 'good' : 'calm'} />;
}
