import assert from 'node:assert/strict';
import type { TestPlatform } from '#tests/harness/harness.ts';

/** One event as a listener receives it. */
export interface Heard {
  readonly id: string;
  readonly resentAt?: string;
  readonly isQuestion: boolean;
  readonly answerBy?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Listens as `corridor listen` does: calls again with the cursor of the last answer, and drops repetitions. */
export class EventListener {
  readonly heard = new Map<string, Heard>();
  #cursor: string | undefined;
  readonly #answersQuestions: boolean;

  constructor({ answersQuestions = false } = {}) {
    this.#answersQuestions = answersQuestions;
  }

  /** From now on. */
  async begin(platform: TestPlatform): Promise<this> {
    await this.hear(platform);
    return this;
  }

  /** The cursor of the last answer. */
  get cursor(): string {
    assert.ok(this.#cursor !== undefined);
    return this.#cursor;
  }

  /** Makes one call, to any server; returns how many events it got. */
  async hear(platform: TestPlatform, { limit = 50, waitSeconds = 0 } = {}): Promise<number> {
    const cursor = this.#cursor;
    const answersQuestions = this.#answersQuestions;
    const query = { limit, waitSeconds, answersQuestions, ...(cursor !== undefined && { cursor }) };
    const { status, body, raw } = await platform.call('listenToEvents', { query });
    assert.equal(status, 200, raw);
    this.#cursor = body.cursor;
    for (const event of body.events) this.heard.set(`${event.id}${event.resentAt ?? ''}`, event);
    return body.events.length;
  }

  /** Listens until this many were received: any transaction on the same PostgreSQL may hold events back for a moment. */
  async hearUntil(count: number, platform: TestPlatform, options: { limit?: number } = {}): Promise<Heard[]> {
    while (this.heard.size < count) await this.hear(platform, { ...options, waitSeconds: 1 });
    return [...this.heard.values()];
  }

  /** Listens until a question is received, whatever comes before it. */
  async hearQuestion(platform: TestPlatform): Promise<Heard> {
    for (;;) {
      const question = this.heard.values().find(({ isQuestion }) => isQuestion);
      if (question) return question;
      await this.hear(platform, { waitSeconds: 1 });
    }
  }
}
