import type { CustomerRow } from '#customers/store.ts';
import type { ReadTx } from '#database/tx.ts';
import type { Standing } from '#payments/execution/store.ts';
import {
  type AccountParty,
  customerOf,
  loadAccounts,
  loadCustomer,
  loadOwner,
} from '#payments/parties/parties.ts';
import type { ParsedQuote } from '#payments/quotes/parse-quote.ts';

/** Who and what a payment names. */
export interface Parties {
  /** Undefined: paid in real time. */
  readonly source: AccountParty | undefined;
  /** Undefined: a UMA address. */
  readonly destination: AccountParty | undefined;
  /** Whose transaction it is; undefined: the platform's own (money.md §2.4). */
  readonly owner: CustomerRow | undefined;
  /** Whose the internal account is that is paid, if it is a customer's. */
  readonly receiver: CustomerRow | undefined;
}

/** money.md §2.13: unknown accounts, then unknown customers, each as if they were another platform's. */
export async function loadParties(tx: ReadTx, { source, destination }: ParsedQuote): Promise<Parties> {
  const [from, to] = await loadAccounts(tx, [
    { field: 'source.accountId', ref: source.kind === 'ACCOUNT' ? source.account : undefined },
    { field: 'destination.accountId', ref: destination.kind === 'ACCOUNT' ? destination.account : undefined },
  ]);
  const named = source.customerId;
  const owner = named === undefined ? await loadOwner(tx, from ?? to) : await loadCustomer(tx, named);
  return { source: from, destination: to, owner, receiver: await loadReceiver(tx, to, owner) };
}

async function loadReceiver(
  tx: ReadTx,
  destination: AccountParty | undefined,
  owner: CustomerRow | undefined,
): Promise<CustomerRow | undefined> {
  if (destination?.kind !== 'INTERNAL') return undefined;
  return owner && owner.id === destination.account.customer_id ? owner : loadOwner(tx, destination);
}

/** The customer whose own money leaves; undefined: it is the platform's, in whoever's name it pays. */
export function payingCustomer({ source, owner }: Parties): CustomerRow | undefined {
  return source && customerOf(source) === undefined ? undefined : owner;
}

export function standingOf(party: AccountParty | undefined): Standing | null {
  if (party === undefined) return null;
  if (party.kind === 'INTERNAL') {
    const { status, type } = party.account;
    return { kind: 'INTERNAL', status, type };
  }
  const { status, usValidation } = party.account;
  return { kind: 'EXTERNAL', status, usValidation };
}
