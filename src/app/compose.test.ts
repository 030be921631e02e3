import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CAPABILITIES } from './capabilities.ts';
import { compose } from './compose.ts';
import type { AppParts } from './parts.ts';

describe('manifests', () => {
  it('decision 0035: two manifests cannot bring a job or a renderer of the same name', () => {
    const job = {
      name: 'more',
      jobs: { 'platform.purge': { due: 'upkeep' as const, run: async () => undefined } },
    };
    const service = compose([...CAPABILITIES, job]);
    assert.throws(() => service.jobs({ policy: {}, domains: {}, erasers: [] } as unknown as AppParts), {
      message: 'two manifests bring platform.purge',
    });
    const renderer = { name: 'more', renderers: { INTERNAL_ACCOUNT: async () => [] } };
    assert.throws(() => compose([...CAPABILITIES, renderer]), {
      message: 'two manifests bring INTERNAL_ACCOUNT',
    });
  });

  it('decision 0035: reactions run in the order of the list, and erasure is its last', () => {
    assert.equal(CAPABILITIES.at(-1)?.name, 'erasure');
    const names = CAPABILITIES.map(({ name }) => name);
    for (const first of ['payments', 'cards', 'stablecoins'] as const) {
      assert.ok(names.indexOf(first) < names.indexOf('accounts'), first);
    }
    assert.equal(new Set(names).size, names.length);
  });
});
