import type { Figures, PaymentFigures } from '../../api/operator/generated/schemas.ts';
import { operator } from '../../api/operator/session.ts';
import { useQuery } from '../../api/query.ts';
import { Bars } from '../../ui/bars.tsx';
import { type FilterField, Filters, useFilters } from '../../ui/filters.tsx';
import { Screen, Section } from '../../ui/layout.tsx';
import { formatMoney } from '../../ui/money.tsx';
import { Share } from '../../ui/share.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { Table } from '../../ui/table.tsx';
import { formatDuration, Time } from '../../ui/time.tsx';
import { lastSteps, STEPS, valuesAt } from './series.ts';

const AGAIN_MS = 10_000;

/** Answers: does money move as on other days, and do platforms get replies and webhooks? */
export default function FiguresScreen() {
  const filters = useFilters(FIELDS);
  const { platform, environment } = filters.values;
  const query = {
    ...(platform !== undefined && { platform }),
    ...(environment !== undefined && { environment: environment as 'SANDBOX' | 'PRODUCTION' }),
  };
  const figures = useQuery(['readFigures', query], () => operator.readFigures(query), { everyMs: AGAIN_MS });
  return (
    <Screen title="Figures" answer={figures.data && sayAll(figures.data)}>
      <Filters fields={FIELDS} filters={filters} />
      <Loaded read={figures} what="The figures could not be loaded." lines={12}>
        {(data) => (
          <>
            <Payments payments={data.payments} scope={query} />
            <Volumes {...data.volumes} />
            <Requests {...data.requests} now={data.at} />
            <Webhooks {...data.webhooks} now={data.at} />
          </>
        )}
      </Loaded>
    </Screen>
  );
}

function sayAll({ payments, requests: { minutes } }: Figures): string {
  const made = payments.reduce((sum, { count }) => sum + count, 0);
  const most = payments.some(({ isCapped }) => isCapped) ? 'More than ' : '';
  const asked = minutes.reduce((sum, { answered, refused, failed }) => sum + answered + refused + failed, 0);
  const failures = minutes.reduce((sum, { failed }) => sum + failed, 0);
  const wrong = failures === 0 ? 'none failed' : `${failures.toLocaleString('en')} failed`;
  return (
    `${most}${made.toLocaleString('en')} ${made === 1 ? 'payment' : 'payments'} in 24 hours. ` +
    `${asked.toLocaleString('en')} ${asked === 1 ? 'request' : 'requests'} in the last hour, of which ${wrong}.`
  );
}

interface PaymentsProps {
  readonly payments: readonly PaymentFigures[];
  readonly scope: Readonly<Record<string, string>>;
}

function Payments({ payments, scope }: PaymentsProps) {
  const most = Math.max(1, ...payments.map(({ count }) => count));
  return (
    <Section title="Payments by status" hint="Created in the last 24 hours, by their status now.">
      {payments.length === 0 ? (
        <Empty title="No payment was created in the last 24 hours." />
      ) : (
        <Table
          caption="Payments by status"
          rows={payments}
          keyOf={({ status }) => status}
          linkOf={({ status }) => `/console/operator/payments?${new URLSearchParams({ ...scope, status })}`}
          columns={[
            { title: 'Status', cell: ({ status }) => <Status value={status} /> },
            {
              title: 'Share',
              isWide: true,
              cell: ({ count }) => <Share part={count} whole={most} />,
            },
            {
              title: 'How many',
              align: 'end',
              cell: ({ count, isCapped }) => `${count.toLocaleString('en')}${isCapped ? '+' : ''}`,
            },
          ]}
        />
      )}
    </Section>
  );
}

/** The page counts in the service's time, because the browser's clock may differ. */
interface Now {
  readonly now: string;
}

