import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { statusesOf, TRANSACTION_STATUSES, type TransactionType } from '#capabilities/payments/statuses.ts';
import { STATE, USUALLY } from '#capabilities/payments/transactions-guard.sql.ts';
import { violates } from '#foundation/database/failures.ts';
import { rawSql, sql } from '#foundation/database/sql.ts';
import { givenOutside, givenPayer, givenPlatform, givenQuote } from '#tests/given/payments.ts';
import { testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

describe('the table of transactions guards itself (decision 0010)', () => {
  const world = testWorld();
  /** A quote from USD to EUR and one within USD, neither executed. */
  const quotes = { across: '', within: '' };

  before(async () => {
    const platform = await givenPlatform(world);
    const payer = await givenPayer(platform);
    const from = payer.account('USD').id;
    const quoteTo = async (type: 'EUR_ACCOUNT' | 'USD_ACCOUNT') => {
      const to = await givenOutside(platform, payer.id, '999', type);
      const quote = await givenQuote(world, platform, { from, to, send: 10_000n });
      return uuidOf(quote.transactionId);
    };
    quotes.across = await quoteTo('EUR_ACCOUNT');
    quotes.within = await quoteTo('USD_ACCOUNT');
  });

  const refused: [what: string, change: string, constraint: string, of?: keyof typeof quotes][] = [
    ['an unknown kind', "kind = 'GIFT'", 'transactions_kind'],
    ['a version below one', 'version = 0', 'transactions_kind'],
    ['a quote without its id', 'quote_id = null', 'transactions_quote'],
    ['a quote without an expiry', 'expires_at = null', 'transactions_quote'],
    ['a source without an account', 'source_account = null', 'transactions_source'],
    ['a destination without an account', 'destination_account = null', 'transactions_destination'],
    [
      'money.md §1.8: fees as large as the amount sent',
      'service_fee = sending_amount',
      'transactions_amounts',
    ],
    [
      'money.md §1.8: within one currency, more than was sent',
      'receiving_amount = receiving_amount + 1',
      'transactions_amounts',
      'within',
    ],
    ['a platform fee without an account', 'platform_fee = 1, fee_account = null', 'transactions_amounts'],
    [
      'money.md §4.1, §4.2: a status that the direction does not have',
      "status = 'REJECTED'",
      'transactions_status',
    ],
    ['money.md §4.6: a failure without a reason', "status = 'FAILED'", 'transactions_failure'],
    [
      'money.md §4.6: a reason without a failure',
      "failure_reason = 'PAYOUT_RETURNED'",
      'transactions_failure',
    ],
    [
      'money.md §4.6: a failure for a reason of the other direction',
      "status = 'FAILED', failure_reason = 'LNURLP_FAILED'",
      'transactions_failure',
    ],
    ['an unknown pending reason', "pending_reason = 'RAIN'", 'transactions_pending_reason'],
    ['completed, but never settled', "status = 'COMPLETED'", 'transactions_times'],
    ['money taken before it was executed', 'taken_at = now()', 'transactions_times'],
    [
      'money.md §12.4: money in flight for a quote that was not executed',
      'inflight_sent = 5',
      'transactions_inflight',
    ],
    [
      'money.md §12.4: money in flight after the end',
      "status = 'COMPLETED', executed_at = now(), taken_at = now(), settled_at = now(), inflight_sent = 5",
      'transactions_inflight',
    ],
    [
      'a second currency in flight within one',
      'inflight_received_no = 1',
      'transactions_one_currency',
      'within',
    ],
    ['agents.md §5: an approval without an agent', 'approve_by = now()', 'transactions_approval'],
    [
      'agents.md §5.3: an approval after the payment has started',
      'approve_by = now(), agent_id = id, executed_at = now()',
      'transactions_approval',
    ],
    [
      'agents.md §5.3: an approval after the payment has ended',
      "approve_by = now(), agent_id = id, status = 'EXPIRED'",
      'transactions_approval',
    ],
    ['money in flight below zero', 'inflight_sent = -1', 'ledger_balance_range'],
    ['money.md §12.5: a refund that was not started', 'refund_payable = 5', 'transactions_refund_payable'],
    ['a refund reference without a refund', "refund_reference = 'R1'", 'transactions_refund'],
  ];
  for (const [what, change, constraint, of = 'across'] of refused) {
    it(what, async () => {
      const update = sql`update transactions set ${rawSql(change)} where id = ${quotes[of]}`;
      await assert.rejects(world.database.query(update), (error) => violates(error, constraint));
    });
  }

  it('decision 0018: the short condition of ordinary rows accepts no row that the others refuse', async () => {
    const ALL = rawSql(STATE.map(([, condition]) => `(${condition})`).join(' and '));
    const [found] = await world.database.query<{ usual: bigint; wrong: bigint }>(sql`
      select count(*) as usual, count(*) filter (where (${ALL}) is not true) as wrong
        from (
          select *, refund_status as refund_reason, null::text as refund_reference, null::bigint as refund_amount,
                 null::timestamptz as refund_initiated_at, null::timestamptz as refund_settled_at, 0 as refund_payable_no,
                 null::uuid as agent_id, 1 as version, 'EUR' as receiving_currency
            from unnest(array['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED', 'EXPIRED', 'REJECTED']) as status
           cross join unnest(array['OUTGOING', 'INCOMING']) as type
           cross join unnest(array['QUOTE', 'TRANSFER', 'UMA', 'MIRROR']) as kind
           cross join unnest(array['EUR', 'USD']) as sending_currency
           cross join unnest(array[null, 'PENDING']) as refund_status
           cross join unnest(array[null, 'PAYOUT_RETURNED']) as failure_reason
           cross join unnest(array[null, 'COMPLIANCE_REVIEW']) as pending_reason
           cross join unnest(array[null, now()]) as authorize_by
           cross join unnest(array[null, now()]) as approve_by
           cross join unnest(array[null, now()]) as executed_at
           cross join unnest(array[null, now()]) as taken_at
           cross join unnest(array[null, now()]) as settled_at
           cross join unnest(array[null, now()]) as expires_at
           cross join (values (null::uuid), ('00000000-0000-0000-0000-000000000001')) as q (quote_id)
           cross join unnest(array[0, 5]) as inflight_sent
           cross join (values (0, 0), (5, 1), (0, -1)) as i (inflight_received, inflight_received_no)
           cross join unnest(array[0, -1]) as inflight_sent_no
           cross join unnest(array[0, 5]) as refund_payable
           where authorize_by is null or approve_by is null) as new
       where ${rawSql(USUALLY)}`);
    assert.ok((found?.usual ?? 0n) > 50n, 'ordinary rows are among them');
    assert.equal(found?.wrong, 0n);
  });

  it('money.md §12: a transaction is never deleted', async () => {
    await assert.rejects(
      world.database.query(sql`delete from transactions where id = ${quotes.across}`),
      /removed|deleted|kept/i,
    );
    await assert.rejects(world.database.query(sql`truncate transactions`));
  });

  it('accepts a valid change', async () => {
    await assert.rejects(
      world.database.transaction(async (run) => {
        await run(
          sql`update transactions set status = 'EXPIRED', version = version + 1 where id = ${quotes.across}`,
        );
        throw new Error('undone');
      }),
      /undone/,
    );
  });

  /** Whether a row of this type may be in that status, whatever else the row would need. */
  async function isKnown(type: TransactionType, status: string): Promise<boolean> {
    for (const kind of [
      "kind = 'QUOTE'",
      "kind = 'UMA', quote_id = null, expires_at = null, locked_side = null",
    ]) {
      const attempt = world.database.transaction(async (run) => {
        await run(sql`
          update transactions set type = ${type}, status = ${status}, ${rawSql(kind)} where id = ${quotes.across}`);
        throw new Error('undone');
      });
      const error = await attempt.catch((thrown) => thrown);
      if (!violates(error, 'transactions_status')) return true;
    }
    return false;
  }

  for (const type of ['OUTGOING', 'INCOMING'] as const) {
    it(`money.md §4.1, §4.2: ${type} rows have the statuses of the table in statuses.ts, and no other`, async () => {
      const known: string[] = [];
      for (const status of [...TRANSACTION_STATUSES, 'PAID']) {
        if (await isKnown(type, status)) known.push(status);
      }
      assert.deepEqual(known, statusesOf(type));
    });
  }
});
