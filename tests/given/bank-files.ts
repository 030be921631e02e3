import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { addFilesConnector, setProfile } from '#capabilities/bank-files/registry.ts';
import { listBreaks } from '#capabilities/connectors/break-store.ts';
import { setRoute } from '#capabilities/connectors/operator/set-route.ts';
import type { FilePlace } from '#edge/providers/bank-files/file-place.ts';
import { callFiles } from '#edge/providers/bank-files/files-connector.ts';
import { folderPlace } from '#edge/providers/bank-files/folder-place.ts';
import { BankFileWorker } from '#edge/providers/bank-files/worker.ts';
import type { OrderReport } from '#foundation/connector-protocol/orders.ts';
import type { Answer } from '#foundation/connector-protocol/read-answer.ts';
import { sql } from '#foundation/database/sql.ts';
import type { Runtime } from '#foundation/database/tx.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { ANY_ORDER, type ConnectedPayouts } from '#tests/given/connected-payouts.ts';
import { onInstallation } from '#tests/given/operators.ts';
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
  at: Pick<ConnectedPayouts, 'change'> & { readonly worker: Pick<ConnectedPayouts['worker'], 'round'> },
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

/** Orders that the connector is asked to carry out by calls, without payments behind them. */
export interface FileOrders {
  readonly connectorId: string;
  put(reference: string, body: Record<string, unknown>): Promise<Answer<OrderReport>>;
  /** A new payout of so many minor units; returns its reference. */
  payout(amount: bigint, more?: Record<string, unknown>): Promise<string>;
  stateOf(reference: string): Promise<string | undefined>;
  cancel(reference: string): Promise<string | undefined>;
  events(): Promise<Record<string, unknown>[]>;
  breaks(): Promise<string[]>;
}

export async function givenFileOrders(
  { app, database }: ReturnType<typeof testWorld>,
  { name }: FileBank,
): Promise<FileOrders> {
  const [row] = await database.query<{ id: string }>(sql`select id from connectors where name = ${name}`);
  const connectorId = row?.id ?? '';
  const put: FileOrders['put'] = (reference, body) =>
    callFiles(app.runtime, connectorId, 'putOrder', {
      parameters: { reference },
      body: JSON.stringify(body),
    });
  const stateIn = (answer: Answer<OrderReport>) => (answer.kind === 'answer' ? answer.body.state : undefined);
  return {
    ...{ connectorId, put },
    async payout(amount, more = {}) {
      const reference = newUuid() as string;
      const answer = await put(reference, { ...PAYOUT, amount: amount.toString(), ...more });
      assert.equal(answer.kind, 'answer', JSON.stringify(answer));
      return reference;
    },
    stateOf: async (reference) =>
      stateIn(await callFiles(app.runtime, connectorId, 'getOrder', { parameters: { reference } })),
    cancel: async (reference) =>
      stateIn(await callFiles(app.runtime, connectorId, 'cancelOrder', { parameters: { reference } })),
    async events() {
      const answer = await callFiles(app.runtime, connectorId, 'listEvents', {});
      assert.ok(answer.kind === 'answer');
      return answer.body.events as unknown as Record<string, unknown>[];
    },
    async breaks() {
      const open = await listBreaks(database.query, 1_000);
      return open.filter(({ connector }) => connector === name).map(({ kind }) => kind);
    },
  };
}

/** An order that a connector by files is asked to carry out. */
export const PAYOUT = {
  ...{ kind: 'PAYOUT', currency: 'EUR', rail: 'SEPA', settlementAccount: 'main' },
  platform: 'Platform:0190a5d2-7a10-7c31-9f0e-1d2c3b4a5968',
  requestedAt: '2026-03-02T10:05:00Z',
  originator: { type: 'PERSON', name: 'Ada Lovelace' },
  beneficiary: {
    name: 'Grace Hopper',
    accountType: 'EUR_ACCOUNT',
    fields: { iban: 'DE89370400440532013000' },
  },
};

/** Makes a bank without payments: the workers of connectors do nothing for it. */
export function lonelyBank(world: ReturnType<typeof testWorld>, profile?: unknown): Promise<FileBank> {
  const change: ConnectedPayouts['change'] = (make) => onInstallation(world, make);
  return givenFileBank(world, { change, worker: { round: async () => {} } }, profile);
}
