import { type AccountRow, findAccounts } from '#capabilities/accounts/store.ts';
import type { CustomerRow } from '#capabilities/customers/customer-row.ts';
import { customerNotFound, findLiveCustomer } from '#capabilities/customers/store.ts';
import { loadForPayment, type PaymentAccount } from '#capabilities/external-accounts/check-for-payment.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import { parseId } from '#foundation/lib/ids.ts';
import { invalidFields, type Refusal } from '#foundation/lib/refusals.ts';

/** An account that a request names; it may not exist. */
export type AccountRef =
  | { readonly kind: 'INTERNAL'; readonly id: AccountId }
  | { readonly kind: 'EXTERNAL'; readonly id: ExternalAccountId };

/** Undefined if the text cannot be the id of an account. */
export function parseAccountId(accountId: string): AccountRef | undefined {
  const internal = parseId('InternalAccount', accountId, 'full');
  if (internal !== undefined) return { kind: 'INTERNAL', id: internal };
  const external = parseId('ExternalAccount', accountId, 'full');
  return external === undefined ? undefined : { kind: 'EXTERNAL', id: external };
}

/** An account that a request names and that exists. */
export type AccountParty =
  | { readonly kind: 'INTERNAL'; readonly account: AccountRow }
  | { readonly kind: 'EXTERNAL'; readonly account: PaymentAccount };

/** The account in a field of the request; undefined if that side of the payment is not an account. */
interface NamedAccount {
  readonly field: string;
  readonly ref: AccountRef | undefined;
}

/**
 * Returns the accounts in the order given. Unknown accounts and another platform's are refused, all at once. With
 * `ownedBy`, every account of another owner counts as unknown, the platform's own as well.
 */
export async function loadAccounts(
  tx: ReadTx,
  named: readonly [NamedAccount, NamedAccount],
  ownedBy?: CustomerId,
): Promise<[AccountParty | undefined, AccountParty | undefined]> {
  const internalIds = named.flatMap(({ ref }) => (ref?.kind === 'INTERNAL' ? [ref.id] : []));
  const externalIds = named.flatMap(({ ref }) => (ref?.kind === 'EXTERNAL' ? [ref.id] : []));
  const internal = internalIds.length > 0 ? await findAccounts(tx, internalIds) : [];
  const external = externalIds.length > 0 ? await loadForPayment(tx, externalIds) : undefined;
  const findAny = ({ ref }: NamedAccount): AccountParty | undefined => {
    if (ref?.kind === 'INTERNAL') {
      const account = internal.find(({ id }) => id === ref.id);
      return account && { kind: 'INTERNAL', account };
    }
    const account = ref && external?.get(ref.id);
    return account && { kind: 'EXTERNAL', account };
  };
  const find = (each: NamedAccount) => {
    const party = findAny(each);
    return party && (ownedBy === undefined || customerIdOf(party) === ownedBy) ? party : undefined;
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

/** Undefined if the platform itself is the owner. A deleted customer counts as unknown (customers.md §2.4.26). */
export async function loadOwner(
  tx: ReadTx,
  party: AccountParty | undefined,
): Promise<CustomerRow | undefined> {
  const id = party && customerIdOf(party);
  return id === undefined ? undefined : loadCustomer(tx, id);
}

export async function loadCustomer(tx: ReadTx, id: CustomerId): Promise<CustomerRow> {
  const customer = await findLiveCustomer(tx, id);
  if (!customer) throw customerNotFound();
  return customer;
}

/** Undefined for the platform's own account. */
export function customerIdOf(party: AccountParty): CustomerId | undefined {
  return party.kind === 'INTERNAL' ? (party.account.customer_id ?? undefined) : party.account.customerId;
}

/** Undefined stands for the platform, which pays and is paid by every customer. */
export function areDifferentCustomers(payer: string | undefined, receiver: string | undefined): boolean {
  return payer !== undefined && receiver !== undefined && payer !== receiver;
}
