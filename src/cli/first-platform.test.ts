import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ensureFirstPlatform } from '#cli/first-platform.ts';
import { readConfig } from '#config.ts';
import { wireNames } from '#lib/wire-names.ts';
import { testWorld } from '#tests/harness.ts';

describe('the first platform', () => {
  const world = testWorld();

  it('customers.md §1.7: is a regulated institution where that was asked for, with the credentials that were chosen', async () => {
    const [API_TOKEN_ID, API_CLIENT_SECRET] = ['0'.repeat(32), 's'.repeat(32)];
    const config = readConfig({ API_TOKEN_ID, API_CLIENT_SECRET, FIRST_PLATFORM_REGULATED: 'true' });
    const warned: string[] = [];
    const provide = () => ensureFirstPlatform(world.app.runtime, config, (line) => void warned.push(line));
    const { id: _drawn, ...made } = (await provide()) ?? assert.fail();
    assert.deepEqual(made, { tokenId: API_TOKEN_ID, clientSecret: undefined });
    const basic = Buffer.from(`${API_TOKEN_ID}:${API_CLIENT_SECRET}`).toString('base64');
    const reply = await world.app.http.inject({
      method: 'GET',
      url: `${wireNames('Svc').basePath}/config`,
      headers: { authorization: `Basic ${basic}` },
    });
    assert.equal(reply.json().isRegulatedFinancialInstitution, true);
    assert.deepEqual([await provide(), warned], [undefined, []]);
  });
});
