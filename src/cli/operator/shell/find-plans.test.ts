import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { SERVICE } from '#app/compose.ts';
import { listCustomerAccounts } from '#capabilities/accounts/store.ts';
import { listActions } from '#capabilities/agents/actions/store.ts';
import { listCustomers } from '#capabilities/customers/routes.ts';
import { listByOperator } from '#capabilities/external-accounts/operator-store.ts';
import { listInvitations } from '#capabilities/invitations/store.ts';
import { listQuotes, pageReceivables, pageSuspended } from '#capabilities/payments/operator/store.ts';
import { listTransactions } from '#capabilities/payments/transactions/list-transactions.ts';
import { listOperations } from '#capabilities/stablecoins/operations/store.ts';
import { listTokenUsage } from '#capabilities/tokens/store.ts';
import { listWallets } from '#capabilities/wallet-auth/wallet-store.ts';
import { pageEvents } from '#edge/webhooks/log-store.ts';
import { type Sql, sql } from '#foundation/database/sql.ts';
import { ReadTx } from '#foundation/database/tx.ts';
import { type Findable, platformIdStatement } from '#foundation/http/resource-platform-store.ts';
import { listNewestLines } from '#foundation/ledger/store.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { execute, givenOutside, givenPayer, givenPlatform, type Payer } from '#tests/given/payments.ts';
import { quoted } from '#tests/given/quotes.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

const FINDABLE: readonly Findable[] = [
  ...(['Customer', 'Transaction', 'Quote', 'InternalAccount', 'Webhook', 'JournalEntry'] as const),
];

describe('the query plans of the operator’s lists', () => {
  const world = testWorld();
  let platform: TestPlatform;
  let payer: Payer;

  before(async () => {
    platform = await givenPlatform(world);
    payer = await givenPayer(platform);
    const to = await givenOutside(platform, payer.id);
    for (let n = 0; n < 5; n++) {
      const quote = await quoted(platform, { from: payer.account('USD').id, to });
      await execute(platform, quote.id);
    }
  });

  const request = { list: 'plans', filters: {}, limit: 20, cursor: undefined };
  const row = <Row>(found: Row) => found;
  const anyTime = { after: undefined, before: undefined };
  const month = { startDate: '2026-01-01T00:00:00Z' };

  const lists: Record<string, [(tx: ReadTx) => Promise<unknown>, RegExp]> = {
    quotes: [
      (tx) => listQuotes(tx, request, { customerId: undefined, ...anyTime }, row),
      /transactions_newest/,
    ],
    wallets: [(tx) => listWallets(tx, request, { customerId: undefined }, row), /internal_accounts_by_type/],
    invitations: [(tx) => listInvitations(tx, request, {}, row), /invitations_listed/],
    'customers by status': [
      (tx) => listCustomers(tx, {}, { request, status: 'HOLD' }),
      /customers_by_status/,
    ],
    'customers by status, deleted ones too': [
      (tx) => listCustomers(tx, { isIncludingDeleted: true }, { request, status: 'HOLD' }),
      /customers_by_status/,
    ],
    'customers by e-mail': [
      (tx) => listCustomers(tx, { email: 'Ada@Example.com' }, { request }),
      /customers_by_email[\s\S]*lower\(email\) = /,
    ],
    'accounts by status': [
      (tx) => listCustomerAccounts(tx, request, { status: 'FROZEN' }, row),
      /internal_accounts_by_status/,
    ],
    'external accounts by status': [
      (tx) => listByOperator(tx, request, { status: 'PENDING', isOwn: false }, row),
      /external_accounts_by_status/,
    ],
    'what agents asked for': [(tx) => listActions(tx, request, {}), /agent_actions_newest/],
    'mints and burns of all coins': [
      (tx) => listOperations(tx, request, {}, row),
      /stablecoin_operations_of_all_coins/,
    ],
    'tokens, revoked ones too': [(tx) => listTokenUsage(tx, request, {}, row), /tokens_ever/],
    'events of a payment': [
      (tx) => pageEvents(tx, request, { resourceId: publicId('Transaction', payer.id) }, row),
      /events_by_resource/,
    ],
    'money in suspense': [(tx) => pageSuspended(tx, request, row), /open_suspense_by_age/],
    debts: [(tx) => pageReceivables(tx, request, row), /open_debts_by_age/],
    'payments by amount in a period': [
      (tx) => listTransactions(tx, month, SERVICE.transactionSources, { request, amount: { units: 1n } }),
      /Index Scan using transactions_newest[^\n]*\n *Index Cond: [^\n]*created_at >= /,
    ],
    'payments by amount of a customer': [
      (tx) =>
        listTransactions(tx, { customerId: payer.id }, SERVICE.transactionSources, {
          request,
          amount: { units: 1n, currency: 'USD' },
        }),
      /transactions_by_customer/,
    ],
  };

  for (const [name, [list, index]] of Object.entries(lists)) {
    it(`${name}: walks an index in the list’s own order`, async () => {
      for (const plan of await explainPlans(list)) {
        if (/\bAggregate\b/.test(plan)) continue;
        assert.match(plan, index, plan);
        assert.doesNotMatch(plan, /Sort {2}|Seq Scan/, plan);
      }
    });
  }

  it('platform.md §12.4: an id is found by one index look-up for each platform', async () => {
    for (const type of FINDABLE) {
      const [plan = ''] = await explainPlans((tx) =>
        tx.query(platformIdStatement(type, payer.id.slice(-36))),
      );
      assert.match(plan, /Index (Only )?Scan using/, plan);
      assert.doesNotMatch(plan, /Seq Scan on (?!platforms)/, plan);
    }
  });

  it('bookings of an account: reads the journal backwards from its end, and no further than the limit', async () => {
    const account = `AVAIL:${uuidOf(payer.account('USD').id)}` as const;
    const [plan = ''] = await explainPlans((tx) => listNewestLines(tx, [account], 20));
    assert.match(
      plan,
      /Incremental Sort[\s\S]*Presorted Key: [\s\S]*Limit[\s\S]*Index Scan Backward using ledger_entries_pkey/,
    );
  });

  /** The query plans of all statements of a list. */
  async function explainPlans(list: (tx: ReadTx) => Promise<unknown>): Promise<string[]> {
    const plans: string[] = [];
    const work = await platform.work();
    await work.write(async (tx) => {
      // Without these settings the planner would read the small tables of a test sequentially.
      for (const kind of ['seqscan', 'bitmapscan', 'sort']) {
        await tx.sql`select set_config(${`enable_${kind}`}, 'off', true)`;
      }
      const explain = async (piece: Sql) => {
        const lines = await tx.query<{ 'QUERY PLAN': string }>(sql`explain ${piece}`);
        plans.push(lines.map((line) => line['QUERY PLAN']).join('\n'));
        return [];
      };
      await list(new ReadTx(tx.runtime, tx.platform, tx.actor, explain));
    });
    assert.ok(plans.length > 0);
    return plans;
  }
});
