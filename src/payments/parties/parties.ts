import { type AccountRow, findAccounts } from '#accounts/store.ts';
import { type CustomerRow, customerNotFound, findLiveCustomer } from '#customers/store.ts';
import type { ReadTx } from '#database/tx.ts';
import { loadForPayment, type PaymentAccount } from '#external-accounts/check-for-payment.ts';
import { invalidFields, type Refusal } from '#lib/refusals.ts';
import type { Standing } from '#payments/execution/store.ts';
import type { Owner } from '#payments/parties/source-destination.ts';
import type { AccountRef, ParsedQuote } from '#payments/quotes/parse-quote.ts';

/** An account that a payment names, found. */
export type AccountParty =
  | { readonly kind: 'INTERNAL'; readonly account: AccountRow }
  | { readonly kind: 'EXTERNAL'; readonly account: PaymentAccount };

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

/** money.md §2: unknown accounts, then unknown customers, each as if they were another platform's. */
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

/** Which field of the request names an account, and the account; none: the payment takes no account there. */
interface NamedAccount {
  readonly field: string;
  readonly ref: AccountRef | undefined;
}

/** In the order asked. Missing ones refuse the call, all at once. */
export async function loadAccounts(
  tx: ReadTx,
  named: readonly [NamedAccount, NamedAccount],
): Promise<[AccountParty | undefined, AccountParty | undefined]> {
  const idsOf = (kind: AccountRef['kind']) =>
    named.flatMap(({ ref }) => (ref?.kind === kind ? [ref.id] : []));
  const [internalIds, externalIds] = [idsOf('INTERNAL'), idsOf('EXTERNAL')];
  const internal = internalIds.length > 0 ? await findAccounts(tx, internalIds) : [];
  const external = externalIds.length > 0 ? await loadForPayment(tx, externalIds) : undefined;
  const find = ({ ref }: NamedAccount): AccountParty | undefined => {
    if (ref?.kind === 'INTERNAL') {
      const account = internal.find(({ id }) => id === ref.id);
      return account && { kind: 'INTERNAL', account };
    }
    const account = ref && external?.get(ref.id);
    return account && { kind: 'EXTERNAL', account };
  };
  const missing = named.filter((each) => each.ref !== undefined && find(each) === undefined);
  if (missing.length > 0) throw unknownAccounts(missing.map(({ field }) => field));
  return [find(named[0]), find(named[1])];
}

function unknownAccounts(fields: readonly string[]): Refusal {
  const message = 'is not the id of an account';
  return invalidFields(
    fields.map((field) => ({ field, message })),
    'ACCOUNT_NOT_FOUND',
  );
}

/** Undefined: the platform itself. One that was deleted is unknown (customers.md §2.4.26). */
export async function loadOwner(
  tx: ReadTx,
  party: AccountParty | undefined,
): Promise<CustomerRow | undefined> {
  const id = party && customerOf(party);
  return id === undefined ? undefined : loadCustomer(tx, id);
}

async function loadCustomer(tx: ReadTx, id: string): Promise<CustomerRow> {
  const customer = await findLiveCustomer(tx, id);
  if (!customer) throw customerNotFound();
  return customer;
}

/** Bare UUID; undefined: the platform's own account. */
export function customerOf(party: AccountParty): string | undefined {
  return party.kind === 'INTERNAL' ? (party.account.customer_id ?? undefined) : party.account.customerId;
}

/** The customer whose own money leaves; undefined: it is the platform's, in whoever's name it pays. */
export function payingCustomer({ source, owner }: Parties): CustomerRow | undefined {
  return source && customerOf(source) === undefined ? undefined : owner;
}

/**
 * money.md §2.4: whether an account outside would meet another customer's money, coming or going. Of the two ends the
 * customers, undefined where one is the platform's.
 */
export function isForeign(payer: string | undefined, receiver: string | undefined): boolean {
  return payer !== undefined && receiver !== undefined && payer !== receiver;
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

export function ownerOf(customer: CustomerRow | undefined): Owner {
  return customer
    ? { customerId: customer.id, platformCustomerId: customer.platform_customer_id }
    : { customerId: null };
}
