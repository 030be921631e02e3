import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { JOURNAL_CHECKS } from '#capabilities/payments/journal-checks.ts';
import { STABLECOIN_CHECKS } from '#capabilities/stablecoins/ledger-checks.ts';
import { type Sql, sql } from '#foundation/database/sql.ts';
import { type LedgerCheck, verifyLedger, violationsIn } from '#foundation/ledger/checks.ts';
import { supports } from '#tests/given/accounts.ts';
import { askMint, givenCoins } from '#tests/given/mints.ts';
import { givenPayer, givenPlatform } from '#tests/given/payments.ts';
import { givenCoin } from '#tests/given/stablecoins.ts';
import { testWorld } from '#tests/harness/harness.ts';
import { findingsAfter } from '#tests/harness/tampering.ts';

describe('the checks of `ledger verify` for coins (stablecoins.md §7)', () => {
  const world = testWorld();
  const afterTampering = (changes: readonly Sql[], checks: readonly LedgerCheck[] = STABLECOIN_CHECKS) =>
    findingsAfter(world.database, changes, checks);

  before(async () => {
    const platform = await givenPlatform(world, { currencies: ['USD'] });
    const coin = await givenCoin(platform, { enabled: true });
    await supports(platform, ['USD', coin.symbol]);
    const payer = await givenPayer(platform, 10_000);
    await givenCoins(platform, coin, 3_000_000n);
    await givenCoins(platform, coin, 2_000_000n, payer.account(coin.symbol).id);
    const fundingSource = { type: 'SVC_INTERNAL_ACCOUNT', accountId: payer.account('USD').id };
    const destination = { accountId: payer.account(coin.symbol).id };
    const { status } = await askMint(platform, coin, { amount: '1000000', fundingSource, destination });
    assert.equal(status, 201);
  });

  it('passes on sound data, and counts the rows that it examined', async () => {
    const findings = await verifyLedger(world.database.query, STABLECOIN_CHECKS);
    assert.deepEqual(violationsIn(findings), []);
    for (const { name, examined } of findings) assert(examined > 0n, name);
  });

  it('money.md §12.12, stablecoins.md §7: finds a mint whose amount differs from its entries, or that has none', async () => {
    const raised = sql`update stablecoin_operations set amount = amount + 10000
      where status = 'COMPLETED' and destination_internal is null`;
    assert.match(
      (await afterTampering([raised])).join('\n'),
      /^money\.md §12\.12: stablecoin .*: 5000000 is issued, and mints less burns are 5010000$/,
    );
    const undone = sql`update stablecoin_operations set status = 'PROCESSING'
      where status = 'COMPLETED' and destination_internal is null`;
    const found = (await afterTampering([undone])).join('\n');
    assert.match(found, /money\.md §12\.12: .*: 5000000 is issued, and mints less burns are 2000000/);
    assert.match(
      found,
      /stablecoins\.md §7, money\.md §11\.L26–11\.L28: operation \S+ of platform \S+: PROCESSING/,
    );
  });

  it('money.md §12.13, money.md §12.15: finds coins that no account holds, and coins without a reserve', async () => {
    const gone = sql`update ledger_balances set balance = balance - 10000 where account like 'ISSUED:%'`;
    const found = (await afterTampering([gone])).join('\n');
    assert.match(found, /money\.md §12\.13: stablecoin .*: 4990000 is issued, and 5000000 is held/);
    assert.match(found, /money\.md §12\.15: stablecoin .*: 4990000 is issued, and the reserve is 500 cents/);
    const taken = sql`update ledger_balances set balance = balance - 1 where account like 'RESERVE:%'`;
    assert.match(
      (await afterTampering([taken])).join('\n'),
      /^money\.md §12\.15: .*the reserve is 499 cents$/,
    );
  });

  it('money.md §12.14: finds that more coins came in than were outside', async () => {
    const { accounts, amounts } = {
      accounts: ['RAIL:SPARK:ACMEUSD', 'SUSPENSE:ACMEUSD'],
      amounts: [3_000_001, -3_000_001],
    };
    const entry = sql`
      insert into ledger_entries (platform_id, seq, id, kind, ordinal, step, accounts, currencies, amounts, account_nos,
                                  balances, created_at, recorded_at)
      select e.platform_id, max(e.seq) + 1, gen_random_uuid(), 'L20', 0, 'L20#0', ${accounts}::text[],
             array['ACMEUSD', 'ACMEUSD'], ${amounts}::bigint[], array[null, null]::bigint[],
             array[null, null]::bigint[], now(), now()
        from ledger_entries e group by e.platform_id`;
    assert.match(
      (await afterTampering([entry])).join('\n'),
      /^money\.md §12\.14: stablecoin .*: -1 are outside$/,
    );
  });

  it('money.md §12.2: finds a hold whose mint is over, and a mint whose hold is gone', async () => {
    const over = sql`update stablecoin_operations set status = 'EXPIRED' where status = 'PENDING_PROVIDER'`;
    const found = (await afterTampering([over], JOURNAL_CHECKS)).join('\n');
    assert.match(found, /^money\.md §12\.2: HOLD:\S+ of platform \S+: 100 is on hold, and 0 should be$/);
    const gone = sql`update ledger_balances set balance = 0 where account like 'HOLD:%'`;
    const without = (await afterTampering([gone], JOURNAL_CHECKS)).join('\n');
    assert.match(without, /^money\.md §12\.2: HOLD:\S+ of platform \S+: 0 is on hold, and 100 should be$/);
  });

  it('money.md §12.9: finds a deleted mint by its entries', async () => {
    const found = await afterTampering([sql`delete from stablecoin_operations`], JOURNAL_CHECKS);
    assert.match(found.join('\n'), /money\.md §12\.9: transaction \S+ of platform \S+ is gone/);
  });
});
