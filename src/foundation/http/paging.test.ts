import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from '#foundation/database/sql.ts';
import { COUNT_MAX } from '#foundation/http/paging.ts';
import { testWorld } from '#tests/harness/harness.ts';

describe('lists', () => {
  const world = testWorld();

  it('platform.md §1.4.1: totalCount is exact up to 10,000 matches, and left out above that', async () => {
    const platform = await world.platform();
    const { body: own } = await platform.call('listTokens');
    assert.equal(own.totalCount, 1);
    await world.database.query(sql`
      insert into tokens (platform_id, id, client_id, name, permissions, salt, secret_hash, created_at, updated_at)
      select platform_id, uuid_v7(), md5(n::text), 'Many', permissions, salt, secret_hash, created_at, updated_at
        from tokens, generate_series(1, ${COUNT_MAX}::integer) n
       where platform_id = ${platform.id}`);
    const { body: above } = await platform.call('listTokens');
    assert.deepEqual([above.data.length, above.hasMore, 'totalCount' in above], [20, true, false]);
    const { body: many } = await platform.call('listTokens', { query: { name: 'Many' } });
    assert.equal(many.totalCount, 10_000);
  });
});
