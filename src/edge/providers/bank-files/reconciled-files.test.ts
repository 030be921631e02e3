// lane: whole — files of a bank through a whole installation

import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { listBreaks } from '#capabilities/connectors/break-store.ts';
import { bookOrder } from '#capabilities/connectors/credits/book-order.ts';
import { setOwner } from '#capabilities/connectors/credits/set-owner.ts';
import { bookLine } from '#capabilities/reconciliation/book-line.ts';
import { findProof } from '#capabilities/reconciliation/proof-store.ts';
import { destroyOldTexts } from '#capabilities/reconciliation/purge.ts';
import { destroyContents, destroyTexts } from '#capabilities/reconciliation/statement-store.ts';
import { type Sql, sql } from '#foundation/database/sql.ts';
import { Work } from '#foundation/database/work.ts';
import { INSTALLATION } from '#foundation/lib/platform.ts';
import { type BankEntry, bankStatement } from '#tests/bank-files/bank-writes.ts';
import { BANK_IBAN, type FileBank, givenFileBank } from '#tests/given/bank-files.ts';
import { payoutsByConnector } from '#tests/given/connected-payouts.ts';
import { readJournal } from '#tests/given/journal.ts';
import { givenRates } from '#tests/given/rates.ts';
import { testWorld } from '#tests/harness/harness.ts';

const MINUTE = 60;
const DAY = 24 * 60 * MINUTE;

