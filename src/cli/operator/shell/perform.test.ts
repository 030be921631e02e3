// lane: whole — imports large files

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Command } from 'commander';
import { createProgram } from '#cli/main.ts';
import { operationsOf } from '#cli/operator/shell/perform.ts';
import { fullName } from '#cli/options.ts';
import { sql } from '#foundation/database/sql.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { supports } from '#tests/given/accounts.ts';
import { givenCustomer } from '#tests/given/customers.ts';
import { givenOperator, type TestOperator } from '#tests/given/operators.ts';
import { setApprovals } from '#tests/given/proposals.ts';
import type { World } from '#tests/harness/harness.ts';
import { operatorWorld } from '#tests/harness/operator-world.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

const REASON = ['--reason', 'case 4711', '--yes'];
const TAKE = { method: 'POST', path: '/proposals/:proposalId/take' } as const;

/** Changes that no command performs by the operation itself, with the reason: a shell proves nobody’s name. */
const WITHOUT_COMMAND = {
  ...{ addOwnPasskey: 'own passkeys', deleteOwnPasskey: 'own passkeys', endOwnSessions: 'own sessions' },
  approveProposal: 'needs a passkey; the command approves as break-glass',
  rejectProposal: 'needs an operator; the command rejects as the command line, with the same function',
  withdrawProposal: 'needs the maker; the command withdraws for the maker, with the same function',
  ...{ takeProposal: 'needs the maker', showProposalSecret: 'needs the maker' },
  ...{ acknowledgeBreakGlass: 'needs another person', confirmOperator: 'needs another person' },
  ...{ takeWork: 'needs a person', releaseWork: 'needs a person', noteWork: 'needs a person' },
  findRecords: 'a search; the lists search at the command line',
  proveLedger: 'begins a job; the command verifies at once and waits',
};

