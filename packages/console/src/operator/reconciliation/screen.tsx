import type { ReconciledAccount, ReconciledAccounts } from '../../api/operator/generated/schemas.ts';
import { operator } from '../../api/operator/session.ts';
import { useQuery } from '../../api/query.ts';
import { Screen } from '../../ui/layout.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { Text } from '../../ui/text.tsx';

const AGAIN_MS = 10_000;

/** Answers: do the books agree with the banks, and up to which day? */
export default function Reconciliation() {
  const accounts = useQuery(['listReconciledAccounts'], () => operator.listReconciledAccounts(), {
    everyMs: AGAIN_MS,
  });
  return (
    <Screen
      title="Reconciliation"
      answer={accounts.data && sayState(accounts.data)}
      actions={
        <a class="button" href="/console/operator/breaks?isOpen=true">
          Open breaks
        </a>
      }
    >
      <Loaded read={accounts} what="The settlement accounts could not be loaded." lines={4}>
        {({ data }) => <Accounts rows={data} />}
      </Loaded>
    </Screen>
  );
}

function sayState({ data }: ReconciledAccounts): string {
  if (data.length === 0) return 'No bank has sent a statement yet.';
  const days = data.reduce((sum, { unprovenDays }) => sum + (unprovenDays ?? 0), 0);
  if (days === 0) return 'Every day of every settlement account is proven.';
  return days === 1 ? 'One day is not proven.' : `${days} days are not proven.`;
}

function Accounts({ rows }: { rows: readonly ReconciledAccount[] }) {
  if (rows.length === 0)
    return (
      <Empty title="There is nothing to prove yet.">
        <p>Each day on which a statement of a settlement account ends gets a proof.</p>
      </Empty>
    );
  return (
    <Table
      caption="Settlement accounts"
      rows={rows}
      keyOf={({ account }) => account ?? ''}
      linkOf={({ account }) => `/console/operator/reconciliation/${account}`}
      columns={[
        { title: 'Account', cell: ({ account }) => <Text>{account ?? ''}</Text> },
        { title: 'Last statement', cell: ({ lastStatement }) => lastStatement },
        { title: 'Last proven day', cell: ({ lastProven }) => lastProven ?? 'None' },
        { title: 'Days not proven', align: 'end', cell: ({ unprovenDays }) => unprovenDays },
      ]}
    />
  );
}
