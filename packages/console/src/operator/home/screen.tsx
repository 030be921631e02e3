import { operator, operatorSession } from '../../api/operator/session.ts';
import { useQuery } from '../../api/query.ts';
import { Facts, Screen, Section } from '../../ui/layout.tsx';
import { ChangeButton } from '../../ui/operator/change.tsx';
import { Loaded } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { Text } from '../../ui/text.tsx';
import { Time } from '../../ui/time.tsx';

/** Answers: who am I here, what may I do, and where am I signed in? */
export default function Home() {
  const { operator: me, expiresAt } = operatorSession.value ?? {};
  if (!me || expiresAt === undefined) return null;
  const isWorking = me.roles.length > 0;
  return (
    <Screen
      title="Home"
      answer={
        isWorking ? <Waiting /> : 'An administrator has to confirm you before you can do anything here.'
      }
    >
      {me.digits !== undefined && (
        <Section
          title="Your six digits"
          hint="Read them to an administrator, over the phone or in person."
          isCard
        >
          <p class="digits">{me.digits}</p>
        </Section>
      )}
      <Section title="You" isCard>
        <Facts
          facts={{
            Name: <Text>{me.name}</Text>,
            'E-mail address': <Text>{me.email}</Text>,
            Roles: me.roles.join(', ') || 'None yet',
            'Approves from': me.approvesFrom && <Time at={me.approvesFrom} clock="real" isExact />,
            'Signed in until': <Time at={expiresAt} clock="real" />,
          }}
        />
      </Section>
      {isWorking && <Sessions />}
      {isWorking && <Passkeys />}
    </Screen>
  );
}

/** Proposals of both environments, and what else waits where Work begins. */
function Waiting() {
  const toCheck = useQuery(['listProposals', 'TO_CHECK', 'home'], () =>
    operator.listProposals({ limit: 100 }),
  );
  const work = useQuery(['listWork', {}], () => operator.listWork({}));
  const proposals = toCheck.data?.data?.length;
  if (proposals === undefined || !work.data) return null;
  const others = work.data.kinds.reduce(
    (sum, { kind, count }) => sum + (kind === 'proposals' ? 0 : count),
    0,
  );
  return (
    <>
      {proposals === 0 ? (
        'No proposal waits for you.'
      ) : (
        <a href="/console/operator/proposals">
          {proposals === 1 ? 'One proposal waits' : `${proposals} proposals wait`} for your decision.
        </a>
      )}{' '}
      {others > 0 && (
        <a href="/console/operator/work">
          {others === 1 ? 'One other thing waits' : `${others.toLocaleString('en')} other things wait`}.
        </a>
      )}
    </>
  );
}

function Sessions() {
  const sessions = useQuery(['listOwnSessions'], () => operator.listOwnSessions());
  return (
    <Section
      title="Where you are signed in"
      actions={<ChangeButton operation="endOwnSessions" label="End the other sessions" />}
    >
      <Loaded read={sessions} what="Your sessions could not be loaded.">
        {({ data }) => (
          <Table
            caption="Your sessions"
            rows={data}
            keyOf={({ id }) => id}
            columns={[
              { title: 'Browser', isWide: true, cell: ({ browser }) => <Text>{browser}</Text> },
              { title: 'Address', cell: ({ remoteAddress }) => <Text>{remoteAddress}</Text> },
              { title: 'Signed in', cell: ({ createdAt }) => <Time at={createdAt} clock="real" /> },
              { title: 'Last used', cell: ({ usedAt }) => <Time at={usedAt} clock="real" /> },
            ]}
          />
        )}
      </Loaded>
    </Section>
  );
}

function Passkeys() {
  const passkeys = useQuery(['listOwnPasskeys'], () => operator.listOwnPasskeys());
  return (
    <Section title="Your passkeys">
      <Loaded read={passkeys} what="Your passkeys could not be loaded.">
        {({ data }) => (
          <Table
            caption="Your passkeys"
            rows={data}
            keyOf={({ id }) => id}
            columns={[
              { title: 'Registered', cell: ({ createdAt }) => <Time at={createdAt} clock="real" /> },
              { title: 'Last used', cell: ({ usedAt }) => <Time at={usedAt} clock="real" /> },
              {
                title: 'Delete',
                cell: ({ id }) =>
                  data.length > 1 && (
                    <ChangeButton operation="deleteOwnPasskey" params={[id]} label="Delete" kind="danger" />
                  ),
              },
            ]}
          />
        )}
      </Loaded>
    </Section>
  );
}