describe('commands that perform operations', () => {
  const world = operatorWorld();
  const seated = world as unknown as World;
  let admin: TestOperator;
  let maker: TestOperator;
  let other: TestOperator;
  let account: string;
  before(async () => {
    await supports(world.platform, ['EUR']);
    const customer = await givenCustomer(world.platform);
    const { accounts } = JSON.parse(await world.run('customer', 'show', customer.id, '--json'));
    account = accounts[0].id;
    admin = await givenOperator(seated);
    maker = await givenOperator(seated, ['compliance', 'finance']);
    other = await givenOperator(seated, ['compliance', 'finance']);
  });

  const close = (...more: string[]) => ['account', 'close', account, ...REASON, ...more];
  const book = (amount: string, reference: string, ...more: string[]) => [
    ...['deposit', 'book', account, '--amount', amount, '--currency', 'EUR', '--sender', 'Ada'],
    ...['--bank-reference', reference, ...REASON, ...more],
  ];
  const statusOf = async () => JSON.parse(await world.run('account', 'show', account, '--json')).status;
  const propose = async (...more: string[]) =>
    JSON.parse(await world.run(...close('--as', maker.email, '--json', ...more)));
  const take = (who: TestOperator, proposal: { id: string }) => who.call(TAKE, { proposalId: proposal.id });
  const decide = async (proposal: { id: string }, status: string) =>
    world.database.query(sql`
      update proposals set status = ${status}, decided_at = now(), decided_by = 'test', version = version + 1
       where id = ${uuidOf(proposal.id)} and status in ('UNCLAIMED', 'PENDING')`);

  it('operator.md §7.2: every operation that may need a second operator has a command with --as and --break-glass', async () => {
    const all = below(await createProgram());
    const known = new Map(world.app.operatorOperations.map((one) => [one.id, one]));
    for (const command of all.filter((one) => fullName(one) !== 'corridor proposal approve')) {
      const operations = operationsOf(command).map((id) => known.get(id) ?? assert.fail(id));
      const needed = operations.some(({ operator }) => operator?.two !== undefined);
      for (const flag of ['--as', '--break-glass'])
        assert.equal(
          command.options.some(({ long }) => long === flag),
          needed,
          fullName(command),
        );
    }
    const performed = new Set(all.flatMap(operationsOf));
    const without = [...known.values()].filter(({ id, operator }) => operator?.two && !performed.has(id));
    assert.deepEqual(without, []);
  });

  it('operator.md §7.1: every change of the operators’ document is performed by a command, or none is meant to', async () => {
    const performed = new Set(below(await createProgram()).flatMap(operationsOf));
    const changes = world.app.operatorOperations
      .filter(({ route }) => route.startsWith('POST '))
      .map(({ id }) => id)
      .filter((id) => !/^(disclose|searchAll)/.test(id));
    const without = changes.filter((id) => !performed.has(id));
    assert.deepEqual(without.toSorted(), Object.keys(WITHOUT_COMMAND).toSorted());
    const known = new Set(changes);
    assert.deepEqual(
      [...performed].filter((id) => !known.has(id)),
      [],
    );
  });

  it('operator.md §7.1: the audit row of a command names the account and the host', async () => {
    await world.run('account', 'freeze', account, ...REASON.slice(0, 2));
    await world.run('account', 'unfreeze', account, ...REASON.slice(0, 2));
    const [row] = JSON.parse(await world.run('audit', 'list', '--action', 'account freeze', '--json'));
    assert.equal(row.details.via, 'operator:cli');
    assert.ok(row.details.account && row.details.host);
    const [read] = JSON.parse(await world.run('audit', 'list', '--action', 'audit list', '--json'));
    assert.equal(read.details.via, 'operator:cli');
  });

  it('operator.md §7.2: where approvals are required, a command without --as is refused and says what to do', async () => {
    await setApprovals(seated, { approvals: 'required', above: {} });
    await world.assertRefused([
      [close(), 1, /second operator has to approve this: give --as <e-mail>/],
      [close('--as', 'nobody@example.com'), 1, /no operator nobody@example\.com/],
    ]);
    assert.equal(await statusOf(), 'ACTIVE');
  });

  it('operator.md §7.2: with --as it is proposed, and is unclaimed until that operator takes it with a fresh proof', async () => {
    const proposal = await propose();
    assert.deepEqual([proposal.status, proposal.makerId], ['UNCLAIMED', publicId('Operator', maker.id)]);
    assert.equal(await statusOf(), 'ACTIVE');
    const shown = JSON.parse(await world.run('account', 'show', account, '--json'));
    assert.equal(shown.pendingProposals, proposal.id, 'operator.md §5.3: the command names it');
    await world.database.query(sql`update operator_sessions set stepped_up_at = null`);
    assert.equal((await take(maker, proposal)).body.code, 'STEP_UP_REQUIRED');
    await other.stepUp();
    assert.equal((await take(other, proposal)).status, 403, 'somebody else');
    await maker.stepUp();
    const both = await Promise.all([take(maker, proposal), take(maker, proposal)]);
    assert.deepEqual(both.map(({ status }) => status).sort(), [200, 409]);
    const taken = both.find(({ status }) => status === 200);
    assert.deepEqual([taken?.body.status, taken?.body.makerId], ['PENDING', proposal.makerId]);
    await decide(proposal, 'WITHDRAWN');
  });

  it('operator.md §7.2: a proposal that expired cannot be taken', async () => {
    const proposal = await propose();
    await world.database.query(sql`alter table proposals disable trigger proposals_guarded`);
    await world.database.query(sql`
      update proposals set created_at = now() - interval '4 days', expires_at = now() - interval '1 day'
       where id = ${uuidOf(proposal.id)}`);
    await world.database.query(sql`alter table proposals enable trigger proposals_guarded`);
    await maker.stepUp();
    assert.equal((await take(maker, proposal)).body.code, 'PROPOSAL_DECIDED');
  });

  it('operator.md §7.2, §5.7: proposals in the name of a suspended operator are withdrawn', async () => {
    const suspended = await givenOperator(seated, ['compliance']);
    const proposal = JSON.parse(await world.run(...close('--as', suspended.email, '--json')));
    await world.run('operator', 'suspend', suspended.email, ...REASON);
    const [row] = await world.database.query<{ status: string }>(
      sql`select status from proposals where id = ${uuidOf(proposal.id)}`,
    );
    assert.equal(row?.status, 'WITHDRAWN');
    const told = await world.run('audit', 'list', '--resource', proposal.id, '--json');
    assert.match(told, /proposal withdraw[^}]*the operator is SUSPENDED/s);
    await world.assertRefused([
      [close('--as', suspended.email), 1, /is SUSPENDED/],
      [['rates', 'clear', 'EUR', '--reason', 'x', '--as', maker.email], 1, /needs one of the roles treasury/],
    ]);
  });

  it('operator.md §5.1, §7.2: the command line moves alone what one operator may, in a day and in all', async () => {
    await setApprovals(seated, { approvals: 'required', above: { EUR: 1_000 } });
    await world.run(...book('600', 'R1'));
    await world.assertRefused([[book('600', 'R2'), 1, /second operator has to approve/]]);
    await world.run(...book('400', 'R3'));
    assert.equal(
      JSON.parse(await world.run(...book('1', 'R4', '--as', maker.email, '--json'))).status,
      'UNCLAIMED',
    );
  });

  it('operator.md §7.2: --break-glass does it at once, and leaves a row of its own kind and one to acknowledge', async () => {
    await world.assertRefused([
      [book('5000', 'R5', '--break-glass'), 1, /Give --as <e-mail> with --break-glass/],
      [book('5000', 'R5', '--break-glass', '--as', admin.email), 1, /needs one of the roles finance/],
    ]);
    const named = ['--break-glass', '--as', maker.email];
    const { stderr } = await world.hear(...book('5000', 'R5', ...named));
    assert.match(stderr, /done without a second operator/);
    const [used] = JSON.parse(await world.run('audit', 'list', '--action', 'break-glass', '--json'));
    assert.deepEqual([used.details.operation, used.details.about], ['bookDeposit', account]);
    const open = await other.ask('GET', '/console/api/break-glass?open=true');
    const [use] = open.body.data;
    assert.deepEqual([use.operation, use.resource, use.id], ['bookDeposit', account, used.resource]);
    assert.equal(use.operatorId, publicId('Operator', maker.id), 'the operator in whose name it was done');
    const [booked] = JSON.parse(await world.run('audit', 'list', '--action', 'deposit book', '--json'));
    assert.equal(booked.details.isBreakGlass, true);
    const before = open.body.data.length;
    await world.assertRefused([[book('5000', 'R5-wrong').with(4, '0'), 2, /above 0/]]);
    await world.assertRefused([
      [
        [
          'deposit',
          'book',
          account,
          '--amount',
          '1',
          '--currency',
          'USD',
          '--sender',
          'Ada',
          '--bank-reference',
          'R6',
          ...REASON,
          ...named,
        ],
        1,
        /./,
      ],
    ]);
    assert.equal((await other.ask('GET', '/console/api/break-glass?open=true')).body.data.length, before);
    const acknowledge = { method: 'POST', path: '/break-glass/:breakGlassId/acknowledge' } as const;
    assert.equal((await maker.call(acknowledge, { breakGlassId: use.id })).status, 403);
    assert.equal((await other.call(acknowledge, { breakGlassId: use.id })).status, 200);
  });

  it('operator.md §7.2: credentials of production and access of operators need a second operator at the command line, too', async () => {
    const live = ['platform', 'create', '--name', 'Live', '--environment', 'production'];
    const invite = ['operator', 'invite', '--name', 'Eve', '--email', 'eve@example.com', '--role', 'viewer'];
    const why = ['--reason', 'case 4711'];
    await world.assertRefused([
      [live, 1, /second operator has to approve this/],
      [invite, 1, /second operator has to approve this/],
      [['operator', 'roles', maker.email, '--role', 'viewer', ...why], 1, /second operator has to approve/],
      [['operator', 'address', maker.email, ...REASON], 1, /second operator has to approve/],
      [[...invite, ...why, '--as', maker.email], 1, /needs one of the roles admin/],
    ]);
    const proposed = JSON.parse(await world.run(...invite, ...why, '--as', admin.email, '--json'));
    assert.deepEqual([proposed.status, proposed.operation], ['UNCLAIMED', 'inviteOperator']);
    const roles = ['operator', 'roles', maker.email, '--role', 'viewer', ...why, '--as', admin.email];
    const ofRoles = JSON.parse(await world.run(...roles, '--json'));
    const shown = JSON.parse(await world.run('operator', 'show', maker.email, '--json'));
    assert.equal(shown.pendingProposals, ofRoles.id, 'operator.md §5.3: the command names it');
    await decide(ofRoles, 'WITHDRAWN');
    const named = ['--break-glass', '--as', admin.email];
    const { stdout, stderr } = await world.hear(...live, ...why, ...named, '--json');
    assert.match(stderr, /done without a second operator/);
    const { id } = JSON.parse(stdout);
    const settings = ['platform', 'set', id, 'requestRate.perSecond=5'];
    const token = ['token', 'create', '--platform', id];
    await world.assertRefused([
      [settings, 1, /second operator has to approve this/],
      [token, 1, /second operator has to approve this/],
    ]);
    const made = JSON.parse(await world.run(...token, ...why, ...named, '--json'));
    assert.ok(made.clientSecret);
    await world.run('platform', 'set', 'Real', 'requestRate.perSecond=0');
    await world.run('token', 'create', '--platform', 'Real');
  });

  it('operator.md §7.2: with approvals off, commands perform at once', async () => {
    await setApprovals(seated, { approvals: 'off' });
    await world.run(...book('7000', 'R7'));
  });
});

function below(command: Command): Command[] {
  return command.commands.flatMap((child) => [child, ...below(child)]);
}
