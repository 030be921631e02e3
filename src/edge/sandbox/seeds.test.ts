import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { SEEDS, type Seed, type SkippedSeed, seedJobs } from '#edge/sandbox/seeds.ts';
import { findPlatform } from '#foundation/database/platforms.ts';
import { Work } from '#foundation/database/work.ts';
import type { CallHandler, Job } from '#foundation/jobs/handlers.ts';
import { EXAMPLE_IDS } from '#foundation/lib/examples.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';

const ids = EXAMPLE_IDS;

describe('the seeds of a sandbox', () => {
  const world = testWorld();
  let platform: TestPlatform;

  before(async () => {
    platform = await world.platform();
  });

  /** Creates each in turn, as the worker would, and returns the skipped ones. */
  async function sow(seeds: readonly Seed[], attempts = 0): Promise<SkippedSeed[]> {
    const skipped: SkippedSeed[] = [];
    const handlers = seedJobs({
      operations: () => world.app.operations,
      umaDomain: 'uma.corridor.test',
      onSkipped: (seed) => void skipped.push(seed),
      seeds,
    });
    const row = await findPlatform(world.database.query, platform.id);
    const work = new Work(world.app.runtime, row ?? assert.fail(), { kind: 'worker', id: 'test' });
    const [handler = assert.fail()] = Object.values(handlers) as CallHandler[];
    for (const index of seeds.keys()) await handler.call(work, { payload: { index }, attempts } as Job);
    return skipped;
  }

  const emmy = (SEEDS.find(({ makes: [id] }) => id === ids.emmy) ?? assert.fail()) as Seed & { body: object };

  it('a refused seed is skipped with its reason, and the others are created', async () => {
    const bad = { ...emmy, makes: [ids.engines], body: { ...emmy.body, region: 'DE', email: null } } as const;
    const nowhere = { ...emmy, makes: [ids.jeanEur], reads: 'getCustomerExternalAccountById' } as const;
    const lost: Seed = {
      ...nowhere,
      operation: 'createCustomerExternalAccount',
      body: { ...(SEEDS.find(({ makes: [id] }) => id === ids.jeanEur)?.body as object) },
    };
    const skipped = await sow([bad, lost, emmy]);
    assert.deepEqual(
      skipped.map(({ seed, operation }) => [seed, operation]),
      [
        [ids.engines, 'createCustomer'],
        [ids.jeanEur, 'createCustomerExternalAccount'],
      ],
    );
    assert.match(skipped[0]?.reason ?? '', /^INVALID_INPUT: .*email/);
    assert.match(skipped[1]?.reason ?? '', /^CUSTOMER_NOT_FOUND: /);
    assert.equal((await platform.call('getCustomerById', { params: { customerId: ids.emmy } })).status, 200);
  });

  it('a plan with too few ids for its seed is reported, and not retried forever', async () => {
    const rich: Seed = {
      ...emmy,
      makes: [ids.ada, ids.adaUsd],
      body: { ...emmy.body, platformCustomerId: 'rich', currencies: ['USD', 'USDC', 'USDB'] },
    };
    const reason = 'it makes more resources of the type InternalAccount than "makes" has ids for';
    await assert.rejects(sow([rich]), { message: reason });
    const [skipped] = await sow([rich], 3);
    assert.deepEqual([skipped?.seed, skipped?.operation], [ids.ada, 'createCustomer']);
    assert.equal(skipped?.reason, `SurplusId: ${reason}`);
    const ada = await platform.call('getCustomerById', { params: { customerId: ids.ada } });
    assert.equal(ada.status, 404);
  });

  it('plans no id twice', () => {
    const planned = SEEDS.flatMap(({ makes }) => makes);
    assert.equal(new Set(planned).size, planned.length);
  });
});
