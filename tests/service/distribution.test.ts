import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Database } from '#foundation/database/database.ts';
import { compile, type Sql, sql } from '#foundation/database/sql.ts';
import {
  ACROSS_PLATFORMS,
  FOUND_ACROSS,
  OF_BOTH,
  OF_INSTALLATION,
  REFERENCE,
} from '#tests/checks/distribution.ts';
import { givenCard } from '#tests/given/cards.ts';
import { givenPayer, givenPlatform } from '#tests/given/payments.ts';
import { quoteBody } from '#tests/given/quotes.ts';
import { testWorld } from '#tests/harness/harness.ts';

interface StoredTable {
  readonly name: string;
  /** Whether each row has a platform. */
  readonly isOwned: boolean;
  /** The unique keys without the platform. */
  readonly keys: readonly string[];
}

/** An insert of rows with their platform, or a condition on it. */
const NAMES_PLATFORM = /insert into \w+[^(]*\([^)]*\bplatform_id\b|\bplatform_id\b[^=()]*\)?\s*(=|in\b)/;

describe('a database that is distributed by platform', () => {
  const sent = new Set<string>();
  const world = testWorld({ prepare: async (database) => recordStatements(database) });

  function recordStatements(database: Database): void {
    const { query, lookUp, commit, transaction } = database;
    const noted = <Piece extends Sql | readonly Sql[], Result>(send: (piece: Piece) => Result) => {
      return (piece: Piece): Result => {
        for (const one of [piece].flat() as Sql[]) sent.add(compile(one).text);
        return send(piece);
      };
    };
    Object.assign(database, {
      query: noted(query),
      lookUp: noted(lookUp),
      commit: noted(commit),
      transaction: <T>(steps: Parameters<typeof transaction<T>>[0]) =>
        transaction<T>((run, runAll) => steps(noted(run) as typeof run, noted(runAll))),
    });
  }

  const loadTables = () =>
    world.database.query<StoredTable>(sql`
      select c.relname as name,
             exists (select from pg_attribute a
                      where a.attrelid = c.oid and a.attname = 'platform_id' and a.attnotnull) as "isOwned",
             array(select x.relname::text from pg_index i join pg_class x on x.oid = i.indexrelid
                    where i.indrelid = c.oid and i.indisunique
                      and not exists (select from pg_attribute a
                                       where a.attrelid = c.oid and a.attname = 'platform_id'
                                         and a.attnum = any(i.indkey::int2[]))) as keys
        from pg_class c
       where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace and not c.relispartition
       order by 1`);

  const elsewhere = new Set([...REFERENCE, ...OF_INSTALLATION]);

  it('docs/scaling.md: every table has a platform in each row, or is named as one of all platforms or of the installation', async () => {
    const tables = await loadTables();
    const names = new Set(tables.map(({ name }) => name));
    assert.deepEqual(
      [...elsewhere, ...OF_BOTH].filter((name) => !names.has(name)),
      [],
    );
    const unnamed = tables.filter(
      ({ name, isOwned }) => !isOwned && !elsewhere.has(name) && !OF_BOTH.includes(name),
    );
    assert.deepEqual(unnamed, []);
  });

  it('docs/scaling.md: every unique key contains the platform, or is named with the reason why it does not', async () => {
    const keys = (await loadTables())
      .filter(({ name }) => !elsewhere.has(name))
      .flatMap((table) => table.keys);
    assert.deepEqual(keys.toSorted(), Object.keys(ACROSS_PLATFORMS).toSorted());
  });

  it('docs/scaling.md: every statement of a quote, its execution, a card and the reads of both names the platform', async () => {
    const tables = (await loadTables()).map(({ name }) => name).filter((name) => !elsewhere.has(name));
    const platform = await givenPlatform(world, { currencies: ['USD', 'USDB', 'EUR'] });
    const [payer, payee] = [await givenPayer(platform), await givenPayer(platform, 0)];
    const card = await givenCard(platform, payer);
    sent.clear();
    const body = quoteBody({ from: payer.account('USD').id, to: payee.account('USD').id, send: 100 });
    const quote = await platform.call('createQuote', { body });
    assert.equal(quote.status, 201, quote.raw);
    const executed = await platform.call('executeQuote', { params: { quoteId: quote.body.id } });
    assert.equal(executed.status, 200, executed.raw);
    const transactionId = String(quote.body.transactionId);
    assert.equal((await platform.call('getTransactionById', { params: { transactionId } })).status, 200);
    assert.equal((await platform.call('listTransactions')).status, 200);
    assert.equal((await platform.call('getCardById', { params: { id: card.id } })).status, 200);
    const purchase = { amount: 100, currency: 'USD', merchantDescriptor: 'Shop' };
    await platform.send('sandboxSimulateCardAuthorization', { params: { id: card.id }, body: purchase });
    const touching = [...sent].filter((text) =>
      tables.some((name) => new RegExp(`\\b${name}\\b`).test(text)),
    );
    assert.ok(touching.length > 15, `${touching.length} statements`);
    const wide = touching.filter(
      (text) => !NAMES_PLATFORM.test(text) && !Object.keys(FOUND_ACROSS).some((part) => text.includes(part)),
    );
    assert.deepEqual(wide, []);
    for (const part of Object.keys(FOUND_ACROSS))
      assert.ok(
        touching.some((text) => text.includes(part)),
        part,
      );
  });
});
