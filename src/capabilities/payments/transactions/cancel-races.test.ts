// lane: whole — repeats races many times

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { cancelTransaction } from '#capabilities/payments/transactions/cancel-transaction.ts';
import { Work } from '#foundation/database/work.ts';
import { parseId } from '#foundation/lib/ids.ts';
import type { RailsPort } from '#foundation/ports/payments.ts';
import {
  advance,
  execute,
  givenOutside,
  givenPayer,
  givenPlatform,
  givenQuote,
  readTransaction,
} from '#tests/given/payments.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

describe('cancellations that are cut off', () => {
  const world = testWorld();
  let platform: TestPlatform;

  before(async () => {
    platform = await givenPlatform(world);
  });

  /** A payment that takes six minutes. */
  async function paying(): Promise<string> {
    const payer = await givenPayer(platform);
    const to = await givenOutside(platform, payer.id, '003');
    const quote = await givenQuote(world, platform, { from: payer.account('USD').id, to });
    assert.equal((await execute(platform, quote.id)).status, 200);
    await advance(platform, 1);
    return quote.transactionId;
  }

  async function cancelOver(cancel: RailsPort['cancel'], transactionId: string): Promise<unknown> {
    const { runtime } = world.app;
    const { platform: row, actor } = await platform.work();
    const over = {
      ...runtime,
      ports: (environment: typeof row.environment) => {
        const ports = runtime.ports(environment);
        return { ...ports, rails: { ...ports.rails, cancel } };
      },
    };
    const id = uuidOf(transactionId);
    const work = new Work(over, row, actor);
    return cancelTransaction(work, [], { id, reason: undefined }).catch((error: unknown) => error);
  }

  it('money.md §12.11: if the process dies after the rail accepted a cancellation, the worker completes it', async () => {
    const id = await paying();
    const heard: string[] = [];
    const died = await cancelOver(async (reference) => {
      heard.push(reference);
      throw new Error('the process dies here');
    }, id);
    assert.ok(died instanceof Error);
    assert.deepEqual(heard, [parseId('Transaction', id)]);
    assert.equal((await readTransaction(platform, id)).status, 'PROCESSING');
    await advance(platform, 120);
    const { status, refund } = await readTransaction(platform, id);
    assert.deepEqual(
      [status, refund?.status, refund?.reason],
      ['COMPLETED', 'COMPLETED', 'USER_CANCELLATION'],
    );
  });

  it('money.md §6.9: a cancellation that the rail refused is not tried again behind the caller’s back', async () => {
    const id = await paying();
    const refused = await cancelOver(async () => 'refused', id);
    assert.equal((refused as { code: string }).code, 'TRANSACTION_NOT_CANCELLABLE');
    await advance(platform, 120);
    const { status, refund } = await readTransaction(platform, id);
    assert.deepEqual([status, refund], ['PROCESSING', undefined]);
    await advance(platform, 300);
    assert.equal((await readTransaction(platform, id)).status, 'COMPLETED');
  });

  it('money.md §6.9: a successful cancellation leaves only the refund to do', async () => {
    const id = await paying();
    const reply = await platform.call('cancelTransaction', { params: { transactionId: id } });
    assert.deepEqual([reply.status, reply.body.refund.status], [200, 'PENDING']);
    const work = await platform.work();
    const kinds = await work.read(
      (tx) => tx.sql<{ kind: string }>`
        select kind from jobs where platform_id = ${tx.platformId} and key like ${`${parseId('Transaction', id)}%`}`,
    );
    assert.deepEqual(
      kinds.map(({ kind }) => kind),
      ['payments.refund'],
    );
  });
});
