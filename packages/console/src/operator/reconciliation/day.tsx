import { useRoute } from 'preact-iso/router';
import type { ItemInTransit, ProofRecord } from '../../api/operator/generated/schemas.ts';
import { operator } from '../../api/operator/session.ts';
import { useQuery } from '../../api/query.ts';
import { Id } from '../../ui/id.tsx';
import { Facts, Screen, Section } from '../../ui/layout.tsx';
import { Units } from '../../ui/money.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { sayName, Text } from '../../ui/text.tsx';
import { Time } from '../../ui/time.tsx';

/** Answers: does this day agree with the bank, and what has only one side? */
export default function Day() {
  const { account = '', day = '' } = useRoute().params;
  const proof = useQuery(['showAccountProof', account, day], () =>
    operator.showAccountProof(account, { day }),
  );
  return (
    <Screen title="Proof of a day" name={`${account} on ${day}`} answer={proof.data && sayProof(proof.data)}>
      <Loaded read={proof} what="The proof could not be loaded." lines={8}>
        {(data) => (
          <>
            <Equation proof={data} />
            <Items proof={data} whose="OURS" title="Ours in transit" />
            <Items proof={data} whose="THEIRS" title="Theirs in transit" />
            {!data.isComplete && <p>More items are in transit than fit here. Export them.</p>}
          </>
        )}
      </Loaded>
    </Screen>
  );
}

function sayProof({ state, unexplainedItems, difference }: ProofRecord): string {
  if (state === 'PROVEN') return 'The day is proven: books, bank and what is in transit agree.';
  if (difference !== '0') return 'The books and the bank differ by more than what is in transit.';
  if ((unexplainedItems ?? 0) > 0) return 'Some items are due and have no break.';
  return 'A statement is missing, or the proof is computed again in a moment.';
}

function Equation({ proof }: { proof: ProofRecord }) {
  const { ours, closing, oursInTransit, theirsInTransit, difference, currency, provenAt } = proof;
  const money = (units: string | null) => <Units units={units} currency={currency} />;
  return (
    <Section
      title="Both sides"
      isCard
      hint="Books less bank is what only the books have, less what only the bank has."
    >
      <Facts
        facts={{
          'In the books': money(ours),
          'At the bank': money(closing),
          'Ours in transit': money(oursInTransit),
          'Theirs in transit': money(theirsInTransit),
          'Left over': money(difference),
          Break: proof.break && <Id id={proof.break} />,
          Computed: provenAt && <Time at={provenAt} clock="real" isExact />,
        }}
      />
    </Section>
  );
}

interface ItemsProps {
  readonly proof: ProofRecord;
  readonly whose: 'OURS' | 'THEIRS';
  readonly title: string;
}

function Items({ proof: { items }, whose, title }: ItemsProps) {
  const rows = items.filter((one) => one.whose === whose);
  return (
    <Section title={title}>
      {rows.length === 0 ? (
        <Empty title="Nothing." />
      ) : (
        <Table
          caption={title}
          rows={rows}
          keyOf={({ item, amount }) => `${item} ${amount}`}
          columns={[
            { title: 'Booked', cell: ({ day }) => day },
            {
              title: 'Amount',
              align: 'end',
              cell: ({ amount, currency }) => <Units units={amount} currency={currency} isSigned />,
            },
            { title: whose === 'OURS' ? 'Transaction' : 'Id at the bank', isWide: true, cell: Named },
            { title: 'Matched', cell: ({ matchedOn }) => matchedOn ?? 'Not yet' },
            { title: 'Break', cell: AboutItem },
          ]}
        />
      )}
    </Section>
  );
}

function Named({ item, transaction, line }: ItemInTransit) {
  if (transaction !== null) return <Id id={transaction} />;
  return line === null ? <Id id={item ?? ''} /> : <Text>{line}</Text>;
}

function AboutItem({ break: id, breakKind, breakState }: ItemInTransit) {
  if (id === null) return 'None';
  return <Id id={id} name={`${sayName(breakKind ?? '')} (${sayName(breakState ?? '').toLowerCase()})`} />;
}
