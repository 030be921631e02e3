import { assignCredits } from '#capabilities/bank-files/assign-credits.ts';
import {
  claimWork,
  endWork,
  type FilesConnectorRow,
  keepLease,
} from '#capabilities/bank-files/file-store.ts';
import { settleDue, type Taken } from '#capabilities/bank-files/take-file.ts';
import type { FilePlace, FilePlaces } from '#edge/providers/bank-files/file-place.ts';
import { purgeCopies } from '#edge/providers/bank-files/purge-copies.ts';
import { readInbox } from '#edge/providers/bank-files/read-inbox.ts';
import { sealAndWrite } from '#edge/providers/bank-files/write-batches.ts';
import type { Runtime } from '#foundation/database/tx.ts';
import { RoundSource } from '#foundation/jobs/round-source.ts';
import { type Metric, MetricTotals } from '#foundation/jobs/work-source.ts';
import { newUuid } from '#foundation/lib/ids.ts';

export interface FileWorkerParts {
  readonly runtime: Runtime;
  readonly places: FilePlaces;
  /** How long sealed copies are kept. */
  readonly keptDays?: number | undefined;
  /** Writes a failure to the log, without any content of a file. Without a name, the failure concerns all connectors. */
  onFailure(error: unknown, at: { connector?: string }): void;
  /** A file was not taken, or a connector stopped: a person has to look. */
  onAlarm(reason: string, at: { connector: string; file: string; line?: number | undefined }): void;
}

/** connectors.md §7.5. */
const LEASE_MS = 60_000;
const LOOK_EVERY_MS = 5_000;
const AGAIN_AFTER_MS = 10_000;
const DAY_MS = 24 * 60 * 60 * 1_000;
const KEPT_DAYS = 3_650;

/** Seals, writes and reads the files of connectors, each of them in one process at a time. It belongs to no platform. */
export class BankFileWorker extends RoundSource {
  readonly name = 'bank-files';
  readonly callsOutside = true;
  readonly #parts: FileWorkerParts;
  readonly #files = new MetricTotals('corridor_bank_files_total');
  /** When the worker last looked through the copies of a connector, by its id. */
  readonly #purged = new Map<string, number>();

  constructor(parts: FileWorkerParts) {
    super(0, (error) => parts.onFailure(error, {}));
    this.#parts = parts;
  }

  override counters(): Metric[] {
    return this.#files.counters();
  }

  protected override async look(): Promise<void> {
    const { runtime } = this.#parts;
    const worker = newUuid() as string;
    const now = new Date(runtime.clock.now());
    const until = new Date(now.getTime() + LEASE_MS);
    for (const connector of await claimWork(runtime.database.query, { worker, now, until })) {
      await this.#workOn(connector, worker).catch((error: unknown) => this.#fail(error, connector, worker));
    }
  }

  /** A step that fails holds up the later ones of the same connector, until it is tried again. */
  async #fail(error: unknown, { connector_id: id, name }: FilesConnectorRow, worker: string): Promise<void> {
    const { runtime, onFailure } = this.#parts;
    onFailure(error, { connector: name });
    const nextAt = new Date(runtime.clock.now() + AGAIN_AFTER_MS);
    await endWork(runtime.database.query, id, worker, nextAt).catch((again: unknown) =>
      onFailure(again, { connector: name }),
    );
  }

  async #workOn(connector: FilesConnectorRow, worker: string): Promise<void> {
    const { runtime, places, onAlarm } = this.#parts;
    const { database, clock } = runtime;
    const shared = { parts: runtime, connector, place: places(connector.name) };
    const keeps = () =>
      keepLease(database.query, connector.connector_id, { worker, until: new Date(clock.now() + LEASE_MS) });
    const onStop = (reason: string, file: string) => onAlarm(reason, { connector: connector.name, file });
    const onTaken = (taken: Taken, file: string) => this.#count(connector, taken, file);
    const steps = [
      () => sealAndWrite({ ...shared, onStop }).then((written) => this.#add(connector, 'written', written)),
      () => readInbox({ ...shared, onTaken }),
      () => settleDue(runtime, connector),
      () => assignCredits(runtime, connector.connector_id),
      () => this.#purge(connector, shared.place),
    ];
    for (const step of steps) {
      if (!(await keeps())) return;
      await step();
    }
    await endWork(database.query, connector.connector_id, worker, new Date(clock.now() + LOOK_EVERY_MS));
    this.count(1);
  }

  /** Once a day in each process: a place may have many copies. */
  async #purge({ connector_id: id }: FilesConnectorRow, place: FilePlace): Promise<void> {
    const { runtime, keptDays = KEPT_DAYS } = this.#parts;
    const now = runtime.clock.now();
    if (now - (this.#purged.get(id) ?? 0) < DAY_MS) return;
    await purgeCopies(place, new Date(now - keptDays * DAY_MS));
    this.#purged.set(id, now);
  }

  #count(connector: FilesConnectorRow, taken: Taken, file: string): void {
    this.#add(connector, taken.outcome, 1);
    if (taken.outcome !== 'quarantined') return;
    this.#parts.onAlarm(taken.reason, { connector: connector.name, file, line: taken.line });
  }

  #add({ name: connector }: FilesConnectorRow, outcome: string, by: number): void {
    if (by > 0) this.#files.add({ connector, outcome }, by);
  }
}
