import { setTimeout as delay } from 'node:timers/promises';
import { type Corridor, CorridorError, type HeardEvent } from '@corridor/client';
import type { ServerOptions } from '#cli/developer/connect.ts';
import { escapeControls, printLine } from '#cli/print.ts';

export interface ListenOptions extends ServerOptions {
  readonly forwardTo?: string;
  /** The types that are wanted; absent: all. */
  readonly events?: ReadonlySet<string>;
  readonly print?: boolean;
  readonly resume?: string;
}

export interface Forwarded {
  /** `timestamp` of the webhook. */
  readonly at: string;
  readonly event: HeardEvent;
  readonly type: string;
  readonly resource: string;
}

interface Answer {
  readonly status: number;
  readonly body: string;
}

const AT_ONCE = 16;
const TIMEOUT_MS = 30_000;
/** Used instead of `answerBy`, because the clocks of two machines differ. */
const QUESTION_MS = 5_000;
const AGAIN_AFTER_MS = [1_000, 5_000, 15_000];
/** The service reads no more of an endpoint's answer either. */
const ANSWER_MAX_BYTES = 10 * 1024;

type Answering = Pick<Corridor, 'answerEvent'>;

/** The clock and the terminal of a forwarder. */
export interface Around {
  /** Resolves after this time, or earlier if the signal aborts. */
  pause(ms: number, signal: AbortSignal): Promise<void>;
  print(line: string): void;
  warn(line: string): void;
}

const TERMINAL: Around = {
  pause: (ms, signal) => delay(ms, undefined, { signal, ref: false }).catch(() => undefined),
  print: printLine,
  warn: (line) => void process.stderr.write(`${line}\n`),
};

/** Forwards events: first attempts of one resource one after the other, a few resources at a time. */
export class Forwarder {
  readonly #corridor: Answering;
  readonly #options: ListenOptions;
  readonly #signal: AbortSignal;
  readonly #around: Around;
  readonly #last = new Map<string, Promise<boolean>>();
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(corridor: Answering, options: ListenOptions, signal: AbortSignal, around: Around = TERMINAL) {
    this.#corridor = corridor;
    this.#options = options;
    this.#signal = signal;
    this.#around = around;
  }

  /** `first` resolves after the first attempt, `done` when the event was accepted or given up. Neither rejects. */
  add(forwarded: Forwarded): { readonly first: Promise<unknown>; readonly done: Promise<unknown> } {
    const { resource } = forwarded;
    const first = (this.#last.get(resource) ?? Promise.resolve()).then(() => this.#inTurn(forwarded));
    this.#last.set(resource, first);
    void first.then(() => this.#last.get(resource) === first && this.#last.delete(resource));
    return { first, done: first.then((isDone) => (isDone ? undefined : this.#again(forwarded))) };
  }

  /** Makes the first attempt. Returns whether no other is needed. */
  async #inTurn(forwarded: Forwarded): Promise<boolean> {
    // A question has five seconds: it waits for no other resource.
    if (!forwarded.event.isQuestion) {
      while (this.#running >= AT_ONCE) await new Promise<void>((resume) => this.#waiting.push(resume));
    }
    this.#running++;
    try {
      return await this.#attempt(forwarded, 1);
    } finally {
      this.#running--;
      this.#waiting.shift()?.();
    }
  }

  /** Retries without holding back other events. A question is forwarded only once, because its first answer counts. */
  async #again(forwarded: Forwarded): Promise<void> {
    for (const [i, ms] of AGAIN_AFTER_MS.entries()) {
      await this.#around.pause(ms, this.#signal);
      if (this.#signal.aborted || (await this.#attempt(forwarded, i + 2))) return;
    }
    const id = escapeControls(forwarded.event.id);
    this.#around.warn(`corridor: ${id} is given up; "corridor events resend ${id}" sends it again`);
  }

  /** Returns whether no other attempt is needed. */
  async #attempt(forwarded: Forwarded, attempt: number): Promise<boolean> {
    const { forwardTo } = this.#options;
    if (this.#signal.aborted) return true;
    if (forwardTo === undefined) {
      this.#print(forwarded, {});
      return true;
    }
    const { event } = forwarded;
    const began = performance.now();
    const answer = await this.#post(forwardTo, event).catch((error: unknown) => reasonOf(error));
    const ms = Math.round(performance.now() - began);
    if (typeof answer === 'string') {
      this.#print(forwarded, { error: answer, ms, attempt });
      return event.isQuestion;
    }
    const decided = event.answerBy === undefined ? undefined : await this.#answer(event, answer);
    this.#print(forwarded, { status: answer.status, ms, attempt, ...(decided && { decided }) });
    return event.isQuestion || answer.status === 409 || (answer.status >= 200 && answer.status < 300);
  }

  async #post(url: string, { headers, body, answerBy }: HeardEvent): Promise<Answer> {
    const [late, over] = [new AbortController(), new AbortController()];
    const limit = answerBy === undefined ? TIMEOUT_MS : QUESTION_MS;
    void this.#around.pause(limit, over.signal).then(() => late.abort(new DOMException('', 'TimeoutError')));
    const signal = AbortSignal.any([this.#signal, late.signal]);
    try {
      const reply = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
      return { status: reply.status, body: await readBeginning(reply) };
    } finally {
      over.abort();
    }
  }

  async #answer({ id }: HeardEvent, { status, body }: Answer): Promise<string> {
    try {
      const text = { status, ...(body !== '' && { body }) };
      const { state } = await this.#corridor.answerEvent(id, text, { signal: this.#signal });
      return `answered, ${state}`;
    } catch (error) {
      return `not answered: ${error instanceof CorridorError ? error.reason : 'the listener ends'}`;
    }
  }

  #print({ event, at, type, resource }: Forwarded, result: Record<string, string | number>): void {
    const { json = false, print = false } = this.#options;
    const resent = event.resentAt === undefined ? {} : { resentAt: event.resentAt };
    if (json) {
      this.#around.print(
        JSON.stringify({
          id: event.id,
          ...resent,
          type,
          resource,
          ...result,
          ...(print && { body: event.body }),
        }),
      );
      return;
    }
    const { status, error, ms, attempt, decided } = result;
    const outcome = ms === undefined ? '' : ` → ${status ?? error} ${ms} ms`;
    const retry = typeof attempt === 'number' && attempt > 1 ? ` (attempt ${attempt})` : '';
    const again = event.resentAt === undefined ? '' : ' (sent again)';
    const time = at.slice(11, 19);
    this.#around.print(
      `${time} ${type} ${resource}${again}${outcome}${retry}${decided === undefined ? '' : `; ${decided}`}`,
    );
    if (print) this.#around.print(event.body);
  }
}

/** Cuts off a body that is too long or never ends: only the status matters. Replaces bytes that are not valid text. */
async function readBeginning(reply: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of reply.body ?? []) {
      chunks.push(chunk as Uint8Array);
      size += (chunk as Uint8Array).length;
      if (size >= ANSWER_MAX_BYTES) break;
    }
  } catch {
    // The part that arrived until then is used.
  }
  const text = new TextDecoder().decode(Buffer.concat(chunks)).replaceAll('\0', '\uFFFD');
  // A replacement character takes more bytes than the byte it replaces.
  return Buffer.from(text)
    .subarray(0, ANSWER_MAX_BYTES)
    .toString('utf8')
    .replace(/\uFFFD+$/, '');
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return 'no answer in time';
  const { cause } = error as { cause?: { code?: string; message?: string } };
  return cause?.code ?? cause?.message ?? error.message;
}
