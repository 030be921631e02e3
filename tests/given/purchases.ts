import assert from 'node:assert/strict';
import type { CardTransactionRow } from '#capabilities/cards/transaction-row.ts';
import { findRowByToken } from '#capabilities/cards/transaction-store.ts';
import { LEDGER_KINDS, type LedgerKind } from '#foundation/ledger/kinds.ts';
import { fetchAccounts } from '#tests/given/accounts.ts';
import { givenCard } from '#tests/given/cards.ts';
import { givenPayer, type Payer } from '#tests/given/payments.ts';
import type { TestPlatform, World } from '#tests/harness/harness.ts';

/** Purchases with cards, by the sandbox's simulators. */

const PATHS = {
  authorization: 'sandboxSimulateCardAuthorization',
  clearing: 'sandboxSimulateCardClearing',
  authorization_advice: 'sandboxSimulateCardAuthorizationAdvice',
  return: 'sandboxSimulateCardReturn',
  return_reversal: 'sandboxSimulateCardReturnReversal',
  balance_inquiry: 'sandboxSimulateCardBalanceInquiry',
  credit_authorization: 'sandboxSimulateCardCreditAuthorization',
  credit_authorization_advice: 'sandboxSimulateCardCreditAuthorizationAdvice',
  financial_authorization: 'sandboxSimulateCardFinancialAuthorization',
  financial_credit_authorization: 'sandboxSimulateCardFinancialCreditAuthorization',
} as const;
export type SimulatedKind = keyof typeof PATHS;
/** The simulators that take an amount and a merchant. */
export type AskingKind = Exclude<
  SimulatedKind,
  'clearing' | 'authorization_advice' | 'return' | 'return_reversal' | 'balance_inquiry'
>;

export function simulate(
  platform: TestPlatform,
  cardId: string,
  kind: SimulatedKind,
  body: object,
  key?: string,
) {
  return platform.send(PATHS[kind], { params: { id: cardId }, body, ...(key !== undefined && { key }) });
}

/** Runs the work that is due now. */
export async function settle({ app }: Pick<World, 'app'>, platform: TestPlatform): Promise<void> {
  await app.worker.settle(platform.id);
}

/** Sends a message and applies it; returns the row of the network's token. */
export async function simulated(
  world: Pick<World, 'app'>,
  platform: TestPlatform,
  cardId: string,
  kind: SimulatedKind,
  body: object,
): Promise<CardTransactionRow> {
  const reply = await simulate(platform, cardId, kind, body);
  assert.equal(reply.status, 202, reply.raw);
  await settle(world, platform);
  return loadCardTransaction(platform, reply.body.issuerTransactionToken);
}

export function purchaseBody(amount: number, descriptor = 'CORNER BOOKS', merchant: object = {}) {
  return { amount, currency: { code: 'USD' }, merchant: { descriptor, ...merchant } };
}

/** A purchase, or another message with an amount and a merchant. */
export function bought(
  world: Pick<World, 'app'>,
  platform: TestPlatform,
  cardId: string,
  amount: number,
  descriptor?: string,
  kind: AskingKind = 'authorization',
): Promise<CardTransactionRow> {
  return simulated(world, platform, cardId, kind, purchaseBody(amount, descriptor));
}

export async function loadCardTransaction(
  platform: TestPlatform,
  token: string,
): Promise<CardTransactionRow> {
  const work = await platform.work();
  const row = await work.read((tx) => findRowByToken(tx, token));
  assert.ok(row, `no row has the token ${token}`);
  return row;
}

/** The entries posted for a row: `L16 AVAIL→HOLD 1250`, in order. */
export async function postedFor(platform: TestPlatform, { id }: { readonly id: string }): Promise<string[]> {
  const work = await platform.work();
  const lines = await work.read(
    (tx) =>
      tx.sql<{ seq: bigint; kind: LedgerKind; account: string; side: string; amount: bigint }>`
      select l.seq, l.kind, l.account, l.side, l.amount from ledger_lines l
       where l.platform_id = ${tx.platformId} and l.transaction_id = ${id} order by l.seq`,
  );
  const entries = Map.groupBy(lines, ({ seq }) => seq);
  return [...entries.values()].map((entry) => {
    const [first] = entry;
    const on = (side: string) =>
      entry
        .filter((line) => line.side === side)
        .map(({ account, amount }) => `${account.split(':')[0]} ${amount}`)
        .sort()
        .join(' + ');
    return `${first && LEDGER_KINDS[first.kind]} ${on('DEBIT')} → ${on('CREDIT')}`;
  });
}

/** The available and the total balance of a customer's account. */
export async function fetchBalances(
  platform: TestPlatform,
  payer: Payer,
  currency = 'USD',
): Promise<number[]> {
  const account = (await fetchAccounts(platform, payer.id)).find(
    ({ balance }) => balance.currency.code === currency,
  );
  assert.ok(account);
  return [account.balance.amount, account.totalBalance.amount];
}

export interface Cardholder {
  readonly payer: Payer;
  readonly cardId: string;
}

/** A new customer with this balance, and an active card on it. */
export async function givenCardholder(
  platform: TestPlatform,
  cents = 10_000,
  more: object = {},
): Promise<Cardholder> {
  const payer = await givenPayer(platform, cents);
  return { payer, cardId: (await givenCard(platform, payer, more)).id };
}
