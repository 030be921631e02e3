import type { PreviewOfChange } from '../../api/operator/generated/schemas.ts';
import { Sentence } from '../../ui/id.tsx';
import { Json } from '../../ui/json.tsx';
import { Section } from '../../ui/layout.tsx';
import { Money } from '../../ui/money.tsx';
import { Status } from '../../ui/status.tsx';
import { Table } from '../../ui/table.tsx';
import { sayName } from '../../ui/text.tsx';

type Fields = Readonly<Record<string, unknown>>;

/** What an operation would do: money first, then what changes, then who is told. */
export function Preview({
  preview: { amounts, values = [], entries, changes, rows, events, jobs },
}: {
  preview: PreviewOfChange;
}) {
  return (
    <>
      {Object.keys(amounts).length > 0 && (
        <Section title="Money that moves">
          <ul class="plain-list">
            {Object.entries(amounts).map(([currency, amount]) => (
              <li key={currency}>
                <Money amount={BigInt(amount)} currency={currency} />
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Settings values={values} />
      <Lines title="Ledger entries" of={entries} line={(entry) => <Entry entry={entry} />} />
      <Lines title="Details in the audit log" of={changes} line={(change) => <Fact fact={change} />} />
      <Lines title="Records that change" of={rows} line={(row) => <Row row={row} />} />
      <Lines
        title="Events"
        of={events}
        line={({ type, resource }) => <Sentence text={`${type} ${resource ?? ''}`} />}
      />
      <Lines title="Work that is scheduled" of={jobs} line={({ kind }) => sayName(String(kind))} />
    </>
  );
}

type ChangedValue = NonNullable<PreviewOfChange['values']>[number];

/** Each setting that changes, from what to what. */
function Settings({ values }: { values: readonly ChangedValue[] }) {
  if (values.length === 0) return null;
  return (
    <Section title="Settings that change">
      <Table
        caption="Settings that change"
        rows={values}
        keyOf={({ field }) => field}
        columns={[
          { title: 'Setting', cell: ({ field }) => <code>{field}</code> },
          { title: 'Before', cell: ({ before }) => <Value of={before} /> },
          { title: 'After', cell: ({ after }) => <Value of={after} />, isWide: true },
        ]}
      />
    </Section>
  );
}

function Value({ of }: { of: unknown }) {
  if (of === null || of === undefined) return <>none</>;
  return <bdi>{typeof of === 'string' ? of : JSON.stringify(of)}</bdi>;
}

interface LinesProps {
  readonly title: string;
  readonly of: readonly unknown[];
  readonly line: (item: Fields) => preact.ComponentChildren;
}

function Lines({ title, of, line }: LinesProps) {
  if (of.length === 0) return null;
  return (
    <Section title={title}>
      <ul class="plain-list">
        {of.map((item, index) => (
          <li key={index}>{line(item as Fields)}</li>
        ))}
      </ul>
    </Section>
  );
}

function Entry({ entry: { says, lines } }: { entry: Fields }) {
  return (
    <>
      {typeof says === 'string' && <Sentence text={says} />}
      {Array.isArray(lines) && <EntryLines lines={lines} />}
    </>
  );
}

interface EntryLine {
  readonly account: string;
  readonly side: string;
  /** As the service says it, with its currency. */
  readonly text: string;
}

function EntryLines({ lines }: { lines: readonly EntryLine[] }) {
  const amountOn = (side: string) => (line: EntryLine) =>
    line.side === side && <span class="money">{line.text}</span>;
  return (
    <Table
      caption="Lines of the entry"
      rows={lines}
      keyOf={(line) => JSON.stringify(line)}
      columns={[
        { title: 'Account', isWide: true, cell: ({ account }) => <code>{account}</code> },
        { title: 'Debit', align: 'end', cell: amountOn('DEBIT') },
        { title: 'Credit', align: 'end', cell: amountOn('CREDIT') },
      ]}
    />
  );
}

function Fact({ fact: { action, resource, details } }: { fact: Fields }) {
  const isEmpty = typeof details !== 'object' || details === null || Object.keys(details).length === 0;
  return (
    <>
      <Sentence text={`${action} ${resource ?? ''}`} />
      {!isEmpty && <Json value={details} label="Details" />}
    </>
  );
}

function Row({ row: { table, id, isNew, statuses } }: { row: Fields }) {
  return (
    <>
      {isNew ? 'New in ' : ''}
      <bdi>{String(table)}</bdi> <code>{String(id)}</code>{' '}
      {Object.values((statuses ?? {}) as Fields).map((status) => (
        <Status key={String(status)} value={String(status)} />
      ))}
    </>
  );
}
