import type { EventSummary } from '@corridor/client';
import { useLocation } from 'preact-iso/router';
import { callOf } from '../../api/call.ts';
import { useQuery } from '../../api/query.ts';
import { corridor } from '../../api/session.ts';
import { Code } from '../../ui/code-box.tsx';
import { Field, Form } from '../../ui/form.tsx';
import { placeOf, shortId } from '../../ui/id.tsx';
import { Screen, Section } from '../../ui/layout.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';

const LISTED_MAX = 50;

const EXAMPLE = `umaAddress,platformCustomerId,customerType,fullName,birthDate,addressLine1,city,state,postalCode,country
$ada@example.com,user-1,INDIVIDUAL,Ada Lovelace,1990-12-10,1 Market St,San Francisco,CA,94105,US
`;

/** Answers: did my customers come in, and which rows did not? */
export default function Imports() {
  const imports = useQuery(['listEvents', 'imports'], listEnded, { live: 'events' });
  return (
    <Screen title="Imports" answer={imports.data && answerOf(imports.data)}>
      <Section title="Import customers" hint="One row for each customer, with a header row." isCard>
        <Upload />
        <details class="folded">
          <summary>Example file</summary>
          <Code text={EXAMPLE} label="example of a CSV file" />
        </details>
      </Section>
      <Section title="Finished imports" hint="After an upload, the page of the import shows its progress.">
        <Loaded read={imports} what="The imports could not be loaded.">
          {(found) => <Ended imports={found} />}
        </Loaded>
      </Section>
    </Screen>
  );
}

/** Every import ends with an event. */
async function listEnded(): Promise<readonly EventSummary[]> {
  const types = ['BULK_UPLOAD.COMPLETED', 'BULK_UPLOAD.FAILED'] as const;
  const lists = await Promise.all(
    types.map(async (type) => (await corridor.listEvents({ type, limit: LISTED_MAX })).data),
  );
  return lists.flat().sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
}

function answerOf(imports: readonly EventSummary[]): string {
  const failed = imports.filter(({ type }) => type === 'BULK_UPLOAD.FAILED').length;
  if (imports.length === 0) return 'No import finished in the last 30 days.';
  if (failed === 0)
    return imports.length === 1
      ? 'The last import succeeded.'
      : `The last ${imports.length} imports succeeded.`;
  return `${failed} of the last ${imports.length} imports failed.`;
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

function Ended({ imports }: { imports: readonly EventSummary[] }) {
  if (imports.length === 0) return <Empty title="Finished imports will be listed here." />;
  return (
    <Table
      caption="Finished imports"
      rows={imports}
      keyOf={({ id }) => id}
      linkOf={({ resourceId }) => placeOf(resourceId)}
      columns={[
        { title: 'Import', isWide: true, cell: ({ resourceId }) => <code>{shortId(resourceId)}</code> },
        { title: 'Status', cell: ({ type }) => <Status value={type.split('.')[1]} /> },
        { title: 'Finished', cell: ({ createdAt }) => <Time at={createdAt} /> },
      ]}
    />
  );
}
