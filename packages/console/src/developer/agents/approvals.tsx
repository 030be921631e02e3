import type { AgentAction } from '@corridor/client';
import { useState } from 'preact/hooks';
import { callOf } from '../../api/call.ts';
import { given } from '../../api/given.ts';
import { invalidate, type Pages, usePages } from '../../api/query.ts';
import { corridor } from '../../api/session.ts';
import { Action } from '../../ui/action.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field, Form } from '../../ui/form.tsx';
import { Id } from '../../ui/id.tsx';
import { formatMoney, Money } from '../../ui/money.tsx';
import { PagedTable } from '../../ui/table.tsx';
import { isolate, sayName, Text } from '../../ui/text.tsx';
import { Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toast.tsx';

/** The actions that are waiting for a decision, of one agent or of all agents. */
export function useApprovals(agentId?: string): Pages<AgentAction> {
  const query = given({ agentId, limit: 20 });
  return usePages(
    ['listAgentApprovals', query],
    (cursor) => corridor.listAgentApprovals({ ...query, ...(cursor && { cursor }) }),
    { live: 'events' },
  );
}

export function Approvals({ pages }: { pages: Pages<AgentAction> }) {
  return (
    <PagedTable
      caption="Actions waiting for a decision"
      what="The actions could not be loaded."
      pages={pages}
      keyOf={({ id }) => id}
      empty={<p class="soft">Nothing is waiting for your approval.</p>}
      columns={[
        { title: 'Amount', align: 'end', cell: Amount },
        { title: 'To', cell: (action) => <Text>{sayPayee(action)}</Text> },
        { title: 'Memo', cell: ({ memo }) => <Text>{memo}</Text> },
        { title: 'Agent', cell: ({ agentId }) => <Id id={agentId} /> },
        { title: 'Requested', cell: ({ createdAt }) => <Time at={createdAt} /> },
        { title: 'Expires', cell: ({ quote }) => <Time at={quote?.expiresAt} /> },
        { title: 'Decision', cell: (action) => <Decide action={action} /> },
      ]}
    />
  );
}

export function Amount(action: AgentAction) {
  const { amount, currency } = amountOf(action);
  return <Money amount={amount} currency={currency} />;
}

function amountOf({ quote, transferDetails }: AgentAction) {
  return quote
    ? { amount: quote.totalSendingAmount, currency: quote.sendingCurrency }
    : { amount: transferDetails?.amount ?? 0, currency: transferDetails?.currency };
}

export function sayPayee({ payee, transferDetails, type }: AgentAction): string {
  if (payee) return payee.name === undefined ? payee.account : `${payee.name}, ${payee.account}`;
  return transferDetails?.destinationAccountId ?? sayName(type);
}

function decided({ status, failure }: AgentAction): void {
  invalidate('listAgentApprovals', 'listAgentActions', 'getAgentById', 'listAgents', 'listTransactions');
  if (status === 'FAILED') toast(`The payment could not be started. ${failure?.reason ?? ''}`, 'bad');
  else
    toast(status === 'APPROVED' ? 'The payment was approved and has started.' : 'The payment was rejected.');
}

function Decide({ action }: { action: AgentAction }) {
  const { agentId, id, type } = action;
  const { amount, currency } = amountOf(action);
  const sentence = `The agent wants to pay ${formatMoney(amount, currency)} to ${isolate(sayPayee(action))} (${sayName(type).toLowerCase()}). The service checks limits, accounts and funds again before the money moves.`;
  return (
    <div class="screen-actions">
      <Action
        label="Approve"
        kind="primary"
        call={callOf('approveAgentAction', agentId, id)}
        ask={sentence}
        what="The payment was not approved."
        onDone={decided}
      />
      <Reject action={action} />
    </div>
  );
}

function Reject({ action: { agentId, id } }: { action: AgentAction }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Reject…
      </button>
      <Dialog title="Reject?" isOpen={isOpen} onClose={() => setOpen(false)}>
        <Form
          build={(values) =>
            callOf('rejectAgentAction', agentId, id, given({ reason: values.text('reason') }))
          }
          submit="Reject"
          kind="danger"
          what="The payment was not rejected."
          onDone={(action) => {
            setOpen(false);
            decided(action);
          }}
        >
          <Field name="reason" label="Reason" hint="The agent can read it." />
        </Form>
      </Dialog>
    </>
  );
}
