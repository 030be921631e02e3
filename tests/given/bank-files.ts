import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { addFilesConnector, setProfile } from '#capabilities/bank-files/registry.ts';
import { setRoute } from '#capabilities/connectors/registry.ts';
import type { FilePlace } from '#edge/providers/bank-files/file-place.ts';
import { folderPlace } from '#edge/providers/bank-files/folder-place.ts';
import { BankFileWorker } from '#edge/providers/bank-files/worker.ts';
import type { Runtime } from '#foundation/database/tx.ts';
import { ANY_ORDER, type ConnectedPayouts } from '#tests/given/connected-payouts.ts';
import type { testWorld } from '#tests/harness/harness.ts';

/** A bank that takes files, with the folders between it and the service. */
export interface FileBank {
  readonly name: string;
  readonly folder: string;
  readonly worker: BankFileWorker;
  readonly alarms: string[];
  readonly failures: unknown[];
  /** Files in the outbox, which the bank takes away. */
  collect(): Promise<{ name: string; text: string }[]>;
  /** Puts a file into the inbox by renaming it, as a transport does. */
  deliver(name: string, content: string | Uint8Array): Promise<void>;
  names(area: string): Promise<string[]>;
  /** What the files' worker and then the connectors' worker have to do, some time later. */
  later(seconds: number, rounds?: number): Promise<void>;
  newWorker(runtime: Runtime, wrap?: (place: FilePlace) => FilePlace): BankFileWorker;
}

export const BANK_IBAN = 'DE35370400440532013002';

export const SEPA_PROFILE = {
  settlementAccounts: [
    { id: 'main', name: 'Corridor Payments GmbH', currency: 'EUR', zone: 'Europe/Berlin', iban: BANK_IBAN },
  ],
  rails: [
    {
      ...{ rail: 'SEPA_INSTANT', currency: 'EUR', kinds: ['PAYOUT', 'REFUND'], format: 'SEPA_INSTANT' },
      settlementAccounts: ['main'],
    },
    {
      ...{ rail: 'SEPA', currency: 'EUR', kinds: ['PAYOUT', 'REFUND'], format: 'SEPA' },
      ...{ settlementAccounts: ['main'], cutOffs: ['10:00', '15:30'] },
      weekdays: ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY'],
    },
  ],
};

let count = 0;

/** A connector by files that gets every order. */
export async function givenFileBank(
  world: ReturnType<typeof testWorld>,
  at: ConnectedPayouts,
  profile: unknown = SEPA_PROFILE,
): Promise<FileBank> {
  const name = `files-${++count}`;
  const folder = await mkdtemp(join(tmpdir(), 'corridor-files-'));
  after(() => rm(folder, { recursive: true, force: true }));
  const about = { name, reason: 'test' };
  await at.change((tx) => addFilesConnector(tx, about));
  await at.change((tx) => setProfile(tx, { ...about, profile }));
  await at.change((tx) => setRoute(tx, { ...about, number: 1, ...ANY_ORDER }));
  const alarms: string[] = [];
  const failures: unknown[] = [];
  const newWorker: FileBank['newWorker'] = (runtime, wrap = (place) => place) =>
    new BankFileWorker({
      runtime,
      places: (called) => wrap(folderPlace(join(folder, called))),
      onFailure: (error) => failures.push(error),
      onAlarm: (reason) => alarms.push(reason),
    });
  const worker = newWorker(world.app.runtime);
  const areaOf = (area: string) => join(folder, name, area);
  const names = async (area: string) => {
    await mkdir(areaOf(area), { recursive: true });
    const entries = await readdir(areaOf(area), { withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
  };
  const bank: FileBank = {
    ...{ name, folder, worker, alarms, failures, names, newWorker },
    async collect() {
      const found = await names('outbox');
      return Promise.all(
        found.map(async (file) => {
          const text = await readFile(join(areaOf('outbox'), file), 'utf8');
          await rm(join(areaOf('outbox'), file));
          return { name: file, text };
        }),
      );
    },
    async deliver(file, content) {
      await mkdir(areaOf('inbox'), { recursive: true });
      const part = join(areaOf('inbox'), `.${file}`);
      await writeFile(part, content);
      await rename(part, join(areaOf('inbox'), file));
    },
    async later(seconds, rounds = 2) {
      world.clock.advance(seconds * 1_000);
      for (let round = 0; round < rounds; round++) {
        await worker.round();
        await at.worker.round();
        world.clock.advance(6_000);
      }
      await at.worker.round();
      assert.deepEqual(failures, []);
    },
  };
  await at.worker.round();
  return bank;
}
