import { availAccountOf } from '#capabilities/accounts/ledger-accounts.ts';
import type { DeclinedReason } from '#capabilities/card-transactions/schemas.ts';
import { isBlocked } from '#capabilities/cards/machine/decide.ts';
import { centsToUnits } from '#capabilities/cards/machine/draft.ts';
import { findNotice } from '#capabilities/cards/notices/notice-store.ts';
import { ERASED_MERCHANT } from '#capabilities/cards/sealed-purchase.ts';
import type { CardTransactionRow } from '#capabilities/cards/transaction-row.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import type { Failure } from '#foundation/explanation/explanation.ts';
import { findBalances } from '#foundation/ledger/store.ts';
import { NO_OWN_CURRENCIES, sayAmount } from '#foundation/lib/currencies.ts';
import type { Cause } from '#foundation/ports/explanations.ts';

/** Facts for the explanation of a purchase that are not in its row. */
export interface PurchaseFacts {
  /** Whether the issuer itself declined it, before the service checked anything but the card. */
  readonly isForced: boolean;
  /** The sandbox's value that decided. */
  readonly cause: Cause | undefined;
  /** A sentence that names the block, if one still stands. */
  readonly blocked: string | undefined;
  /** The account's available balance in card cents, and whether it is still the one of that time. */
  readonly available: { readonly amount: bigint; readonly isUnchanged: boolean } | undefined;
}

export async function loadPurchaseFacts(tx: ReadTx, row: CardTransactionRow): Promise<PurchaseFacts> {
  const { declined_reason: reason, merchant } = row;
  const { explanations } = tx.ports;
  if (reason === null) {
    const isException = row.status === 'EXCEPTION';
    const cause = isException ? explanations.causeOfPurchase(merchant, 'EXCEPTION') : undefined;
    const available = isException ? await loadAvailable(tx, row) : undefined;
    return { isForced: false, cause, blocked: undefined, available };
  }
  const isForced = (await forcedReason(tx, row)) === reason;
  return {
    isForced,
    cause: isForced ? explanations.causeOfPurchase(merchant, reason) : undefined,
    blocked: reason === 'BLOCKED' ? blockedPart(tx, merchant) : undefined,
    available: reason === 'INSUFFICIENT_FUNDS' && !isForced ? await loadAvailable(tx, row) : undefined,
  };
}

function blockedPart(tx: ReadTx, merchant: CardTransactionRow['merchant']): string | undefined {
  const { blockedMccs, blockedCountries } = tx.platform.settings.cards;
  const { mcc, country } = merchant;
  if (isBlocked({ descriptor: '', ...(mcc !== undefined && { mcc }) }, { blockedMccs, blockedCountries }))
    return `The merchant’s category, ${mcc}, is blocked.`;
  return isBlocked(merchant, { blockedMccs, blockedCountries })
    ? `The merchant’s country, ${country}, is blocked.`
    : undefined;
}

/** A declined increment has the id of its notice as its token (cards.md §6.9.4). */
async function forcedReason(tx: ReadTx, { merchant, token, kind }: CardTransactionRow) {
  if (kind === 'INQUIRY') return undefined;
  const { declined, declinedIncrement } = tx.ports.cards.judge(merchant);
  if (declined === undefined && declinedIncrement === undefined) return undefined;
  return (await findNotice(tx, token)) ? declinedIncrement : declined;
}

async function loadAvailable(
  tx: ReadTx,
  row: CardTransactionRow,
): Promise<NonNullable<PurchaseFacts['available']>> {
  const balances = await findBalances(tx, [availAccountOf(row.account_id)]);
  const found = balances.find(({ currency }) => currency === row.account_currency);
  return {
    amount: (found?.balance ?? 0n) / centsToUnits(row, 1n),
    isUnchanged: !found || found.updated_at.getTime() <= row.updated_at.getTime(),
  };
}

export const showCents = ({ currency }: Pick<CardTransactionRow, 'currency'>, cents: bigint) =>
  sayAmount(cents, currency, NO_OWN_CURRENCIES);

