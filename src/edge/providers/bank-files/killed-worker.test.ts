// lane: whole — the worker is killed at every step of writing and of reading

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FilePlace } from '#edge/providers/bank-files/file-place.ts';
import type { Run } from '#foundation/database/database.ts';
import { sql } from '#foundation/database/sql.ts';
import type { Runtime } from '#foundation/database/tx.ts';
import { bankStatement } from '#tests/bank-files/bank-writes.ts';
import { mortalProcess } from '#tests/connectors/mortal.ts';
import { BANK_IBAN, givenFileOrders, lonelyBank } from '#tests/given/bank-files.ts';
import { testWorld } from '#tests/harness/harness.ts';

const DAY = 24 * 60 * 60;
/** How often the whole is done; a drill does it more often. */
const ROUNDS = Number(process.env.FILE_KILL_ROUNDS ?? 1);
/** A work of more steps than this would be another program. */
const STEPS_MAX = 120;

/** A process that dies at its n-th step: before or after a statement, a commit, or an operation on a file. */
function dyingAt(runtime: Runtime, steps: number) {
  const process = mortalProcess(runtime);
  let left = steps;
  const step = () => {
    if (process.isDead() || left-- <= 0) {
      process.kill();
      throw new Error('this process was killed');
    }
  };
  const around =
    <Given extends unknown[], Result>(work: (...given: Given) => Promise<Result>) =>
    async (...given: Given): Promise<Result> => {
      step();
      const result = await work(...given);
      step();
      return result;
    };
  const { database } = process.runtime;
  const dying: Runtime = {
    ...process.runtime,
    database: {
      ...database,
      query: around(database.query) as Run,
      transaction: around(database.transaction) as typeof database.transaction,
    },
  };
  const wrap = (place: FilePlace): FilePlace => ({
    list: around(place.list),
    read: around(place.read),
    put: around(place.put),
    remove: around(place.remove),
    publish: around(place.publish),
    interrupted: around(place.interrupted),
  });
  return { runtime: dying, wrap, isDead: process.isDead };
}

describe('a worker that is killed', () => {
  const world = testWorld();
  const plain = (reference: string) => reference.replaceAll('-', '');

  /** Kills a worker at each of its steps in turn, and lets another one finish what it left. */
  async function killEverywhere(
    bank: Awaited<ReturnType<typeof lonelyBank>>,
    prepare: (step: number) => Promise<void>,
    check: () => Promise<void>,
  ): Promise<number> {
    for (let step = 0; step < STEPS_MAX; step++) {
      await prepare(step);
      const { runtime, wrap, isDead } = dyingAt(world.app.runtime, step);
      await bank
        .newWorker(runtime, wrap)
        .round()
        .catch(() => {});
      bank.failures.length = 0;
      await check();
      // The lease of the dead worker ends.
      world.clock.advance(61_000);
      await bank.worker.round();
      assert.deepEqual(bank.failures, []);
      await check();
      if (!isDead()) return step;
    }
    throw new Error('the worker never came to its end');
  }

  it('bank-files.md §2.5: each order is in one file, and each file is seen once, whole', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const bank = await lonelyBank(world);
      const orders = await givenFileOrders(world, bank);
      const seen = new Map<string, string>();
      const references: string[] = [];
      const collect = async () => {
        for (const { name, text } of await bank.collect()) {
          assert.ok(text.trimEnd().endsWith('</Document>'), 'the file is whole');
          assert.ok(!seen.has(name), 'the file is seen once');
          seen.set(name, text);
          // What the bank sees was committed before.
          const [row] = await world.database.query<{ status: string }>(
            sql`select status from bank_file_batches where name = ${name}`,
          );
          assert.ok(row?.status === 'WRITING' || row?.status === 'WRITTEN', String(row?.status));
        }
      };
      const steps = await killEverywhere(
        bank,
        async (step) => {
          references.push(await orders.payout(BigInt(step) + 1n));
          world.clock.advance(DAY * 1_000);
        },
        collect,
      );
      assert.ok(steps > 20, `${steps} steps`);
      const texts = [...seen.values()];
      for (const reference of references) {
        assert.equal(texts.filter((text) => text.includes(plain(reference))).length, 1, reference);
        assert.equal(await orders.stateOf(reference), 'SENT');
      }
      assert.deepEqual(await bank.names('staging'), []);
    }
  });

  it('bank-files.md §4.1: each receipt is credited once, and each order moves once', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const bank = await lonelyBank(world);
      const orders = await givenFileOrders(world, bank);
      let balance = 1_000_000n;
      const references: string[] = [];
      const steps = await killEverywhere(
        bank,
        async (step) => {
          const reference = await orders.payout(500n);
          references.push(reference);
          world.clock.advance(DAY * 1_000);
          await bank.worker.round();
          await bank.collect();
          world.clock.advance(6_000);
          const opening = balance;
          balance += 700n - 500n;
          const day = new Date(world.clock.now()).toISOString().slice(0, 10);
          await bank.deliver(
            `${step}.xml`,
            bankStatement({
              ...{ id: `S-${round}-${step}`, iban: BANK_IBAN, day },
              ...{ opening: opening.toString(), closing: balance.toString() },
              entries: [
                {
                  amount: '700',
                  side: 'CRDT',
                  reference: `R-${step}`,
                  details: [{ name: 'Grace', remittance: 'x' }],
                },
                {
                  amount: '500',
                  side: 'DBIT',
                  reference: `D-${step}`,
                  details: [{ endToEndId: plain(reference) }],
                },
              ],
            }),
          );
        },
        async () => {},
      );
      assert.ok(steps > 10, `${steps} steps`);
      const events = await orders.events();
      const credits = events.filter(({ type }) => type === 'CREDIT').map(({ creditId }) => creditId);
      assert.deepEqual([credits.length, new Set(credits).size], [steps + 1, steps + 1]);
      for (const reference of references) {
        const settled = events.filter((event) => event.reference === reference && event.state === 'SETTLED');
        assert.equal(settled.length, 1);
      }
      assert.deepEqual(bank.alarms, []);
      assert.deepEqual(await bank.names('inbox'), []);
      assert.equal((await bank.names('archive/read')).length, steps + 1);
    }
  });
});
