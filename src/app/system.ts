import Type from 'typebox';
import { readingFigures } from '#foundation/database/figures.ts';
import { operation } from '#foundation/http/declare/operation.ts';
import { EVERY_ROLE } from '#foundation/http/operator-rule.ts';
import { component, dateTime } from '#foundation/http/schema.ts';
import { readCommit, VERSION } from '#foundation/lib/version.ts';
import type { Manifest } from '#foundation/manifest.ts';
import { type JobLag, type JournalLag, jobLags, journalLags } from './metrics-store.ts';
import { loadInstallation } from './system-store.ts';

const seconds = (description: string) => Type.Integer({ description });
const text = (description: string) => Type.String({ description });

const Process = component('SystemProcess', 'A process that is connected to the database.', {
  name: text(
    'Its version, host and number: `corridor/1.2.3 host:42`. Other programs have names of their own.',
  ),
  connections: Type.Integer({ description: 'How many connections it has.' }),
  since: dateTime({ description: 'Since when its oldest connection is open.' }),
});

const Lag = component('SystemLag', 'How late work is.', {
  environment: text('The environment.'),
  kind: text('The kind of job; `journal`: the reader of the journal.'),
  seconds: seconds('For how long the oldest of it has been due; 0 if none is.'),
});

const System = component('System', 'The state of the service itself.', {
  version: text('The version of the process that answers.'),
  commit: Type.Optional(text('The commit that it was built from.')),
  node: text('The version of its Node.js.'),
  processes: Type.Array(Process, { description: 'All processes, the oldest first.' }),
  database: component('SystemDatabase', 'The database.', {
    version: text('The version of PostgreSQL.'),
    bytes: text('Its size in bytes.'),
    connections: Type.Integer({ description: 'Open connections of all programs.' }),
    connectionsMax: Type.Integer({ description: 'How many it accepts.' }),
  }),
  tables: Type.Array(
    component('SystemTable', 'A large table.', {
      name: text('Its name.'),
      bytes: text('Its size in bytes, with its indexes.'),
    }),
    { description: 'The ten largest tables.' },
  ),
  lags: Type.Array(Lag, { description: 'By environment and kind of work.' }),
  keys: Type.Array(
    component('SystemKeys', 'Keys of one purpose.', {
      purpose: text('What they are for.'),
      count: Type.Integer({ description: 'How many there are.' }),
      newestAt: dateTime({ description: 'When the newest was made.' }),
    }),
    { description: 'By purpose.' },
  ),
  runs: Type.Array(
    component('SystemRun', 'A task that has to be done regularly.', {
      name: text('The task: `backup` or `ledger verify`.'),
      at: Type.Optional(dateTime({ description: 'When it was done last. Absent: never.' })),
      trouble: Type.Optional(text('Why it failed, if it did.')),
    }),
    { description: 'The backup and the verification of the ledger.' },
  ),
});

const readSystem = operation('readSystem', {
  route: 'GET /system',
  area: 'System',
  summary: 'Read the state of the service',
  description: 'Versions of all processes, late work, the database, the age of keys and of the last backup.',
  access: 'operator',
  operator: { roles: EVERY_ROLE, on: 'installation' },
  reply: System,
  codes: [],
  async handle({ runtime: { database, clock } }) {
    const now = new Date(clock.now());
    const [jobs, journals] = await readingFigures(database, async (run) => [
      await run<JobLag>(jobLags(now)),
      await run<JournalLag>(journalLags(now)),
    ]);
    const lags = [
      ...(jobs as JobLag[]),
      ...(journals as JournalLag[]).map((one) => ({ ...one, kind: 'journal' })),
    ];
    const commit = readCommit();
    return {
      ...{ version: VERSION, node: process.versions.node, ...(commit !== undefined && { commit }) },
      ...(await loadInstallation(database)),
      lags: lags.map((lag) => ({ ...lag, seconds: Math.round(lag.seconds) })),
    };
  },
});

/** The state of the service itself, for operators. */
export const system = {
  name: 'system',
  operatorOperations: () => [readSystem],
} satisfies Manifest;
