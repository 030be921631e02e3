// lane: whole — plants a person in every area, and reads every list and record for every role

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { parse } from 'csv-parse/sync';
import { updateCustomerStatus } from '#capabilities/customers/store.ts';
import { recordBreakGlass } from '#capabilities/proposals/break-glass.ts';
import { openProof } from '#foundation/books/proof-store.ts';
import { readReferences } from '#foundation/crypto/person-seal.ts';
import { sql } from '#foundation/database/sql.ts';
import { Work } from '#foundation/database/work.ts';
import type { OperatorCaller } from '#foundation/http/caller.ts';
import type { NamedOperation } from '#foundation/http/declare/operation.ts';
import { EVERY_ROLE, type OperatorRole } from '#foundation/http/operator-rule.ts';
import { signAllHeads } from '#foundation/journal/heads.ts';
import { newUuid, parseId } from '#foundation/lib/ids.ts';
import { INSTALLATION, type Platform } from '#foundation/lib/platform.ts';
import { Refusal } from '#foundation/lib/refusals.ts';
import { supports } from '#tests/given/accounts.ts';
import { givenCustomer } from '#tests/given/customers.ts';
import { readJournal } from '#tests/given/journal.ts';
import { givenOutside } from '#tests/given/payments.ts';
import { plantConnector } from '#tests/given/planted-connector.ts';
import { givenPlantedPerson, type PlantedPerson, pay, plantedValues } from '#tests/given/planted-person.ts';
import { seatedOperator, setApprovals } from '#tests/given/proposals.ts';
import { givenRates } from '#tests/given/rates.ts';
import { givenEuropean } from '#tests/given/sca.ts';
import { owed } from '#tests/given/second-operator.ts';
import { givenCoin } from '#tests/given/stablecoins.ts';
import type { World } from '#tests/harness/harness.ts';
import { operatorWorld } from '#tests/harness/operator-world.ts';
import { searchFor } from '#tests/harness/planted-search.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';
import { checkReply } from '#tests/harness/reply-check.ts';

const VALUES = plantedValues('Vexlorin', '61');
const SETTINGS = [
  'isRegulatedFinancialInstitution=true',
  'requestLogBodies=true',
  'invitationsConfigured=true',
];

/** Whole values, not the mark: a masked e-mail address keeps its domain. */
const find = searchFor(new Map(Object.entries({ ...VALUES.numbers, ...VALUES.texts })));

/** Bare ids by type. */
type Ids = Map<string, Set<string>>;

/** Path parameters that are no ids, where they are not the planted connector. */
const BY_NAME: Readonly<Record<string, string>> = { account: 'nordbank.main' };

interface Called {
  readonly platform?: Platform;
  readonly params?: Record<string, string>;
  readonly query?: Record<string, unknown>;
  readonly body?: unknown;
  /** Minutes since the operator proved to be present. */
  readonly provedMinutesAgo?: number;
}

