import type { AgentCreateResponse, AgentPermission } from '@corridor/client';
import { useState } from 'preact/hooks';
import { callOf } from '../../api/call.ts';
import { invalidate } from '../../api/query.ts';
import { Code } from '../../ui/code-box.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Choices, Field, Form, type FormValues } from '../../ui/form.tsx';
import { Id } from '../../ui/id.tsx';
import { parseAmount } from '../../ui/money.tsx';

const PERMISSIONS = [
  ['VIEW_TRANSACTIONS', 'View transactions'],
  ['CREATE_QUOTES', 'Create quotes'],
  ['EXECUTE_QUOTES', 'Execute quotes'],
  ['CREATE_TRANSFERS', 'Create transfers'],
  ['MANAGE_EXTERNAL_ACCOUNTS', 'Manage external accounts'],
] as const;

/** The device code of a new agent is shown once: it lives in this dialog and nowhere else. */
export function NewAgent() {
  const [isOpen, setOpen] = useState(false);
  const [created, setCreated] = useState<AgentCreateResponse>();
  const close = () => {
    setOpen(false);
    setCreated(undefined);
  };
  return (
    <>
      <button type="button" class="primary" onClick={() => setOpen(true)}>
        New agent
      </button>
      <Dialog title={created ? 'Copy the code now' : 'New agent'} isOpen={isOpen} onClose={close}>
        {created ? (
          <>
            <p>The code is shown only this once. The agent’s program exchanges it for a token, once.</p>
            <Code text={created.deviceCode.code} label="device code" />
            <p>
              <Id id={created.agent.id} />
            </p>
          </>
        ) : (
          <AgentForm
            onDone={(agent) => {
              setCreated(agent);
              invalidate('listAgents');
            }}
          />
        )}
      </Dialog>
    </>
  );
}

function AgentForm({ onDone }: { onDone: (created: AgentCreateResponse) => void }) {
  return (
    <Form build={buildAgent} submit="Create agent" what="The agent was not created." onDone={onDone}>
      <Field name="name" label="Name" placeholder="Travel booker" isRequired />
      <Field name="customerId" label="Customer" placeholder="Customer:…" isRequired />
      <Choices
        name="policy.permissions"
        legend="Permissions"
        options={PERMISSIONS}
        chosen={PERMISSIONS.map(([permission]) => permission)}
      />
      <Field name="policy.spendingLimits.currency" label="Currency of the limits" value="USD" isRequired />
      <Field
        name="policy.spendingLimits.perTransactionLimit"
        label="Limit per payment"
        value="500"
        isRequired
      />
      <Field name="policy.spendingLimits.dailyLimit" label="Limit per day" value="600" />
      <Field name="policy.approvalThresholds.amount" label="Needs approval above" value="100" />
    </Form>
  );
}

function buildAgent(values: FormValues) {
  const currency = values.text('policy.spendingLimits.currency') ?? 'USD';
  const read = (name: string) => {
    const text = values.text(name);
    return text === undefined ? null : (parseAmount(text, currency) ?? Number.NaN);
  };
  return callOf('createAgent', {
    name: values.text('name') ?? '',
    customerId: values.text('customerId') ?? '',
    policy: {
      permissions: values.all('policy.permissions') as AgentPermission[],
      defaultExecutionMode: 'AUTO',
      spendingLimits: {
        currency,
        perTransactionLimit: read('policy.spendingLimits.perTransactionLimit') ?? Number.NaN,
        dailyLimit: read('policy.spendingLimits.dailyLimit'),
      },
      approvalThresholds: { currency, amount: read('policy.approvalThresholds.amount') },
    },
  });
}