/** ` at CORNER BOOKS`. */
export function atMerchant({ merchant }: Pick<CardTransactionRow, 'merchant'>): string {
  const name = merchant.descriptor.trim();
  return name === '' || merchant === ERASED_MERCHANT ? '' : ` at ${name}`;
}

interface DeclineWords {
  readonly sentence: string;
  readonly rule: string;
}

const DECLINES: Readonly<Record<DeclinedReason, DeclineWords>> = {
  CARD_NOT_ACTIVE: { sentence: 'The card was not active, or had expired.', rule: 'cards.md §6.6.1' },
  INSUFFICIENT_FUNDS: {
    sentence: 'The available balance of the account did not cover the amount.',
    rule: 'cards.md §6.6.7',
  },
  UNSUPPORTED_NETWORK: {
    sentence: 'The purchase came over a network that the card does not support.',
    rule: 'cards.md §6.6.3',
  },
  BLOCKED: {
    sentence: 'The merchant’s category or country is blocked, or the account owes too much.',
    rule: 'cards.md §6.6.4',
  },
  SPEND_LIMIT_EXCEEDED: {
    sentence: 'The amount exceeded one of the card’s limits.',
    rule: 'cards.md §6.6.5',
  },
  NO_ELIGIBLE_FUNDING_SOURCE: {
    sentence: 'The account could not pay: it was not active, or the wallet has no key for the card.',
    rule: 'cards.md §6.6.6',
  },
  OTHER: {
    sentence: 'The issuer declined the purchase, or the decision came too late.',
    rule: 'cards.md §6.6.8',
  },
};

/** The check that declined a purchase, as a sentence, with its rule. */
export function declineOf(
  row: CardTransactionRow,
  reason: DeclinedReason,
  { isForced, cause, blocked, available }: PurchaseFacts,
): DeclineWords {
  if (isForced) {
    const why = cause ? `, because the merchant’s name ends in ${cause.value}` : '';
    return {
      sentence: `The issuer declined the purchase as ${reason}${why}. The balance and the limits were not checked.`,
      rule: 'cards.md §6.6.2',
    };
  }
  const { sentence, rule } = DECLINES[reason];
  return { sentence: blocked ?? (available ? shortOf(row, available) : sentence), rule };
}

function shortOf(
  row: CardTransactionRow,
  { amount, isUnchanged }: NonNullable<PurchaseFacts['available']>,
): string {
  const asked = row.authorized_amount;
  return isUnchanged && amount < asked
    ? `The account had ${showCents(row, amount)} available, ${showCents(row, asked - amount)} less than the purchase needed.`
    : `The available balance of the account did not cover ${showCents(row, asked)}. The account has ${showCents(row, amount)} available now.`;
}

export function failureOf(row: CardTransactionRow, facts: PurchaseFacts): Failure | undefined {
  if (row.declined_reason !== null) {
    const reason = row.declined_reason;
    return { reason, ...declineOf(row, reason, facts), causedBy: facts.cause };
  }
  if (row.status !== 'EXCEPTION') return undefined;
  return {
    reason: 'EXCEPTION',
    sentence: `The card network was paid, and ${showCents(row, row.receivable)} could not be taken from the account. ${exceptionReason(row, facts)}`,
    rule: facts.cause ? 'cards.md §7.1' : 'cards.md §6.9.2',
    causedBy: facts.cause,
  };
}

/** An excess over the hold is pulled whole or not at all (cards.md §6.9.2). */
function exceptionReason(row: CardTransactionRow, { cause, available }: PurchaseFacts): string {
  if (cause) return 'The pull from the account failed.';
  const rule = 'The part of a clearing that is not on hold is taken whole or not at all';
  if (!available) return `${rule}.`;
  const { amount, isUnchanged } = available;
  return isUnchanged
    ? `${rule}, and the account had only ${showCents(row, amount)} available, which it still has.`
    : `${rule}. The account has ${showCents(row, amount)} available now.`;
}
