import { accountNeeded } from '#capabilities/accounts/announcements.ts';
import { activateReadyAccounts, closeAccounts } from '#capabilities/accounts/change-status.ts';
import { accountOwnerName } from '#capabilities/accounts/funding-instructions.ts';
import { openAccounts } from '#capabilities/accounts/open-accounts.ts';
import { eraseFunding, lockLiveAccounts, markWithdrawn } from '#capabilities/accounts/store.ts';
import {
  customerCreated,
  customerCurrenciesChanged,
  customerDeleted,
  customerDeleting,
  customerErased,
  customerStatusChanged,
} from '#capabilities/customers/announcements.ts';
import type { CustomerRow } from '#capabilities/customers/customer-row.ts';
import { findCustomer } from '#capabilities/customers/store.ts';
import { currencyConfigured } from '#capabilities/platform/announcements.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { on, type Subscription } from '#foundation/events/reactions.ts';
import { invalidFields, refuse } from '#foundation/lib/refusals.ts';

/** Updates internal accounts in the same commit as changes of their owner. */
export function accountReactions({ serviceName }: { readonly serviceName: string }): Subscription[] {
  const open = (tx: Tx, customer: CustomerRow | undefined, currencies: readonly string[]) => {
    const email = customer?.email ?? undefined;
    const owner = { customerId: customer?.id, name: accountOwnerName(tx, customer), email, serviceName };
    return openAccounts(tx, owner, currencies);
  };
  return [
    on(currencyConfigured, async (tx, { code }) => {
      await open(tx, undefined, [code]);
    }),
    on(accountNeeded, async (tx, { customerId, currency }) => {
      const customer = customerId === null ? undefined : await findCustomer(tx, customerId);
      await open(tx, customer, [currency]);
    }),
    on(customerCreated, async (tx, { customer, accounts }) => {
      await open(tx, customer, accounts);
    }),
    on(customerCurrenciesChanged, async (tx, { customer, added, dropped }) => {
      await dropCurrencies(tx, customer.id, dropped);
      await open(tx, customer, added);
    }),
    on(customerStatusChanged, async (tx, { customer }) => {
      if (customer.status === 'APPROVED')
        await activateReadyAccounts(tx, await lockLiveAccounts(tx, customer.id));
    }),
    on(customerDeleting, async (tx, { customer }) => closeCustomerAccounts(tx, customer.id)),
    on(customerDeleted, async (tx, { customer }) => markWithdrawn(tx, customer.id)),
    on(customerErased, async (tx, { customer }) => eraseFunding(tx, customer.id)),
  ];
}

/** accounts.md §2.1.7: closes the account in a dropped currency, or refuses if something keeps the account open. */
async function dropCurrencies(tx: Tx, customerId: CustomerId, currencies: readonly string[]): Promise<void> {
  if (currencies.length === 0) return;
  const holding = await closeAccounts(tx, await lockLiveAccounts(tx, customerId, currencies));
  if (holding.length === 0) return;
  const codes = holding.map(({ currency }) => currency).join(', ');
  throw invalidFields([
    {
      field: 'currencies',
      message: `cannot drop ${codes}: the account still holds money, a payment to it has not finished, or a card keeps it open`,
    },
  ]);
}

/** accounts.md §2.2: closes a customer's accounts before its deletion; an account with money prevents that. */
async function closeCustomerAccounts(tx: Tx, customerId: CustomerId): Promise<void> {
  const holding = await closeAccounts(tx, await lockLiveAccounts(tx, customerId));
  if (holding.length === 0) return;
  const codes = holding.map(({ currency }) => currency).join(', ');
  refuse('CONFLICT', `The customer still holds money in ${codes}, or a payment to it has not finished.`);
}
