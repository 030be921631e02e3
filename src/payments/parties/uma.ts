import { findActiveAccounts } from '#accounts/store.ts';
import type { Profile } from '#customers/profile.ts';
import { factOnFile } from '#customers/provider-fields.ts';
import type { CustomerRow } from '#customers/store.ts';
import type { ReadTx } from '#database/tx.ts';
import {
  checkForPayment,
  type PaymentAccount,
  paymentAccountOf,
} from '#external-accounts/check-for-payment.ts';
import { findDefault } from '#external-accounts/store.ts';
import { refuse } from '#lib/refusals.ts';
import type { PayerDataField } from '#rails/counterparties.ts';

/** The fields that the record answers in the platform's place: mandatory ones that need not come anew. */
export function answeredOnFile(profile: Profile, fields: readonly PayerDataField[]): string[] {
  return fields
    .filter(({ mandatory, mustBeSent }) => mandatory && !mustBeSent)
    .filter(({ name }) => factOnFile(profile, name) !== undefined)
    .map(({ name }) => name);
}

/** What the record says, by the names under which providers ask; what it does not say is left out. */
export function factsOnFile(profile: Profile, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const fact = factOnFile(profile, name);
      return fact === undefined ? [] : [[name, fact]];
    }),
  );
}

/** Whether somebody told a fact of this name; an empty text tells nothing. */
export function isTold(facts: Readonly<Record<string, unknown>> | undefined, name: string): boolean {
  const value = facts && Object.hasOwn(facts, name) ? facts[name] : undefined;
  return value !== undefined && value !== null && value !== '';
}

/** Where the money goes: outside, or to an internal account. */
export type Landing = { readonly internal: string } | { readonly outside: PaymentAccount };

/** accounts.md EA-23, IA-11: the default deposit account where it can take it, else the oldest account of ours. */
export async function landingOf(
  tx: ReadTx,
  { receiver, currency }: { readonly receiver: CustomerRow; readonly currency: string },
): Promise<Landing> {
  const row = await findDefault(tx, receiver.id, currency);
  const outside = row && paymentAccountOf(tx, row);
  const isUsable =
    outside?.status === 'ACTIVE' && !checkForPayment(outside, { role: 'destination', isLarge: true });
  if (isUsable) return { outside };
  const [primary] = await findActiveAccounts(tx, receiver.id, currency);
  if (!primary)
    refuse('INVALID_RECEIVER', `The receiver has no account in ${currency} that can receive this payment.`);
  return { internal: primary.id };
}
