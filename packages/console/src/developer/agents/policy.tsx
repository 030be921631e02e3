import type { Agent } from '@corridor/client';
import { useState } from 'preact/hooks';
import { callOf } from '../../api/call.ts';
import { invalidate } from '../../api/query.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Field, Form, type FormValues } from '../../ui/form.tsx';
import { Id } from '../../ui/id.tsx';
import { Facts, Section } from '../../ui/layout.tsx';
import { formatAmount, formatMoney, Money, parseAmount } from '../../ui/money.tsx';
import { sayName } from '../../ui/text.tsx';
import { toast } from '../../ui/toast.tsx';

/** What the agent may do, and how much of each limit is used. */
export function Policy({ agent }: { agent: Agent }) {
  const { permissions, defaultExecutionMode, spendingLimits, accountRestrictions, approvalThresholds } =
    agent.policy;
  const { currency } = spendingLimits;
  const accounts = accountRestrictions?.allowedAccountIds;
  const threshold = approvalThresholds?.amount;
  return (
    <Section title="Policy" actions={<ChangePolicy agent={agent} />} isCard>
      <Limits agent={agent} />
      <Facts
        facts={{
          'Limit per payment': <Money amount={spendingLimits.perTransactionLimit} currency={currency} />,
          'Needs approval': sayWhen(
            defaultExecutionMode,
            threshold,
            approvalThresholds?.currency ?? currency,
          ),
          Permissions: permissions.map(sayName).join(', '),
          Accounts: accounts
            ? accounts.map((id) => (
                <div key={id}>
                  <Id id={id} />
                </div>
              ))
            : 'All accounts of the customer',
        }}
      />
    </Section>
  );
}

function sayWhen(mode: string, threshold: number | null | undefined, currency: string): string {
  if (mode === 'APPROVAL_REQUIRED') return 'For every payment';
  return typeof threshold === 'number' ? `Above ${formatMoney(threshold, currency)}` : 'Never';
}

function Limits({ agent: { policy, usage } }: { agent: Agent }) {
  const { currency, dailyLimit, monthlyLimit, dailyTransactionLimit } = policy.spendingLimits;
  const money = (amount: number) => formatMoney(amount, currency);
  return (
    <ul class="agents-limits">
      <Used label="Spent today" used={usage.dailySpend} limit={dailyLimit} say={money} />
      <Used label="Spent this month" used={usage.monthlySpend} limit={monthlyLimit} say={money} />
      <Used
        label="Payments today"
        used={usage.dailyTransactionCount}
        limit={dailyTransactionLimit}
        say={String}
      />
    </ul>
  );
}

interface UsedProps {
  readonly label: string;
  readonly used: number;
  readonly limit: number | null | undefined;
  readonly say: (value: number) => string;
}

function Used({ label, used, limit, say }: UsedProps) {
  const hasLimit = typeof limit === 'number';
  return (
    <li>
      <span class="agents-limit">
        <span>{label}</span>
        <span class="money">
          {say(used)} {hasLimit ? `of ${say(limit)}` : '(no limit)'}
        </span>
      </span>
      {hasLimit && <progress max={Math.max(limit, 1)} value={Math.min(used, limit)} aria-label={label} />}
    </li>
  );
}

const AMOUNTS = ['perTransactionLimit', 'dailyLimit', 'monthlyLimit'] as const;

const LABELS: Readonly<Record<(typeof AMOUNTS)[number], string>> = {
  perTransactionLimit: 'Limit per payment',
  dailyLimit: 'Limit per day',
  monthlyLimit: 'Limit per month',
};

function ChangePolicy({ agent: { id, policy } }: { agent: Agent }) {
  const [isOpen, setOpen] = useState(false);
  const { spendingLimits, approvalThresholds, defaultExecutionMode } = policy;
  const { currency } = spendingLimits;
  const say = (amount: number | null | undefined) =>
    typeof amount === 'number' ? formatAmount(amount, currency).replaceAll(',', '') : undefined;
  const read = (values: FormValues, name: string) => {
    const text = values.text(name);
    return text === undefined ? null : (parseAmount(text, currency) ?? Number.NaN);
  };
  const build = (values: FormValues) =>
    callOf('updateAgentPolicy', id, {
      defaultExecutionMode: (values.text('defaultExecutionMode') ?? 'AUTO') as 'AUTO' | 'APPROVAL_REQUIRED',
      spendingLimits: {
        perTransactionLimit: read(values, 'spendingLimits.perTransactionLimit') ?? Number.NaN,
        dailyLimit: read(values, 'spendingLimits.dailyLimit'),
        monthlyLimit: read(values, 'spendingLimits.monthlyLimit'),
      },
      approvalThresholds: { currency, amount: read(values, 'approvalThresholds.amount') },
    });
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Change limits
      </button>
      <Dialog title="Change limits" isOpen={isOpen} onClose={() => setOpen(false)}>
        <Form
          build={build}
          submit="Save"
          what="The policy was not changed."
          onDone={() => {
            setOpen(false);
            invalidate('getAgentById', 'listAgents');
            toast('The policy was changed.');
          }}
        >
          {AMOUNTS.map((name) => (
            <Field
              key={name}
              name={`spendingLimits.${name}`}
              label={`${LABELS[name]}, in ${currency}`}
              value={say(spendingLimits[name])}
              isRequired={name === 'perTransactionLimit'}
            />
          ))}
          <Field
            name="defaultExecutionMode"
            label="Approval"
            type="select"
            value={defaultExecutionMode}
            options={[
              ['AUTO', 'Only above the amount below'],
              ['APPROVAL_REQUIRED', 'For every payment'],
            ]}
          />
          <Field
            name="approvalThresholds.amount"
            label={`Needs approval above, in ${currency}`}
            value={say(approvalThresholds?.amount)}
          />
        </Form>
      </Dialog>
    </>
  );
}
