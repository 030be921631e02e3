import { findActiveAccounts } from '#capabilities/accounts/store.ts';
import type { CustomerRow } from '#capabilities/customers/customer-row.ts';
import type { Profile } from '#capabilities/customers/profile/profile.ts';
import { factOnFile } from '#capabilities/customers/profile/provider-fields.ts';
import {
  checkForPayment,
  openPaymentAccount,
  type PaymentAccount,
} from '#capabilities/external-accounts/check-for-payment.ts';
import { findDefault } from '#capabilities/external-accounts/store.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import { refuse } from '#foundation/lib/refusals.ts';
import type { PayerDataField } from '#foundation/ports/counterparties.ts';

/** The mandatory fields that the customer's record has, except those that the provider wants to be sent anyway. */
export function namesOnFile(profile: Profile, fields: readonly PayerDataField[]): string[] {
  return fields
    .filter(({ mandatory, mustBeSent }) => mandatory && !mustBeSent)
    .filter(({ name }) => factOnFile(profile, name) !== undefined)
    .map(({ name }) => name);
}

/** The values of these fields in the customer's record; missing ones are left out. */
export function factsOnFile(profile: Profile, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const fact = factOnFile(profile, name);
      return fact === undefined ? [] : [[name, fact]];
    }),
  );
}

/** Whether there is a value under this name; an empty text is none. */
export function isGiven(facts: Readonly<Record<string, unknown>> | undefined, name: string): boolean {
  const value = facts && Object.hasOwn(facts, name) ? facts[name] : undefined;
  return value !== undefined && value !== null && value !== '';
}

/** The account behind a customer's UMA address. */
export type DepositTarget = { readonly internal: AccountId } | { readonly external: PaymentAccount };

/**
 * accounts.md §3.2.23, §2.1.11: the default deposit account if it can be paid, otherwise the oldest active internal
 * account.
 */
export async function loadDepositTarget(
  tx: ReadTx,
  { receiver, currency }: { readonly receiver: CustomerRow; readonly currency: string },
): Promise<DepositTarget> {
  const row = await findDefault(tx, receiver.id, currency);
  const external = row && openPaymentAccount(tx, row);
  const isUsable =
    external?.status === 'ACTIVE' && !checkForPayment(external, { role: 'destination', isLarge: true });
  if (isUsable) return { external };
  const [primary] = await findActiveAccounts(tx, receiver.id, currency);
  if (!primary)
    refuse('INVALID_RECEIVER', `The receiver has no account in ${currency} that can receive this payment.`);
  return { internal: primary.id };
}
