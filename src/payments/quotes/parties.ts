import { type AccountRow, findAccounts } from '#accounts/store.ts';
import { type CustomerRow, findLiveCustomer } from '#customers/store.ts';
import { missingCustomer } from '#customers/update-customer.ts';
import type { Tx } from '#database/tx.ts';
import { loadForPayment, type PaymentAccount } from '#external-accounts/judge-for-payment.ts';
import { notFound } from '#http/register.ts';
import type { Standing } from '#payments/load-execution.ts';
import type { Owner } from '#payments/quote-input.ts';
import type { AccountRef, QuoteAsk } from '#payments/quotes/quote-ask.ts';

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
}

/** money.md §2: unknown accounts, then unknown customers, each as if they were another platform's. */
export async function loadParties(tx: Tx, { source, destination }: QuoteAsk): Promise<Parties> {
  const accounts = await loadAccounts(tx, [
    source.kind === 'ACCOUNT' ? source.account : undefined,
    destination.kind === 'ACCOUNT' ? destination.account : undefined,
  ]);
  const [from, to] = accounts;
  const named = source.customerId;
  if (named !== undefined) {
    const customer = await findLiveCustomer(tx, named);
    if (!customer) throw missingCustomer();
    return { source: from, destination: to, owner: customer };
  }
  return { source: from, destination: to, owner: await loadOwner(tx, from, to) };
}

/** In the order asked; a missing one refuses the call. */
export async function loadAccounts(
  tx: Tx,
  refs: readonly [AccountRef | undefined, AccountRef | undefined],
): Promise<[AccountParty | undefined, AccountParty | undefined]> {
  const idsOf = (kind: AccountRef['kind']) => refs.flatMap((ref) => (ref?.kind === kind ? [ref.id] : []));
  const [internalIds, externalIds] = [idsOf('INTERNAL'), idsOf('EXTERNAL')];
  const internal = internalIds.length > 0 ? await findAccounts(tx, internalIds) : [];
  const external = externalIds.length > 0 ? await loadForPayment(tx, externalIds) : undefined;
  const find = (ref: AccountRef | undefined): AccountParty | undefined => {
    if (ref === undefined) return undefined;
    if (ref.kind === 'INTERNAL') {
      const account = internal.find(({ id }) => id === ref.id);
      if (account) return { kind: 'INTERNAL', account };
    } else {
      const account = external?.get(ref.id);
      if (account) return { kind: 'EXTERNAL', account };
    }
    throw notFound('ACCOUNT_NOT_FOUND', 'account');
  };
  return [find(refs[0]), find(refs[1])];
}

/** Of the source account, else of the destination account. One that was deleted is unknown (customers.md rule 26). */
export async function loadOwner(
  tx: Tx,
  source: AccountParty | undefined,
  destination: AccountParty | undefined,
): Promise<CustomerRow | undefined> {
  const id = (source && customerOf(source)) ?? (destination && customerOf(destination));
  if (id === undefined) return undefined;
  const customer = await findLiveCustomer(tx, id);
  if (!customer) throw missingCustomer();
  return customer;
}

/** Bare UUID; undefined: the platform's own account. */
export function customerOf(party: AccountParty): string | undefined {
  return party.kind === 'INTERNAL' ? (party.account.customer_id ?? undefined) : party.account.customerId;
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
