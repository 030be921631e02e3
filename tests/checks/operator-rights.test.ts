import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { it } from 'node:test';
import { withOperatorRights } from '#tests/checks/operator-rights.ts';

it('operator.md §6, §10.1: SECURITY.md shows who can do what, as declared: npm run operator-rights', async () => {
  const written = await readFile(new URL('../../SECURITY.md', import.meta.url), 'utf8');
  assert.equal(written, withOperatorRights(written));
});
