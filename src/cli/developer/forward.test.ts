import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { HeardEvent } from '@corridor/client';
import { type Around, Forwarder } from '#cli/developer/forward.ts';
import { createReceiver } from '#tests/harness/receiver.ts';

const TIMEOUT_MS = 30_000;
const AGAIN_AFTER_MS = [1_000, 5_000, 15_000];

/** Pauses that a test ends, and the printed lines. */
class Stage implements Around {
  readonly lines: string[] = [];
  readonly #pauses = new Set<{ readonly ms: number; end(): void }>();
  #changed = Promise.withResolvers<void>();

  pause(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const pause = {
        ms,
        end: () => {
          this.#pauses.delete(pause);
          resolve();
        },
      };
      this.#pauses.add(pause);
      signal.addEventListener('abort', pause.end, { once: true });
      this.#changed.resolve();
      this.#changed = Promise.withResolvers();
    });
  }

  print(line: string): void {
    this.lines.push(line);
  }

  warn(line: string): void {
    this.lines.push(line);
  }

  /** Ends the pause of this length, as soon as there is one. */
  async end(ms: number): Promise<void> {
    for (;;) {
      const pause = [...this.#pauses].find((some) => some.ms === ms);
      if (pause) return pause.end();
      await this.#changed.promise;
    }
  }
}

describe('forwarding to a receiver', () => {
  async function givenForwarder(t: TestContext) {
    const receiver = await createReceiver();
    const stage = new Stage();
    const stop = new AbortController();
    t.after(async () => {
      stop.abort();
      await receiver.close();
    });
    const corridor = { answerEvent: () => assert.fail('no listener may answer it') };
    const forwarder = new Forwarder(corridor, { forwardTo: receiver.url }, stop.signal, stage);
    const add = (id: string, resource: string, more: Partial<HeardEvent> = {}) => {
      const type = 'CARD.STATUS_CHANGE';
      const body = JSON.stringify({ id, type, data: { id: resource } });
      const event: HeardEvent = { id, isQuestion: false, headers: {}, body, ...more };
      return forwarder.add({ event, type, resource, at: '2026-03-02T10:00:00.000Z' });
    };
    const arrived = () => receiver.received.map(({ body }) => body.id);
    return { receiver, stage, add, arrived };
  }

  it('platform.md §4.8.10: a receiver that never answers holds back only that resource, until the timeout', async (t) => {
    const { receiver, stage, add, arrived } = await givenForwarder(t);
    const hangs = new Promise<never>(() => undefined);
    receiver.answer(({ body }) =>
      body.id === 'a1' && arrived().filter((id) => id === 'a1').length === 1 ? hangs : { status: 200 },
    );
    const [a1, a2] = [add('a1', 'Card:a'), add('a2', 'Card:a')];
    await receiver.until(() => arrived().includes('a1'));
    for (const id of ['b1', 'b2', 'b3']) await add(id, 'Card:b').done;
    assert.deepEqual(arrived(), ['a1', 'b1', 'b2', 'b3'], 'what follows in the order of the resource waits');
    await stage.end(TIMEOUT_MS);
    await a2.done;
    assert.deepEqual(arrived().slice(4), ['a2'], 'the retry holds nothing back');
    await stage.end(1_000);
    await a1.done;
    assert.deepEqual(arrived().slice(5), ['a1']);
    assert.ok(stage.lines.some((line) => /Card:a → no answer in time \d+ ms$/.test(line)));
    assert.match(stage.lines.at(-1) ?? '', /Card:a → 200 \d+ ms \(attempt 2\)$/);
  });

  it('platform.md §4.8.10: an answer of 500 is retried three times, later each time, and then given up, with the command that resends it', async (t) => {
    const { receiver, stage, add, arrived } = await givenForwarder(t);
    receiver.answer(({ body }) => ({ status: body.id === 'a1' ? 500 : 200 }));
    const { done } = add('a1', 'Card:a');
    await add('a2', 'Card:a').done;
    for (const ms of AGAIN_AFTER_MS) await stage.end(ms);
    await done;
    assert.deepEqual(arrived(), ['a1', 'a2', 'a1', 'a1', 'a1']);
    assert.deepEqual(
      stage.lines.map((line) => /\(attempt \d\)$|is given up|200/.exec(line)?.[0]),
      [undefined, '200', '(attempt 2)', '(attempt 3)', '(attempt 4)', 'is given up'],
    );
    assert.equal(stage.lines.at(-1), 'corridor: a1 is given up; "corridor events resend a1" sends it again');
  });

  for (const status of [200, 204, 409]) {
    it(`platform.md §4.8.10: ${status} after a failure ends the attempts`, async (t) => {
      const { receiver, stage, add, arrived } = await givenForwarder(t);
      receiver.answer(() => ({ status: arrived().length === 1 ? 500 : status }));
      const { done } = add('a1', 'Card:a');
      await stage.end(1_000);
      await done;
      assert.deepEqual(arrived(), ['a1', 'a1']);
    });
  }

  it('platform.md §4.8.10: a few resources at a time; a question waits for none of them and is forwarded once', async (t) => {
    const { receiver, stage, add, arrived } = await givenForwarder(t);
    receiver.answer(({ body }) => (body.id === 'question' ? { status: 500 } : new Promise(() => undefined)));
    const many = Array.from({ length: 17 }, (_, n) => `r${n}`);
    for (const id of many) add(id, `Card:${id}`);
    await receiver.until(() => arrived().length === 16);
    await add('question', 'Transaction:1', { isQuestion: true }).done;
    assert.deepEqual(new Set(arrived()), new Set([...many.slice(0, 16), 'question']));
    await stage.end(TIMEOUT_MS);
    await receiver.until(() => arrived().includes('r16'));
  });
});
