import type { Agent } from '@corridor/client';
import { useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso/router';
import { callOf } from '../../api/call.ts';
import { invalidate, useQuery } from '../../api/query.ts';
import { corridor } from '../../api/session.ts';
import { Action } from '../../ui/action.tsx';
import { Code } from '../../ui/code-box.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { CustomerId, Id, shortId } from '../../ui/id.tsx';
import { Facts, Screen, Section } from '../../ui/layout.tsx';
import { formatMoney } from '../../ui/money.tsx';
import { AgentState } from '../../ui/resources.tsx';
import { Loaded, Skeleton } from '../../ui/states.tsx';
import { Text } from '../../ui/text.tsx';
import { Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toast.tsx';
import { Approvals, useApprovals } from './approvals.tsx';
import { History } from './history.tsx';
import { Policy } from './policy.tsx';

/** Answers: how much may this agent still pay, and is it waiting for me? */
export default function OneAgent() {
  const { id = '' } = useRoute().params;
  const agent = useQuery(['getAgentById', id], () => corridor.getAgentById(id), { live: 'events' });
  const approvals = useApprovals(id);
  return (
    <Screen
      title={shortId(id)}
      answer={agent.data && <Answer agent={agent.data} waiting={approvals.rows.length} />}
      actions={agent.data && <AgentActions agent={agent.data} />}
    >
      <Loaded read={agent} what="The agent could not be read." lines={10}>
        {(found) =>
          // What waits comes together with the rest, so that nothing moves.
          approvals.isLoading ? (
            <Skeleton lines={20} />
          ) : (
            <>
              <Section title="Waiting for you">
                <Approvals pages={approvals} />
              </Section>
              <Policy agent={found} />
              <Section title="The agent" isCard>
                <Facts
                  facts={{
                    Name: <Text>{found.name}</Text>,
                    Id: <Id id={id} isWhole />,
                    State: <AgentState agent={found} />,
                    Customer: <CustomerId id={found.customerId} />,
                    Created: <Time at={found.createdAt} />,
                  }}
                />
              </Section>
              <History agent={found} />
            </>
          )
        }
      </Loaded>
    </Screen>
  );
}

function Answer({ agent, waiting }: { agent: Agent; waiting: number }) {
  const { currency, perTransactionLimit, dailyLimit } = agent.policy.spendingLimits;
  const left = typeof dailyLimit === 'number' ? Math.max(0, dailyLimit - agent.usage.dailySpend) : undefined;
  const most = Math.min(perTransactionLimit, left ?? perTransactionLimit);
  return (
    <>
      <strong>
        <Text>{agent.name}</Text>
      </strong>{' '}
      {agent.isPaused
        ? 'is paused: it can read, but not pay.'
        : `may pay up to ${formatMoney(most, currency)} in one payment${left === undefined ? '' : `, and ${formatMoney(left, currency)} in total for the rest of today`}.`}{' '}
      {waiting > 0 &&
        (waiting === 1
          ? 'One payment is waiting for your approval.'
          : `${waiting} payments are waiting for your approval.`)}
    </>
  );
}

function changed(text: string): void {
  invalidate('getAgentById', 'listAgents', 'listAgentApprovals');
  toast(text);
}

function AgentActions({ agent: { id, isPaused } }: { agent: Agent }) {
  const { route } = useLocation();
  return (
    <>
      <Action
        label={isPaused ? 'Resume' : 'Pause'}
        call={callOf('updateAgent', id, { isPaused: !isPaused })}
        ask={
          isPaused
            ? 'The agent will be able to pay again, within its policy.'
            : 'The agent will only be able to read, and its waiting payments cannot be approved while it is paused.'
        }
        what="The agent was not changed."
        onDone={() => changed(isPaused ? 'The agent can pay again.' : 'The agent is paused.')}
      />
      {isPaused && <NewCode id={id} />}
      <Action
        label="Delete"
        kind="danger"
        call={callOf('deleteAgent', id)}
        ask="The agent’s token will be revoked, and its waiting payments will be rejected. This cannot be undone."
        what="The agent was not deleted."
        onDone={() => {
          changed('The agent was deleted.');
          route('/console/agents');
        }}
      />
    </>
  );
}

/** A new device code replaces the agent's token. It is shown once. */
function NewCode({ id }: { id: string }) {
  const [code, setCode] = useState<string>();
  return (
    <>
      <Action
        label="Replace token"
        call={callOf('regenerateAgentDeviceCode', id)}
        ask="The agent’s current token will stop working. Give the new code to the program that runs the agent."
        what="The token was not replaced."
        onDone={(created) => setCode(created.code)}
      />
      <Dialog title="Copy the code now" isOpen={code !== undefined} onClose={() => setCode(undefined)}>
        <p>The code is shown only this once, and it works once.</p>
        <Code text={code ?? ''} label="device code" />
      </Dialog>
    </>
  );
}
