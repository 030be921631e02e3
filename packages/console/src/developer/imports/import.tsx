import type { BulkCustomerImportJob } from '@corridor/client';
import { useRoute } from 'preact-iso/router';
import { useAgain } from '../../api/again.ts';
import { useQuery } from '../../api/query.ts';
import { corridor } from '../../api/session.ts';
import { Id } from '../../ui/id.tsx';
import { Facts, Screen, Section } from '../../ui/layout.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { Table } from '../../ui/table.tsx';
import { Text } from '../../ui/text.tsx';
import { Time } from '../../ui/time.tsx';

type BadRow = NonNullable<BulkCustomerImportJob['errors']>[number];

/** Answers: how far is this import, which rows are bad, and why? */
export default function Import() {
  const { id = '' } = useRoute().params;
  const job = useQuery(['getBulkCustomerImportJob', id], () => corridor.getBulkCustomerImportJob(id));
  useAgain(job.data !== undefined && job.data.completedAt === undefined, job.retry);
  return (
    <Screen title="Import" answer={job.data && answerOf(job.data)}>
      <Loaded read={job} what="The import could not be loaded." lines={8}>
        {(found) => (
          <>
            <Section title="Progress" isCard>
              <Progress job={found} />
            </Section>
            <Section
              title="Refused rows"
              hint="Correct these rows and import them again. Leave out the rows that were imported."
            >
              <BadRows rows={found.errors ?? []} isOver={found.completedAt !== undefined} />
            </Section>
          </>
        )}
      </Loaded>
    </Screen>
  );
}

function answerOf({ status, progress }: BulkCustomerImportJob): string {
  const { total, processed, successful, failed } = progress;
  if (status === 'PENDING') return 'The import is waiting to start.';
  if (status === 'PROCESSING')
    return `${processed.toLocaleString('en')} of ${total.toLocaleString('en')} rows have been processed.`;
  const customers = successful === 1 ? '1 customer was' : `${successful.toLocaleString('en')} customers were`;
  const rows = failed === 1 ? '1 row was' : `${failed.toLocaleString('en')} rows were`;
  if (failed === 0) return `${customers} imported, and no row was refused.`;
  if (successful === 0) return 'No row could be imported.';
  return `${customers} imported, and ${rows} refused.`;
}

function Progress({ job: { id, status, progress, completedAt } }: { job: BulkCustomerImportJob }) {
  return (
    <Facts
      facts={{
        Status: <Status value={status} />,
        Rows: String(progress.total),
        Imported: String(progress.successful),
        Refused: String(progress.failed),
        Finished: completedAt && <Time at={completedAt} />,
        Id: <Id id={id} isWhole />,
      }}
    />
  );
}

function BadRows({ rows, isOver }: { rows: readonly BadRow[]; isOver: boolean }) {
  if (rows.length === 0) {
    return <Empty title={isOver ? 'No row was refused.' : 'No row has been refused so far.'} />;
  }
  return (
    <Table
      caption="Refused rows"
      rows={rows.map((row, i) => ({ ...row, i }))}
      keyOf={({ i }) => String(i)}
      columns={[
        { title: 'Row', cell: ({ correlationId }) => <Text>{correlationId}</Text> },
        { title: 'Code', cell: ({ code }) => code && <code>{code}</code> },
        { title: 'Reason', isWide: true, cell: (row) => <Why row={row} /> },
      ]}
    />
  );
}

interface BadCell {
  readonly field?: string;
  readonly message?: string;
}

function Why({ row: { message, details } }: { row: BadRow }) {
  const { errors = [] } = (details ?? {}) as { errors?: readonly BadCell[] };
  if (errors.length === 0) return <Text>{message}</Text>;
  return (
    <ul class="imports-cells">
      {errors.map(({ field, message: why }, i) => (
        <li key={i}>
          <code>
            <Text>{field}</Text>
          </code>{' '}
          <Text>{why}</Text>
        </li>
      ))}
    </ul>
  );
}
