import type { ExplanationItem, TransactionExplanation } from '@corridor/client';
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { platformNow } from '../api/clock.ts';
import { Id, placeOf, Sentence } from './id.tsx';
import { Money } from './money.tsx';
import { RuleLink } from './states.tsx';
import { kindOf, type StatusKind } from './status.tsx';
import { Table } from './table.tsx';
import { sayName, Text } from './text.tsx';
import { Time } from './time.tsx';
import { Timeline } from './timeline.tsx';

type ItemKind = ExplanationItem['kind'];

const KIND_WORDS: Readonly<Record<ItemKind, string>> = {
  request: 'Requests',
  decision: 'Decisions',
  transition: 'Status changes',
  entry: 'Ledger',
  order: 'Orders to rails',
  message: 'Messages',
  job: 'Jobs',
  event: 'Events',
  attempt: 'Delivery attempts',
};

/** The clocks differ if the sandbox's was moved between the two times. */
const SAME_MS = 2_000;

/** Everything that happened to a transaction, the oldest first, or only the items of one kind. */
export function ExplanationTimeline({ explanation }: { explanation: TransactionExplanation }) {
  const only = useSignal<ItemKind | undefined>(undefined);
  const { items, isTruncated } = explanation;
  const kinds = (Object.keys(KIND_WORDS) as ItemKind[]).filter((kind) =>
    items.some((item) => item.kind === kind),
  );
  const toggle = (kind: ItemKind | undefined) => {
    only.value = only.value === kind ? undefined : kind;
  };
  return (
    <>
      <div class="why-kinds" role="group" aria-label="Show only">
        {[undefined, ...kinds].map((kind) => (
          <button
            key={kind ?? 'ALL'}
            type="button"
            class="quiet"
            aria-pressed={only.value === kind}
            onClick={() => toggle(kind)}
          >
            {kind === undefined ? 'All' : KIND_WORDS[kind]}
          </button>
        ))}
      </div>
      {isTruncated && <p class="soft">Older items are left out. Only the newest {items.length} are shown.</p>}
      <Timeline
        label="What happened, oldest first"
        items={items
          .filter(({ kind }) => only.value === undefined || only.value === kind)
          .map((item) => ({
            title: <Sentence text={item.title} />,
            kind: markOf(item),
            isAhead: Date.parse(item.at) > platformNow() || item.details.state === 'DUE',
            body: <ItemBody item={item} />,
          }))}
      />
    </>
  );
}

/** The colour of an item's mark; its sentence says the same in words. */
function markOf({ kind, details }: ExplanationItem): StatusKind {
  const { status, to, outcome, state } = details as Record<string, unknown>;
  if (kind === 'request' || kind === 'attempt') {
    return typeof status === 'number' && status < 400 ? 'good' : 'bad';
  }
  if (kind === 'transition') return kindOf(String(to));
  if (kind === 'decision') {
    return ['FAILED', 'REFUSED', 'EXCEEDED', 'REJECTED'].includes(String(outcome)) ? 'bad' : 'calm';
  }
  return state === 'EXHAUSTED' || state === 'FAILED' ? 'bad' : 'calm';
}

function ItemBody({ item }: { item: ExplanationItem }) {
  const { details, rule } = item;
  const { lines, requestLogId, eventId } = details as {
    lines?: readonly EntryLine[];
    requestLogId?: string;
    eventId?: string;
  };
  const link = requestLogId ?? eventId;
  return (
    <>
      <p class="why-facts">
        {joined([
          sayActor(item),
          <ItemTimes key="at" item={item} />,
          rule !== undefined && <RuleLink key="rule" rule={rule} />,
          link !== undefined && placeOf(link) !== undefined && <Id key="link" id={link} />,
        ])}
      </p>
      {lines !== undefined && lines.length > 0 && <Lines lines={lines} />}
    </>
  );
}

function joined(parts: readonly ComponentChildren[]): ComponentChildren[] {
  return parts
    .filter((part) => part !== undefined && part !== false && part !== '')
    .flatMap((part, i) => (i === 0 ? [part] : [' · ', part]));
}

