import type { ReadTx } from '#database/tx.ts';
import { automaticRail } from '#external-accounts/check-for-payment.ts';
import { findLookup, type Lookup, type LookupCurrency } from '#external-accounts/lookup-store.ts';
import type { PaymentRail } from '#lib/rails-by-currency.ts';
import { type AccountParty, ownerOf } from '#payments/parties/parties.ts';
import type { QuoteDestination } from '#payments/parties/source-destination.ts';
import type { Parties } from '#payments/quotes/load-parties.ts';
import type { ParsedDestination, ParsedQuote } from '#payments/quotes/parse-quote.ts';
import {
  otherReceiver,
  type ReceiverParts,
  resolveReceiver,
  unknownLookup,
} from '#payments/quotes/receiver.ts';

/** Where the money goes, and what the receiver's side says of it. */
export interface ResolvedDestination {
  readonly destination: QuoteDestination;
  readonly currency: string;
  /** Over which bank rail; undefined where there is none. */
  readonly rail: PaymentRail | undefined;
  /** The receiver's own limits, in the smallest receiving unit. */
  readonly bounds: LookupCurrency | undefined;
  readonly counterpartyInformation: Readonly<Record<string, unknown>> | undefined;
}

export async function resolveDestination(
  tx: ReadTx,
  ask: ParsedQuote,
  parties: Parties,
  parts: ReceiverParts,
): Promise<ResolvedDestination> {
  const { destination: asked } = ask;
  if (asked.kind === 'UMA') {
    const found = await resolveReceiver(tx, { ...ask, destination: asked }, parties, parts);
    const { destination, counterpartyInformation, lookup } = found;
    const { currency } = destination;
    const bounds = boundsOf(lookup, currency);
    return { destination, currency, rail: undefined, bounds, counterpartyInformation };
  }
  if (!parties.destination) throw new Error('a destination is an account or a UMA address');
  return resolveAccount(tx, ask, asked, parties.destination, parties);
}

async function resolveAccount(
  tx: ReadTx,
  { lookupId }: ParsedQuote,
  asked: Extract<ParsedDestination, { kind: 'ACCOUNT' }>,
  to: AccountParty,
  { receiver }: Parties,
): Promise<ResolvedDestination> {
  const lookup = lookupId === undefined ? undefined : await accountLookup(tx, lookupId, to);
  const { currency } = to.account;
  const common = {
    currency,
    bounds: lookup && boundsOf(lookup, currency),
    counterpartyInformation: undefined,
  };
  if (to.kind === 'INTERNAL') {
    const { id: accountId } = to.account;
    const destination = { kind: 'INTERNAL', accountId, currency, owner: ownerOf(receiver) } as const;
    return { destination, rail: undefined, ...common };
  }
  const { account } = to;
  const rail = asked.rail ?? automaticRail(account);
  const isChosen = asked.rail !== undefined;
  return { destination: { kind: 'EXTERNAL', account, rail: rail ?? null, isChosen }, rail, ...common };
}

/** A look-up is optional here; one that is named has to be that of the account. */
async function accountLookup(tx: ReadTx, lookupId: string, to: AccountParty): Promise<Lookup> {
  const lookup = await findLookup(tx, lookupId);
  if (!lookup) throw unknownLookup();
  const { receiver } = lookup;
  if (receiver.kind !== 'EXTERNAL_ACCOUNT' || receiver.accountId !== to.account.id) throw otherReceiver();
  return lookup;
}

function boundsOf({ currencies }: Lookup, code: string): LookupCurrency | undefined {
  return currencies.find((currency) => currency.code === code);
}
