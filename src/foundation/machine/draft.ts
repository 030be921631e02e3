import type { EventType } from '#foundation/events/types.ts';
import type { Entry } from '#foundation/ledger/entries.ts';

/** A row whose status a machine changes. Version 0 means that it is not stored yet. */
export interface MachineRow {
  readonly id: string;
  readonly version: bigint;
  readonly updated_at: Date;
}

/** Everything that belongs to one change of a row, committed as a whole (decision 0018). */
export interface Transition<Row extends MachineRow> {
  /** The version of the row that it starts from; undefined if the row is new. */
  readonly from: bigint | undefined;
  /** The row after the change. */
  readonly row: Row;
  readonly now: Date;
  readonly entries: readonly Entry[];
  readonly events: readonly DraftEvent<Row>[];
  readonly jobs: readonly DraftJob[];
  /** What the same notice does to other rows of the same kind. */
  readonly others: readonly Transition<Row>[];
}

export interface DraftEvent<Row> {
  readonly type: EventType;
  /** The row at that moment: one transition may emit several events. */
  readonly row: Row;
  /** The question that the webhook's answer decides (src/foundation/events/handlers.ts). */
  readonly decision?: string;
  /** Fields that the event carries in addition to the row's. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

export type DraftJob =
  | {
      readonly does: 'schedule';
      readonly kind: string;
      readonly key: string;
      readonly dueAt: Date;
      readonly payload: Readonly<Record<string, unknown>>;
    }
  | { readonly does: 'cancel'; readonly kind: string; readonly key: string };

/** A transition that the rules of a machine build. Nothing is written until it is applied. */
export class Draft<Row extends MachineRow> {
  readonly now: Date;
  readonly #before: Row;
  readonly #entries: Entry[] = [];
  readonly #events: DraftEvent<Row>[] = [];
  readonly #jobs: DraftJob[] = [];
  readonly #others: Draft<Row>[] = [];
  #row: Row;

  constructor(row: Row, now: Date) {
    this.#before = row;
    this.#row = row;
    this.now = now;
  }

  get row(): Row {
    return this.#row;
  }

  /** The row as it was before the change. */
  get before(): Row {
    return this.#before;
  }

  get isNew(): boolean {
    return this.#before.version === 0n;
  }

  set(changes: Partial<Row>): void {
    this.note({ ...changes, updated_at: this.now });
  }

  /** Changes fields that the API does not show, so `updatedAt` stays. */
  note(changes: Partial<Row>): void {
    this.#row = { ...this.#row, ...changes };
  }

  addEntry(entry: Entry): void {
    this.#entries.push(entry);
  }

  addEvent(type: EventType, more: Pick<DraftEvent<Row>, 'decision' | 'extra'> = {}): void {
    this.#events.push({ type, row: this.#row, ...more });
  }

  schedule(kind: string, key: string, when: { afterMs: number } | { dueAt: Date }, payload = {}): void {
    const dueAt = 'dueAt' in when ? when.dueAt : new Date(this.now.getTime() + when.afterMs);
    this.#jobs.push({ does: 'schedule', kind, key, dueAt, payload: { id: this.#row.id, ...payload } });
  }

  /** Drops a job that this transition scheduled, or cancels one that an earlier transition scheduled. */
  cancel(kind: string, key: string): void {
    const own = this.#jobs.findIndex(
      (job) => job.does === 'schedule' && job.kind === kind && job.key === key,
    );
    if (own >= 0) this.#jobs.splice(own, 1);
    if (!this.isNew) this.#jobs.push({ does: 'cancel', kind, key });
  }

  /** Commits the draft of another row together with this one. */
  addOther(other: Draft<Row>): void {
    this.#others.push(other);
  }

  /** Whether there is a change to commit. */
  get hasChanged(): boolean {
    return this.isNew || this.#row !== this.#before || this.#jobs.length > 0;
  }

  transition(): Transition<Row> {
    const { version } = this.#before;
    return {
      from: this.isNew ? undefined : version,
      row: { ...this.#row, version: version + 1n },
      now: this.now,
      entries: this.#entries,
      events: this.#events,
      jobs: this.#jobs,
      others: this.#others.map((other) => other.transition()),
    };
  }
}
