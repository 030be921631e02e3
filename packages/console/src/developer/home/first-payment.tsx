import type { ExternalAccount, InternalAccount, OutgoingTransaction } from '@corridor/client';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { type Call, callOf, withCommand } from '../../api/call.ts';
import { loadClock } from '../../api/clock.ts';
import { invalidate, type Read, useQuery } from '../../api/query.ts';
import { corridor, docsUrl, session } from '../../api/session.ts';
import { Action } from '../../ui/action.tsx';
import { CodeBox } from '../../ui/code-box.tsx';
import { placeOf } from '../../ui/id.tsx';
import { Section } from '../../ui/layout.tsx';
import { formatMoney } from '../../ui/money.tsx';
import { Loaded } from '../../ui/states.tsx';

const AMOUNT = 25_000;
const FUNDS = 100_000;
const WAIT_SECONDS = 5;
const OPEN: readonly string[] = ['PENDING', 'PROCESSING'];

/** The progress of the first payment. Every step is read from the platform, so it survives a reload. */
export interface Beginning {
  readonly account: InternalAccount | undefined;
  readonly payee: ExternalAccount | undefined;
  /** The newest payment that is open, or the one that was completed. */
  readonly payment: OutgoingTransaction | undefined;
  /** How many of the platform's own payments were completed, of the latest. */
  readonly completed: number;
}

export function useBeginning(isEnabled: boolean): Read<Beginning> {
  const owner = session.value?.platform.id ?? '';
  return useQuery(['firstPayment', owner], () => readBeginning(owner), { live: 'events', isEnabled });
}

async function readBeginning(owner: string): Promise<Beginning> {
  const [accounts, payees, payments] = await Promise.all([
    corridor.listPlatformInternalAccounts({ currency: 'USD', type: 'INTERNAL_FIAT' }),
    corridor.listPlatformExternalAccounts({ currency: 'EUR', limit: 1 }),
    corridor.listTransactions({ customerId: owner, type: 'OUTGOING', limit: 20 }),
  ]);
  const own = payments.data.filter((row): row is OutgoingTransaction => row.type === 'OUTGOING');
  const completed = own.filter(({ status }) => status === 'COMPLETED');
  return {
    account: accounts.data[0],
    payee: payees.data[0],
    payment: completed[0] ?? own.find(({ status }) => OPEN.includes(status)),
    completed: completed.length,
  };
}

interface Step {
  readonly title: string;
  readonly why: ComponentChildren;
  readonly label: string;
  readonly isDone: boolean;
  readonly call: Call | undefined;
}

export function FirstPayment({ beginning }: { beginning: Read<Beginning> }) {
  return (
    <Section
      title="Your first payment"
      hint={
        beginning.data?.completed === 0 &&
        'Each button makes the call shown below it. Your program will make the same call.'
      }
    >
      <Loaded read={beginning} what="The steps could not be loaded." lines={8}>
        {(found) => (found.completed > 0 ? <Finished beginning={found} /> : <Steps beginning={found} />)}
      </Loaded>
    </Section>
  );
}

function Steps({ beginning }: { beginning: Beginning }) {
  const steps = stepsOf(beginning);
  const current = steps.findIndex(({ isDone }) => !isDone);
  const list = useFollowedStep(current);
  return (
    <ol ref={list} class="home-steps">
      {steps.map((step, i) => (
        <li key={step.title} class={stepClass(step, i === current)} aria-current={i === current && 'step'}>
          <h3 tabIndex={-1}>
            {step.title}
            {step.isDone && <span class="unseen"> – done</span>}
          </h3>
          {i === current && <CurrentStep step={step} />}
        </li>
      ))}
    </ol>
  );
}

function stepClass({ isDone }: Step, isCurrent: boolean): string {
  return `home-step${isDone ? ' home-done' : ''}${isCurrent ? ' home-current' : ''}`;
}

function CurrentStep({ step: { why, label, call } }: { step: Step }) {
  if (call === undefined) return <p>This platform has no US dollar account.</p>;
  return (
    <>
      <p>{why}</p>
      <Action label={label} kind="primary" call={call} what="The call failed." onDone={stepped} isPlain />
      <CodeBox call={call} />
    </>
  );
}

