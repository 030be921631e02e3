import { useState } from 'preact/hooks';
import { withProof } from '../../api/operator/call.ts';
import type { AccountStatement, AccountStatementLine } from '../../api/operator/generated/schemas.ts';
import { operator } from '../../api/operator/session.ts';
import { useMutation } from '../../api/query.ts';
import { type FilterField, Filters, useFilters } from '../../ui/filters.tsx';
import { Id } from '../../ui/id.tsx';
import { Facts, Screen, Section } from '../../ui/layout.tsx';
import { Money } from '../../ui/money.tsx';
import { ExportButton } from '../../ui/operator/export.tsx';
import { Empty, Failed } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { Text } from '../../ui/text.tsx';
import { Time } from '../../ui/time.tsx';

const LINES_MAX = 100;
const FORMATS = { csv: 'Save as CSV', camt053: 'Save as camt.053', html: 'Save to print' } as const;

/** Answers: what moved on this account in a period, and with which balances did it begin and end? */
export default function Statements() {
  const filters = useFilters(FIELDS);
  const { account = '', from = '', to = '', zone } = filters.values;
  const isAsked = account !== '' && from !== '' && to !== '';
  const query = { from, to, ...(zone !== undefined && { zone }) };
  return (
    <Screen
      title="Statements"
      answer="A statement names people: it is recorded who read or saved it."
      actions={
        isAsked &&
        Object.entries(FORMATS).map(([format, label]) => (
          <ExportButton
            key={format}
            operation="showAccountStatement"
            params={[account]}
            query={{ ...query, format }}
            label={label}
          />
        ))
      }
    >
      <Filters fields={FIELDS} filters={filters} />
      {isAsked ? (
        <Asked key={JSON.stringify([account, query])} account={account} query={query} />
      ) : (
        <Empty title="Which account, and which days?">
          <p>Name an internal account and the first and last day of the period.</p>
        </Empty>
      )}
    </Screen>
  );
}

interface AskedProps {
  readonly account: string;
  readonly query: { readonly from: string; readonly to: string; readonly zone?: string };
}

/** Nothing is read before the operator says so, because each reading is recorded. */
function Asked({ account, query }: AskedProps) {
  const [statement, setStatement] = useState<AccountStatement>();
  const reading = useMutation(
    () => withProof(() => operator.showAccountStatement(account, { ...query, limit: LINES_MAX })),
    setStatement,
  );
  return (
    <>
      {!statement && (
        <button
          type="button"
          class="primary"
          aria-disabled={reading.isRunning}
          onClick={() => reading.run(undefined)}
        >
          {reading.isRunning ? 'Reading…' : 'Read the statement'}
        </button>
      )}
      {reading.failure && <Failed what="The statement could not be read." failure={reading.failure} />}
      {statement && <Shown statement={statement} />}
    </>
  );
}

function Shown({ statement }: { statement: AccountStatement }) {
  const { accountId, from, to, zone, opening, closing, isProvisional, data, hasMore } = statement;
  return (
    <>
      <Section title="Period" isCard>
        <Facts
          facts={{
            Account: <Id id={accountId} />,
            Days: `${from} to ${to} (${zone})`,
            Opening: <Money {...opening} />,
            Closing: <Money {...closing} />,
            State: isProvisional ? 'It may still change.' : 'It will not change.',
          }}
        />
      </Section>
      <Section title="Movements" hint={hasMore && 'The first ones. A file has all of them.'}>
        {data.length === 0 ? <Empty title="Nothing moved." /> : <Lines rows={data} />}
      </Section>
    </>
  );
}

function Lines({ rows }: { rows: readonly AccountStatementLine[] }) {
  return (
    <Table
      caption="Movements"
      rows={rows}
      keyOf={({ entryId, balanceAfter }) => `${entryId} ${balanceAfter.amount}`}
      linkOf={({ entryId }) => `/console/operator/ledger/entries/${entryId}`}
      columns={[
        { title: 'Booked', cell: ({ at }) => <Time at={at} isExact /> },
        { title: 'Description', cell: ({ description }) => description },
        {
          title: 'Counterparty',
          isWide: true,
          cell: ({ counterparty }) => <Text>{counterparty?.name ?? counterparty?.account ?? ''}</Text>,
        },
        {
          title: 'Amount',
          align: 'end',
          cell: ({ amount, direction }) => (
            <Money
              amount={direction === 'IN' ? amount.amount : -amount.amount}
              currency={amount.currency}
              isSigned
            />
          ),
        },
        { title: 'Balance', align: 'end', cell: ({ balanceAfter }) => <Money {...balanceAfter} /> },
      ]}
    />
  );
}

const FIELDS: readonly FilterField[] = [
  { name: 'account', label: 'Account', kind: 'text', placeholder: 'InternalAccount:…' },
  { name: 'from', label: 'From', kind: 'date' },
  { name: 'to', label: 'To', kind: 'date' },
  { name: 'zone', label: 'Time zone', kind: 'text', placeholder: 'Europe/Berlin' },
];
