import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import pg from 'pg';
import { connectionConfig } from '#foundation/database/connections.ts';

describe('how sessions are opened', () => {
  const before = process.env.PGOPTIONS;
  afterEach(() => {
    if (before === undefined) delete process.env.PGOPTIONS;
    else process.env.PGOPTIONS = before;
  });

  /** What the driver makes of it. */
  const optionsAt = (url: string) =>
    (new pg.Client(connectionConfig(url)) as unknown as { connectionParameters: { options: string } })
      .connectionParameters.options;

  it('what the URL asks for is kept, or else what PGOPTIONS does, which the driver would read', () => {
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
