import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { JOURNAL_CHECKS } from '#capabilities/payments/journal-checks.ts';
import { heldWhileWaiting, PAYMENT_CHECKS } from '#capabilities/payments/ledger-checks.ts';
import { type Sql, sql } from '#foundation/database/sql.ts';
import { type LedgerCheck, verifyLedger, violationsIn } from '#foundation/ledger/checks.ts';
import { inCurrency, platformAccounts } from '#tests/given/accounts.ts';
import { givenPlatform } from '#tests/given/payments.ts';
import { askQuote } from '#tests/given/quotes.ts';
import { authorize, givenScaPayer, givenWaiting } from '#tests/given/waiting.ts';
import { testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';
import { findingsAfter } from '#tests/harness/tampering.ts';

describe('checks of entries and events against transactions', () => {
  const world = testWorld();
  const afterTampering = (changes: readonly Sql[], checks: readonly LedgerCheck[] = JOURNAL_CHECKS) =>
    findingsAfter(world.database, changes, checks);

  before(async () => {
    const platform = await world.platform();
    const { id } = inCurrency(await platformAccounts(platform), 'USD');
    const params = { accountId: id };
    assert.equal(
      (await platform.call('sandboxFundInternalAccount', { params, body: { amount: 500 } })).status,
      200,
    );
  });

  it('money.md §12: passes on sound data, and counts the rows that it examined', async () => {
    const findings = await verifyLedger(world.database.query, JOURNAL_CHECKS);
    assert.deepEqual(violationsIn(findings), []);
    for (const { name, examined } of findings) assert(examined > 0n, name);
  });

  it('money.md §12.9: finds a deleted transaction by its entries or by its events alone', async () => {
    const gone = /^money\.md §12\.9: transaction \S+ of platform \S+ is gone$/;
    const deleted = sql`delete from transactions`;
    for (const more of [sql`delete from events`, sql`delete from ledger_entries`]) {
      const [found, ...others] = await afterTampering([deleted, more]);
      assert.match(found ?? '', gone);
      assert.deepEqual(others, []);
    }
  });

  it('money.md §12.6: finds an incoming payment that shows more than was credited', async () => {
    const raised = sql`update transactions set receiving_amount = receiving_amount + 1`;
    const [found] = await afterTampering([raised]);
    assert.match(found ?? '', /^money\.md §12\.6: transaction \S+ of .*: 501 is shown, 500 was credited$/);
  });

  it('customers.md §7.48, money.md §12.9: passes while a real-time quote is authorized and not funded, although no event says so', async () => {
    const platform = await givenPlatform(world);
    const { id: customerId, bank } = await givenScaPayer(platform);
    const asked = await askQuote(platform, { from: { realtime: 'EUR', customerId }, to: bank });
    const { body } = await authorize(platform, asked.body.id);
    assert.equal(body.status, 'PENDING');
    assert.deepEqual(violationsIn(await verifyLedger(world.database.query, PAYMENT_CHECKS)), []);
  });

  describe('for payments that wait for their customer', () => {
    let waiting: { account: string; transactionId: string };

    before(async () => {
      const platform = await givenPlatform(world);
      const payer = await givenScaPayer(platform);
      const { transactionId } = await givenWaiting(platform, payer, { send: 25_000 });
      await authorize(platform, (await givenWaiting(platform, payer)).id);
      waiting = { account: uuidOf(payer.usd), transactionId: uuidOf(transactionId) };
    });

    it('money.md §12.2: finds a waiting payment whose money is not on hold, and an ended one whose money still is', async () => {
      const lost = await afterTampering(
        [
          sql`delete from ledger_entries where transaction_id = ${waiting.transactionId} and kind = 'payment.held'`,
        ],
        [heldWhileWaiting],
      );
      const found = (lines: string[], status: string) =>
        lines.filter((line) => line.includes(waiting.transactionId) && line.endsWith(`: ${status}`));
      assert.equal(found(lost, 'PENDING_AUTHORIZATION').length, 1, lost.join('\n'));
      const over = await afterTampering(
        [
          sql`update transactions set status = 'FAILED', failure_reason = 'SCA_NOT_COMPLETED'
               where id = ${waiting.transactionId}`,
        ],
        [heldWhileWaiting],
      );
      assert.equal(found(over, 'FAILED').length, 1, over.join('\n'));
    });

    it('money.md §12.2: finds money on hold without a waiting payment, or more than its payments hold', async () => {
      const account = `HOLD:${waiting.account}`;
      const [found = '', ...others] = await afterTampering([
        sql`update ledger_balances set balance = balance + 1 where account = ${account}`,
      ]);
      assert.ok(found.startsWith(`money.md §12.2: ${account} of platform `), found);
      assert.ok(found.endsWith(': 25001 is on hold, and 25000 should be'), found);
      assert.deepEqual(others, []);
    });
  });
});
