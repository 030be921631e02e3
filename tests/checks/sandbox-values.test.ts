import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { writeSandboxValues } from '#tests/checks/sandbox-values.ts';

describe('the values of the sandbox that the console offers', () => {
  it('the module of the console is what npm run console:values writes', async () => {
    const module = await readFile('packages/console/src/api/sandbox-values.ts', 'utf8');
    assert.equal(module, writeSandboxValues());
  });
});
