import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import pg from 'pg';
import { connectionConfig } from '#foundation/database/connections.ts';

describe('session options', () => {
  const before = process.env.PGOPTIONS;
  afterEach(() => {
    if (before === undefined) delete process.env.PGOPTIONS;
    else process.env.PGOPTIONS = before;
  });

  /** The options that the driver uses. */
  const optionsAt = (url: string) =>
    (new pg.Client(connectionConfig(url)) as unknown as { connectionParameters: { options: string } })
      .connectionParameters.options;

  it('the options of the URL are kept, or else those of PGOPTIONS, which the driver would read', () => {
    delete process.env.PGOPTIONS;
    const needed = optionsAt('postgres://db/corridor');
    assert.match(needed, /timezone=UTC/);
    const named = `postgres://db/corridor?options=${encodeURIComponent('-c search_path=named')}`;
    assert.equal(optionsAt(named), `-c search_path=named ${needed}`);
    assert.match(optionsAt('postgres://db/corridor?options='), /timezone=UTC/);
    process.env.PGOPTIONS = '-c search_path=other';
    assert.equal(optionsAt('postgres://db/corridor'), `-c search_path=other ${needed}`);
    assert.equal(optionsAt(named), `-c search_path=named ${needed}`);
  });
});
