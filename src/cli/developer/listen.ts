import { readFile, rename, writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import {
  ConnectionError,
  type Corridor,
  type CorridorError,
  type HeardEvent,
  InvalidRequestError,
  PermissionError,
  RateLimitError,
  ServerError,
  type WebhookKey,
} from '@corridor/client';
import { failureCode, readConnection } from '#cli/developer/connect.ts';
import { Forwarder, type ListenOptions } from '#cli/developer/forward.ts';
import { UsageError } from '#cli/failure.ts';
import { escapeControls, printLine } from '#cli/print.ts';
import { stopSignals } from '#cli/stop-signals.ts';

const WAIT_SECONDS = 10;
const BACKOFF_MS = [200, 500, 1_000, 2_000];
/** How many ids are remembered to recognize repetitions. */
const SEEN_MAX = 10_000;
/**
 * While this many wait for the receiver, no more are fetched: a webhook is signed when it is fetched, and gets old.
 */
const PENDING_MAX = 32;

/** Failures that pass when the server is back, or less busy. */
const PASSING = [ConnectionError, ServerError, RateLimitError];

/** Prints and forwards each event once, until a signal stops the process. Waits for a server that does not answer. */
export async function listen(corridor: Corridor, options: ListenOptions): Promise<void> {
  const signals = stopSignals();
  try {
    await new Listener(corridor, options, signals.signal).run();
  } catch (error) {
    if (!signals.signal.aborted) throw error;
  } finally {
    signals.dispose();
  }
}

interface ReceivedEvent {
  readonly type: string;
  readonly timestamp: string;
  readonly data?: { readonly id?: string };
}

class Listener {
  readonly #corridor: Corridor;
  readonly #options: ListenOptions;
  readonly #signal: AbortSignal;
  readonly #forwarder: Forwarder;
  readonly #seen = new Set<string>();
  readonly #isWanted: (type: string) => boolean;
  #cursor: string | undefined;
  #failures = 0;
  #hasBegun = false;
  #wake: () => void = () => undefined;
  /** Cursors are stored in order, each after everything before it was forwarded. */
  #kept: Promise<void> = Promise.resolve();
  #pending = 0;
  /** True until the server refuses it to the token. */
  #mayAnswer = true;

  constructor(corridor: Corridor, options: ListenOptions, signal: AbortSignal) {
    this.#corridor = corridor;
    this.#options = options;
    this.#signal = signal;
    this.#forwarder = new Forwarder(corridor, options, signal);
    this.#isWanted = (type) => options.events?.has(type) ?? true;
  }

  async run(): Promise<void> {
    const { resume } = this.#options;
    if (resume !== undefined) this.#cursor = await openCursor(resume);
    while (!this.#signal.aborted) {
      await this.#hear().catch((error: unknown) => this.#backOff(error));
      while (this.#pending >= PENDING_MAX && !this.#signal.aborted) await this.#oneDone();
    }
    await this.#kept;
  }

  /** Called after the server's first answer. */
  async #begin(): Promise<void> {
    const { json = false, forwardTo } = this.#options;
    this.#hasBegun = true;
    if (json) return;
    printLine(forwardTo === undefined ? 'Listening.' : `Listening; events go to ${forwardTo}`);
    // Without this answer, each webhook still names the signing key.
    const keys = await this.#corridor
      .listWebhookKeys({ signal: this.#signal, maxRetries: 0 })
      .catch(() => undefined);
    const { baseUrl } = readConnection(this.#options);
    if (keys) for (const line of keyLines(keys.data, baseUrl)) printLine(line);
  }

  /** Resolves when the next first attempt is over. */
  #oneDone(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  async #hear(): Promise<void> {
    const cursor = this.#cursor;
    const answersQuestions =
      this.#mayAnswer && this.#options.forwardTo !== undefined && this.#isWanted('INCOMING_PAYMENT.PENDING');
    const heard = await this.#corridor.listenToEvents(
      {
        waitSeconds: this.#hasBegun ? WAIT_SECONDS : 0,
        limit: PENDING_MAX,
        answersQuestions,
        ...(cursor !== undefined && { cursor }),
      },
      { signal: this.#signal, maxRetries: 0 },
    );
    if (this.#failures > 0) process.stderr.write('corridor: the server answers again\n');
    this.#failures = 0;
    if (!this.#hasBegun) await this.#begin();
    this.#cursor = heard.cursor;
    const taken = heard.events.flatMap((event) => this.#take(event) ?? []);
    const { resume } = this.#options;
    this.#kept = Promise.all([this.#kept, ...taken.map(({ done }) => done)]).then(async () => {
      if (resume !== undefined && !this.#signal.aborted) await this.#keep(resume, heard.cursor);
    });
  }

  /** A full disk does not stop the listener. */
  async #keep(file: string, cursor: string): Promise<void> {
    await keepCursor(file, cursor).catch((error: Error) => {
      process.stderr.write(`corridor: ${file} cannot be written: ${escapeControls(error.message)}\n`);
    });
  }

  #take(event: HeardEvent): ReturnType<Forwarder['add']> | undefined {
    // An event that was resent is not a repetition.
    const name = [event.id, event.resentAt].join(' ');
    if (this.#seen.has(name)) return undefined;
    this.#seen.add(name);
    const [oldest] = this.#seen;
    if (this.#seen.size > SEEN_MAX && oldest !== undefined) this.#seen.delete(oldest);
    const { type, timestamp: at, data } = JSON.parse(event.body) as ReceivedEvent;
    if (!this.#isWanted(type)) return undefined;
    const forwarded = this.#forwarder.add({ event, at, type, resource: data?.id ?? event.id });
    this.#pending++;
    void forwarded.first.then(() => {
      this.#pending--;
      this.#wake();
    });
    return forwarded;
  }

  /** Waits for a server that does not answer or is busy with other listeners. No event is lost meanwhile. */
  async #backOff(error: unknown): Promise<void> {
    if (error instanceof PermissionError && this.#mayAnswer && this.#options.forwardTo !== undefined) {
      process.stderr.write(`corridor: ${escapeControls(error.reason)} Listening without answering.\n`);
      this.#mayAnswer = false;
      return;
    }
    if (this.#cursor !== undefined && isOfCursor(error)) {
      const reason = escapeControls(error.reason);
      process.stderr.write(`corridor: ${reason}. Listening from now on; earlier events are not delivered.\n`);
      this.#cursor = undefined;
      return;
    }
    if (this.#signal.aborted || !PASSING.some((kind) => error instanceof kind)) throw error;
    const cause = error instanceof ConnectionError ? failureCode(error) : undefined;
    const reason =
      error instanceof ConnectionError
        ? `The server does not answer${cause ? ` (${cause})` : ''}.`
        : escapeControls((error as CorridorError).reason);
    if (this.#failures === 0) process.stderr.write(`corridor: ${reason} Trying again.\n`);
    const ms = BACKOFF_MS[Math.min(this.#failures++, BACKOFF_MS.length - 1)];
    await delay(ms, undefined, { signal: this.#signal }).catch(() => undefined);
  }
}

/** Tells a verifier which key signs, which one will sign next, and where their public keys are. */
function keyLines(keys: readonly WebhookKey[], baseUrl: string): string[] {
  const signing = keys.find(({ status }) => status === 'SIGNING');
  const next = keys.find(({ status }) => status === 'NEXT');
  const then = next === undefined ? '' : `, and from ${next.signsFrom} on by ${next.id}`;
  return [
    `Signed by ${signing?.id}${then}. The public key:`,
    `  curl -su "$CORRIDOR_AUTH" ${baseUrl}/webhooks/keys`,
  ];
}

/** Whether the server refused the cursor: its database was replaced, or the file holds no cursor of this server. */
function isOfCursor(error: unknown): error is InvalidRequestError {
  return error instanceof InvalidRequestError && error.errors.some(({ field }) => field === 'cursor');
}

/** Writes the file once at the start, so that an unwritable one is noticed now and not days later. */
async function openCursor(file: string): Promise<string | undefined> {
  try {
    const cursor = await readCursor(file);
    await keepCursor(file, cursor ?? '');
    return cursor;
  } catch (error) {
    const { code } = error as { code?: string };
    throw new UsageError(`--resume must name a file that can be read and written; ${file} cannot (${code})`);
  }
}

async function readCursor(file: string): Promise<string | undefined> {
  const text = await readFile(file, 'utf8').catch((error: { code?: string }) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  return text.trim() || undefined;
}

async function keepCursor(file: string, cursor: string): Promise<void> {
  await writeFile(`${file}.new`, `${cursor}\n`);
  await rename(`${file}.new`, file);
}
