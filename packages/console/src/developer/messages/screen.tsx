import type { SandboxMessage } from '@corridor/client';
import { type Pages, usePages } from '../../api/query.ts';
import { corridor } from '../../api/session.ts';
import { Copy } from '../../ui/copy.tsx';
import { type FilterField, Filters, useFilters } from '../../ui/filters.tsx';
import { Screen } from '../../ui/layout.tsx';
import { Empty } from '../../ui/states.tsx';
import { PagedTable } from '../../ui/table.tsx';
import { Text } from '../../ui/text.tsx';
import { Time } from '../../ui/time.tsx';

/** Answers: what would my customers have received, and which code is in it? */
export default function Messages() {
  const filters = useFilters(FIELDS);
  const { recipient } = filters.values;
  const query = { ...(recipient !== undefined && { recipient }), limit: 50 };
  const messages = usePages(
    ['listSandboxMessages', query],
    (cursor) => corridor.listSandboxMessages({ ...query, ...(cursor && { cursor }) }),
    { live: 'requests' },
  );
  return (
    <Screen title="Messages" answer={answerOf(messages)}>
      <Filters fields={FIELDS} filters={filters} />
      <PagedTable
        caption="Messages"
        what="The messages could not be loaded."
        pages={messages}
        keyOf={({ id }) => id}
        empty={
          <Empty
            title={filters.isAny ? 'No message was sent to this recipient.' : 'No message has been sent yet.'}
          >
            <p>
              Codes for e-mail addresses, phone numbers, wallets, cards and payments appear here. The sandbox
              does not really send them.
            </p>
          </Empty>
        }
        columns={[
          { title: 'Channel', cell: ({ channel }) => (channel === 'EMAIL' ? 'E-mail' : 'Text message') },
          { title: 'To', cell: ({ recipient: to }) => <Text>{to}</Text> },
          { title: 'Message', isWide: true, cell: ({ text }) => <Text>{text}</Text> },
          { title: 'Code', cell: ({ text }) => <OneTimeCode text={text} /> },
          { title: 'When', cell: ({ sentAt }) => <Time at={sentAt} /> },
        ]}
      />
    </Screen>
  );
}

function answerOf({ rows, isLoading, failure }: Pages<SandboxMessage>): string | undefined {
  if (isLoading || failure) return undefined;
  const [newest] = rows;
  if (newest === undefined) return 'No message has been sent yet.';
  const code = codeIn(newest.text);
  const what = newest.channel === 'EMAIL' ? 'an e-mail' : 'a text message';
  return code === undefined
    ? `The latest message is ${what}.`
    : `The latest message is ${what} with the code ${code}.`;
}

/** A code stands alone in its message; years and amounts are shorter or part of a longer figure. */
function codeIn(text: string): string | undefined {
  return /(?<![\d.,+-])\d{6}(?![\d.,-]?\d)/.exec(text)?.[0];
}

function OneTimeCode({ text }: { text: string }) {
  const code = codeIn(text);
  if (code === undefined) return <span class="soft">–</span>;
  return (
    <span class="id">
      <code>{code}</code>
      <Copy text={code} label={`Copy the code ${code}`} />
    </span>
  );
}

const FIELDS: readonly FilterField[] = [
  { name: 'recipient', label: 'Recipient', kind: 'text', isPersonal: true },
];
