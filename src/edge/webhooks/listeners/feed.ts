import { setTimeout as delay } from 'node:timers/promises';
import { keepListener } from '#capabilities/platform/listener-store.ts';
import { envelopeBytes } from '#edge/webhooks/envelope.ts';
import { encodeCursor, parseCursor } from '#edge/webhooks/listeners/cursor.ts';
import type { EventFeed, FeedQuery, HeardEvent } from '#edge/webhooks/listeners/schemas.ts';
import { type FeedPosition, type FeedRow, findBeginning, findHeard } from '#edge/webhooks/listeners/store.ts';
import { type Sender, webhookHeaders } from '#edge/webhooks/send-event.ts';
import { findOwnTarget } from '#edge/webhooks/target-store.ts';
import { PersonErased, PersonKeysMissing } from '#foundation/crypto/person-seal.ts';
import { DatabaseUnavailable, sqlFailure } from '#foundation/database/failures.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import type { Work } from '#foundation/database/work.ts';
import { payloadContext } from '#foundation/events/emit.ts';
import { type Renderers, requireRenderer } from '#foundation/events/handlers.ts';
import type { RequestFacts } from '#foundation/http/caller.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { invalidFields, Refusal } from '#foundation/lib/refusals.ts';

/** How often a waiting call polls for events. */
const LOOK_MS = 250;
/** How many calls of one platform may wait in this process at a time. */
const WAITING_MAX = 20;

/** How long a listener stays registered after the end of its call, because it is about to call again. */
const CALLS_AGAIN_MS = 10_000;
/** How much longer than needed the registration lasts, so that calls in quick succession need not write it again. */
const KEPT_BEYOND_MS = 5_000;

type FeedSender = Pick<Sender, 'names' | 'keys' | 'runtime' | 'questionTimeoutMs' | 'onError'>;

/** The feed of events for listeners (platform.md §4.8). */
export class Feed {
  readonly #sender: FeedSender;
  readonly #renderers: Renderers;
  readonly #waiting = new Map<string, number>();
  /** By platform: until when this process has registered a listener, and one that answers questions. */
  readonly #kept = new Map<string, { readonly listens: number; readonly answers: number }>();
  readonly #closing = new AbortController();

  constructor(sender: FeedSender, renderers: Renderers) {
    this.#sender = sender;
    this.#renderers = renderers;
  }

  /** The settings that a listener's answer to a question needs. */
  get answering(): { readonly renderers: Renderers; readonly questionMs: number } {
    return { renderers: this.#renderers, questionMs: this.questionMs };
  }

  /** How long a question waits for an answer (money.md §7.2). */
  get questionMs(): number {
    return this.#sender.questionTimeoutMs;
  }

  /**
   * Returns the events since the cursor, or waits for the next one. A client that closes the connection ends the wait and
   * frees the call's place.
   */
  async listen(
    work: Work,
    query: FeedQuery,
    request?: Pick<RequestFacts, 'onLeft'>,
  ): Promise<EventFeed | Refusal> {
    const { cursor, waitSeconds = 0, limit = 50, answersQuestions = false } = query;
    const from = cursor === undefined ? undefined : parseCursor(cursor);
    if (from && !this.#enter(work.platform.id)) return tooManyListeners();
    const left = new AbortController();
    const unwatch = request?.onLeft?.(() => left.abort());
    try {
      await this.#keep(work, waitSeconds, answersQuestions);
      if (!from) return { events: [], cursor: encodeCursor(await work.read(findBeginning)) };
      const ended = AbortSignal.any([this.#closing.signal, left.signal]);
      return await this.#waitFor(work, from, { limit, waitMs: waitSeconds * 1000, ended });
    } finally {
      unwatch?.();
      if (from) this.#leave(work.platform.id);
    }
  }

  async #waitFor(
    work: Work,
    from: FeedPosition,
    { limit, waitMs, ended }: { limit: number; waitMs: number; ended: AbortSignal },
  ): Promise<EventFeed> {
    const end = performance.now() + waitMs;
    for (let position = from; ; ) {
      const { events, next } = await this.#look(work, position, limit);
      if (events.length > 0 || performance.now() >= end || ended.aborted) {
        return { events, cursor: encodeCursor(next) };
      }
      // Unreadable events are skipped at once, so that the next ones need not wait.
      if (next === position) await delay(LOOK_MS, undefined, { signal: ended }).catch(() => undefined);
      position = next;
    }
  }

  /** Answers waiting calls, because the process is about to end. */
  close(): void {
    this.#closing.abort();
  }

  /** Registers the listener at the beginning of a call, for as long as it may wait, and not at every poll. */
  async #keep(work: Work, waitSeconds: number, isAnswering: boolean): Promise<void> {
    const { id } = work.platform;
    const kept = this.#kept.get(id) ?? { listens: 0, answers: 0 };
    const needed = this.#sender.runtime.clock.now() + waitSeconds * 1000 + CALLS_AGAIN_MS;
    if ((isAnswering ? kept.answers : kept.listens) >= needed) return;
    if (this.#kept.size >= KEPT_MAX) this.#kept.clear();
    const until = needed + KEPT_BEYOND_MS;
    await work.read((tx) => keepListener(tx, new Date(until), isAnswering));
    this.#kept.set(id, {
      listens: Math.max(until, kept.listens),
      answers: isAnswering ? until : kept.answers,
    });
  }

  /** Whether there is room for another call of the platform. */
  #enter(platformId: PlatformId): boolean {
    const count = this.#waiting.get(platformId) ?? 0;
    if (count >= WAITING_MAX) return false;
    this.#waiting.set(platformId, count + 1);
    return true;
  }

