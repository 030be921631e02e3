import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { isSettled, settleCommits, settleLookUps } from '#foundation/database/session-settings.ts';
import { createTestDatabase, type TestDatabase } from '#tests/harness/databases.ts';

describe('the settings of sessions', () => {
  let files: TestDatabase;
  let client: pg.Client;

  before(async () => {
    files = await createTestDatabase();
    client = new pg.Client(files.url);
    await client.connect();
    await client.query('set jit = on');
  });
  after(async () => {
    await client.end();
    await files.drop();
  });

  const settings = async () => {
    const { rows } = await client.query(`
      select current_setting('enable_seqscan') as scans, current_setting('jit') as compiles`);
    return rows[0];
  };

  it('decision 0018: a session that a pooler lends is left alone, so that its settings reach no other client', async () => {
    const known = client as unknown as { processID: number };
    const { processID } = known;
    known.processID = processID + 1;
    await settleCommits(client);
    await settleLookUps(client);
    assert.equal(isSettled(client), false);
    assert.deepEqual(await settings(), { scans: 'on', compiles: 'on' });
    known.processID = processID;
  });

  it('decision 0018: a session of our own gets the settings once', async () => {
    await settleCommits(client);
    assert.equal(isSettled(client), true);
    assert.deepEqual(await settings(), { scans: 'off', compiles: 'off' });
  });

  it('decision 0018: a plan made while a table was small finds each row by its key', async () => {
    await client.query(`
      create temp table kept (owner integer, name text, content text, primary key (owner, name));
      insert into kept select 1, n::text, repeat('x', 1000) from generate_series(1, 20) n;
      analyze kept`);
    const { rows } = await client.query(`
      explain select k.content from (
        select unnest(array[1, 1, 1, 1, 1]) as owner, unnest(array['1', '2', '3', '4', '5']) as name offset 0) r
        left join kept k on k.owner = r.owner and k.name = r.name`);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    assert.match(plan, /Index Cond: \(\(owner = .*name = /);
    assert.doesNotMatch(plan, /Materialize/);
  });
});
