import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { AGENT_CHECKS } from '#capabilities/agents/ledger-checks.ts';
import { type Sql, sql } from '#foundation/database/sql.ts';
import { type LedgerCheck, verifyLedger, violationsIn } from '#foundation/ledger/checks.ts';
import { executeAs, givenAgentQuote, sendAs } from '#tests/given/actions.ts';
import { givenConnectedAgent } from '#tests/given/agents.ts';
import { advance, givenOutside, givenPayer, givenPlatform } from '#tests/given/payments.ts';
import { testWorld } from '#tests/harness/harness.ts';
import { findingsAfter } from '#tests/harness/tampering.ts';

describe('the checks of `ledger verify` for agents', () => {
  const world = testWorld();
  const afterTampering = (changes: readonly Sql[], checks: readonly LedgerCheck[] = AGENT_CHECKS) =>
    findingsAfter(world.database, changes, checks);

  before(async () => {
    const platform = await givenPlatform(world);
    const payer = await givenPayer(platform, 10_000);
    const usd = payer.account('USD').id;
    const bank = await givenOutside(platform, payer.id, '999', 'USD_ACCOUNT');
    const agent = await givenConnectedAgent(platform, payer);
    const pay = async () => {
      const quote = await givenAgentQuote(platform, agent, { from: usd, to: bank, send: 1_000 });
      assert.equal((await executeAs(platform, agent, quote.id)).status, 200);
    };
    const policy = (body: object) =>
      platform.send('updateAgentPolicy', { params: { agentId: agent.id }, body });
    await pay();
    await advance(platform, 86_400);
    await pay();
    await policy({ defaultExecutionMode: 'APPROVAL_REQUIRED' });
    await pay();
    const body = { source: { accountId: usd }, destination: { accountId: bank }, amount: 500 };
    for (const end of ['approveAgentAction', 'rejectAgentAction', undefined] as const) {
      const { body: action, raw } = await sendAs(platform, agent, 'agentCreateTransferOut', { body });
      assert.equal(action.status, 'PENDING_APPROVAL', raw);
      const params = { agentId: agent.id, actionId: action.id };
      if (end) assert.equal((await platform.call(end, { params })).status, 200);
    }
  });

  it('agents.md §5.7: passes on sound data, and counts the rows that it examined', async () => {
    const findings = await verifyLedger(world.database.query, AGENT_CHECKS);
    assert.deepEqual(violationsIn(findings), []);
    for (const { name, examined } of findings) assert(examined > 0n, name);
  });

  it('agents.md §4.7: finds an uncounted start, a count without a start, and a different amount', async () => {
    const more = sql`update counters set numerator = numerator + 1 where name like 'AGENT_COUNT:%'`;
    assert.match(
      (await afterTampering([more])).join('\n'),
      /^agents\.md §4\.7: agent .*: 2 is counted, but 1 was started\n.*: 3 is counted, but 2 was started$/,
    );
    const lost = sql`delete from counters where name like 'AGENT_%'`;
    assert.match(
      (await afterTampering([lost])).join('\n'),
      /agents\.md §4\.7: .*: 0 is counted, but 1500 was started/,
    );
    const undone = sql`update agent_actions set status = 'PENDING_APPROVAL' where status = 'APPROVED'`;
    assert.match((await afterTampering([undone])).join('\n'), /: 2 is counted, but 0 was started/);
    const raised = sql`update transactions set sending_amount = sending_amount + 1 where sending_amount = 500`;
    assert.match(
      (await afterTampering([raised])).join('\n'),
      /^agents\.md §4\.7: agent .*: 1500 is counted, but 1501 was started$/,
    );
    const month = sql`update counters set numerator = numerator - 1 where name like 'AGENT_MONTH:%'`;
    assert.match(
      (await afterTampering([month])).join('\n'),
      /^agents\.md §4\.7: agent .*, the month of \S+: 2499 is counted, but its days add up to 2500$/,
    );
  });

  it('agents.md §4.5, §5.3: finds a transaction that waits without an action, and one that was started while it waits', async () => {
    const orphans = sql`update agent_actions set status = 'REJECTED' where status = 'PENDING_APPROVAL'`;
    const found = (await afterTampering([orphans])).join('\n');
    assert.match(found, /agents\.md §4\.5, §5\.3: transaction \S+ of platform \S+: PENDING, with 0 actions/);
    assert.match(found, /agents\.md §5\.3: action .*: TRANSFER_OUT is REJECTED, and its transaction PENDING/);
    const started = sql`update transactions set status = 'PROCESSING' where approve_by is not null`;
    const moved = (await afterTampering([started])).join('\n');
    assert.match(
      moved,
      /agents\.md §4\.5, §5\.3: transaction \S+ of platform \S+: PROCESSING, with 1 actions/,
    );
  });

  it('agents.md §5.3: finds a decided action whose transaction is undecided or gone', async () => {
    const revived = sql`update transactions set status = 'PROCESSING' where status = 'EXPIRED'`;
    assert.match(
      (await afterTampering([revived])).join('\n'),
      /^agents\.md §5\.3: action .*: TRANSFER_OUT is REJECTED, and its transaction PROCESSING$/,
    );
    const gone = sql`delete from transactions where status = 'EXPIRED'`;
    assert.match(
      (await afterTampering([gone])).join('\n'),
      /^agents\.md §5\.3: .*, and its transaction gone$/,
    );
  });
});