const ACTOR_WORDS: Readonly<Record<NonNullable<ExplanationItem['actor']>['kind'], string>> = {
  TOKEN: 'The platform',
  AGENT: 'The agent',
  CUSTOMER: 'The customer',
  OPERATOR: 'The operator',
  SERVICE: 'The service',
  RAIL: 'The rail',
  PROVIDER: 'The issuer',
  NETWORK: 'The card network',
  RECEIVER: 'The webhook endpoint',
  VISITOR: 'A visitor to the hosted page',
};

function sayActor({ actor }: ExplanationItem): ComponentChildren {
  if (!actor) return undefined;
  const who = ACTOR_WORDS[actor.kind];
  const place = actor.actorId === undefined ? undefined : placeOf(actor.actorId);
  return place === undefined ? (
    who
  ) : (
    <a key="actor" href={place} title={actor.actorId}>
      {who}
    </a>
  );
}

/** Both clocks, where they differ. */
function ItemTimes({ item: { at, recordedAt } }: { item: ExplanationItem }) {
  const isSame = recordedAt === undefined || Math.abs(Date.parse(recordedAt) - Date.parse(at)) < SAME_MS;
  return (
    <>
      <Time at={at} isExact />
      {!isSame && (
        <>
          {' '}
          (real time <Time at={recordedAt} clock="real" isExact />)
        </>
      )}
    </>
  );
}

interface EntryLine {
  readonly account: string;
  readonly accountId?: string;
  readonly side: string;
  readonly amount: number;
  readonly currency: string;
}

function Lines({ lines }: { lines: readonly EntryLine[] }) {
  return (
    <div class="why-lines">
      {lines.map(({ account, accountId, side, amount, currency }, i) => (
        <div key={i}>
          <span>{sayName(side)}</span> <Money amount={amount} currency={currency} />{' '}
          {accountId === undefined ? <Text>{sayAccount(account)}</Text> : <Id id={accountId} />}
          {accountId !== undefined && <span class="soft"> {sayAccount(account)}</span>}
        </div>
      ))}
    </div>
  );
}

/** `FEES:USD` as "Fees". */
function sayAccount(account: string): string {
  return sayName(account.split(':')[0] ?? account).toLowerCase();
}

/** The ledger entries of a transaction as a table: each line of the accounts that the platform may see. */
export function EntriesTable({ explanation: { items } }: { explanation: TransactionExplanation }) {
  const rows = items
    .filter(({ kind }) => kind === 'entry')
    .flatMap(({ at, title, details }, i) =>
      ((details.lines ?? []) as readonly EntryLine[]).map((line, j) => ({
        ...{ at, title, line },
        number: String(details.number ?? ''),
        key: `${i}-${j}`,
      })),
    );
  if (rows.length === 0) return <p class="soft">No money has moved, so there are no entries.</p>;
  return (
    <Table
      caption="Ledger entries"
      rows={rows}
      keyOf={({ key }) => key}
      columns={[
        { title: 'Entry', cell: ({ number }) => <code>{number}</code> },
        {
          title: 'Account',
          isWide: true,
          cell: ({ line }) => (
            <span>
              {line.accountId !== undefined && <Id id={line.accountId} />} {sayAccount(line.account)}
            </span>
          ),
        },
        {
          title: 'Amount',
          align: 'end',
          cell: ({ line: { side, amount, currency } }) => (
            <span>
              <span class="soft">{sayName(side)}</span> <Money amount={amount} currency={currency} />
            </span>
          ),
        },
      ]}
    />
  );
}

/** The statuses that it passed, in order, from its changes of status; `of` is `REFUND` for its refund. */
export function pathOf({ items, status }: TransactionExplanation, of?: 'REFUND'): string[] {
  const passed = items
    .filter(({ kind, details }) => kind === 'transition' && (details.of === 'REFUND') === (of === 'REFUND'))
    .map(({ details }) => String(details.to))
    .filter((to, i, all) => to !== all[i - 1]);
  return passed.length > 0 || of === 'REFUND' ? passed : [status];
}
