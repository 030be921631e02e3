import type { BulkCustomerImportJobSummary, ListBulkCustomerImportJobsQuery } from '@corridor/client';
import { useLocation } from 'preact-iso/router';
import { useAgain } from '../../api/again.ts';
import { callOf } from '../../api/call.ts';
import { type Pages, usePages } from '../../api/query.ts';
import { corridor } from '../../api/session.ts';
import { Code } from '../../ui/code-box.tsx';
import { type FilterField, Filters, useFilters } from '../../ui/filters.tsx';
import { Field, Form } from '../../ui/form.tsx';
import { placeOf, shortId } from '../../ui/id.tsx';
import { Screen, Section } from '../../ui/layout.tsx';
import { Empty } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { PagedTable } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';

const EXAMPLE = `umaAddress,platformCustomerId,customerType,fullName,birthDate,addressLine1,city,state,postalCode,country
$ada@example.com,user-1,INDIVIDUAL,Ada Lovelace,1990-12-10,1 Market St,San Francisco,CA,94105,US
`;

/** Answers: did my customers come in, and which rows did not? */
export default function Imports() {
  const filters = useFilters(FIELDS);
  const query = { ...filters.values, limit: 50 } as ListBulkCustomerImportJobsQuery;
  const imports = usePages(
    ['listBulkCustomerImportJobs', query],
    (cursor) => corridor.listBulkCustomerImportJobs({ ...query, ...(cursor && { cursor }) }),
    { live: 'events' },
  );
  useAgain(imports.rows.some(isUnderWay), imports.retry);
  return (
    <Screen title="Imports" answer={imports.isLoading ? undefined : answerOf(imports.rows, filters.isAny)}>
      <Section title="Import customers" hint="One row for each customer, with a header row." isCard>
        <Upload />
        <details class="folded">
          <summary>Example file</summary>
          <Code text={EXAMPLE} label="example of a CSV file" />
        </details>
      </Section>
      <Section title="All imports" hint="An import is listed until 30 days after it ended.">
        <Filters fields={FIELDS} filters={filters} />
        <ImportTable pages={imports} isFiltered={filters.isAny} />
      </Section>
    </Screen>
  );
}

const FIELDS: readonly FilterField[] = [
  {
    name: 'status',
    label: 'Status',
    kind: 'select',
    options: ['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED'],
  },
];

const isUnderWay = ({ completedAt }: BulkCustomerImportJobSummary) => completedAt === undefined;

function answerOf(imports: readonly BulkCustomerImportJobSummary[], isFiltered: boolean): string | undefined {
  if (isFiltered) return undefined;
  const open = imports.filter(isUnderWay).length;
  if (open > 0) return open === 1 ? 'One import is in progress.' : `${open} imports are in progress.`;
  const [last] = imports;
  if (!last) return 'No customers were imported in the last 30 days.';
  if (last.status === 'FAILED') return 'The last import failed: it created no customer.';
  const { failed } = last.progress;
  if (failed === 0) return 'The last import succeeded.';
  return `The last import succeeded, except for ${failed === 1 ? 'one row' : `${failed.toLocaleString('en')} rows`}.`;
}

function Upload() {
  const { route } = useLocation();
  return (
    <Form
      build={(values) => callOf('uploadCustomersCsv', { file: values.file('file') as File })}
      submit="Import"
      what="The file was not imported."
      onDone={({ jobId }) => route(placeOf(jobId) ?? '/console/imports')}
    >
      <Field name="file" label="CSV file" type="file" hint="UTF-8, up to 100 MB." isRequired />
    </Form>
  );
}

function ImportTable({
  pages,
  isFiltered,
}: {
  pages: Pages<BulkCustomerImportJobSummary>;
  isFiltered: boolean;
}) {
  return (
    <PagedTable
      caption="Imports"
      what="The imports could not be loaded."
      pages={pages}
      keyOf={({ id }) => id}
      linkOf={({ id }) => placeOf(id)}
      empty={
        <Empty title={isFiltered ? 'No import has this status.' : 'Your imports will be listed here.'} />
      }
      columns={[
        { title: 'Import', isWide: true, cell: ({ id }) => <code>{shortId(id)}</code> },
        { title: 'Status', cell: ({ status }) => <Status value={status} /> },
        { title: 'Rows', align: 'end', cell: ({ progress }) => progress.total.toLocaleString('en') },
        { title: 'Imported', align: 'end', cell: ({ progress }) => progress.successful.toLocaleString('en') },
        { title: 'Refused', align: 'end', cell: ({ progress }) => progress.failed.toLocaleString('en') },
        { title: 'Uploaded', cell: ({ createdAt }) => <Time at={createdAt} /> },
        { title: 'Finished', cell: ({ completedAt }) => <Time at={completedAt} /> },
      ]}
    />
  );
}
