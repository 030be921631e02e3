import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { it } from 'node:test';
import { drawStateMachines } from '#tests/checks/state-machines.ts';

it('docs/state-machines.md shows the present tables: npm run state-machines', async () => {
  const written = await readFile(new URL('../../docs/state-machines.md', import.meta.url), 'utf8');
  assert.equal(written, drawStateMachines());
});
