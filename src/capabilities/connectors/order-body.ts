import type { Wanted } from '#capabilities/connectors/choose-route.ts';
import {
  countryOf,
  type Party,
  pickAsked,
  readHolder,
  readPrincipal,
} from '#capabilities/connectors/order-parties.ts';
import { findOrigin, type Origin } from '#capabilities/connectors/origin.ts';
import { loadPrivate, openPrivate, type Private } from '#capabilities/payments/details.ts';
import { fundingRailOf } from '#capabilities/payments/machine/postings.ts';
import type { TransactionRow } from '#capabilities/payments/row.ts';
import { buildCollection, buildPayout, buildRefund } from '#capabilities/payments/settlement/orders.ts';
import {
  NEEDS,
  type Need,
  type OrderKind,
  type RailCapability,
} from '#foundation/connector-protocol/capabilities.ts';
import { REMITTANCE_MAX } from '#foundation/connector-protocol/orders.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import { publicId } from '#foundation/lib/ids.ts';

/** A payment's order, with everything that it may say. It is written for one route. */
export interface DescribedOrder {
  readonly wanted: Omit<Wanted, 'excluded'>;
  /** A refund goes back where the money is (connectors.md §8.4). */
  readonly origin?: Origin;
  write(capability: RailCapability, settlementAccount: string): string;
}

/**
 * Reads what an order of this kind says about a payment. Undefined if no connector can take it: the money stays in our
 * books, its other side is unknown, or no connector brought it.
 */
export async function describeOrder(
  tx: ReadTx,
  row: TransactionRow,
  kind: OrderKind,
): Promise<DescribedOrder | undefined> {
  if (row.kind === 'UMA') return undefined;
  await loadPrivate(tx, [row]);
  return DESCRIBE[kind](tx, row, openPrivate(tx.vault, row));
}

type Describe = (tx: ReadTx, row: TransactionRow, facts: Private) => Promise<DescribedOrder | undefined>;

const DESCRIBE: Readonly<Record<OrderKind, Describe>> = {
  PAYOUT: describePayout,
  COLLECTION: describeCollection,
  REFUND: describeRefund,
};

async function describePayout(
  tx: ReadTx,
  row: TransactionRow,
  facts: Private,
): Promise<DescribedOrder | undefined> {
  const payout = buildPayout(facts, row);
  const { to, amount, currency, platformId } = payout;
  const rail = payout.rail ?? payout.network;
  if (to.kind !== 'EXTERNAL' || rail === undefined || to.account.identifier === '') return undefined;
  const originator = await readPrincipal(tx, payout.originator);
  if (originator === undefined) return undefined;
  const beneficiary = readHolder(to.account);
  const asked = { ...originator.asked, ...beneficiary.asked };
  const wanted = { kind: 'PAYOUT' as const, rail, currency, amount, platformId };
  return {
    wanted: { ...wanted, onFile: onFile(asked), country: countryOf(to.account) },
    write: ({ needs = [] }, settlementAccount) =>
      JSON.stringify({
        ...headOf(wanted, settlementAccount, payout.requestedAt),
        originator: sayParty(originator, asked, needs, 'originator.'),
        beneficiary: sayParty(beneficiary, asked, needs, 'beneficiary.'),
        purpose: payout.purpose,
        remittance: payout.remittanceInformation?.slice(0, REMITTANCE_MAX),
      }),
  };
}

async function describeCollection(
  tx: ReadTx,
  row: TransactionRow,
  facts: Private,
): Promise<DescribedOrder | undefined> {
  const { from, creditor, amount, currency, platformId, ...collection } = buildCollection(facts, row);
  if (from.identifier === '') return undefined;
  const principal = await readPrincipal(tx, creditor);
  if (principal === undefined) return undefined;
  const debtor = readHolder(from);
  const asked = { ...principal.asked, ...debtor.asked };
  const wanted = { kind: 'COLLECTION' as const, rail: fundingRailOf(row), currency, amount, platformId };
  return {
    wanted: { ...wanted, onFile: onFile(asked), country: countryOf(from) },
    write: ({ needs = [] }, settlementAccount) =>
      JSON.stringify({
        ...headOf(wanted, settlementAccount, collection.requestedAt),
        creditor: sayParty(principal, asked, needs, 'originator.'),
        debtor: sayParty(debtor, asked, needs, 'beneficiary.'),
        authorizedAt: collection.authorizedAt.toISOString(),
      }),
  };
}

/** The facts that a bank asks about originators are not those of a refund: it goes back to where the money came from. */
async function describeRefund(
  tx: ReadTx,
  row: TransactionRow,
  facts: Private,
): Promise<DescribedOrder | undefined> {
  const { of, amount, currency, platformId } = buildRefund(facts, row);
  const origin = of && (await findOrigin(tx, row, of));
  if (!origin) return undefined;
  const holder = facts.source && readHolder(facts.source);
  const asked = holder?.asked ?? {};
  const wanted = { kind: 'REFUND' as const, rail: origin.rail, currency, amount, platformId };
  return {
    wanted: { ...wanted, onFile: onFile(asked), country: undefined },
    origin,
    write: ({ needs = [] }, settlementAccount) =>
      JSON.stringify({
        ...headOf(wanted, settlementAccount, row.refund_initiated_at ?? row.created_at),
        of: origin.of,
        beneficiary: holder && sayParty(holder, asked, needs, 'beneficiary.'),
      }),
  };
}

type Asked = Partial<Record<Need, unknown>>;

function onFile(asked: Asked): ReadonlySet<string> {
  return new Set(NEEDS.filter((need) => asked[need] !== undefined));
}

function sayParty(
  { always }: Party,
  asked: Asked,
  needs: readonly string[],
  of: 'originator.' | 'beneficiary.',
): Record<string, unknown> {
  return { ...always, ...pickAsked(asked, needs, of) };
}

/** The members that orders of all kinds have. */
function headOf(
  {
    kind,
    rail,
    currency,
    amount,
    platformId,
  }: Pick<Wanted, 'kind' | 'rail' | 'currency' | 'amount' | 'platformId'>,
  settlementAccount: string,
  requestedAt: Date,
): Record<string, unknown> {
  return {
    ...{ kind, amount: amount.toString(), currency, rail, settlementAccount },
    platform: publicId('Platform', platformId),
    requestedAt: requestedAt.toISOString(),
  };
}
