import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from '#foundation/database/sql.ts';
import { ask } from '#foundation/events/emit.ts';
import type { Question, QuestionResult } from '#foundation/events/handlers.ts';
import { type OutboxPlatform, outboxWorld, type WorkerParts } from '#tests/harness/outbox-world.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';
import type { Answer } from '#tests/harness/receiver.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

describe('approval questions', () => {
  const world = outboxWorld();

  for (const status of [200, 202, 403, 409, 422, 500]) {
    it(`money.md §7.2: an answer of ${status} is handed over with its body`, async () => {
      const { outcomes, received } = await asked({ status, body: { receiverCustomerInfo: { NAME: 'Ada' } } });
      assert.deepEqual(outcomes, [
        { kind: 'answered', status, body: { receiverCustomerInfo: { NAME: 'Ada' } } },
      ]);
      assert.equal(received, 1);
    });
  }

  it('money.md §7.2: an answer without JSON has no body', async () => {
    const { outcomes } = await asked({ status: 200 });
    assert.deepEqual(outcomes, [{ kind: 'answered', status: 200, body: undefined }]);
  });

  it('money.md §7.2: a timeout counts as no answer, and is never retried', async () => {
    const { outcomes, received, state } = await asked(() => new Promise(() => undefined), {
      questionTimeoutMs: 50,
    });
    assert.deepEqual(outcomes, [{ kind: 'none' }]);
    assert.deepEqual({ received, state }, { received: 1, state: 'EXHAUSTED' });
  });

  it('money.md §7.2: a connection error is reported as an error, and never retried', async () => {
    const platform = await world.platform({ endpoint: 'http://127.0.0.1:1/' });
    const { outcomes, parts } = listener();
    await put(platform);
    const worker = world.worker(parts);
    await worker.settle();
    world.clock.advance(DAY_MS);
    await worker.settle();
    assert.equal(outcomes.length, 1);
    assert.equal(outcomes[0]?.kind, 'error');
  });

  it('money.md §7.2: without an endpoint the question is answered with an error', async () => {
    const platform = await world.platform();
    const { outcomes, parts } = listener();
    const id = await put(platform);
    await world.worker(parts).settle();
    assert.equal(outcomes[0]?.kind, 'error');
    assert.equal((await platform.event(id)).state, 'EXHAUSTED');
    assert.deepEqual(await platform.attempts(id), []);
  });

  it('money.md §7.2: the decision commits together with the delivery record, or neither does', async () => {
    const receiver = await world.receiver();
    const platform = await world.platform({ endpoint: receiver.url });
    const id = await put(platform);
    const outcomes: QuestionResult[] = [];
    let isBroken = true;
    const worker = world.worker({
      decisions: {
        async approval(tx, question, outcome) {
          outcomes.push(outcome);
          await tx.sql`update platforms set name = ${question.resourceId} where id = ${tx.platformId}`;
          if (isBroken) throw new Error('the deciding transaction fails');
        },
      },
    });
    await worker.deliverer.step(platform.id, 5_000);
    assert.equal(world.errors.splice(0).length, 1);
    assert.deepEqual(await nameAndAttempts(platform, id), { name: 'Test', attempts: 0 });
    // The question stays leased. After the lease it is not sent again, because it was sent.
    isBroken = false;
    world.clock.advance(60_000);
    await worker.settle();
    assert.deepEqual(outcomes, [{ kind: 'answered', status: 200, body: undefined }, { kind: 'none' }]);
    assert.deepEqual(await nameAndAttempts(platform, id), { name: 'Transaction:1', attempts: 1 });
    assert.equal(receiver.received.length, 1);
  });

  function listener(): { outcomes: QuestionResult[]; questions: Question[]; parts: WorkerParts } {
    const outcomes: QuestionResult[] = [];
    const questions: Question[] = [];
    const decisions = {
      async approval(_tx: unknown, question: Question, outcome: QuestionResult) {
        questions.push(question);
        outcomes.push(outcome);
      },
    };
    return { outcomes, questions, parts: { decisions } };
  }

  async function put(platform: OutboxPlatform): Promise<string> {
    const question = { type: 'INCOMING_PAYMENT.PENDING', resourceId: 'Transaction:1', data: {} } as const;
    const id = await platform.write(async (tx) => ask(tx, { ...question, decision: 'approval' }));
    return uuidOf(id);
  }

  /** Asks once, and checks again a day later. */
  async function asked(answer: Answer | (() => Promise<Answer>), parts: WorkerParts = {}) {
    const receiver = await world.receiver();
    const platform = await world.platform({ endpoint: receiver.url });
    receiver.answer(answer);
    const heard = listener();
    const id = await put(platform);
    const worker = world.worker({ ...heard.parts, ...parts });
    await worker.settle();
    world.clock.advance(DAY_MS);
    await worker.settle();
    assert.deepEqual(heard.questions, [
      { eventId: id, type: 'INCOMING_PAYMENT.PENDING', resourceId: 'Transaction:1' },
    ]);
    const { state } = await platform.event(id);
    return { outcomes: heard.outcomes, received: receiver.received.length, state };
  }

  async function nameAndAttempts(platform: OutboxPlatform, id: string) {
    const [row] = await world.database.query<{ name: string }>(
      sql`select name from platforms where id = ${platform.id}`,
    );
    return {
      name: row?.name,
      attempts: (await platform.attempts(id)).length + (await platform.event(id)).attempts,
    };
  }
});
