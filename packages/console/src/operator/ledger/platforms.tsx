import type { ListedPlatforms } from '../../api/operator/generated/schemas.ts';
import { operator } from '../../api/operator/session.ts';
import { usePages, useQuery } from '../../api/query.ts';
import { Section } from '../../ui/layout.tsx';
import { Empty } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { PagedTable } from '../../ui/table.tsx';
import { Text } from '../../ui/text.tsx';
import { ledgerAddress, momentOf } from './moment.ts';

interface ByPlatformProps {
  readonly environment: string | undefined;
  readonly at: string | undefined;
}

const SHOWN = 20;

/** Which platform's books do not add up: each has a journal of its own. */
export function ByPlatform({ environment, at }: ByPlatformProps) {
  const query = { ...(environment !== undefined && { environment: environment as 'SANDBOX' }), limit: SHOWN };
  const platforms = usePages(['listAllPlatforms', query], (cursor) =>
    operator.listAllPlatforms({ ...query, ...(cursor && { cursor }) }),
  );
  return (
    <Section title="By platform" hint="Each platform has a journal of its own.">
      <PagedTable
        caption="Platforms"
        what="The platforms could not be loaded."
        pages={platforms}
        keyOf={({ id }) => id ?? ''}
        linkOf={({ id }) => ledgerAddress('', { environment, platform: id ?? '', at })}
        empty={<Empty title="There is no platform yet." />}
        columns={[
          { title: 'Platform', isWide: true, cell: ({ name }: ListedPlatforms) => <Text>{name}</Text> },
          { title: 'Its books', cell: ({ id }: ListedPlatforms) => <OwnBooks platform={id ?? ''} at={at} /> },
        ]}
      />
    </Section>
  );
}

function OwnBooks({ platform, at }: { platform: string; at: string | undefined }) {
  const query = { platform, ...(at !== undefined && { at: momentOf(at) ?? at }) };
  const { data } = useQuery(['getTrialBalance', query], () => operator.getTrialBalance(query));
  if (data === undefined) return <span class="soft">–</span>;
  if (data.unbalanced.length === 0) return <Status value="BALANCED" kind="good" word="Add up" />;
  const currencies = data.unbalanced.map(({ currency }) => currency).join(', ');
  return <Status value="UNBALANCED" kind="bad" word={`Do not add up in ${currencies}`} />;
}
