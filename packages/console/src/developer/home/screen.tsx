import type { EventSummary, RequestLogSummary } from '@corridor/client';
import type { ComponentChildren } from 'preact';
import { clockOffsetMs, isSandbox, shownPlatformNow } from '../../api/clock.ts';
import { useQuery } from '../../api/query.ts';
import { corridor, session } from '../../api/session.ts';
import { Code } from '../../ui/code-box.tsx';
import { hasFailed } from '../../ui/delivery.tsx';
import { Columns, Facts, Screen, Section } from '../../ui/layout.tsx';
import { Loaded, Skeleton } from '../../ui/states.tsx';
import { isNamedAfterEnvironment, sayName, Text } from '../../ui/text.tsx';
import { formatDuration, formatUtc } from '../../ui/time.tsx';
import { LastEvents, LastRequests } from './activity.tsx';
import { FirstPayment, useBeginning } from './first-payment.tsx';

const SHOWN = 8;

/** Answers: what is this platform, does everything work, and what do I do first? */
export default function Home() {
  const beginning = useBeginning(isSandbox());
  const requests = useQuery(['listRequestLogs', 'home'], readRequests, { live: 'requests' });
  const events = useQuery(['listEvents', 'home'], readEvents, { live: 'events' });
  const failing = useQuery(['listEvents', 'failing'], countFailing, { live: 'events' });
  const config = useQuery(['getPlatformConfig'], () => corridor.getPlatformConfig());
  // The parts appear together, so that the page does not jump.
  const isReady = [...(isSandbox() ? [beginning] : []), requests, events].every(
    ({ isLoading }) => !isLoading,
  );
  const isNew = isSandbox() && (beginning.data?.completed ?? 2) < 2;
  return (
    <Screen
      title="Home"
      answer={
        beginning.data?.completed === 0 ? (
          'Your platform has made no payment of its own yet. The first one takes five calls.'
        ) : (
          <State
            requests={requests.data}
            events={events.data}
            failing={failing.data}
            hasEndpoint={config.data && config.data.webhookEndpoint !== undefined}
          />
        )
      }
    >
      {isReady ? (
        <>
          {isNew && <FirstPayment beginning={beginning} />}
          <Columns
            main={
              <>
                <LastRequests requests={requests} />
                <LastEvents events={events} />
              </>
            }
            side={
              <>
                <Platform failing={failing.data ?? 0} />
                {isSandbox() && <Contents />}
              </>
            }
          />
        </>
      ) : (
        <Skeleton lines={12} />
      )}
    </Screen>
  );
}

async function readEvents(): Promise<readonly EventSummary[]> {
  return (await corridor.listEvents({ limit: SHOWN })).data;
}

/** How many events were given up. */
async function countFailing(): Promise<number> {
  const { data, totalCount } = await corridor.listEvents({ state: 'EXHAUSTED', limit: 1 });
  return totalCount ?? data.length;
}

/** What this console itself reads is left out. */
async function readRequests(): Promise<readonly RequestLogSummary[]> {
  return (await corridor.listRequestLogs({ limit: SHOWN, isExcludingConsoleReads: true })).data;
}

function State({
  requests,
  events,
  failing = 0,
  hasEndpoint,
}: {
  requests: readonly RequestLogSummary[] | undefined;
  events: readonly EventSummary[] | undefined;
  failing: number | undefined;
  hasEndpoint: boolean | undefined;
}) {
  if (requests === undefined || events === undefined || hasEndpoint === undefined) return <>&nbsp;</>;
  const refused = requests.filter(({ status }) => status >= 400).length;
  const retried = events.filter((event) => event.state === 'PENDING' && hasFailed(event)).length;
  const bad: ComponentChildren[] = [
    ...(refused > 0
      ? [
          refused === 1
            ? 'One of the latest requests was refused.'
            : `${refused} of the latest requests were refused.`,
        ]
      : []),
    ...(failing > 0
      ? [failing === 1 ? 'One event could not be delivered.' : `${failing} events could not be delivered.`]
      : []),
    ...(retried > 0
      ? [
          retried === 1
            ? 'One of the latest events did not reach your endpoint and is retried.'
            : `${retried} of the latest events did not reach your endpoint and are retried.`,
        ]
      : []),
  ];
  if (bad.length > 0) return <>{bad.join(' ')}</>;
  return (
    <>
      Everything works: none of the latest requests was refused
      {hasEndpoint ? ', and no event failed to reach your endpoint.' : '. You have no webhook endpoint yet.'}
    </>
  );
}

