import type { WorkItem } from '../../api/operator/generated/schemas.ts';
import { operator, operatorSession } from '../../api/operator/session.ts';
import { invalidate, usePages } from '../../api/query.ts';
import { placeOf, shortId } from '../../ui/id.tsx';
import { ChangeButton, type ChangeProps } from '../../ui/operator/change.tsx';
import { Empty } from '../../ui/states.tsx';
import { PagedTable } from '../../ui/table.tsx';
import { Text } from '../../ui/text.tsx';
import { formatDuration, Time } from '../../ui/time.tsx';
import { ACTIONS, pageOf } from './actions.ts';

const AGAIN_MS = 10_000;
export const PAGE = 20;

export interface ItemsProps {
  readonly kind: string;
  readonly title: string;
  readonly scope: Readonly<Record<string, string>>;
}

/** What waits, of one kind, the oldest first, with what can be done about each. */
export function Items({ kind, title, scope }: ItemsProps) {
  const query = { kind, ...scope, limit: PAGE };
  const items = usePages(
    ['listWorkItems', query],
    (cursor) => operator.listWorkItems({ ...query, ...(cursor && { cursor }) }),
    { everyMs: AGAIN_MS },
  );
  return (
    <PagedTable
      caption={title}
      what="The work could not be loaded."
      pages={items}
      keyOf={({ platform = '', key }) => `${platform} ${key}`}
      linkOf={(item) => pageOf(item) ?? placeOf(item.subject)}
      empty={<Empty title="Nothing of this kind waits." />}
      columns={[
        { title: 'About', cell: ({ subject }) => <code title={subject}>{shortId(subject)}</code> },
        { title: 'Why', isWide: true, cell: ({ why }) => <Text>{why}</Text> },
        { title: 'Waits for', cell: ({ ageSeconds }) => formatDuration(ageSeconds * 1_000) },
        { title: 'Taken by', cell: (item) => <Taken item={item} /> },
        { title: 'Platform', cell: ({ platformName }) => <Text>{platformName}</Text> },
        ...(ACTIONS[kind] ? [{ title: 'Do', cell: (item: WorkItem) => <ItemActions item={item} /> }] : []),
      ]}
    />
  );
}

/** The operator who takes care of it: others see the name, and may take it over (operator.md §6.5). */
function Taken({ item: { id, takenBy, takenByName, takenAt, note } }: { item: WorkItem }) {
  const isMine = takenBy === operatorSession.value?.operator.id;
  return (
    <span class="work-actions">
      {takenBy !== undefined && (
        <span>
          {isMine ? 'You' : <Text>{takenByName}</Text>}, <Time at={takenAt} clock="real" />
          {note !== undefined && (
            <>
              : <Text>{note}</Text>
            </>
          )}
        </span>
      )}
      {takenBy === undefined && <Change operation="takeWork" label="Take" given={{ item: id }} />}
      {takenBy !== undefined && !isMine && (
        <Change operation="takeWork" label="Take over" given={{ item: id, takeOver: true }} />
      )}
      {isMine && <Change operation="noteWork" label="Note" given={{ item: id }} />}
      {isMine && <Change operation="releaseWork" label="Give back" given={{ item: id }} />}
    </span>
  );
}

function Change(props: Pick<ChangeProps, 'operation' | 'label' | 'given'>) {
  return <ChangeButton {...props} kind="quiet" onDone={() => invalidate('listWorkItems')} />;
}

function ItemActions({ item }: { item: WorkItem }) {
  const { kind, subject } = item;
  const fitting = (ACTIONS[kind] ?? []).filter(({ of }) => of === undefined || subject.startsWith(`${of}:`));
  return (
    <span class="work-actions">
      {fitting.map(({ operation, label, kind: look, given }) => (
        <ChangeButton
          key={operation}
          operation={operation}
          params={[subject]}
          label={label}
          kind={look}
          {...(given && { given: given(item) })}
        />
      ))}
    </span>
  );
}
