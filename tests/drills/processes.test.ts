// lane: first — kills processes and databases under load

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { processDrill } from '#tests/drills/process-drill.ts';

it('decision 0018: two API processes and two workers under contention end as the model, without a deadlock', async (t) => {
  const seed = Math.floor(Math.random() * 2 ** 31);
  t.diagnostic(`seed ${seed}`);
  const report = await processDrill({ seconds: 4, platforms: 2, clients: 4, seed });
  assert.ok(report.payments > 0);
});