  #leave(platformId: PlatformId): void {
    const left = (this.#waiting.get(platformId) ?? 0) - 1;
    if (left > 0) this.#waiting.set(platformId, left);
    else this.#waiting.delete(platformId);
  }

  #look(
    work: Work,
    position: FeedPosition,
    limit: number,
  ): Promise<{ events: HeardEvent[]; next: FeedPosition }> {
    return work.read(async (tx) => {
      const { rows, latest } = await findHeard(tx, position, limit);
      if (position.xid > latest) throw invalidFields([{ field: 'cursor', message: AHEAD }]);
      const last = rows.at(-1);
      // Without events the position stays: the number of a transaction that wrote nothing may be used again.
      const next = last ? after(last, position) : position;
      return { events: await this.#signed(tx, rows), next };
    });
  }

  /** The deadline for a listener's answer to a question, in real time; nothing after the deadline. */
  #answerBy({ decision, state, created_at }: FeedRow, aheadMs: number): { answerBy?: string } {
    const untilMs = created_at.getTime() + this.questionMs - aheadMs;
    if (decision === null || state !== 'PENDING' || untilMs <= this.#sender.runtime.clock.now()) return {};
    return { answerBy: new Date(untilMs).toISOString() };
  }

  async #signed(tx: ReadTx, rows: readonly FeedRow[]): Promise<HeardEvent[]> {
    if (rows.length === 0) return [];
    const { names, runtime } = this.#sender;
    const timestamp = new Date(runtime.clock.now());
    const target = await findOwnTarget(tx, timestamp);
    if (!target) throw new Error('the platform does not exist');
    const texts = await this.#dataTexts(tx, rows);
    return [...texts].map(([row, data]) => {
      const body = envelopeBytes(names, { id: row.id, type: row.type, timestamp, data });
      return {
        id: publicId('Webhook', row.id),
        isQuestion: row.decision !== null,
        ...(row.resent_at && { resentAt: row.resent_at.toISOString() }),
        ...(target.endpoint === null && this.#answerBy(row, Number(target.clock_offset_ms))),
        headers: webhookHeaders(this.#sender, tx.platformId, target, body),
        body: body.toString('utf8'),
      };
    });
  }

  /** `data` of each event as JSON text. Events that have only facts so far are rendered, one type at a time. */
  async #dataTexts(tx: ReadTx, rows: readonly FeedRow[]): Promise<ReadonlyMap<FeedRow, string>> {
    const texts = new Map<FeedRow, string>();
    const kinds = Map.groupBy(rows, ({ payload, type }) => (payload ? 'kept' : type));
    for (const [, events] of kinds) {
      for (const [row, text] of await this.#readable(tx, events)) texts.set(row, text);
    }
    return new Map(rows.flatMap((row) => (texts.has(row) ? [[row, texts.get(row) as string]] : [])));
  }

  /**
   * Skips only the events that cannot be read, so that they do not block the events that follow. If the database fails,
   * nothing is skipped and the call fails; the next call returns the events.
   */
  async #readable(tx: ReadTx, events: readonly FeedRow[]): Promise<[FeedRow, string][]> {
    try {
      return await renderTexts(tx, this.#renderers, events);
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      if (events.length === 1 && error instanceof PersonErased) return [];
      if (events.length === 1) {
        for (const { id } of events) this.#sender.onError(error, { id, platformId: tx.platformId });
        return [];
      }
      const readable: [FeedRow, string][] = [];
      for (const event of events) readable.push(...(await this.#readable(tx, [event])));
      return readable;
    }
  }
}

/** Whether the event's own content is the cause: the database's errors about it have a class of their own (22). */
function isUnreadable(error: unknown): boolean {
  // Missing keys are fetched, and the call is repeated.
  if (error instanceof DatabaseUnavailable || error instanceof PersonKeysMissing) return false;
  return sqlFailure(error)?.code.startsWith('22') ?? true;
}

const KEPT_MAX = 10_000;
const AHEAD =
  'is ahead of this database, for example after a restore from a backup: listen again without a cursor, from now on';

/** A listener that has passed all events it knew at the beginning drops them from its position. */
function after({ place, seq, resent_at }: FeedRow, { known }: FeedPosition): FeedPosition {
  const xid = BigInt(place);
  return { xid, seq, isResent: resent_at !== null, known: known && xid < known.top ? known : undefined };
}

/** The texts of events that all have a stored payload, or are all of one type. */
async function renderTexts(
  tx: ReadTx,
  renderers: Renderers,
  events: readonly FeedRow[],
): Promise<[FeedRow, string][]> {
  const [first] = events;
  if (!first || first.payload) {
    await tx.runtime.personKeys.loadFor(events.map(({ payload }) => payload));
    // An event that describes an erased person is skipped.
    return events.flatMap((row) => {
      const text = tx.vault.openKept(row.payload as Buffer, payloadContext(row.id));
      return text === undefined ? [] : [[row, text]];
    });
  }
  const facts = events.map(({ id, type, resource_id, created_at, facts }) => ({
    ...{ id, type, facts },
    resourceId: resource_id,
    createdAt: created_at,
  }));
  const data = await requireRenderer(renderers, first.type)(tx, facts);
  return events.map((row, i) => [row, JSON.stringify(data[i])]);
}

function tooManyListeners(): Refusal {
  return new Refusal(
    'RATE_LIMITED',
    `At most ${WAITING_MAX} listeners of a platform may wait at a time.`,
    undefined,
    {
      'retry-after': '1',
    },
  );
}
