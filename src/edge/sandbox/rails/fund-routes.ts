import { ADA_USD_FUNDED, ADA_USDB_FUNDED, EMMY_USD_FUNDED } from '#capabilities/accounts/examples.ts';
import { presentInternalAccount } from '#capabilities/accounts/present.ts';
import { InternalAccount } from '#capabilities/accounts/schemas.ts';
import { findVisibleAccount } from '#capabilities/accounts/store.ts';
import { findCustomer } from '#capabilities/customers/store.ts';
import { recordDeposit } from '#capabilities/payments/incoming/record-deposit.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import { operation } from '#foundation/http/declare/operation.ts';
import { component, movedAmount } from '#foundation/http/schema.ts';
import { isOwnCurrency } from '#foundation/lib/currencies.ts';
import { EXAMPLE_IDS } from '#foundation/lib/examples.ts';
import { invalidFields, notFound, Refusal } from '#foundation/lib/refusals.ts';

const AMOUNT_MAX = 100_000_000_000;

const SandboxFundRequest = component('SandboxFundRequest', 'Test money for an account.', {
  amount: movedAmount({
    maximum: AMOUNT_MAX,
    description: 'The amount to credit, in the smallest unit of the account’s currency.',
    examples: [100_000],
  }),
});

/** money.md §9.3. */
const fundInternalAccount = operation('sandboxFundInternalAccount', {
  route: 'POST /sandbox/internal-accounts/:accountId/fund',
  area: 'Sandbox',
  summary: 'Fund an internal account',
  description:
    'Credits the account at once, like a deposit, and creates a completed incoming transaction. Works on the ' +
    'accounts of customers, of the platform, and on embedded wallets; not on accounts in a stablecoin of the platform, ' +
    'which are filled by mints.',
  access: 'transact',
  sandboxOnly: true,
  params: { accountId: { id: 'InternalAccount', missing: 'ACCOUNT_NOT_FOUND' } },
  body: SandboxFundRequest,
  reply: InternalAccount,
  codes: ['INVALID_AMOUNT', 'AMOUNT_OUT_OF_RANGE', 'ACCOUNT_NOT_FOUND'],
  examples: {
    'A thousand dollars': {
      params: { accountId: EXAMPLE_IDS.adaUsd },
      body: { amount: 100_000 },
      reply: ADA_USD_FUNDED,
    },
    'The amount of a later payment': {
      params: { accountId: EXAMPLE_IDS.emmyUsd },
      body: { amount: 25_000 },
      reply: EMMY_USD_FUNDED,
    },
    'A wallet': {
      params: { accountId: EXAMPLE_IDS.adaUsdb },
      body: { amount: 20_000_000 },
      reply: ADA_USDB_FUNDED,
    },
  },
  write: (tx, { params, body }) => fund(tx, params.accountId, BigInt(body.amount)),
});

async function fund(tx: Tx, accountId: AccountId, amount: bigint): Promise<InternalAccount> {
  const account = await findVisibleAccount(tx, accountId);
  if (!account) throw notFound('ACCOUNT_NOT_FOUND', 'InternalAccount');
  const problem = fundingProblem(tx, account);
  if (problem !== undefined) throw invalidFields([{ field: 'accountId', message: problem }]);
  const customer = account.customer_id === null ? undefined : await findCustomer(tx, account.customer_id);
  const recorded = await recordDeposit(tx, {
    account: { id: account.id, currency: account.currency, customerId: account.customer_id },
    platformCustomerId: customer?.platform_customer_id,
    amount,
    rail: 'SANDBOX',
  });
  if (recorded instanceof Refusal) throw recorded;
  const after = await findVisibleAccount(tx, accountId);
  if (!after) throw new Error('an account that was just credited is there');
  return presentInternalAccount(tx, after);
}

function fundingProblem(
  { platform }: ReadTx,
  { status, currency }: { status: string; currency: string },
): string | undefined {
  if (isOwnCurrency(currency, platform.ownCurrencies)) {
    return `is in the coin ${currency}, which only mints create; mint coins instead`;
  }
  return status === 'ACTIVE' ? undefined : `is ${status}; only an ACTIVE account can be funded`;
}

export const sandboxFundOperations = [fundInternalAccount];