describe('lists and records of operators', () => {
  const world = operatorWorld();
  let person: PlantedPerson;
  let platform: Platform;

  before(async () => {
    await world.run('platform', 'set', 'Real', ...SETTINGS);
    await supports(world.platform, ['USD', 'USDB', 'EUR']);
    const coin = await givenCoin(world.platform, { enabled: true });
    await supports(world.platform, ['USD', 'USDB', 'EUR', coin.symbol]);
    const soil = { platform: world.platform, coin, operate: world.run };
    person = await givenPlantedPerson(soil, VALUES);
    const work = await world.platform.work();
    platform = work.platform;
    await givenLocked((await givenEuropean(world.platform)).id);
    const waiting = await givenCustomer(world.platform);
    await work.write((tx) => updateCustomerStatus(tx, uuidOf<'Customer'>(waiting.id as never), 'PENDING'));
    const params = { id: parseId('Customer', person.payer.id) ?? '' };
    await call('support', byId('showCustomers'), { params, platform });
    await givenOpenItems();
    await plantConnector(world.database, platform.id, VALUES.texts.fullName);
    await readJournal(world, platform.id);
    await signAllHeads(world.app.runtime, [platform.id]);
    await givenDecisions();
    await givenRates(world);
  });

  /** A refund that failed, whose money is in suspense, and a debt. */
  async function givenOpenItems(): Promise<void> {
    const to = await givenOutside(world.platform, person.payer.id, '007');
    const { memo: description } = VALUES.texts;
    await pay(world.platform, person.payer.account('USD').id, to, { description }, 4_000);
    await owed(world.platform, uuidOf<'Customer'>(person.payer.id as never));
  }

  /** A proposal with values of the person that waits, one that was refused, a use of break-glass, and a proof of the ledger. */
  async function givenDecisions(): Promise<void> {
    const { runtime } = world.app;
    const seat = { app: world.app, database: world.database, clock: runtime.clock } as unknown as World;
    const [maker, checker] = [
      await seatedOperator(seat, platform, ['finance', 'treasury']),
      await seatedOperator(seat, platform, ['finance']),
    ];
    await setApprovals(seat, { approvals: 'required', above: {} });
    const { bookedSender: sender, depositReference, fullName } = VALUES.texts;
    const accountId = uuidOf(person.payer.account('USD').id);
    for (const bankReference of [depositReference, fullName]) {
      const body = { amount: 900, currency: 'USD', sender, bankReference };
      const { status, body: proposed } = await maker.call('bookDeposit', { accountId }, body);
      assert.equal(status, 202, JSON.stringify(proposed));
      if (bankReference !== fullName) continue;
      const params = { proposalId: uuidOf(proposed.id) };
      assert.equal((await checker.call('rejectProposal', params)).status, 200);
    }
    const used = {
      operation: 'bookDeposit',
      resource: person.payer.id,
      operator: maker.id,
      reason: fullName,
    };
    const actor = { kind: 'operator', id: 'ada@shell' } as const;
    await new Work(runtime, platform, actor).write((tx) => recordBreakGlass(tx, used));
    await new Work(runtime, INSTALLATION, actor).write((tx) =>
      openProof(tx, 'ada@shell', new Date(runtime.clock.now())),
    );
    // The commands of other tests need no second operator.
    await setApprovals(seat, { approvals: 'off' });
  }

  /** A customer whose factor failed too often, so that the list of locked ones has a row. */
  async function givenLocked(customerId: string): Promise<void> {
    for (let i = 0; i < 6; i++) {
      const body = { eventType: 'FAILED_LOGIN_ATTEMPT' as const };
      const { raw, status } = await world.platform.call('recordSecurityEvent', {
        query: { customerId },
        body,
      });
      assert.ok(status < 300, raw);
    }
  }

  const operations = () =>
    world.app.operatorOperations.filter(({ id }) => /^(?:listAll|searchAll|show|disclose)/.test(id));
  const byId = (id: string): NamedOperation => {
    const found = world.app.operatorOperations.find((one) => one.id === id);
    assert.ok(found, id);
    return found;
  };

  async function call(role: OperatorRole, operation: NamedOperation, called: Called = {}) {
    const { provedMinutesAgo = 0, ...rest } = called;
    const caller: OperatorCaller = {
      ...{ kind: 'operator', id: `Operator:${newUuid()}`, roles: [role] },
      platform: called.platform ?? INSTALLATION,
      session: { id: newUuid(), steppedUpAt: new Date(Date.now() - provedMinutesAgo * 60_000) },
    };
    const done = await world.app.perform(operation, { ...rest, caller });
    if (done.stream) return { ...done, body: (await done.stream.toArray()).map(String).join('') };
    checkReply(operation, done.status, JSON.parse(done.body));
    return done;
  }

  const json = async (...given: Parameters<typeof call>) => JSON.parse((await call(...given)).body);
  /** Records in clear, for those who decide by them. They have a test of their own. */
  const CLEAR = ['openReview', 'downloadDocument', 'showAccountStatement'];
  /** Everything that is read by the id of a record, but for records of operators themselves. */
  const recordReads = () =>
    world.app.operatorOperations.filter(({ id, method, params = {} }) => {
      const [param] = Object.values(params);
      const isRecord = param !== undefined && 'id' in param && !['Operator', 'Proposal'].includes(param.id);
      return method === 'GET' && isRecord && !CLEAR.includes(id);
    });
  /** A query with everything that a read needs, and with as many rows as it may have. */
  const queryOf = ({ query }: NamedOperation): Record<string, unknown> => {
    const today = new Date().toISOString().slice(0, 10);
    const asked = { account: 'AVAIL', currency: 'USD', kind: 'AVAIL', from: today, to: today };
    const { properties = {}, required = [] } = (query ?? {}) as { properties?: object; required?: string[] };
    const wide = Object.entries({ view: 'ALL', limit: 100 }).filter(([name]) => name in properties);
    const needed = Object.entries(asked).filter(([name]) => required.includes(name));
    return Object.fromEntries([...needed, ...wide]);
  };
  const lists = () => operations().filter(({ id }) => id.startsWith('listAll'));

  /** Returns the ids of `listedIds`, and those that no list of records has. */
  async function everyId(): Promise<Ids> {
    const ids = await listedIds();
    const entries = await world.database.query<{ id: string; seq: bigint }>(sql`
      select id, seq from ledger_entries order by seq limit 20`);
    ids.set('JournalEntry', new Set(entries.map((entry) => entry.id)));
    ids.set('number', new Set([String(entries[0]?.seq)]));
    for (const [type, list] of [
      ['Operator', 'listOperators'],
      ['Proposal', 'listProposals'],
    ] as const) {
      const { data } = await json('admin', byId(list), { query: { ...queryOf(byId(list)) } });
      ids.set(type, new Set(data.map(({ id }: { id: string }) => uuidOf(id))));
    }
    return ids;
  }

  /** The ids of all rows of all lists, by type. */
  async function listedIds(): Promise<Ids> {
    const ids = new Map<string, Set<string>>();
    for (const list of lists()) {
      const { body } = await call('viewer', list, { query: { limit: 100 } });
      for (const [, type = '', id = ''] of body.matchAll(/"([A-Z][A-Za-z]+):([0-9a-f-]{36})"/g)) {
        ids.set(type, (ids.get(type) ?? new Set()).add(id));
      }
    }
    return ids;
  }

  it('operator.md §10.3: no list and no file of one shows a value of a person, to any role', async () => {
    assert.ok(lists().length >= 20);
    for (const list of lists()) {
      for (const role of EVERY_ROLE) {
        const page = await call(role, list, { query: { limit: 100, count: true } });
        assert.ok(JSON.parse(page.body).data.length > 0, `${list.id} is empty`);
        assert.deepEqual(find(Buffer.from(page.body)), [], `${role} ${list.id}`);
        const file = await call(role, list, { query: { format: 'csv' } });
        assert.equal(file.headers?.['content-type'], 'text/csv; charset=utf-8; header=present');
        assert.deepEqual(find(Buffer.from(file.body)), [], `${role} ${list.id} as a file`);
      }
    }
  });

  /** Every read of operators, whatever it is called, but for those that have a test of their own. */
  const reads = () =>
    world.app.operatorOperations.filter(({ id, method }) => method === 'GET' && !CLEAR.includes(id));

  /** How a read is called: for each known id of its path, and for each kind of work of the role. */
  async function callsOf(read: NamedOperation, role: OperatorRole, ids: Ids): Promise<Called[]> {
    const on = read.operator?.on === 'resource' ? platform : INSTALLATION;
    const [[name = '', param] = []] = Object.entries(read.params ?? {});
    const named = param && 'id' in param ? [...(ids.get(param.id) ?? [])] : [BY_NAME[name] ?? 'nordbank'];
    assert.ok(named.length > 0, `no list has an id for ${read.id}`);
    const number = [...(ids.get('number') ?? [])][0] ?? '';
    const paths: Record<string, string>[] = name === '' ? [{}] : named.map((id) => ({ [name]: id, number }));
    const { kinds } = read.id === 'listWorkItems' ? await json(role, byId('listWork')) : { kinds: [{}] };
    return paths.flatMap((params) =>
      (kinds as { kind?: string }[]).map(({ kind }) => {
        const query = { ...queryOf(read), ...(kind !== undefined && { kind }) };
        return { params, query, platform: on };
      }),
    );
  }

  it('operator.md §10.3: no read shows a value of a person, to any role, and each one answers to some role', async () => {
    const ids = await everyId();
    assert.ok(recordReads().length >= 26);
    for (const read of reads()) {
      const { roles = [] } = read.operator ?? {};
      let answers = 0;
      for (const role of EVERY_ROLE) {
        if (!roles.includes(role)) {
          const called = { params: { id: newUuid() }, platform };
          await assert.rejects(call(role, read, called), { code: 'FORBIDDEN' }, `${role} ${read.id}`);
          continue;
        }
        for (const called of await callsOf(read, role, ids)) {
          const done = await call(role, read, called).catch((error) => {
            // An account that is no wallet, for example.
            if (error instanceof Refusal) return undefined;
            throw error;
          });
          if (!done) continue;
          const told = `${role} ${read.id} ${JSON.stringify(called.params)} ${JSON.stringify(called.query)}`;
          assert.deepEqual(find(Buffer.from(done.body)), [], told);
          // One of them is a file.
          const { data } = done.body.startsWith('{') ? JSON.parse(done.body) : {};
          if (!Array.isArray(data) || data.length > 0) answers++;
        }
      }
      // These callers have neither passkeys nor sessions.
      const isOwn = read.path.startsWith('/operator/');
      assert.ok(answers > 0 || isOwn, `${read.id} shows nothing to anybody`);
    }
  });

  it('operator.md §4.3, §10.3: the statement of an account names counterparties, to finance only', async () => {
    const statement = byId('showAccountStatement');
    const params = { id: parseId('InternalAccount', person.payer.account('USD').id) ?? '' };
    const called = { params, query: queryOf(statement), platform };
    for (const role of EVERY_ROLE.filter((one) => one !== 'finance'))
      await assert.rejects(call(role, statement, called), { code: 'FORBIDDEN' });
    const { body } = await call('finance', statement, called);
    const counterparties = ['bookedSender', 'coinHolder', 'depositReference', 'depositSender', 'holder'];
    const names = [...counterparties, 'merchant', 'memo', 'remittance', 'senderInfo', 'bankReference'];
    const others = find(Buffer.from(body)).filter((name) => !names.includes(name));
    assert.deepEqual(others, []);
  });

  it('operator.md §6.2: a record that does not exist, or is another platform’s, is not found', async () => {
    const ids = await listedIds();
    const foreign = (await (await world.another('Foreign')).work()).platform;
    for (const show of recordReads()) {
      const [param] = Object.values(show.params ?? {});
      const type = param && 'id' in param ? param.id : '';
      // What belongs to the installation is no other platform's.
      if (type === 'Platform' || show.operator?.on !== 'resource') continue;
      const some = [...(ids.get(type) ?? [])].slice(0, 1);
      for (const id of [newUuid(), ...some]) {
        const called = { params: { id }, query: queryOf(show), platform: foreign };
        await assert.rejects(call('finance', show, called), { status: 404 }, `${show.id} ${id}`);
      }
    }
  });

  it('operator.md §4.2: a search by a whole value finds the record, masks it, and keeps a keyed hash of the value', async () => {
    const search = byId('searchAllCustomers');
    const { email } = VALUES.texts;
    const found = await json('support', search, { body: { email } });
    assert.deepEqual(
      found.data.map(({ customer }: { customer: string }) => customer),
      [person.payer.id],
    );
    assert.deepEqual((await json('support', search, { body: { email: email.slice(1) } })).data, []);
    const rows = await world.database.query<{ term_hash: Buffer; fields: string[] }>(sql`
      select term_hash, fields from record_reads where kind = 'SEARCH' order by at, id`);
    assert.equal(rows.length, 2);
    assert.deepEqual(rows[0]?.fields, ['email']);
    assert.notDeepEqual(rows[0]?.term_hash, rows[1]?.term_hash);
    assert.equal(find(Buffer.from(JSON.stringify(rows))).length, 0);
    await assert.rejects(call('support', search, { body: {} }), { code: 'INVALID_INPUT' });
  });

  it('operator.md §10.3, §4.2: a search by a value of a person masks what it finds, to every role', async () => {
    const found = new Set<string>();
    for (const search of world.app.operatorOperations.filter(({ path }) => path.endsWith('/search'))) {
      const { properties = {} } = search.body as unknown as { properties?: Record<string, unknown> };
      for (const field of Object.keys(properties)) {
        for (const value of Object.values({ ...VALUES.texts, ...VALUES.numbers })) {
          const asked = { body: { [field]: value }, query: { limit: 100 } };
          const done = await call('viewer', search, asked).catch((error) => {
            // A name is no e-mail address.
            if (error instanceof Refusal && error.status === 400) return undefined;
            throw error;
          });
          if (!done) continue;
          assert.deepEqual(find(Buffer.from(done.body)), [], `${search.id} ${field} ${value}`);
          if (JSON.parse(done.body).data.length === 0) continue;
          found.add(search.id);
          for (const role of EVERY_ROLE)
            assert.deepEqual(
              find(Buffer.from((await call(role, search, asked)).body)),
              [],
              `${role} ${search.id}`,
            );
        }
      }
    }
    for (const id of ['searchAllCustomers', 'findRecords']) assert.ok(found.has(id), id);
  });

  it('operator.md §4.2: one field is shown for a reason, to the roles that have it, and it is recorded', async () => {
    const disclose = byId('discloseCustomersField');
    const params = { id: parseId('Customer', person.payer.id) ?? '' };
    const body = { field: 'email', reason: 'case 4711 of Ada' };
    const asked = { params, platform, body };
    assert.deepEqual(await json('support', disclose, asked), { field: 'email', value: VALUES.texts.email });
    const [row] = await world.database.query<{ resource: string; fields: string[]; reason: Buffer }>(sql`
      select resource, fields, reason from record_reads where kind = 'FIELD'`);
    assert.deepEqual([row?.resource, row?.fields], [person.payer.id, ['email']]);
    assert.ok(!row?.reason.includes('4711'));
    const nested = { ...asked, body: { ...body, field: 'address.line1' } };
    assert.equal((await json('compliance', disclose, nested)).value, VALUES.texts.street);
    for (const role of ['viewer', 'treasury', 'finance', 'admin'] as const) {
      await assert.rejects(call(role, disclose, asked), { code: 'FORBIDDEN' });
    }
    await assert.rejects(call('support', disclose, { ...asked, provedMinutesAgo: 6 }), {
      code: 'STEP_UP_REQUIRED',
    });
    for (const field of ['address', 'nothing', 'constructor', 'accounts', 'accounts.0']) {
      await assert.rejects(call('support', disclose, { ...asked, body: { ...body, field } }), {
        code: 'INVALID_INPUT',
      });
    }
    const listed = JSON.parse(
      await world.run('audit', 'list', '--reads', '--resource', person.payer.id, '--json'),
    );
    const fields = listed.filter(({ kind }: { kind: string }) => kind === 'FIELD');
    assert.deepEqual(
      fields.map(({ fields, reason }: { fields: string; reason: string }) => [fields, reason]),
      [
        ['address.line1', 'case 4711 of Ada'],
        ['email', 'case 4711 of Ada'],
      ],
    );
    assert.ok(listed.some(({ kind }: { kind: string }) => kind === 'PAGE'));
  });

  it('operator.md §4.2: the reason is sealed for the customer to whom the record belongs', async () => {
    const ids = await listedIds();
    const found = await world.database.query<{ id: string }>(sql`select id from customers`);
    const customers = new Set(found.map(({ id }) => id));
    const owned = ['Customer', 'InternalAccount', 'ExternalAccount', 'Transaction', 'Quote', 'Card', 'Agent'];
    for (const type of [...owned, 'AgentAction']) {
      const disclosures = operations().filter(({ id, params = {} }) => {
        const isOfType = Object.values(params).some((one) => 'id' in one && one.id === type);
        return isOfType && id.startsWith('disclose');
      });
      const sealedFor: string[] = [];
      for (const id of ids.get(type) ?? []) {
        for (const disclose of disclosures) {
          const [role = 'support'] = disclose.operator?.roles ?? [];
          const body = { field: 'id', reason: `case of ${id}` };
          // Some records are another platform's, and not every account is a wallet.
          await call(role, disclose, { params: { id }, platform, body }).catch((refused: unknown) =>
            assert.ok(refused instanceof Refusal),
          );
        }
        const rows = await world.database.query<{ reason: Buffer }>(sql`
          select reason from record_reads where kind = 'FIELD' and resource = ${`${type}:${id}`}`);
        sealedFor.push(...rows.flatMap(({ reason }) => readReferences(reason).map(({ person }) => person)));
      }
      assert.ok(
        sealedFor.some((person) => customers.has(person)),
        type,
      );
    }
  });

  it('operator.md §5.1, §6.5: what waits about a break or a use of break-glass has the customer behind it', async () => {
    const [use] = await world.database.query<{ customer: string }>(sql`
      with used as (
        insert into break_glass_uses (id, platform_id, operation, resource, made_by, created_at)
        values (${newUuid()}, ${platform.id}, 'settlePayment', ${person.payer.id}, 'test', now()) returning platform_id, resource)
      select customer_of_resource(platform_id, resource) as customer from used`);
    assert.equal(use?.customer, parseId('Customer', person.payer.id));
    const breaks = await world.database.query<{
      customer: string | null;
      expected: string | null;
      used: string | null;
    }>(sql`
      select customer_of_resource(${INSTALLATION.id}, 'Break:' || b.id) as customer, t.customer_id as expected,
             (select customer_of_resource(${INSTALLATION.id}, 'BreakGlass:' || u.id) from break_glass_uses u limit 1) as used
        from connector_breaks b
        join connector_orders o on o.platform_id = b.platform_id and o.id = b.order_id
        join transactions t on t.platform_id = o.platform_id and t.id = o.transaction_id`);
    assert.deepEqual(
      breaks.map(({ customer, used }) => [customer, used]),
      [[breaks[0]?.expected, use?.customer]],
    );
    assert.ok(breaks[0]?.expected, 'the planted order is a customer’s');
  });

  it('operator.md §4.2: nobody changes or removes a row about who looked', async () => {
    for (const change of [
      sql`update record_reads set actor_id = 'nobody'`,
      sql`delete from record_reads`,
      sql`truncate record_reads`,
    ]) {
      await assert.rejects(world.database.query(change), /append-only/);
    }
  });

  it('operator.md §6.2: pages go over all platforms, a cursor fits its list alone, and a count stops at 10,000', async () => {
    const other = await world.another('Other');
    await other.call('createToken', { body: { name: 'x', permissions: ['VIEW'] } });
    const list = byId('listAllCustomers');
    const all = await json('viewer', list, { query: { limit: 100, count: true } });
    assert.equal(all.totalCount, all.data.length);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await json('viewer', list, { query: { limit: 1, ...(cursor && { cursor }) } });
      seen.push(...page.data.map(({ customer }: { customer: string }) => customer));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    assert.deepEqual(
      seen,
      all.data.map(({ customer }: { customer: string }) => customer),
    );
    const first = await json('viewer', list, { query: { limit: 1 } });
    for (const query of [{ type: 'BUSINESS' }, { platform: platform.id }]) {
      await assert.rejects(call('viewer', list, { query: { ...query, cursor: first.nextCursor } }), {
        code: 'INVALID_INPUT',
      });
    }
    const own = await json('viewer', list, { query: { platform: platform.id } });
    assert.ok(own.data.every((row: { platformName: string }) => row.platformName === 'Real'));
    await assert.rejects(call('viewer', list, { query: { platform: newUuid() } }), { code: 'INVALID_INPUT' });
  });

  it('operator.md §6.2: a file has a line for every row, and needs a fresh proof of presence', async () => {
    const list = byId('listAllInternalAccounts');
    const query = { format: 'csv' };
    const { body } = await call('finance', list, { query });
    const rows = parse(body, { columns: true }) as Record<string, string>[];
    const { totalCount } = await json('finance', list, { query: { count: true } });
    assert.equal(rows.length, totalCount);
    assert.match(rows[0]?.available ?? '', /^\d+$/);
    assert.match(rows[0]?.availableCurrency ?? '', /^[A-Z]+$/);
    await assert.rejects(call('finance', list, { query, provedMinutesAgo: 6 }), { code: 'STEP_UP_REQUIRED' });
    const [row] = await world.database.query<{ resource: string }>(sql`
      select resource from record_reads where kind = 'EXPORT' order by at desc, id desc`);
    assert.equal(row?.resource, 'internal-accounts');
  });
});
