import { useRoute } from 'preact-iso/router';
import type { AccountProof } from '../../api/operator/generated/schemas.ts';
import { operator } from '../../api/operator/session.ts';
import { useQuery } from '../../api/query.ts';
import { type FilterField, Filters, useFilters } from '../../ui/filters.tsx';
import { Screen } from '../../ui/layout.tsx';
import { Units } from '../../ui/money.tsx';
import { ChangeButton } from '../../ui/operator/change.tsx';
import { ExportButton } from '../../ui/operator/export.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { Table } from '../../ui/table.tsx';

/** Answers: which days of this account are proven, and what is missing on the others? */
export default function AccountProofs() {
  const { account = '' } = useRoute().params;
  const filters = useFilters(FIELDS);
  const { from, to } = filters.values;
  const query = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
  const proofs = useQuery(['listAccountProofs', account, query], () =>
    operator.listAccountProofs(account, query),
  );
  const rows = proofs.data?.data ?? [];
  const [connector = '', settlementAccount = ''] = account.split('.');
  return (
    <Screen
      title="Proofs of a settlement account"
      name={account}
      answer={proofs.data && sayDays(rows)}
      actions={
        rows.length > 0 && (
          <>
            <ExportButton
              operation="exportReconciliation"
              params={[account]}
              query={{ from: from ?? rows.at(-1)?.day, to: to ?? rows[0]?.day }}
            />
            <ChangeButton
              operation="bookOpeningBalance"
              label="Book the opening balance"
              given={{ connector, settlementAccount }}
            />
          </>
        )
      }
    >
      <Filters fields={FIELDS} filters={filters} />
      <Loaded read={proofs} what="The proofs could not be loaded." lines={6}>
        {({ data }) => <Days account={account} rows={data} />}
      </Loaded>
    </Screen>
  );
}

function sayDays(rows: readonly AccountProof[]): string {
  const open = rows.filter(({ state }) => state !== 'PROVEN').length;
  if (rows.length === 0) return 'No statement ends in this time.';
  return open === 0 ? 'Every day is proven.' : `${open} of ${rows.length} days are not proven.`;
}

function Days({ account, rows }: { account: string; rows: readonly AccountProof[] }) {
  if (rows.length === 0)
    return (
      <Empty title="There is no proof in this time.">
        <p>Each day on which a statement ends gets one.</p>
      </Empty>
    );
  const money = (units: string | null, currency: string | null) => (
    <Units units={units} currency={currency} />
  );
  return (
    <Table
      caption="Proofs"
      rows={rows}
      keyOf={({ day }) => day ?? ''}
      linkOf={({ day }) => `/console/operator/reconciliation/${account}/${day}`}
      columns={[
        { title: 'Day', cell: ({ day }) => day },
        { title: 'State', cell: ({ state }) => <Proven state={state} /> },
        { title: 'Books', align: 'end', cell: ({ ours, currency }) => money(ours, currency) },
        { title: 'Bank', align: 'end', cell: ({ closing, currency }) => money(closing, currency) },
        {
          title: 'Difference',
          align: 'end',
          cell: ({ difference, currency }) => money(difference, currency),
        },
        { title: 'Unexplained', align: 'end', cell: ({ unexplainedItems }) => unexplainedItems },
      ]}
    />
  );
}

function Proven({ state }: { state: AccountProof['state'] }) {
  return <Status value={state ?? ''} kind={state === 'PROVEN' ? 'good' : 'bad'} />;
}

const FIELDS: readonly FilterField[] = [
  { name: 'from', label: 'From', kind: 'date' },
  { name: 'to', label: 'To', kind: 'date' },
];
