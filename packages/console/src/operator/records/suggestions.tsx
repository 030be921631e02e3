import type { OperatorOperation } from '../../api/operator/call.ts';
import type { BreakLine, BreakSuggestions, SuggestedLine } from '../../api/operator/generated/schemas.ts';
import { ROLES } from '../../api/operator/generated/summaries.ts';
import { hasRole, operator } from '../../api/operator/session.ts';
import { useQuery } from '../../api/query.ts';
import { Copy } from '../../ui/copy.tsx';
import { Id } from '../../ui/id.tsx';
import { Columns, Facts, Section } from '../../ui/layout.tsx';
import { Units } from '../../ui/money.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { sayName, Text } from '../../ui/text.tsx';

/** The line of a break, beside the lines of the other side that may belong to it. A person decides. */
export function Suggestions({ operation, id }: { operation: OperatorOperation; id: string }) {
  const isAllowed = hasRole(ROLES[operation] ?? []);
  const found = useQuery(
    [operation, id],
    () => (operator[operation] as unknown as (id: string) => PromiseLike<BreakSuggestions>)(id),
    { isEnabled: isAllowed },
  );
  if (!isAllowed) return null;
  return (
    <Loaded read={found} what="The line of the break could not be loaded." lines={3}>
      {({ notes, line, suggestions }) => (
        <>
          {notes !== null && (
            <Section title="Note">
              <p>
                <Text>{notes}</Text>
              </p>
            </Section>
          )}
          {line && <Columns main={<Suggested rows={suggestions} />} side={<Line line={line} />} />}
        </>
      )}
    </Loaded>
  );
}

function Line({
  line: { whose, item, day, amount, currency, kind, transaction, line },
}: {
  line: BreakLine;
}) {
  return (
    <Section title={whose === 'OURS' ? 'Our line' : 'The line of the bank'} isCard>
      <Facts
        facts={{
          Day: day,
          Amount: <Units units={amount} currency={currency} isSigned />,
          Kind: kind && sayName(kind),
          Transaction: transaction && <Id id={transaction} />,
          'Id at the bank': line && <Text>{line}</Text>,
          Line: <Named item={item ?? ''} />,
        }}
      />
    </Section>
  );
}

/** An entry of ours has a page; a line of the bank has an id to be copied. */
function Named({ item }: { item: string }) {
  if (item.startsWith('JournalEntry:')) return <Id id={item} />;
  return (
    <>
      <code title={item}>…{item.slice(-8)}</code> <Copy text={item} label="the id of the line" />
    </>
  );
}

function Suggested({ rows }: { rows: readonly SuggestedLine[] }) {
  return (
    <Section
      title="Lines that may belong to it"
      hint="Lines of the other side with the same amount within five banking days, or with the same reference. Match one by hand if it belongs to the break."
    >
      {rows.length === 0 ? (
        <Empty title="No line of the other side looks similar." />
      ) : (
        <Table
          caption="Lines that may belong to it"
          rows={rows}
          keyOf={({ item }) => item ?? ''}
          columns={[
            { title: 'Line', cell: ({ item }) => <Named item={item ?? ''} /> },
            { title: 'Day', cell: ({ day }) => day },
            {
              title: 'Amount',
              align: 'end',
              cell: ({ amount, currency }) => <Units units={amount} currency={currency} isSigned />,
            },
            { title: 'Speaks for it', isWide: true, cell: ({ reasons }) => sayReasons(reasons) },
          ]}
        />
      )}
    </Section>
  );
}

function sayReasons(reasons: readonly string[]): string {
  return reasons.length === 0 ? 'The amount alone' : reasons.map((one) => sayName(one)).join(', ');
}