describe('statements that a bank sends as files', () => {
  const world = testWorld();
  const at = payoutsByConnector(world);
  let bank: FileBank;
  beforeEach(async () => {
    await givenRates(world);
    bank = await givenFileBank(world, at);
  });

  /** Payouts whose file the bank has taken away, with what the file says of them. */
  async function written(count: number) {
    for (let index = 0; index < count; index++) await at.ordered();
    await at.rounds();
    await bank.later(DAY);
    const [file] = await bank.collect();
    assert.ok(file);
    const idOf = (name: string) => new RegExp(`<${name}>([0-9a-f]{32})<`).exec(file.text)?.[1] ?? '';
    const orders = [
      ...file.text.matchAll(/<EndToEndId>([0-9a-f]{32})<.*?<InstdAmt Ccy="EUR">([0-9.]+)</g),
    ].map(([, endToEndId = '', amount = '']) => ({ endToEndId, cents: BigInt(amount.replace('.', '')) }));
    assert.equal(orders.length, count);
    return { orders, messageId: idOf('MsgId'), paymentInformationId: idOf('PmtInfId') };
  }

  /** The bank sends the statement of today, which begins at zero; the worker compares it with the books. */
  async function closed(entries: readonly BankEntry[]): Promise<void> {
    const day = new Date(world.clock.now()).toISOString().slice(0, 10);
    const closing = entries.reduce(
      (sum, { amount, side }) => (side === 'CRDT' ? sum + BigInt(amount) : sum - BigInt(amount)),
      0n,
    );
    const about = { id: `S-${bank.name}`, iban: BANK_IBAN, day, opening: '0', closing: closing.toString() };
    await bank.deliver('statement.xml', bankStatement({ ...about, entries }));
    await bank.later(MINUTE);
    await readJournal(world, at.live.id);
    await at.rounds(4);
    assert.deepEqual(bank.alarms, []);
  }

  async function proven() {
    const [row] = await world.database.query<{ id: string }>(
      sql`select id from connectors where name = ${bank.name}`,
    );
    const connector_id = row?.id ?? '';
    const proof = await findProof(
      world.database.query,
      { connector_id, settlement_account: 'main' },
      undefined,
    );
    const breaks = (await listBreaks(world.database.query, 100)).filter(
      ({ connector }) => connector === bank.name,
    );
    const matches = await world.database.query<{ lines: bigint }>(sql`
      select count(*) as lines from bank_ours
       where connector_id = ${connector_id} and match is not null group by match order by match`);
    return {
      ...{ isProven: proof?.is_proven, difference: proof && proof.ours - proof.closing },
      breaks: breaks.map(({ kind }) => kind),
      matches: matches.map(({ lines }) => Number(lines)),
    };
  }

  const WHOLE = { isProven: true, difference: 0n, breaks: [] };

  for (const named of ['paymentInformationId', 'messageId'] as const) {
    it(`bank-files.md §6.1: one line of a whole file, named by its ${named}, matches the lines of all its orders`, async () => {
      const { orders, ...ids } = await written(3);
      const amount = orders.reduce((sum, { cents }) => sum + cents, 0n).toString();
      const entry = { amount, side: 'DBIT', reference: `B-${named}` } as const;
      await closed([{ ...entry, batch: { [named]: ids[named] } }]);
      assert.deepEqual(await proven(), { ...WHOLE, matches: [3] });
    });
  }

  it('bank-files.md §6.1, §7.1: lines of single orders that also name their file match each its own order', async () => {
    const { orders, paymentInformationId } = await written(2);
    await closed(
      orders.map(({ endToEndId, cents }, index) => ({
        ...{ amount: cents.toString(), side: 'DBIT', reference: `E-${index}` },
        ...{ batch: { paymentInformationId }, details: [{ endToEndId }] },
      })),
    );
    assert.deepEqual(await proven(), { ...WHOLE, matches: [1, 1] });
    const wrong = await world.database.query(sql`
      select o.entry_id
        from bank_ours o
        join bank_lines t on t.match = o.match
        join connectors c on c.id = o.connector_id and c.name = ${bank.name}
       where (select count(*) from unnest(t.reference_hashes) h where h = any(o.reference_hashes)) <> 1`);
    assert.deepEqual(wrong, []);
  });

  it('bank-files.md §4.5, §6.1: a payout that one statement has as paid and as returned is booked twice, and both lines match', async () => {
    const { orders } = await written(1);
    const [{ endToEndId, cents } = { endToEndId: '', cents: 0n }] = orders;
    const entry = { amount: cents.toString(), details: [{ endToEndId }] };
    const paid = { ...entry, side: 'DBIT', reference: 'E-1' } as const;
    const back = {
      ...entry,
      side: 'CRDT',
      reference: 'E-2',
      details: [{ endToEndId, returned: 'AC04' }],
    } as const;
    await closed([back, paid]);
    assert.deepEqual(await proven(), { ...WHOLE, matches: [1, 1] });
  });

  it('bank-files.md §6.5, connectors.md §9.6: a break about an order in a file is booked as the bank says', async () => {
    const { orders } = await written(1);
    const [{ endToEndId, cents } = { endToEndId: '', cents: 0n }] = orders;
    const entry = { amount: (cents - 1n).toString(), details: [{ endToEndId }] };
    await closed([{ ...entry, side: 'DBIT', reference: 'E-1' }]);
    const [found] = (await listBreaks(world.database.query, 100)).filter(
      ({ connector, kind }) => connector === bank.name && kind === 'AMOUNT_DIFFERS',
    );
    assert.equal(found?.about.replaceAll('-', ''), endToEndId);
    const row = await (await at.live.work()).write((tx) =>
      bookOrder(tx, { breakId: found?.id ?? '', outcome: 'settled', reason: 'the bank kept a cent' }),
    );
    assert.deepEqual([row.status, found?.transaction_id], ['COMPLETED', row.id]);
  });

  for (const isFetchedBetween of [true, false]) {
    const when = isFetchedBetween ? 'before' : 'after';
    it(`bank-files.md §5.2, §7.1: a bank sends a day again, with more lines; the worker fetched ${when} that, and each line counts once`, async () => {
      const { orders } = await written(2);
      const entries = orders.map(({ endToEndId, cents }, index) => ({
        ...{ amount: cents.toString(), side: 'DBIT' as const, details: [{ endToEndId }] },
        ...(index === 1 && { reference: 'E-1' }),
      }));
      const day = new Date(world.clock.now()).toISOString().slice(0, 10);
      const about = { iban: BANK_IBAN, day, opening: '0' };
      const closing = (count: number) =>
        (-entries.slice(0, count).reduce((sum, { amount }) => sum + BigInt(amount), 0n)).toString();
      const first = bankStatement({
        ...about,
        ...{ id: `S-${bank.name}-1`, entries: entries.slice(0, 1), closing: closing(1) },
      });
      // The newest entry first, as some banks write them.
      const second = { id: `S-${bank.name}-2`, entries: entries.toReversed(), closing: closing(2) };
      const received = async () => {
        await bank.later(MINUTE);
        await readJournal(world, at.live.id);
        await at.rounds(4);
      };
      await bank.deliver('1.xml', first);
      if (isFetchedBetween) await received();
      await bank.deliver('2.xml', bankStatement({ ...about, ...second }));
      await received();
      assert.deepEqual(bank.alarms, []);
      assert.deepEqual(await proven(), { ...WHOLE, matches: [1, 1] });
    });
  }

  const KEPT_DAYS = 400;

  /** Reads the remaining texts of the lines and of the statement, by the side of the line. */
  async function kept() {
    const lines = await world.database.query<{ side: string; texts: boolean; hashes: bigint }>(sql`
      select case when l.amount > 0 then 'CREDIT' else 'DEBIT' end as side, l.texts is not null as texts,
             cardinality(l.reference_hashes) as hashes
        from bank_lines l join connectors c on c.id = l.connector_id and c.name = ${bank.name}
       order by side`);
    assert.ok(lines.every(({ hashes }) => hashes > 0n));
    const [statement] = await world.database.query<{ content: boolean }>(sql`
      select s.content is not null as content
        from bank_file_statements s join connectors c on c.id = s.connector_id and c.name = ${bank.name}`);
    return {
      ...Object.fromEntries(lines.map(({ side, texts }) => [side, texts])),
      statement: statement?.content,
    };
  }

  it('bank-files.md §5.3: texts of lines and statements are destroyed after the days of the setting, but not those of open breaks', async () => {
    await at.change((tx) =>
      setOwner(tx, {
        ...{ name: bank.name, settlementAccount: 'main' },
        ...{ platformId: at.live.id, reason: 'test' },
      }),
    );
    const { orders } = await written(1);
    const [order] = orders;
    assert.ok(order);
    const day = new Date(world.clock.now()).toISOString().slice(0, 10);
    const about = {
      id: `S-${bank.name}`,
      iban: BANK_IBAN,
      day,
      opening: '0',
      closing: (500n - order.cents).toString(),
    };
    const entries: BankEntry[] = [
      {
        ...{ amount: order.cents.toString(), side: 'DBIT', reference: 'B-1' },
        details: [{ endToEndId: order.endToEndId, name: 'Grace Hopper' }],
      },
      {
        ...{ amount: '500', side: 'CRDT', reference: 'B-2', family: 'OTHR', reversal: true },
        details: [{ name: 'Hildegard Holm', remittance: 'from Hildegard', returned: 'AC04' }],
      },
    ];
    await bank.deliver('statement.xml', bankStatement({ ...about, entries }));
    await bank.later(MINUTE);
    await readJournal(world, at.live.id);
    await at.rounds(4);
    const destroy = async () => {
      const work = new Work(world.app.runtime, INSTALLATION, { kind: 'worker', id: 'test' });
      for (const task of destroyOldTexts(KEPT_DAYS)) await task.run(work);
    };
    await destroy();
    assert.deepEqual(await kept(), { DEBIT: true, CREDIT: true, statement: true });

    world.clock.advance((KEPT_DAYS + 2) * DAY * 1_000);
    await destroy();
    assert.deepEqual(await kept(), { DEBIT: false, CREDIT: true, statement: false });
    assert.equal((await proven()).isProven, true);
    const [found] = (await listBreaks(world.database.query, 100)).filter(
      ({ connector }) => connector === bank.name,
    );
    const breakId = found?.id ?? assert.fail('no break is open');
    await (await at.live.work()).write((tx) => bookLine(tx, { breakId, as: 'WRITE_OFF', reason: 'test' }));
    await destroy();
    assert.deepEqual(await kept(), { DEBIT: false, CREDIT: false, statement: false });
    // The same statement in another file is still known.
    await bank.deliver('again.xml', `${bankStatement({ ...about, entries })}\n`);
    await bank.later(MINUTE);
    assert.deepEqual([bank.alarms, await kept()], [[], { DEBIT: false, CREDIT: false, statement: false }]);
  });

  it('bank-files.md §5.3: the job finds old texts by an index, however many rows there are', async () => {
    const planOf = (destroy: typeof destroyTexts) =>
      world.database.transaction(async (run) => {
        // The tables of a test are so small that PostgreSQL would read and sort them whole.
        await run(sql`set local enable_seqscan = off`);
        await run(sql`set local enable_sort = off`);
        const plan: string[] = [];
        await destroy(
          async <Row>(statement: Sql) => {
            const rows = await run<{ 'QUERY PLAN': string }>(sql`explain (costs off) ${statement}`);
            plan.push(...rows.map((row) => row['QUERY PLAN']));
            return [] as Row[];
          },
          new Date(world.clock.now()),
          1_000,
        );
        return plan.join('\n');
      });
    for (const [destroy, index] of [
      [destroyTexts, /Index Scan using bank_lines_with_texts/],
      [destroyContents, /Index Scan using bank_file_statements_with_content/],
    ] as const) {
      const plan = await planOf(destroy);
      assert.match(plan, index, plan);
      assert.doesNotMatch(plan, /Seq Scan|Sort/, plan);
    }
  });
});
