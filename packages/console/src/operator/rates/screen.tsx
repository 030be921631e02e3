import type { StoredRates } from '../../api/operator/generated/schemas.ts';
import { ROLES } from '../../api/operator/generated/summaries.ts';
import { hasRole, operator } from '../../api/operator/session.ts';
import { useQuery } from '../../api/query.ts';
import { Screen, Section } from '../../ui/layout.tsx';
import { ChangeButton } from '../../ui/operator/change.tsx';
import { Loaded } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { Table } from '../../ui/table.tsx';
import { Text } from '../../ui/text.tsx';
import { Time } from '../../ui/time.tsx';

const AGAIN_MS = 30_000;
/** Thresholds are in euros, and details of rates go through bitcoin: production quotes nothing without these rates. */
const NEEDED = ['EUR', 'BTC'];

type Rate = StoredRates['data'][number];

/** Answers: which rates price new quotes, how old are they, and how do I price a currency by hand, or stop it? */
export default function Rates() {
  const rates = useQuery(['readRates'], () => operator.readRates(), { everyMs: AGAIN_MS });
  return (
    <Screen title="Rates" answer={rates.data && sayState(rates.data)}>
      <Loaded read={rates} what="The rates could not be loaded." lines={6}>
        {({ data }) => data.length > 0 && <Stored rates={data} />}
      </Loaded>
      {CHANGES.filter(({ operation }) => hasRole(ROLES[operation] ?? [])).map(
        ({ operation, title, text }) => (
          <Section
            key={operation}
            title={title}
            isCard
            actions={
              <ChangeButton
                operation={operation}
                label={title}
                kind={operation === 'stopRates' ? 'danger' : 'primary'}
              />
            }
          >
            <p>{text}</p>
          </Section>
        ),
      )}
    </Screen>
  );
}

function sayState({ data, source }: StoredRates): string {
  const inForce = new Set(data.filter(({ isInForce }) => isInForce).map(({ currency }) => currency));
  const missing = NEEDED.filter((currency) => !inForce.has(currency));
  const priced =
    missing.length > 0
      ? `Production cannot quote anything without a valid rate of ${missing.join(' and ')}.`
      : `Production prices ${inForce.size} currencies beside USD.`;
  return source?.trouble === undefined
    ? priced
    : `${priced} The latest answer of the source was refused: ${source.trouble}`;
}

function Stored({ rates }: { readonly rates: readonly Rate[] }) {
  return (
    <Section
      title="Stored rates"
      hint="Rates come from the source that the service is configured with. A rate that was set by hand takes its place until it expires."
    >
      <Table
        caption="Stored rates"
        rows={rates}
        keyOf={({ currency, from }) => `${currency} ${from}`}
        columns={[
          { title: 'Currency', isWide: true, cell: ({ currency }) => <Text>{currency}</Text> },
          { title: 'Per US dollar', align: 'end', cell: ({ perUsd }) => <Text>{perUsd}</Text> },
          { title: 'From', cell: ({ from }) => (from === 'SOURCE' ? 'The source' : 'An operator') },
          { title: 'Made', cell: ({ asOf }) => <Time at={asOf} clock="real" /> },
          { title: 'Expires', cell: ({ until }) => <Time at={until} clock="real" /> },
          { title: 'State', cell: (rate) => <State rate={rate} /> },
        ]}
      />
    </Section>
  );
}

function State({ rate: { isInForce, stoppedSince, until } }: { readonly rate: Rate }) {
  if (stoppedSince !== undefined) return <Status value="STOPPED" kind="bad" word="Stopped" />;
  if (isInForce) return <Status value="IN_FORCE" kind="good" word="In force" />;
  const isOver = Date.parse(until) <= Date.now();
  return isOver ? (
    <Status value="EXPIRED" kind="bad" word="Expired" />
  ) : (
    <Status value="REPLACED" kind="calm" word="Replaced" />
  );
}

const CHANGES = [
  {
    operation: 'setRates',
    title: 'Set rates',
    text: 'Production prices with these rates until they expire. A second operator has to approve them.',
  },
  {
    operation: 'clearRates',
    title: 'Clear rates',
    text: 'The source’s rates apply again, and currencies that were stopped are priced again. A second operator has to approve it.',
  },
  {
    operation: 'stopRates',
    title: 'Stop currencies',
    text: 'New quotes in these currencies are refused at once. One operator is enough for this.',
  },
] as const;
