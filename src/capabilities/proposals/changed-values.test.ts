// lane: whole — proposes and approves on the installation

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { addConnector } from '#capabilities/connectors/registry.ts';
import { setPlatformIn } from '#capabilities/platform/set-platform.ts';
import { stopRates } from '#capabilities/pricing/rate-source/set-rates.ts';
import { upsertRates } from '#capabilities/pricing/rate-source/store.ts';
import { approveProposal } from '#capabilities/proposals/decide-proposal.ts';
import { maskPreview } from '#capabilities/proposals/mask-proposal.ts';
import type { ProposalId } from '#capabilities/proposals/row.ts';
import { changedValues } from '#foundation/audit/changed-values.ts';
import { sql } from '#foundation/database/sql.ts';
import { Work } from '#foundation/database/work.ts';
import { newUuid, publicId } from '#foundation/lib/ids.ts';
import { INSTALLATION, type Platform } from '#foundation/lib/platform.ts';
import { Refusal } from '#foundation/lib/refusals.ts';
import type { Preview } from '#foundation/preview/preview.ts';
import { onInstallation, SHELL } from '#tests/given/operators.ts';
import { type SeatedOperator, seatedOperator, setApprovals } from '#tests/given/proposals.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

describe('previews of changes of settings', () => {
  const world = testWorld();
  let platform: TestPlatform;
  let there: Platform;
  let admin: SeatedOperator;
  let checker: SeatedOperator;
  let treasurer: SeatedOperator;
  let dealer: SeatedOperator;

  before(async () => {
    platform = await world.platform({ environment: 'PRODUCTION' });
    there = (await platform.work()).platform;
    admin = await seatedOperator(world, there, ['admin']);
    checker = await seatedOperator(world, there, ['admin']);
    treasurer = await seatedOperator(world, INSTALLATION, ['treasury']);
    dealer = await seatedOperator(world, INSTALLATION, ['treasury']);
    await setApprovals(world, { approvals: 'required' });
  });

  const works = async ({ id }: SeatedOperator) =>
    id === admin.id ? platform.work() : new Work(world.app.runtime, INSTALLATION, SHELL);
  const approve = async (maker: SeatedOperator, id: string, by: SeatedOperator) =>
    (await works(maker)).write((tx) =>
      approveProposal(tx, world.app.operatorOperations, uuidOf(id) as ProposalId, {
        ...{ by: by.name, operator: by.id, proof: { for: id }, details: {} },
      }),
    );

  /** What a call would change, as its proposal shows it, which is then approved. */
  async function changedBy(
    [maker, second]: readonly [SeatedOperator, SeatedOperator],
    operation: string,
    params: Record<string, string>,
    body: Record<string, unknown>,
  ) {
    const { status, body: proposal } = await maker.call(operation, params, body);
    assert.equal(status, 202, JSON.stringify(proposal));
    assert.equal((await approve(maker, proposal.id, second)).status, 'APPROVED');
    return proposal.preview.values;
  }

  it('operator.md §5.2: settings of a platform are shown before and after, with defaults, and only those that change', async () => {
    const platformId = there.id;
    const settings = { fees: { crossCurrencyBps: 75, fixed: { USD: 25 } }, refuseUnknownFields: false };
    const name = 'Acme Payments';
    assert.deepEqual(await changedBy([admin, checker], 'setPlatform', { platformId }, { name, settings }), [
      { field: 'name', before: there.name, after: name },
      { field: 'settings.fees.crossCurrencyBps', before: 50, after: 75 },
      { field: 'settings.fees.fixed.USD', before: null, after: 25 },
    ]);
    const back = { settings: { fees: { crossCurrencyBps: null } } };
    assert.deepEqual(await changedBy([admin, checker], 'setPlatform', { platformId }, back), [
      { field: 'settings.fees.crossCurrencyBps', before: 75, after: 50 },
    ]);
  });

  it('operator.md §5.2: the address and the routes of a connector are shown before and after', async () => {
    const connector = { name: 'nord', url: 'http://nord.example', reason: 'for the test' };
    await onInstallation(world, (tx) => addConnector(tx, connector));
    const url = 'http://south.example/c';
    assert.deepEqual(await changedBy([treasurer, dealer], 'setConnector', { name: 'nord' }, { url }), [
      { field: 'url', before: 'http://nord.example/', after: url },
    ]);
    const route = { connector: 'nord', number: 7, currency: 'EUR', most: '100000' };
    assert.deepEqual(await changedBy([treasurer, dealer], 'setConnectorRoute', {}, route), [
      { field: 'number', before: null, after: 7 },
      { field: 'connector', before: null, after: 'nord' },
      { field: 'currency', before: null, after: 'EUR' },
      { field: 'most', before: null, after: '100000' },
    ]);
    const wider = { ...route, most: '200000' };
    assert.deepEqual(await changedBy([treasurer, dealer], 'setConnectorRoute', {}, wider), [
      { field: 'most', before: '100000', after: '200000' },
    ]);
    assert.deepEqual(await changedBy([treasurer, dealer], 'removeConnectorRoute', {}, { number: 7 }), [
      { field: 'number', before: 7, after: null },
      { field: 'connector', before: 'nord', after: null },
      { field: 'currency', before: 'EUR', after: null },
      { field: 'most', before: '200000', after: null },
    ]);
  });

  it('operator.md §5.2: roles of an operator are shown before and after', async () => {
    const other = await seatedOperator(world, INSTALLATION, ['viewer']);
    const chiefs = [
      await seatedOperator(world, INSTALLATION, ['admin']),
      await seatedOperator(world, INSTALLATION, ['admin']),
    ] as const;
    const body = { roles: ['support', 'viewer'] };
    assert.deepEqual(await changedBy(chiefs, 'setOperatorRoles', { operatorId: other.id }, body), [
      { field: 'roles', before: ['viewer'], after: ['viewer', 'support'] },
    ]);
  });

  it('operator.md §5.3: records of connectors, operators and breaks name the undecided proposals about them', async () => {
    const connector = { name: 'east', url: 'http://east.example', reason: 'for the test' };
    await onInstallation(world, (tx) => addConnector(tx, connector));
    const moved = await treasurer.call('setConnector', { name: 'east' }, { url: 'http://west.example' });
    const routed = await treasurer.call('setConnectorRoute', {}, { connector: 'east', number: 8 });
    const shown = await treasurer.call('showConnector', { name: 'east' });
    assert.deepEqual(shown.body.pendingProposals, [routed.body.id, moved.body.id]);
    const other = await treasurer.call('showConnector', { name: 'nord' });
    assert.equal(other.body.pendingProposals, undefined);

    const chief = await seatedOperator(world, INSTALLATION, ['admin']);
    const viewer = await seatedOperator(world, INSTALLATION, ['viewer']);
    const roles = await chief.call('setOperatorRoles', { operatorId: viewer.id }, { roles: ['support'] });
    const person = await chief.call('getOperator', { operatorId: viewer.id });
    assert.deepEqual(person.body.pendingProposals, [roles.body.id]);

    const breakId = newUuid();
    await world.database.query(sql`
      insert into connector_breaks (id, connector_id, platform_id, kind, about, what, opened_at)
      select ${breakId}, c.id, ${there.id}, 'LOST', 'for the test', 'nothing', now() from connectors c where name = 'east'`);
    const proposal = newUuid();
    await world.database.query(sql`
      insert into proposals (platform_id, id, version, operation, resource, subject_hash, maker, made_by, content, hash,
                             status, created_at, updated_at, expires_at)
      select ${there.id}, ${proposal}, 1, 'bookBreak', ${publicId('Break', breakId)}, '', ${admin.id}, 'test', '',
             sha256(''), 'PENDING', n.now, n.now, n.now + interval '72 hours'
        from (select ${new Date(world.clock.now())}::timestamptz as now) n`);
    const contradiction = await treasurer.call('showBreak', { breakId });
    assert.deepEqual(contradiction.body.pendingProposals, [publicId('Proposal', proposal)]);
  });

  it('operator.md §5.4: a setting that was replaced meanwhile makes the proposal stale, and the answer shows its present value', async () => {
    const settings = { refuseUnknownFields: true, imports: { rowsMax: 7 } };
    const { body } = await admin.call('setPlatform', { platformId: there.id }, { settings });
    const work = await platform.work();
    await work.write((tx) => setPlatformIn(tx, { settings: { imports: { rowsMax: 9 } } }));
    await assert.rejects(approve(admin, body.id, checker), (error) => {
      assert.ok(error instanceof Refusal && error.code === 'PROPOSAL_STALE');
      const { values } = (error.details as { preview: Preview }).preview;
      assert.deepEqual(values, [
        { field: 'settings.imports.rowsMax', before: 9, after: 7 },
        { field: 'settings.refuseUnknownFields', before: false, after: true },
      ]);
      return true;
    });
  });

  const giveRates = (origin: 'SOURCE' | 'OPERATOR', rates: Readonly<Record<string, string>>) => {
    const now = new Date(world.clock.now());
    const times = { as_of: now, read_at: now, expires_at: new Date(now.getTime() + 3_600_000) };
    const rows = Object.entries(rates).map(([currency, per_usd]) => ({
      currency,
      per_usd,
      origin,
      ...times,
    }));
    return upsertRates(world.database.query, rows);
  };
  const proposeRates = async (perUsd: Readonly<Record<string, string>>) => {
    const { status, body } = await treasurer.call('setRates', {}, { perUsd });
    assert.equal(status, 202, JSON.stringify(body));
    return body;
  };

  it('operator.md §5.4: a rate that the source changed meanwhile does not', async () => {
    await giveRates('SOURCE', { EUR: '0.92' });
    const { id, preview } = await proposeRates({ EUR: '0.95' });
    assert.deepEqual(preview.values, [{ field: 'perUsd.EUR', before: '0.92', after: '0.95' }]);
    await giveRates('SOURCE', { EUR: '0.93' });
    assert.equal((await approve(treasurer, id, dealer)).status, 'APPROVED');
  });

  it('operator.md §5.4: a rate that somebody set meanwhile makes it stale, and so does a stop, which it would end', async () => {
    await giveRates('SOURCE', { MXN: '17.5', BRL: '5.2' });
    const [set, stopped] = [await proposeRates({ MXN: '17.7' }), await proposeRates({ BRL: '5.3' })];
    await giveRates('OPERATOR', { MXN: '17.9' });
    await onInstallation(world, (tx) => stopRates(tx, { currencies: ['BRL'], reason: 'for the test' }));
    for (const [{ id }, before] of [
      [set, '17.9'],
      [stopped, 'stopped'],
    ] as const)
      await assert.rejects(approve(treasurer, id, dealer), (error) => {
        assert.ok(error instanceof Refusal && error.code === 'PROPOSAL_STALE');
        assert.equal((error.details as { preview: Preview }).preview.values?.[0]?.before, before);
        return true;
      });
    const still = await world.database.query(sql`select from stopped_currencies where currency = 'BRL'`);
    assert.equal(still.length, 1);
  });

  it('operator.md §5.2, §5.4: cleared rates are shown, and one that somebody set or stopped meanwhile makes the proposal stale', async () => {
    const stop = (currency: string) =>
      onInstallation(world, (tx) => stopRates(tx, { currencies: [currency], reason: 'for the test' }));
    const proposeClear = async (currency: string) => {
      const { status, body } = await treasurer.call('clearRates', {}, { currencies: [currency] });
      assert.equal(status, 202, JSON.stringify(body));
      return body;
    };
    await giveRates('OPERATOR', { CAD: '1.4', SEK: '10.5', NOK: '10.7' });
    const [same, set, stopped] = [
      await proposeClear('CAD'),
      await proposeClear('SEK'),
      await proposeClear('NOK'),
    ];
    assert.deepEqual(same.preview.values, [{ field: 'currencies.CAD', before: '1.4', after: null }]);
    await giveRates('SOURCE', { CAD: '1.41' });
    await giveRates('OPERATOR', { SEK: '10.6' });
    await stop('NOK');
    for (const [{ id }, before] of [
      [set, ['10.6']],
      [stopped, ['10.7', 'stopped']],
    ] as const)
      await assert.rejects(approve(treasurer, id, dealer), (error) => {
        assert.ok(error instanceof Refusal && error.code === 'PROPOSAL_STALE');
        const { values } = (error.details as { preview: Preview }).preview;
        assert.deepEqual(
          values?.map((value) => value.before),
          before,
        );
        return true;
      });
    const still = await world.database.query(sql`select from stopped_currencies where currency = 'NOK'`);
    assert.equal(still.length, 1);
    assert.equal((await approve(treasurer, same.id, dealer)).status, 'APPROVED');
  });

  it('operator.md §5.2, §5.9: a value is masked as its field is, and one without a word is left out', () => {
    const operation = world.app.operatorOperations.find(({ id }) => id === 'bookDeposit');
    assert.ok(operation);
    const before = { sender: 'Grace Hopper', secretNote: 'blue', amount: 5 };
    const after = { sender: 'Ada Lovelace', secretNote: 'red', amount: 6 };
    const preview = {
      ...{ changes: [], rows: [], entries: [], events: [], jobs: [], amounts: {} },
      values: changedValues(before, after),
    };
    const input = { params: {}, query: {}, body: {} };
    assert.deepEqual(maskPreview(operation, input, preview).values, [
      { field: 'sender', before: 'G. H.', after: 'A. L.' },
      { field: 'secretNote', before: null, after: null },
      { field: 'amount', before: 5, after: 6 },
    ]);
  });

  it('lists of objects are compared member by member, and other lists as a whole', () => {
    const before = { accounts: [{ iban: 'a' }, { iban: 'b' }], codes: ['x'], same: { deep: [1] } };
    const after = { accounts: [{ iban: 'a' }], codes: ['x', 'y'], same: { deep: [1] } };
    assert.deepEqual(changedValues(before, after), [
      { field: 'accounts.1.iban', before: 'b', after: null },
      { field: 'codes', before: ['x'], after: ['x', 'y'] },
    ]);
    assert.deepEqual(changedValues(undefined, { one: 1 }), [{ field: 'one', before: null, after: 1 }]);
    assert.deepEqual(changedValues({ one: { two: 2 } }, { one: 'text' }), [
      { field: 'one', before: { two: 2 }, after: 'text' },
    ]);
  });
});
