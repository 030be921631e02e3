import type { Agent } from '@corridor/client';
import { useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso/router';
import { callOf } from '../../api/call.ts';
import { invalidate, useQuery } from '../../api/query.ts';
import { corridor } from '../../api/session.ts';
import { Action } from '../../ui/action.tsx';
import { Code } from '../../ui/code-box.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Id, shortId } from '../../ui/id.tsx';
import { Facts, Screen, Section } from '../../ui/layout.tsx';
import { formatMoney } from '../../ui/money.tsx';
import { Loaded, Skeleton } from '../../ui/states.tsx';
import { Text } from '../../ui/text.tsx';
import { Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toast.tsx';
import { AgentState } from './agent-state.tsx';
import { Approvals, useApprovals } from './approvals.tsx';
import { Policy } from './policy.tsx';
import { Started } from './started.tsx';

/** Answers: what may this agent still pay, and does it wait for me? */
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
                    Customer: <Id id={found.customerId} />,
                    Created: <Time at={found.createdAt} />,
                  }}
                />
              </Section>
              <Started agent={found} />
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
        ? 'is paused: it can read, and pay nothing.'
        : `may pay up to ${formatMoney(most, currency)} at once${left === undefined ? '' : `, and ${formatMoney(left, currency)} more today`}.`}{' '}
      {waiting > 0 && (waiting === 1 ? 'One payment waits for you.' : `${waiting} payments wait for you.`)}
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
            ? 'The agent can pay again, within its policy.'
            : 'The agent can only read from then on, and none of its waiting payments can be approved.'
        }
        what="Nothing was changed."
        onDone={() => changed(isPaused ? 'The agent can pay again.' : 'The agent is paused.')}
      />
      {isPaused && <NewCode id={id} />}
      <Action
        label="Delete"
        kind="danger"
        call={callOf('deleteAgent', id)}
        ask="Its token is revoked, and its waiting payments are rejected. This cannot be undone."
        what="The agent was not deleted."
        onDone={() => {
          changed('The agent is deleted.');
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
        label="Replace its token"
        call={callOf('regenerateAgentDeviceCode', id)}
        ask="The agent’s token is refused from then on. Whoever runs the agent needs the new code."
        what="The token was not replaced."
        onDone={(created) => setCode(created.code)}
      />
      <Dialog title="Copy the code now" isOpen={code !== undefined} onClose={() => setCode(undefined)}>
        <p>This is the only time that the code is shown. It works once.</p>
        <Code text={code ?? ''} label="device code" />
      </Dialog>
    </>
  );
}
