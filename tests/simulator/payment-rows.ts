import { freshState } from '#capabilities/payments/columns.ts';
import type { TransactionDetails } from '#capabilities/payments/details.ts';
import { QUOTE_LIFETIME_MS } from '#capabilities/payments/machine/outgoing.ts';
import {
  type Fixed,
  type PaymentDestination,
  type PaymentSource,
  plainTerms,
  type TransactionRow,
} from '#capabilities/payments/row.ts';
import type { Payment } from '#tests/model/money-model.ts';
import { usdCents } from '#tests/model/plain-prices.ts';
import type { Customer, Inside, ProviderChecks, Who } from '#tests/model/steps.ts';
import type { Memory } from '#tests/simulator/memory.ts';

/** What a row needs of a payment of the model: who pays whom, in which accounts, and how much. */
export type Asked = Pick<
  Payment,
  'kind' | 'type' | 'owner' | 'from' | 'to' | 'currencies' | 'price' | 'addressed'
>;

/** Ids by the model's names. */
export interface Names {
  customerId(who: Who): CustomerId | null;
  accountId(account: Inside): AccountId;
  /** The same id for the same external account. */
  externalId(account: ProviderChecks): ExternalAccountId;
}

/** The one external account of a world in which it makes no difference. */
export const OUTSIDE = '00000000-0000-7000-8000-00000000000e' as ExternalAccountId;

const BANK_RAILS = { USD: 'ACH', EUR: 'SEPA' } as const;

/** The new row of a quote, a transfer or an incoming UMA payment. */
export function newRow(memory: Memory, names: Names, asked: Asked, now: Date): TransactionRow {
  const { kind, type, price, currencies } = asked;
  const isQuote = kind === 'QUOTE';
  const fixed: Fixed = {
    platform_id: memory.platformId,
    id: memory.newId(),
    type,
    kind,
    customer_id: names.customerId(asked.owner),
    agent_id: null,
    quote_id: isQuote ? memory.newId() : null,
    locked_side: isQuote ? 'SENDING' : null,
    source: sourceOf(names, asked),
    destination: destinationOf(names, asked),
    sending_currency: currencies[0],
    sending_amount: price.sent,
    receiving_currency: currencies[1],
    receiving_amount: price.received,
    service_fee: price.serviceFee,
    platform_fee: price.platformFee,
    fee_account:
      price.platformFee > 0n ? names.accountId({ kind: 'INSIDE', who: 'P', currency: currencies[0] }) : null,
    reference: null,
    reference_hash: null,
    details: detailsOf(names, asked),
    private: null,
    created_at: now,
  };
  const expires_at = isQuote ? new Date(now.getTime() + QUOTE_LIFETIME_MS) : null;
  return { ...fixed, ...freshState('PENDING', now), expires_at, version: 0n };
}

/** The new row of money that arrives by itself. */
export function newDeposit(
  memory: Memory,
  accountId: AccountId,
  { amount, rail }: { readonly amount: bigint; readonly rail: string },
): TransactionRow {
  const now = memory.date;
  const account = memory.accounts.get(accountId);
  if (!account) throw new Error('money arrives for an account');
  return {
    platform_id: memory.platformId,
    id: memory.newId(),
    type: 'INCOMING',
    kind: 'DEPOSIT',
    customer_id: account.customerId,
    ...plainTerms(account.currency, amount),
    source: { kind: 'REALTIME' },
    destination: { kind: 'INTERNAL', account: account.id },
    reference: null,
    reference_hash: null,
    details: { fundingRail: rail },
    private: null,
    created_at: now,
    ...freshState('PENDING', now),
    version: 0n,
  };
}

function sourceOf(names: Names, { from }: Asked): PaymentSource {
  if (from.kind === 'REALTIME') return { kind: 'REALTIME' };
  if (from.kind === 'UMA') return { kind: 'UMA', hash: null, address: addressOf(from.scenario) };
  return from.kind === 'INSIDE'
    ? { kind: 'INTERNAL', account: names.accountId(from) }
    : { kind: 'EXTERNAL', account: names.externalId(from) };
}

function destinationOf(names: Names, { kind, to, addressed }: Asked): PaymentDestination {
  if (to.kind === 'UMA') return { kind: 'UMA', hash: null, address: addressOf(to.scenario), account: null };
  const isByAddress = addressed !== undefined || (kind === 'UMA' && to.kind === 'INSIDE');
  if (isByAddress) {
    const account = to.kind === 'INSIDE' ? names.accountId(to) : null;
    return { kind: 'UMA', hash: null, address: `$${to.who}@simulator.test`, account };
  }
  return to.kind === 'INSIDE'
    ? { kind: 'INTERNAL', account: names.accountId(to) }
    : { kind: 'EXTERNAL', account: names.externalId(to) };
}

function detailsOf(names: Names, asked: Asked): TransactionDetails {
  const { kind, from, price, currencies } = asked;
  const isCounted = kind === 'QUOTE' || from.kind === 'INSIDE';
  const [cents, per] = usdCents(price.sent, currencies[0]);
  return {
    ...(isCounted && { usdValue: [String(cents), String(per)] as const }),
    ...fundingDetails(asked),
    ...payoutDetails(names, asked),
    ...receiverDetails(names, asked),
  };
}

function fundingDetails({ from }: Asked): TransactionDetails {
  if (from.kind === 'UMA') return { fundingRail: 'UMA' };
  const isPlatformMoney = from.who === 'P' && ({ isPlatformMoney: true } as const);
  if (from.kind === 'INSIDE') return { ...isPlatformMoney };
  if (from.kind === 'OUTSIDE') return { fundingRail: BANK_RAILS[from.currency], ...isPlatformMoney };
  const network = from.currency === 'USDC' ? ('SOLANA' as const) : undefined;
  return { fundingRail: network ?? 'BANK_TRANSFER', ...(network && { fundingNetwork: network }) };
}

function payoutDetails(names: Names, { kind, to, addressed }: Asked): TransactionDetails {
  if (to.kind === 'INSIDE') return {};
  if (to.kind === 'UMA') return { payoutRail: 'UMA' };
  const rail = BANK_RAILS[to.currency];
  if (addressed === undefined) return { payoutRail: rail, paymentRail: rail };
  return {
    payoutRail: rail,
    depositRail: rail,
    ...(kind === 'QUOTE' && { depositAccount: names.externalId(to) }),
  };
}

/** The receiver, if it is not the payer. */
function receiverDetails(names: Names, { kind, owner, to, addressed }: Asked): TransactionDetails {
  if (kind === 'UMA') return {};
  const receiver: Who | undefined = addressed ?? (to.kind === 'INSIDE' ? to.who : undefined);
  if (receiver !== undefined) {
    return receiver === owner ? {} : { receiver: { customerId: names.customerId(receiver) } };
  }
  const holder = to.kind === 'OUTSIDE' && to.who !== 'P' && to.who !== owner ? to.who : undefined;
  return holder === undefined ? {} : { holder: names.customerId(holder as Customer) as CustomerId };
}

function addressOf(scenario: string): string {
  return `$${scenario}@sandbox.test`;
}
