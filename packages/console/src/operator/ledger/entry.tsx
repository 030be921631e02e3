import { useRoute } from 'preact-iso/router';
import type { BookEntry } from '../../api/operator/generated/schemas.ts';
import { operator } from '../../api/operator/session.ts';
import { useQuery } from '../../api/query.ts';
import { Actor, Id } from '../../ui/id.tsx';
import { Facts, Screen, Section } from '../../ui/layout.tsx';
import { formatMoney } from '../../ui/money.tsx';
import { Loaded } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { Table } from '../../ui/table.tsx';
import { sayName, Text } from '../../ui/text.tsx';
import { Time } from '../../ui/time.tsx';
import { Amount, OnSide } from './amount.tsx';
import { ledgerAddress } from './moment.ts';

/** Answers: what was booked here, because of what, and by whom? */
export default function Entry() {
  const {
    params: { id = '' },
    query: { platform },
  } = useRoute();
  const entry = useQuery(['getBookEntry', id, platform], () =>
    platform === undefined ? operator.getBookEntry(id) : operator.getBookEntryByNumber(platform, id),
  );
  return (
    <Screen
      title="Entry of the ledger"
      name={entry.data && `${entry.data.kind}, entry ${entry.data.seq}`}
      answer={entry.data && sayBalanced(entry.data)}
    >
      <Loaded read={entry} what="The entry could not be loaded." lines={8}>
        {(data) => <Shown entry={data} />}
      </Loaded>
    </Screen>
  );
}

/** The lines of a sound entry add up to zero in each currency; an entry that somebody changed may not. */
function sayBalanced({ lines }: BookEntry): string {
  const sums = new Map<string, { sum: bigint; decimals: number }>();
  for (const { currency, amount, decimals } of lines) {
    sums.set(currency, { sum: (sums.get(currency)?.sum ?? 0n) + BigInt(amount), decimals });
  }
  const wrong = [...sums].filter(([, { sum }]) => sum !== 0n);
  if (wrong.length === 0) return 'Its lines add up to zero in each currency.';
  const said = wrong.map(([code, { sum, decimals }]) => formatMoney(sum, { code, decimals } as never));
  return `Its lines do not add up: ${said.join(' and ')} too much.`;
}

function Shown({ entry }: { entry: BookEntry }) {
  const { id, platform, kind, createdAt, recordedAt, reverses, reversedBy, hash, transaction, cause, lines } =
    entry;
  return (
    <>
      <Section title="Lines">
        <Table
          caption="Lines of the entry"
          rows={lines}
          keyOf={(line) => JSON.stringify(line)}
          linkOf={({ account, currency }) => ledgerAddress('/lines', { platform, account, currency })}
          columns={[
            { title: 'Account', isWide: true, cell: ({ account }) => <code>{account}</code> },
            {
              title: 'Debit',
              align: 'end',
              cell: ({ amount, ...row }) => <OnSide {...row} units={amount} side="debit" />,
            },
            {
              title: 'Credit',
              align: 'end',
              cell: ({ amount, ...row }) => <OnSide {...row} units={amount} side="credit" />,
            },
            {
              title: 'Balance after it',
              align: 'end',
              cell: ({ balance, ...row }) => <Amount {...row} units={balance} />,
            },
          ]}
        />
      </Section>
      <Section title="Because of" isCard>
        <Facts
          facts={{
            Transaction: transaction && <Id id={transaction.id} />,
            'Its status': transaction && <Status value={transaction.status} />,
            Cause: sayName(cause.kind),
            By: cause.actorId !== undefined && <Actor by={cause.actorId} />,
            Action: cause.action !== undefined && <Text>{cause.action}</Text>,
            'X-Request-Id': cause.requestId !== undefined && (
              <a href={`/console/operator/requests?request=${encodeURIComponent(cause.requestId)}`}>
                <Text>{cause.requestId}</Text>
              </a>
            ),
            Reverses: reverses && <Id id={reverses} />,
            'Reversed by': reversedBy && <Id id={reversedBy} />,
          }}
        />
      </Section>
      <Section title="Where it is" isCard>
        <Facts
          facts={{
            Id: <Id id={id} isWhole />,
            Kind: <code>{kind}</code>,
            Platform: <Id id={platform} />,
            'Business time': <Time at={createdAt} isExact />,
            'Real time': <Time at={recordedAt} clock="real" isExact />,
            'Hash in the chain': hash === undefined ? 'Not read yet' : <code>{hash}</code>,
          }}
        />
      </Section>
    </>
  );
}
