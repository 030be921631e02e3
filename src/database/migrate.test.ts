import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import pg from 'pg';
import { knownMigrations, migrate } from '#database/migrate.ts';
import { createBareDatabase, createTestDatabase } from '#tests/databases.ts';

describe('migrations', () => {
  it('a database made before 0010 was changed comes to the same schema as a new one', async () => {
    const bare = await createBareDatabase();
    const fresh = await createTestDatabase();
    try {
      await applyEarlier(bare.url);
      const { migrations } = await migrate(bare.url);
      assert.ok(migrations.includes('0017_guarded_transactions'));
      assert.deepEqual(await schemaOf(bare.url), await schemaOf(fresh.url));
      assert.deepEqual(await migrate(bare.url), { migrations: [], functions: [] });
    } finally {
      await bare.drop();
      await fresh.drop();
    }
  });

  it('a migration that was changed after it was applied is refused by name', async () => {
    const changed = await createTestDatabase();
    try {
      await onDatabase(changed.url, (client) =>
        client.query(`update schema_migrations set hash = 'another' where name = '0010_payments'`),
      );
      await assert.rejects(migrate(changed.url), /migration 0010_payments was changed after it was applied/);
    } finally {
      await changed.drop();
    }
  });
});

/** What the service applied while 0013 was the last, with 0010 as it was then. */
async function applyEarlier(url: string): Promise<void> {
  const names = (await knownMigrations()).filter((name) => name < '0014');
  await onDatabase(url, async (client) => {
    await client.query(
      'create table schema_migrations (name text primary key, hash text not null, applied_at timestamptz not null default now())',
    );
    for (const name of names) {
      const folder = name === '0010_payments' ? 'tests/earlier-migrations' : 'migrations';
      const text = await readFile(new URL(`../../${folder}/${name}.sql`, import.meta.url), 'utf8');
      await client.query(text);
      const hash = createHash('sha256').update(text).digest('hex');
      await client.query('insert into schema_migrations (name, hash) values ($1, $2)', [name, hash]);
    }
  });
}

/** All that the two could differ in, one text each. */
function schemaOf(url: string): Promise<string[]> {
  return onDatabase(url, async (client) => {
    const { rows } = await client.query<{ part: string }>(`
      select format('%s.%s %s %s %s', c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull,
                    pg_get_expr(d.adbin, d.adrelid)) as part
        from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
       where c.relnamespace = 'public'::regnamespace
      union all
      select format('%s %s', conname, pg_get_constraintdef(oid)) from pg_constraint
       where connamespace = 'public'::regnamespace
      union all
      select indexdef from pg_indexes where schemaname = 'public'
      union all
      select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
      union all
      select pg_get_functiondef(oid) from pg_proc where pronamespace = 'public'::regnamespace
       order by part`);
    return rows.map(({ part }) => part);
  });
}

async function onDatabase<T>(url: string, steps: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await steps(client);
  } finally {
    await client.end();
  }
}
