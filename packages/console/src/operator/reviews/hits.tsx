import { operator } from '../../api/operator/session.ts';
import { useQuery } from '../../api/query.ts';
import { Section } from '../../ui/layout.tsx';
import { columnsOf, linkOf } from '../../ui/operator/record.tsx';
import { Failed } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';

/** The customer's external accounts for which screening reported a hit. */
export function Hits({ customer, platform }: { customer: string; platform: string }) {
  const query = { customer, platform, status: 'UNDER_REVIEW', limit: 20 } as const;
  const hits = useQuery(['listAllExternalAccounts', query], () => operator.listAllExternalAccounts(query));
  if (hits.failure) {
    return <Failed what="Hits of screening could not be loaded." failure={hits.failure} retry={hits.retry} />;
  }
  const rows = (hits.data?.data ?? []) as readonly Readonly<Record<string, unknown>>[];
  if (rows.length === 0) return null;
  return (
    <Section
      title="Hits of screening"
      hint="These external accounts of the customer wait for a decision of their own."
    >
      <Table
        caption="Hits of screening"
        rows={rows}
        keyOf={({ account }) => String(account)}
        linkOf={(row) => linkOf(row, 'account')}
        columns={columnsOf(rows, ['account', 'status', 'type', 'currency', 'nameCheck', 'createdAt'])}
      />
    </Section>
  );
}