function Platform({ failing }: { failing: number }) {
  const config = useQuery(['getPlatformConfig'], () => corridor.getPlatformConfig());
  const tokens = useQuery(
    ['listTokens', 'names'],
    async () => (await corridor.listTokens({ limit: 20 })).data,
  );
  const { platform, baseUrl } = session.value ?? {};
  return (
    <Section title="API address" isCard>
      <div class="home-url">
        <Code text={baseUrl ?? ''} label="base URL of the API" />
      </div>
      <Loaded read={tokens} what="The tokens could not be loaded." lines={4}>
        {(names) => (
          <Facts
            facts={{
              Platform: platform && !isNamedAfterEnvironment(platform) && <Text>{platform.name}</Text>,
              Environment: platform && sayName(platform.environment),
              Tokens: <Names names={names.map(({ name }) => name)} />,
              Webhooks: (
                <Endpoint
                  url={config.data?.webhookEndpoint}
                  failing={failing}
                  isKnown={config.data !== undefined}
                />
              ),
              Clock: isSandbox() ? <Clock /> : undefined,
            }}
          />
        )}
      </Loaded>
      <p>
        <a href="/console/settings">Tokens and settings</a>
      </p>
    </Section>
  );
}

function Names({ names }: { names: readonly string[] }) {
  return (
    <>
      {names.map((name, i) => (
        <span key={i}>
          {i > 0 && ', '}
          <Text>{name}</Text>
        </span>
      ))}
    </>
  );
}

function Endpoint({ url, failing, isKnown }: { url: string | undefined; failing: number; isKnown: boolean }) {
  if (!isKnown) return <span class="soft">–</span>;
  if (url === undefined) return <>No endpoint, so events are stored but not sent.</>;
  return (
    <>
      {/* Not a link: a click would send a request to the endpoint. */}
      <Text>{url}</Text>
      {failing > 0 && (
        <>
          {' '}
          <a href="/console/events?state=EXHAUSTED">{failing} not delivered</a>
        </>
      )}
    </>
  );
}

function Clock() {
  const isMoved = clockOffsetMs.value > 0;
  return (
    <>
      {formatUtc(new Date(shownPlatformNow()).toISOString()).slice(0, 16)} UTC
      {isMoved && `, ${formatDuration(clockOffsetMs.value)} ahead of real time`}{' '}
      <a href="/console/time">See what is due</a>
    </>
  );
}

const COUNTED = [
  ['Customers', '/console/customers', () => corridor.listCustomers({ limit: 1 })],
  ['Payments', '/console/payments', () => corridor.listTransactions({ limit: 1 })],
  ['Cards', '/console/cards', () => corridor.listCards({ limit: 1 })],
  ['Agents', '/console/agents', () => corridor.listAgents({ limit: 1 })],
  ['Stablecoins', '/console/stablecoins', () => corridor.listStablecoins({ limit: 1 })],
] as const;

function Contents() {
  const counts = useQuery(
    ['home', 'counts'],
    () => Promise.all(COUNTED.map(async ([, , read]) => (await read()).totalCount)),
    { live: 'events' },
  );
  return (
    <Section
      title="In this sandbox"
      hint="A new sandbox comes with a few sample customers and payments of theirs."
      isCard
    >
      <Loaded read={counts} what="The sandbox could not be loaded." lines={3}>
        {(found) => (
          <Facts
            facts={Object.fromEntries(
              COUNTED.map(([name, place], i) => [
                name,
                <a key={name} href={place}>
                  {found[i]?.toLocaleString('en') ?? 'more than 10,000'}
                </a>,
              ]),
            )}
          />
        )}
      </Loaded>
    </Section>
  );
}
