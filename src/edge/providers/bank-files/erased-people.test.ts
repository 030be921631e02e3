// lane: whole — files of a bank through a whole installation

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, it } from 'node:test';
import { WORDS } from '#app/personal-data.ts';
import { resendFile } from '#capabilities/bank-files/registry.ts';
import { aboutCredit, listBreaks, openBreak } from '#capabilities/connectors/break-store.ts';
import { assignCredit } from '#capabilities/connectors/credits/assign-credit.ts';
import { setOwner } from '#capabilities/connectors/credits/set-owner.ts';
import { closeBreak } from '#capabilities/connectors/registry.ts';
import { destroyKey } from '#capabilities/erasure/destroy-key.ts';
import { openExport } from '#capabilities/erasure/export-customer.ts';
import { previewErasure } from '#capabilities/erasure/preview-erasure.ts';
import { createConnectorClient } from '#edge/providers/connectors/client.ts';
import { ConnectorWorker } from '#edge/providers/connectors/worker.ts';
import { readReferences } from '#foundation/crypto/person-seal.ts';
import { sealContext, sealedColumns } from '#foundation/database/sealed-columns.ts';
import { rawSql, sql } from '#foundation/database/sql.ts';
import { NIL_ID, newUuid } from '#foundation/lib/ids.ts';
import { strangersOf } from '#foundation/person-keys/people.ts';
import { bankStatement } from '#tests/bank-files/bank-writes.ts';
import { fetchAccounts, inCurrency } from '#tests/given/accounts.ts';
import { BANK_IBAN, type FileBank, givenFileBank } from '#tests/given/bank-files.ts';
import { payoutsByConnector } from '#tests/given/connected-payouts.ts';
import { givenCustomer } from '#tests/given/customers.ts';
import { readJournal } from '#tests/given/journal.ts';
import { givenRates } from '#tests/given/rates.ts';
import { testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

const MINUTE = 60;
const DAY = 24 * 60 * MINUTE;
const PAYER = 'Hildegard Quixworth';
const PAYER_IBAN = 'DE89370400440532013000';

describe('what banks and connectors say about people', () => {
  const world = testWorld();
  const at = payoutsByConnector(world);
  let bank: FileBank;
  beforeEach(async () => {
    await givenRates(world);
    bank = await givenFileBank(world, at);
  });

  const connectorId = async (name = bank.name): Promise<string> => {
    const [row] = await world.database.query<{ id: string }>(
      sql`select id from connectors where name = ${name}`,
    );
    return row?.id ?? '';
  };

  /** A customer with an account that has a reference of its own, so that money finds it. */
  async function givenReachable() {
    const { id } = await givenCustomer(at.live);
    const account = inCurrency(await fetchAccounts(at.live, id), 'EUR').id;
    const reference = `FUND-${newUuid().slice(-8).toUpperCase().replaceAll(/[01]/g, 'A')}`;
    await world.database.query(sql`
      update internal_accounts set status = 'ACTIVE', provisioning = 'COMPLETED', reference = ${reference}
       where id = ${uuidOf(account)}`);
    await at.change((tx) =>
      setOwner(tx, { name: bank.name, settlementAccount: 'main', platformId: at.live.id, reason: 'test' }),
    );
    return { customerId: uuidOf(id) as CustomerId, account, reference };
  }

  /** A payout that belongs to the customer before any connector hears of it. */
  async function ordered(customerId: CustomerId): Promise<string> {
    const { reference } = await at.ordered();
    await world.database.query(
      sql`update transactions set customer_id = ${customerId} where id = ${reference}`,
    );
    await world.database.query(sql`
      update connector_orders set customer_id = ${customerId} where transaction_id = ${reference}`);
    await at.rounds();
    return reference;
  }

  const plain = (uuid: string) => uuid.replaceAll('-', '');

  /** The bank pays the order and brings a receipt, all in one statement; the worker compares it with the books. */
  async function stated(
    entries: Parameters<typeof bankStatement>[0]['entries'],
    opening = 0n,
  ): Promise<bigint> {
    const day = new Date(world.clock.now()).toISOString().slice(0, 10);
    const moved = entries.reduce(
      (sum, { amount, side }) => sum + (side === 'CRDT' ? BigInt(amount) : -BigInt(amount)),
      0n,
    );
    const closing = opening + moved;
    const about = { id: `S-${newUuid()}`, iban: BANK_IBAN, day };
    const balances = { opening: opening.toString(), closing: closing.toString() };
    await bank.deliver('statement.xml', bankStatement({ ...about, ...balances, entries }));
    await bank.later(MINUTE, 3);
    await readJournal(world, at.live.id);
    await at.rounds(4);
    await bank.later(MINUTE);
    return closing;
  }

  const receipt = (remittance: string) => ({
    ...{ amount: '5000', side: 'CRDT' as const, reference: `R-${newUuid()}` },
    details: [{ name: PAYER, iban: PAYER_IBAN, remittance }],
  });

  interface Value {
    readonly people: readonly string[];
    /** Undefined if no key opens it. */
    readonly text: string | undefined;
  }

  /** Every value of a column in rows of the connector. */
  async function valuesOf(name: string, of: string): Promise<Value[]> {
    const { vault, personKeys } = world.app.runtime;
    const column = (await sealedColumns(world.database.query)).find(
      ({ table, column: own }) => `${table}.${own}` === name,
    );
    assert.ok(column, name);
    const rows = await world.database.query<Record<string, unknown>>(sql`
      select * from ${rawSql(column.table)} t where t.connector_id = ${of} and ${rawSql(column.column)} is not null`);
    const sealed = rows.map((row) => row[column.column] as Buffer);
    await personKeys.loadFor(sealed);
    return rows.map((row, index) => {
      const value = sealed[index] as Buffer;
      const people = readReferences(value).map(({ person }) => person);
      return { people, text: vault.openKept(value, sealContext(column, row)) };
    });
  }

  /** The columns with what is kept about the customer, and a text that is in each of them. */
  const KEPT: readonly (readonly [column: string, text: string])[] = [
    ['connector_orders.body', 'DE35370400440532013002'],
    ['connector_breaks.resolution_sealed', 'Hildegard called'],
    ['bank_file_orders.content', 'DE35370400440532013002'],
    ['bank_file_batches.bytes', 'DE35370400440532013002'],
    ['bank_file_credits.payer', PAYER_IBAN],
    ['bank_file_events.body', PAYER],
    ['bank_file_statements.content', PAYER],
    ['bank_lines.texts', PAYER],
  ];

  /** A customer with something in all of them, and files of both directions. */
  async function givenKept() {
    const { customerId, reference } = await givenReachable();
    const order = await ordered(customerId);
    await bank.later(DAY);
    const [file] = await bank.collect();
    assert.ok(file);
    const [cents = ''] = /<InstdAmt Ccy="EUR">([0-9.]+)</.exec(file.text)?.slice(1) ?? [];
    await stated([
      {
        ...{ amount: cents.replace('.', ''), side: 'DBIT', reference: 'B-1' },
        details: [{ endToEndId: plain(order), name: 'Grace Hopper' }],
      },
      receipt(`rent ${reference}`),
    ]);
    await bank.deliver('broken.xml', `<Document>${PAYER}`);
    await bank.later(MINUTE);
    assert.equal(bank.alarms.splice(0).length, 1);
    const connector = await connectorId();
    const [credit] = await world.database.query<{ credit_id: string }>(sql`
      select credit_id from connector_credits where connector_id = ${connector} and transaction_id is not null`);
    const id = newUuid() as string;
    const found = { kind: 'DUPLICATE' as const, what: 'It came twice.', platformId: at.live.id };
    const about = aboutCredit(credit?.credit_id ?? '');
    await openBreak(world.database.query, { ...found, about, id, connectorId: connector }, new Date());
    await at.change((tx) => closeBreak(tx, { id, reason: 'Hildegard called' }));
    // Its file is not written yet, so what the order says waits in its row.
    await ordered(customerId);
    return { customerId, connector, order };
  }

  async function copiesIn(area: string): Promise<{ name: string; sealed: Buffer }[]> {
    const names = await bank.names(area);
    return Promise.all(
      names.map(async (name) => ({ name, sealed: await readFile(join(bank.folder, bank.name, area, name)) })),
    );
  }

  /** The copies of files that still open, by their area. */
  async function openCopies(connector: string): Promise<string[]> {
    const { vault, personKeys } = world.app.runtime;
    const open: string[] = [];
    for (const area of ['archive/read', 'quarantine']) {
      for (const { name, sealed } of await copiesIn(area)) {
        await personKeys.loadFor([sealed]);
        const context = `bank_files.kept:${connector}:${name.replace(/\.sealed$/, '')}`;
        if (vault.openKept(sealed, context)?.includes(PAYER)) open.push(area);
      }
    }
    for (const { name, sealed } of await copiesIn('archive')) {
      const context = `bank_files.archive:${connector}:${name.replace(/\.sealed$/, '')}`;
      const { bytes, batch, orders } = JSON.parse(vault.openText(sealed, context));
      assert.ok(batch.name && orders.length > 0, 'a restored database learns of it for good');
      const own = Buffer.from(bytes, 'base64');
      await personKeys.loadFor([own]);
      if (vault.openKept(own, `${context}:bytes`) !== undefined) open.push('archive');
    }
    return open.toSorted();
  }

  it('bank-files.md §5.3, connectors.md §6.7: no report, line, order, file or break about an erased customer opens', async () => {
    const { customerId, connector, order } = await givenKept();
    for (const [column, text] of KEPT) {
      const opened = (await valuesOf(column, connector)).map((value) => value.text ?? '');
      assert.ok(
        opened.some((one) => one.includes(text)),
        `${column} does not say ${text}: ${JSON.stringify(opened)}`,
      );
    }
    assert.deepEqual(await openCopies(connector), ['archive', 'archive/read', 'quarantine']);

    await destroyKey(await at.live.work(), customerId);

    for (const [column, text] of KEPT) {
      const left = (await valuesOf(column, connector)).filter((value) => value.text?.includes(text));
      assert.deepEqual(left, [], column);
    }
    assert.deepEqual(await openCopies(connector), []);
    // The proof of what happened stays.
    const [kept] = await world.database.query<Record<string, unknown>>(sql`
      select o.amount::text as amount, o.content_hash, b.content_hash as file_hash, b.name
        from bank_file_orders o join bank_file_batches b on b.connector_id = o.connector_id and b.id = o.batch_id
       where o.connector_id = ${connector}
         and o.reference = (select r.reference from connector_orders r where r.transaction_id = ${order})`);
    assert.ok(kept?.amount && kept.content_hash && kept.file_hash && kept.name, JSON.stringify(kept));
    const lines = await world.database.query(sql`
      select from bank_lines where connector_id = ${connector} and amount <> 0 and cardinality(reference_hashes) > 0`);
    assert.equal(lines.length, 2);
    // The connector goes on, and a file that cannot be opened is not written again.
    await bank.later(MINUTE);
    const [batch] = await world.database.query<{ id: string }>(sql`
      select id from bank_file_batches where connector_id = ${connector} and status <> 'OPEN'`);
    const again = at.change((tx) => resendFile(tx, { batch: batch?.id ?? '', reason: 'test' }));
    await assert.rejects(again, /content of the file was destroyed/);
  });

  it('customers.md §2.4.26h, §2.4.26i: a preview and an export have every table, and no file of many people', async () => {
    const { customerId } = await givenKept();
    const work = await at.live.work();
    const { parts } = await previewErasure(work, customerId, { words: WORDS, retentionYears: 5 });
    const expected = [
      ...['orders at connectors', 'money reported by connectors', 'contradictions of banks'],
      ...['orders in files for banks', 'files for banks', 'reports out of files', 'money in files of banks'],
      ...['files of banks', 'statements in files of banks', 'lines of banks'],
    ];
    for (const name of expected) {
      const part = parts.find((one) => one.part === name);
      assert.ok(part && part.rows > 0 && part.stays !== '' && part.ground !== '', name);
    }
    const exported = await openExport(work, customerId, { words: WORDS, reason: 'test' });
    const told: Record<string, string> = {};
    for (const { part, rows } of exported.parts) {
      const shown = await Array.fromAsync(rows());
      told[part] = JSON.stringify(shown, (_name, value) =>
        typeof value === 'bigint' ? String(value) : value,
      );
    }
    assert.ok(told['lines of banks']?.includes(PAYER));
    assert.ok(told['contradictions of banks']?.includes('Hildegard called'));
    assert.ok(!(told['files for banks'] ?? assert.fail()).includes('Document'));
    assert.ok(!(told['statements in files of banks'] ?? assert.fail()).includes(PAYER));
  });

  it('bank-files.md §5.3: reports about a stranger have the month’s key until somebody gets the money', async () => {
    const { customerId, account } = await givenReachable();
    await stated([receipt('from nobody known')]);
    const connector = await connectorId();
    const strangers = strangersOf(world.app.runtime.vault, NIL_ID, new Date(world.clock.now()));
    const sealedFor = async () => {
      const columns = ['bank_file_credits.payer', 'bank_lines.texts', 'bank_file_events.body'];
      const found = await Promise.all(columns.map((column) => valuesOf(column, connector)));
      return found.map((values) => values.find(({ text }) => text?.includes(PAYER))?.people);
    };
    assert.deepEqual(await sealedFor(), [[strangers], [strangers], [strangers]]);
    const open = (await listBreaks(world.database.query, 100)).find(
      ({ connector: name, kind }) => name === bank.name && kind === 'THEIRS_UNMATCHED',
    );
    const given = { breakId: open?.id ?? '', accountId: uuidOf(account), reason: 'it is hers' };
    await (await at.live.work()).write((tx) => assignCredit(tx, given));
    await bank.later(MINUTE);
    await at.rounds(2);
    assert.deepEqual(await sealedFor(), [[customerId], [customerId], [customerId]]);
  });

  it('connectors.md §6.7: an event that waits is sealed for the customer of its order, or for strangers', async () => {
    await world.database.query(sql`delete from connector_routes where number = 1`);
    const { customerId } = await givenReachable();
    const transaction = await ordered(customerId);
    const [order] = await world.database.query<{ reference: string }>(sql`
      select reference from connector_orders where transaction_id = ${transaction}`);
    const event = { type: 'NEWS', at: new Date(world.clock.now()).toISOString(), words: PAYER };
    at.bank.list({ ...event, id: 'about-order', reference: order?.reference });
    at.bank.list({ ...event, id: 'about-nobody', reference: newUuid() });
    await at.later(6);
    const connector = await connectorId(at.name);
    const strangers = strangersOf(world.app.runtime.vault, NIL_ID, new Date(world.clock.now()));
    const before = await valuesOf('connector_events.body', connector);
    assert.deepEqual(before.map(({ people }) => people).toSorted(), [[customerId], [strangers]].toSorted());
    await destroyKey(await at.live.work(), customerId);
    const after = await valuesOf('connector_events.body', connector);
    assert.deepEqual(
      after.filter(({ text }) => text === undefined).map(({ people }) => people),
      [[customerId]],
    );
  });

  it('connectors.md §4.6, §6.7: the words of a bank about a failed order stand in no row, and open nowhere', async () => {
    await world.database.query(sql`delete from connector_routes where number = 1`);
    const { customerId } = await givenReachable();
    const connector = await connectorId(at.name);
    const orders = [await ordered(customerId), await ordered(customerId)];
    const reasons = [`${PAYER} closed it`, 'ACCOUNT_INVALID'];
    const found = await world.database.query<{ id: string; transaction_id: string; reference: string }>(sql`
      select id, transaction_id, reference from connector_orders where transaction_id = any(${orders}::uuid[])`);
    for (const { transaction_id: id, reference } of found)
      at.bank.play(reference, 'FAILED', { reason: reasons[orders.indexOf(id)] });
    await at.later(6);
    await at.rounds(2);
    const kept = await world.database.query<{ state: string; reason: string | null; whole: string }>(sql`
      select state, reason, o::text as whole from connector_orders o
       where transaction_id = any(${orders}::uuid[]) order by reason nulls first`);
    const shown = kept.map(({ state, reason }) => [state, reason]);
    assert.deepEqual(shown, [
      ['FAILED', null],
      ['FAILED', 'ACCOUNT_INVALID'],
    ]);
    assert.ok(kept.every(({ whole }) => !whole.includes(PAYER)));
    const written = world.database.query(sql`
      update connector_orders set reason = ${PAYER} where transaction_id = ${orders[0] ?? ''}`);
    await assert.rejects(written, /connector_orders_reason_check/);
    await destroyKey(await at.live.work(), customerId);
    for (const { text } of await valuesOf('connector_events.body', connector))
      assert.ok(!text?.includes(PAYER));
  });

  interface Old {
    readonly connector: string;
    readonly about: string;
    /** Without an order, no customer is known. */
    readonly order?: string;
  }

  /** An event and a resolution as an earlier version stored them. Returns the id of the break. */
  async function givenOld({ connector, about, order }: Old): Promise<string> {
    const id = newUuid() as string;
    const body = world.app.runtime.vault.seal(
      `{"words":"${PAYER}"}`,
      `connector_events.body:${connector}:old`,
    );
    await world.database.query(sql`
      insert into connector_events
        (connector_id, store, event_id, type, at, about, content_hash, body, received_at, applied_at, outcome)
      values (${connector}, 'store', 'old', 'NEWS', now(), ${about}, '', ${body}, now(), now(), 'kept')`);
    await world.database.query(sql`
      insert into connector_breaks
        (id, connector_id, platform_id, order_id, kind, about, what, opened_at, resolved_at, resolution)
      values (${id}, ${connector}, ${order ? at.live.id : null}, ${order ?? null}, 'LOST', ${about}, 'It is lost.',
              now(), now(), 'Hildegard called')`);
    return id;
  }

  /** A worker that has just started. */
  function startedWorker(onFailure: (error: unknown, of: { reference?: string }) => void): ConnectorWorker {
    const { runtime } = world.app;
    return new ConnectorWorker({ runtime, client: createConnectorClient(runtime), onFailure });
  }

  const failsNever = (error: unknown) => assert.fail(String(error));

  it('connectors.md §6.7, §9.5: reports that an earlier version sealed with a data key, or left in clear, are sealed for people', async () => {
    const connector = await connectorId(at.name);
    const id = await givenOld({ connector, about: 'old' });
    await startedWorker(failsNever).round();
    const [event] = await valuesOf('connector_events.body', connector);
    assert.deepEqual([event?.people.length, event?.text?.includes(PAYER)], [1, true]);
    const [row] = await world.database.query<{ resolution: string | null }>(sql`
      select resolution from connector_breaks where id = ${id}`);
    assert.equal(row?.resolution, null);
    const [text] = await valuesOf('connector_breaks.resolution_sealed', connector);
    assert.equal(text?.text, 'Hildegard called');
  });

  it('connectors.md §6.7, §9.5: reports that an earlier version kept about a customer erased since are emptied', async () => {
    await world.database.query(sql`delete from connector_routes where number = 1`);
    const { customerId } = await givenReachable();
    const transaction = await ordered(customerId);
    const [order] = await world.database.query<{ id: string; reference: string }>(sql`
      select id, reference from connector_orders where transaction_id = ${transaction}`);
    assert.ok(order);
    const connector = await connectorId(at.name);
    await destroyKey(await at.live.work(), customerId);
    const id = await givenOld({ connector, about: order.reference, order: order.id });
    await startedWorker(failsNever).round();
    const left = await world.database.query(sql`
      select e.body, b.resolution, b.resolution_sealed from connector_events e cross join connector_breaks b
       where e.connector_id = ${connector} and e.event_id = 'old' and b.id = ${id}`);
    assert.deepEqual(left, [{ body: null, resolution: null, resolution_sealed: null }]);
    // A person sees an event that still waited.
    await world.database.query(sql`
      update connector_events set applied_at = null, outcome = null, due_at = now()
       where connector_id = ${connector} and event_id = 'old'`);
    await at.rounds(2);
    const [event] = await world.database.query(sql`
      select outcome from connector_events where connector_id = ${connector} and event_id = 'old'`);
    assert.deepEqual(event, { outcome: 'malformed' });
    assert.deepEqual(at.failures, []);
  });

  it('connectors.md §6.7: an old event that does not open is reported once, stays as it is, and holds up no other', async () => {
    const connector = await connectorId(at.name);
    const broken = Buffer.concat([Buffer.from([1]), Buffer.alloc(64)]);
    await world.database.query(sql`
      insert into connector_events
        (connector_id, store, event_id, type, at, about, content_hash, body, received_at, applied_at, outcome)
      select ${connector}, 'store', 'broken-' || n, 'NEWS', now(), 'broken-' || n, '', ${broken}, now(), now(), 'kept'
        from generate_series(1, 101) n order by n`);
    await givenOld({ connector, about: 'old' });
    const reported: string[] = [];
    const worker = startedWorker((_error, { reference = '' }) => reported.push(reference));
    for (let i = 0; i < 4; i++) await worker.round();
    const rows = await world.database.query<{ event_id: string; body: Buffer }>(sql`
      select event_id, body from connector_events where connector_id = ${connector} order by seq`);
    const left = rows.filter(({ body }) => body.equals(broken)).map(({ event_id: id }) => id);
    const sealed = rows.filter(({ body }) => body[0] !== 1).map(({ event_id: id }) => id);
    await world.database.query(sql`delete from connector_events where connector_id = ${connector}`);
    assert.deepEqual(sealed, ['old']);
    assert.equal(left.length, 101);
    assert.deepEqual(reported, left);
  });
});