/** The clocks of sandboxes may be ahead of each other, so a day may lie before the last 14. */
function Volumes({ days, lastDay, completeSince }: Figures['volumes']) {
  const recent = lastSteps('day', Date.parse(lastDay));
  const before = days.map(({ day }) => new Date(day).toISOString()).filter((day) => day < (recent[0] ?? day));
  const steps = [...new Set(before), ...recent];
  const kinds = [...new Map(days.map((one) => [`${one.currency} ${one.decimals}`, one])).values()];
  return (
    <Section
      title="Volume by day"
      hint={<Since at={completeSince} what="Amounts that completed payments sent." />}
    >
      {kinds.length === 0 && <Empty title="No payment of the last 14 days is completed." />}
      {kinds.map(({ currency: code, decimals }) => {
        const own = days.filter((one) => one.currency === code && one.decimals === decimals);
        return (
          <Bars
            key={`${code} ${decimals}`}
            title={`Sent in ${code}, by day (UTC)`}
            place="Day"
            places={steps.map(STEPS.day.say)}
            series={[
              {
                label: code,
                kind: 'accent',
                values: valuesAt(steps, own, { at: ({ day }) => day, value: ({ amount }) => amount }),
              },
            ]}
            format={(value) => formatMoney(value, { code, decimals } as never)}
          />
        );
      })}
    </Section>
  );
}

function Requests({ minutes, completeSince, now }: Figures['requests'] & Now) {
  const steps = lastSteps('minute', Date.parse(now));
  const of = (value: (row: (typeof minutes)[number]) => number) =>
    valuesAt(steps, minutes, { at: ({ at }) => at, value });
  return (
    <Section
      title="Requests by minute"
      hint={<Since at={completeSince} what="Requests of platforms in the last hour, by outcome." />}
    >
      {minutes.length === 0 ? (
        <Empty title="No platform called in the last hour." />
      ) : (
        <Bars
          title="Requests of the last hour, by minute"
          place="Minute"
          places={steps.map(STEPS.minute.say)}
          series={[
            { label: 'Answered', kind: 'good', values: of(({ answered }) => answered) },
            { label: 'Refused', kind: 'wait', values: of(({ refused }) => refused) },
            { label: 'Failed', kind: 'bad', values: of(({ failed }) => failed) },
          ]}
          format={sayNumber}
        />
      )}
    </Section>
  );
}

function Webhooks({ hours, completeSince, now }: Figures['webhooks'] & Now) {
  const steps = lastSteps('hour', Date.parse(now));
  const of = (value: (row: (typeof hours)[number]) => number) =>
    valuesAt(steps, hours, { at: ({ at }) => at, value });
  const shared = { place: 'Hour', places: steps.map(STEPS.hour.say) };
  return (
    <Section
      title="Webhooks by hour"
      hint={
        <Since at={completeSince} what="Webhooks that were delivered or given up in the last 24 hours." />
      }
    >
      {hours.length === 0 ? (
        <Empty title="No webhook was delivered or given up in the last 24 hours." />
      ) : (
        <>
          <Bars
            {...shared}
            title="Webhooks by hour"
            series={[
              { label: 'Delivered', kind: 'good', values: of(({ delivered }) => delivered) },
              { label: 'Given up', kind: 'bad', values: of(({ exhausted }) => exhausted) },
            ]}
            format={sayNumber}
          />
          <Bars
            {...shared}
            title="From the event to the first attempt, on average"
            series={[{ label: 'Lag', kind: 'accent', values: of(({ lagMs = 0 }) => lagMs) }]}
            format={sayLag}
          />
        </>
      )}
    </Section>
  );
}

/** Says what a section shows and since when it is complete, because a busy platform has more rows than are counted. */
function Since({ at, what }: { at: string | undefined; what: string }) {
  if (at === undefined) return <>{what}</>;
  return (
    <>
      {what} Only the newest rows of a busy platform are counted: complete since <Time at={at} isExact />.
    </>
  );
}

function sayNumber(value: bigint): string {
  return value.toLocaleString('en');
}

function sayLag(ms: bigint): string {
  return ms < 1_000n ? `${ms} ms` : formatDuration(Number(ms));
}

const FIELDS: readonly FilterField[] = [
  {
    name: 'environment',
    label: 'Environment',
    kind: 'select',
    options: ['PRODUCTION', 'SANDBOX'],
    words: { '': 'Production, if there is any' },
  },
  { name: 'platform', label: 'Platform', kind: 'platform' },
];
