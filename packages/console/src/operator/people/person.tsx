import { useRoute } from 'preact-iso/router';
import type { Operator } from '../../api/operator/generated/schemas.ts';
import { operator, operatorSession } from '../../api/operator/session.ts';
import { useQuery } from '../../api/query.ts';
import { Actor, Id } from '../../ui/id.tsx';
import { Facts, Screen, Section } from '../../ui/layout.tsx';
import { ChangeButton } from '../../ui/operator/change.tsx';
import { ProposalsAbout } from '../../ui/operator/proposals-about.tsx';
import { Loaded } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { Text } from '../../ui/text.tsx';
import { Time } from '../../ui/time.tsx';

/** Answers: who is this, what may they do, and are they still who they were? */
export default function Person() {
  const { id = '' } = useRoute().params;
  const person = useQuery(['getOperator', id], () => operator.getOperator(id));
  return (
    <Screen
      title="Operator"
      name={person.data?.name}
      answer={person.data && <Status value={person.data.status} />}
      actions={person.data && <Actions person={person.data} />}
    >
      <Loaded read={person} what="The operator could not be loaded." lines={6}>
        {(data) => (
          <>
            {data.digits !== undefined && <Confirm person={data} digits={data.digits} />}
            <Section title="About them" isCard>
              <Facts
                facts={{
                  'E-mail address': <Text>{data.email}</Text>,
                  Roles: data.roles.join(', '),
                  'Invited by': <Actor by={data.invitedBy} />,
                  Invited: <Time at={data.createdAt} clock="real" />,
                  'Last seen': <Time at={data.lastSeenAt} clock="real" />,
                  'Approves from': data.approvesFrom && <Time at={data.approvesFrom} clock="real" isExact />,
                  Id: <Id id={data.id} isWhole />,
                }}
              />
            </Section>
          </>
        )}
      </Loaded>
      <ProposalsAbout id={id} />
    </Screen>
  );
}

/** Six digits of the new key, which the person sees, too (operator.md §1.5a). */
function Confirm({ person: { id, name }, digits }: { person: Operator; digits: string }) {
  return (
    <Section title="Is it really them?" isCard>
      <p>
        Confirm only if <Text>{name}</Text> reads these digits to you, over the phone or in person.
      </p>
      <p class="digits">{digits}</p>
      <ChangeButton
        operation="confirmOperator"
        params={[id]}
        label="Confirm"
        kind="primary"
        given={{ digits }}
      />
    </Section>
  );
}

/** Nobody changes their own roles or status (operator.md §1.4). */
function Actions({ person: { id, status } }: { person: Operator }) {
  if (id === operatorSession.value?.operator.id || status === 'REMOVED') return null;
  const params = [id];
  return (
    <>
      <ChangeButton operation="setOperatorRoles" params={params} label="Change roles" />
      <ChangeButton operation="renewOperatorAddress" params={params} label="New address" />
      <ChangeButton operation="endOperatorSessions" params={params} label="End sessions" />
      {status !== 'SUSPENDED' && (
        <ChangeButton operation="suspendOperator" params={params} label="Suspend" kind="danger" />
      )}
      <ChangeButton operation="removeOperator" params={params} label="Remove" kind="danger" />
    </>
  );
}
