import { automaticRail } from '#capabilities/external-accounts/check-for-payment.ts';
import type { LookupCurrency } from '#capabilities/external-accounts/receivers/store.ts';
import type { AccountParty } from '#capabilities/payments/parties/accounts.ts';
import { type Destination, transactionOwner } from '#capabilities/payments/parties/source-destination.ts';
import type { ParsedQuote } from '#capabilities/payments/quotes/parse-quote.ts';
import type { Parties } from '#capabilities/payments/quotes/quote-parties.ts';
import {
  currencyBounds,
  findQuoteLookup,
  otherReceiver,
  type ReceiverParts,
  resolveReceiver,
  unknownLookup,
} from '#capabilities/payments/quotes/receiver.ts';
import type { ReadTx } from '#foundation/database/tx.ts';

/** The destination of the money, and what the receiver's provider reported. */
export interface ResolvedDestination {
  readonly destination: Destination;
  /** The receiver's own limits, in the smallest receiving unit. */
  readonly bounds: LookupCurrency | undefined;
  /** What the receiver's provider reported about the receiver. */
  readonly counterpartyInformation?: Readonly<Record<string, unknown>>;
}

export async function resolveDestination(
  tx: ReadTx,
  request: ParsedQuote,
  parties: Parties,
  parts: ReceiverParts,
): Promise<ResolvedDestination> {
  const { destination: requested, lookupId } = request;
  if (requested.kind === 'UMA')
    return resolveReceiver(tx, { ...request, destination: requested }, parties, parts);
  const { destination: to, receiver } = parties;
  if (!to) throw new Error('a destination is neither an account nor a UMA address');
  const bounds = lookupId === undefined ? undefined : await findAccountBounds(tx, request, to);
  if (to.kind === 'INTERNAL') return { destination: { ...to, owner: transactionOwner(receiver) }, bounds };
  const rail = requested.rail ?? automaticRail(to.account) ?? null;
  return { destination: { ...to, rail, isChosen: requested.rail !== undefined }, bounds };
}

/** A look-up is optional for an account; if one is named, it must be of this account. */
async function findAccountBounds(
  tx: ReadTx,
  request: ParsedQuote,
  { account }: AccountParty,
): Promise<LookupCurrency | undefined> {
  const lookup = await findQuoteLookup(tx, request);
  if (!lookup) throw unknownLookup();
  const { receiver } = lookup;
  if (receiver.kind !== 'EXTERNAL_ACCOUNT' || receiver.accountId !== account.id) throw otherReceiver();
  return currencyBounds(lookup, account.currency);
}
