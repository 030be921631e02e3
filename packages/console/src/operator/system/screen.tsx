import type { System } from '../../api/operator/generated/schemas.ts';
import { operator } from '../../api/operator/session.ts';
import { useQuery } from '../../api/query.ts';
import { Facts, Screen, Section } from '../../ui/layout.tsx';
import { Loaded } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { Table } from '../../ui/table.tsx';
import { sayName, Text } from '../../ui/text.tsx';
import { formatDuration, Time } from '../../ui/time.tsx';

const AGAIN_MS = 10_000;
const LATE_SECONDS = 300;
const BACKUP_MAX_MS = 26 * 60 * 60 * 1_000;
const PROOF_MAX_MS = 7 * 24 * 60 * 60 * 1_000;

/** Answers: does the service itself run as it should? */
export default function SystemScreen() {
  const system = useQuery(['readSystem'], () => operator.readSystem(), { everyMs: AGAIN_MS });
  return (
    <Screen title="System" answer={system.data && sayTroubles(troublesOf(system.data))}>
      <Loaded read={system} what="The state of the service could not be loaded." lines={10}>
        {(data) => (
          <>
            <About system={data} />
            <Processes system={data} />
            <Lags system={data} />
            <Storage system={data} />
            <Keys system={data} />
          </>
        )}
      </Loaded>
    </Screen>
  );
}

function sayTroubles(troubles: readonly string[]): string {
  if (troubles.length === 0)
    return 'All processes run one version, no work is late, and backup and proof are recent.';
  const [first = '', ...rest] = troubles;
  return `${[first.charAt(0).toUpperCase() + first.slice(1), ...rest].join('; ')}.`;
}

/** What an administrator has to look at. */
function troublesOf({ processes, lags, runs }: System): string[] {
  const versions = new Set(processes.flatMap(({ name }) => versionOf(name) ?? []));
  const late = lags.filter(({ seconds }) => seconds > LATE_SECONDS);
  return [
    ...(versions.size > 1 ? [`processes run ${versions.size} versions`] : []),
    ...late.map(({ kind, seconds }) => `${sayKind(kind)} is late by ${formatDuration(seconds * 1_000)}`),
    ...runs.filter(isOverdue).map(({ name }) => `the ${SAID[name] ?? name} is overdue or failed`),
  ];
}

const SAID: Readonly<Record<string, string>> = {
  backup: 'backup',
  'ledger verify': 'verification of the ledger',
};

function isOverdue({ name, at, trouble }: System['runs'][number]): boolean {
  const most = name === 'backup' ? BACKUP_MAX_MS : PROOF_MAX_MS;
  return trouble !== undefined || at === undefined || Date.now() - Date.parse(at) > most;
}

/** `corridor/1.2.3 host:42`; other programs have other names. */
function versionOf(name: string): string | undefined {
  return /^corridor\/(\S+)/.exec(name)?.[1];
}

function sayKind(kind: string): string {
  return kind === 'journal' ? 'The reader of the journal' : sayName(kind.replaceAll(/[.-]/g, '_'));
}

function About({ system: { version, commit, node, database, runs } }: { system: System }) {
  return (
    <Section title="Versions and duties" isCard>
      <Facts
        facts={{
          Version: version,
          Commit: commit && <code>{commit}</code>,
          'Node.js': node,
          PostgreSQL: database.version,
          ...Object.fromEntries(
            runs.map((run) => [
              `Last ${SAID[run.name] ?? run.name}`,
              <span key={run.name}>
                {run.at === undefined ? 'Never' : <Time at={run.at} clock="real" />}{' '}
                {isOverdue(run) && (
                  <Status value="OVERDUE" kind="bad" word={run.trouble ? 'Failed' : 'Overdue'} />
                )}
              </span>,
            ]),
          ),
        }}
      />
    </Section>
  );
}

function Processes({ system: { processes } }: { system: System }) {
  return (
    <Section
      title="Processes"
      hint="Processes that are connected to the database, with commands and other programs while they run."
    >
      <Table
        caption="Processes"
        rows={processes}
        keyOf={({ name }) => name}
        columns={[
          { title: 'Process', isWide: true, cell: ({ name }) => <Text>{name}</Text> },
          { title: 'Connected', cell: ({ since }) => <Time at={since} clock="real" /> },
          { title: 'Connections', align: 'end', cell: ({ connections }) => connections },
        ]}
      />
    </Section>
  );
}

function Lags({ system: { lags } }: { system: System }) {
  return (
    <Section title="Late work" hint="For how long the oldest of each kind has been due.">
      <Table
        caption="Late work"
        rows={lags}
        keyOf={({ environment, kind }) => `${environment} ${kind}`}
        columns={[
          { title: 'Work', isWide: true, cell: ({ kind }) => sayKind(kind) },
          { title: 'Environment', cell: ({ environment }) => sayName(environment) },
          {
            title: 'Late by',
            align: 'end',
            cell: ({ seconds }) => (seconds === 0 ? 'Nothing is due' : formatDuration(seconds * 1_000)),
          },
        ]}
      />
    </Section>
  );
}

function Storage({ system: { database, tables } }: { system: System }) {
  const { bytes, connections, connectionsMax } = database;
  return (
    <Section
      title="Storage"
      hint={`The database has ${sayBytes(bytes)}, and ${connections} of ${connectionsMax} connections.`}
    >
      <Table
        caption="The largest tables"
        rows={tables}
        keyOf={({ name }) => name}
        columns={[
          { title: 'Table', isWide: true, cell: ({ name }) => <code>{name}</code> },
          { title: 'Size with indexes', align: 'end', cell: (table) => sayBytes(table.bytes) },
        ]}
      />
    </Section>
  );
}

function Keys({ system: { keys } }: { system: System }) {
  return (
    <Section title="Keys of the service">
      <Table
        caption="Keys of the service"
        rows={keys}
        keyOf={({ purpose }) => purpose}
        columns={[
          { title: 'For', isWide: true, cell: ({ purpose }) => sayName(purpose) },
          { title: 'Newest', cell: ({ newestAt }) => <Time at={newestAt} clock="real" /> },
          { title: 'How many', align: 'end', cell: ({ count }) => count },
        ]}
      />
    </Section>
  );
}

const SIZES = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const;

function sayBytes(text: string): string {
  const bytes = Number(text);
  const size = Math.min(SIZES.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  return `${(bytes / 1_000 ** size).toLocaleString('en', { maximumFractionDigits: 1 })} ${SIZES[size]}`;
}
