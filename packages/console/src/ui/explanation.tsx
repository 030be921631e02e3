import type {
  ExplanationCause,
  ExplanationFailure,
  ExplanationRefusal,
  ExplanationWaiting,
  ExplanationWay,
  TransactionExplanation,
} from '@corridor/client';
import type { ComponentChildren } from 'preact';
import { type Call, callAt, withCommand } from '../api/call.ts';
import { loadClock } from '../api/clock.ts';
import { invalidate, type Read, useQuery } from '../api/query.ts';
import { corridor, docsUrl } from '../api/session.ts';
import { Action } from './action.tsx';
import { Sentence } from './id.tsx';
import { Facts, Section } from './layout.tsx';
import { RuleLink } from './states.tsx';
import { sayName, Text } from './text.tsx';
import { Time } from './time.tsx';
import { toast } from './toast.tsx';

/** Explains a transaction of any kind, and again whenever something happens. */
export function useExplanation(id: string): Read<TransactionExplanation> {
  return useQuery(['explainTransaction', id], () => corridor.explainTransaction(id), { live: 'events' });
}

/** Says why a transaction is where it is: what it waits for and who can move it, why it failed, what was refused. */
export function Why({
  explanation,
  ways = YOUR_WAYS,
}: {
  explanation: TransactionExplanation;
  ways?: WaysFor;
}) {
  const { failure, refusal, waiting } = explanation;
  return (
    <>
      {failure && <FailureBox failure={failure} />}
      {refusal && <RefusalBox refusal={refusal} />}
      {waiting && <WaitingBox waiting={waiting} ways={ways} />}
    </>
  );
}

function FailureBox({ failure: { reason, sentence, rule, causedBy } }: { failure: ExplanationFailure }) {
  return (
    <Section title="Why it failed">
      <div class="why why-bad">
        <p class="why-lead">
          <Sentence text={sentence} />
        </p>
        <p class="why-facts">
          <code>{reason}</code> <RuleLink rule={rule} />
        </p>
        {causedBy && <CauseLine cause={causedBy} />}
      </div>
    </Section>
  );
}

function CauseLine({ cause: { value, of, table, link, effect } }: { cause: ExplanationCause }) {
  return (
    <p>
      This happened because of the sandbox value{' '}
      <code>
        <Text>{value}</Text>
      </code>
      , <Text>{of}</Text>: <Sentence text={effect} />{' '}
      <a href={docsUrl(link)} target="_blank" rel="noopener">
        {table}
      </a>
    </p>
  );
}

function RefusalBox({ refusal }: { refusal: ExplanationRefusal }) {
  const { code, at, method, path, status, rule } = refusal;
  return (
    <Section title="The last request was refused">
      <div class="why why-bad">
        <p class="why-lead">
          <code>
            {method} <Sentence text={path} />
          </code>{' '}
          was answered with {status} <code>{code}</code>, <Time at={at} />.
        </p>
        {rule !== undefined && (
          <p class="why-facts">
            <RuleLink rule={rule} />
          </p>
        )}
      </div>
    </Section>
  );
}

/** How a reader sees the ways to go on. */
interface WaysFor {
  /** Names of those who can act, if they differ from what a platform calls them. */
  readonly who: Readonly<Record<string, string>>;
  /** What helps with a way. */
  readonly act: (way: ExplanationWay) => ComponentChildren;
}

const YOUR_WAYS: WaysFor = { who: {}, act: (way) => <WayAction way={way} /> };

function WaitingBox({ waiting, ways }: { waiting: ExplanationWaiting; ways: WaysFor }) {
  const { since, until, nextCheckAt, afterwards, by } = waiting;
  return (
    <Section title="Waiting for">
      <div class="why why-wait">
        <p class="why-lead">
          <Sentence text={waiting.for} />
        </p>
        <Facts
          facts={{
            Since: since !== undefined && <Time at={since} />,
            Until: until !== undefined && <Time at={until} />,
            'Asked next': nextCheckAt !== undefined && <Time at={nextCheckAt} />,
          }}
        />
        {afterwards !== undefined && (
          <p>
            <Sentence text={afterwards} />
          </p>
        )}
        {by.length > 0 && <Ways all={by} ways={ways} />}
      </div>
    </Section>
  );
}

function Ways({ all, ways: { who, act } }: { all: readonly ExplanationWay[]; ways: WaysFor }) {
  return (
    <ul class="why-ways" aria-label="Who can act">
      {all.map((way) => (
        <li key={`${way.who} ${way.how}`}>
          <p>
            <strong>{who[way.who] ?? WHO[way.who] ?? sayName(way.who)}:</strong> <Sentence text={way.how} />
          </p>
          {act(way)}
        </li>
      ))}
    </ul>
  );
}

const WHO: Readonly<Record<string, string>> = {
  TOKEN: 'You',
  AGENT: 'The agent',
  CUSTOMER: 'The customer',
  OPERATOR: 'The operator',
  SERVICE: 'You',
  RAIL: 'The rail',
  PROVIDER: 'The issuer',
  NETWORK: 'The card network',
  RECEIVER: 'Your webhook endpoint',
  VISITOR: 'A visitor to the hosted page',
};

/** A way that is a call becomes a button; those that cannot be undone ask first. */
function WayAction({ way: { call, command } }: { way: ExplanationWay }) {
  const at = call && callAt(call.method, call.path, call.body);
  if (!at) return null;
  const given: Call = command === undefined ? at : withCommand(at, command);
  const { label, ask } = BUTTONS[given.operation] ?? { label: 'Make this call' };
  return (
    <Action
      label={label}
      call={given}
      what="The call failed."
      ask={ask}
      kind={ask === undefined ? undefined : 'danger'}
      onDone={() => {
        invalidate();
        void loadClock();
        toast(`The call succeeded: ${label.toLowerCase()}. The page shows its effect.`, 'calm');
      }}
    />
  );
}

const BUTTONS: Readonly<Partial<Record<Call['operation'], { label: string; ask?: string }>>> = {
  executeQuote: { label: 'Execute' },
  authorizeQuote: { label: 'Authorize' },
  approvePendingPayment: { label: 'Approve' },
  rejectPendingPayment: { label: 'Reject', ask: 'A rejected payment cannot be approved later.' },
  approveAgentAction: { label: 'Approve' },
  rejectAgentAction: { label: 'Reject', ask: 'A rejected action cannot be approved later.' },
  cancelTransaction: {
    label: 'Cancel',
    ask: 'The payment will be stopped if the rail still allows it, and the payer will get the money back.',
  },
  advanceSandboxClock: { label: 'Move the clock' },
  sandboxSend: { label: 'Simulate the arrival' },
  sandboxFundInternalAccount: { label: 'Add money' },
  sandboxSimulateCardClearing: { label: 'Clear the purchase' },
};
