// lane: whole — thousands of broken requests

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { EVERY_ROLE } from '#foundation/http/operator-rule.ts';
import { fuzz, KNOWN_FOR } from '#tests/fuzz/fuzz.ts';
import { readSurface } from '#tests/fuzz/surface.ts';
import { givenOperator } from '#tests/given/operators.ts';
import { testWorld } from '#tests/harness/harness.ts';
import { seedOf } from '#tests/harness/seed.ts';

const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 1_500);

/**
 * Sends requests that are broken off, truncated, too large or not HTTP at all, over real connections, to every operation and
 * page that the router knows. A fault in one request must affect only its own answer. The ledger is checked afterwards, as
 * after every test; `npm run drill -- hostile` does the same to a separate server, for longer.
 */
describe('fuzz', () => {
  const world = testWorld();

  /** One for each round. They join before the service listens, because passkeys name its address. */
  async function operatorCookies(): Promise<string[]> {
    const cookies: string[] = [];
    while (cookies.length <= REQUESTS / KNOWN_FOR) {
      cookies.push((await givenOperator(world, EVERY_ROLE)).cookie);
    }
    return cookies;
  }

  it(`${REQUESTS} broken requests to every operation and page: not one 5xx, and nothing reaches the process`, async (t) => {
    const platform = await world.platform({ settings: { counterpartyRequirements: true } });
    const routes = await readSurface(world.app);
    for (const { id, method } of [...world.app.operations, ...world.app.operatorOperations])
      assert.ok(
        routes.some(({ operation }) => operation?.id === id),
        `${method} of ${id} is not among the routes`,
      );
    const seed = seedOf('FUZZ_SEED');
    t.diagnostic(`FUZZ_SEED=${seed}`);
    const uncaught: unknown[] = [];
    const hear = (error: unknown) => void uncaught.push(error);
    process.on('uncaughtExceptionMonitor', hear).on('unhandledRejection', hear);
    t.after(() => process.off('uncaughtExceptionMonitor', hear).off('unhandledRejection', hear));
    const cookies = await operatorCookies();
    const operatorCookie = async () => cookies.pop() ?? assert.fail('too few operators');
    const address = await world.app.http.listen({ host: '127.0.0.1', port: 0 });
    const { authorization } = platform;
    const port = Number(new URL(address).port);
    const sending = { port, authorization, routes, requests: REQUESTS, seed, operatorCookie };
    const { faults, statuses } = await fuzz(sending);
    t.diagnostic(JSON.stringify(Object.fromEntries([...statuses].sort())));
    assert.deepEqual(faults, []);
    assert.deepEqual(uncaught, []);
    for (const status of [200, 400, 401, 404, 422])
      assert.ok(statuses.get(status), `nothing was answered ${status}`);
    assert.equal((await platform.call('getPlatformConfig')).status, 200);
    await world.app.worker.settle(platform.id);
  });
});