function stepped(): void {
  invalidate();
  void loadClock();
}

/** When a step is done, its button is gone: the focus goes on to the next step. */
function useFollowedStep(current: number) {
  const list = useRef<HTMLOListElement>(null);
  const before = useRef(current);
  useEffect(() => {
    if (before.current === current) return;
    before.current = current;
    list.current?.querySelector<HTMLElement>('[aria-current="step"] h3')?.focus();
  }, [current]);
  return list;
}

function stepsOf({ account, payee, payment }: Beginning): Step[] {
  const isQuoted = payment !== undefined;
  const isExecuted = isQuoted && payment.status !== 'PENDING';
  const available = account?.balance.amount ?? 0;
  return [
    {
      title: 'Add money to your account',
      why: 'Your platform has a US dollar account. In the sandbox, a call adds test money to it. Amounts are in cents.',
      label: `Add ${formatMoney(FUNDS, 'USD')}`,
      isDone: isExecuted || available >= AMOUNT,
      call: account && callOf('sandboxFundInternalAccount', account.id, { amount: FUNDS }),
    },
    {
      title: 'Create a receiver',
      why: 'An external account is an account at a bank. In the sandbox, the end of its number decides what the bank does: this one accepts the money.',
      label: 'Create the external account',
      isDone: isQuoted || payee !== undefined,
      call: callOf('createPlatformExternalAccount', PAYEE),
    },
    {
      title: 'Get a price',
      why: 'A quote fixes the rate and the fees for five minutes. No money moves yet.',
      label: `Quote ${formatMoney(AMOUNT, 'USD')} to euros`,
      isDone: isQuoted,
      call: account && payee && callOf('createQuote', quoteOf(account.id, payee.id)),
    },
    {
      title: 'Pay',
      why: payment?.receivedAmount && (
        <>
          {formatMoney(AMOUNT, 'USD')} leaves your account, and the receiver gets{' '}
          <strong>{formatMoney(payment.receivedAmount.amount, payment.receivedAmount.currency)}</strong>.
        </>
      ),
      label: 'Execute the quote',
      isDone: isExecuted,
      call: payment?.quoteId === undefined ? undefined : callOf('executeQuote', payment.quoteId),
    },
    {
      title: 'Let the bank finish',
      why: 'The sandbox’s bank takes a second. Your sandbox has its own clock, so you never have to wait for a bank that takes days.',
      label: `Move the clock by ${WAIT_SECONDS} seconds`,
      isDone: payment?.status === 'COMPLETED',
      call: withCommand(
        callOf('advanceSandboxClock', { seconds: WAIT_SECONDS }),
        `corridor clock advance ${WAIT_SECONDS}s`,
      ),
    },
  ];
}

const PAYEE = {
  currency: 'EUR',
  accountInfo: {
    accountType: 'EUR_ACCOUNT',
    iban: 'DE89370400440532013000',
    beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'Jean Dupont', countryOfResidence: 'FR' },
  },
} as const;

function quoteOf(from: string, to: string) {
  return {
    source: { sourceType: 'ACCOUNT', accountId: from },
    destination: { destinationType: 'ACCOUNT', accountId: to },
    lockedCurrencySide: 'SENDING',
    lockedCurrencyAmount: AMOUNT,
    description: 'My first payment',
  } as const;
}

function Finished({ beginning: { payment } }: { beginning: Beginning }) {
  const heading = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    // The button of the last step had the focus, and is gone.
    if (document.activeElement === document.body) heading.current?.focus();
  }, []);
  return (
    <div class="card home-finished">
      <p ref={heading} tabIndex={-1}>
        <strong>Your first payment is completed.</strong> The receiver got{' '}
        {payment?.receivedAmount &&
          formatMoney(payment.receivedAmount.amount, payment.receivedAmount.currency)}
        .
      </p>
      <div class="form-foot">
        <a class="button primary" href={placeOf(payment?.id ?? '') ?? '/console/payments'}>
          See what happened
        </a>
        <a class="button" href="/console/pay">
          Pay again
        </a>
        <a
          class="button"
          href={docsUrl('/docs/sandbox#cross-currency-payouts')}
          target="_blank"
          rel="noopener"
        >
          Values that make a payment fail
        </a>
      </div>
    </div>
  );
}
