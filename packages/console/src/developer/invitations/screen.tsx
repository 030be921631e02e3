import type { UmaInvitation } from '@corridor/client';
import { signal } from '@preact/signals';
import { callOf } from '../../api/call.ts';
import { useQuery } from '../../api/query.ts';
import { corridor } from '../../api/session.ts';
import { Action } from '../../ui/action.tsx';
import { Copy } from '../../ui/copy.tsx';
import { Field, Form } from '../../ui/form.tsx';
import { Facts, Screen, Section } from '../../ui/layout.tsx';
import { Money } from '../../ui/money.tsx';
import { Empty } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { OuterLink, Text } from '../../ui/text.tsx';
import { Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toast.tsx';

/** Invitations that were made or looked up since the page was opened: the API finds one by its code only. */
const shown = signal<readonly UmaInvitation[]>([]);

function show(invitation: UmaInvitation): void {
  shown.value = [invitation, ...shown.value.filter(({ code }) => code !== invitation.code)];
}

/** Answers: was my customer's invitation accepted? */
export default function Invitations() {
  const claimed = useQuery(
    ['listEvents', 'invitations'],
    () => corridor.listEvents({ type: 'INVITATION.CLAIMED', limit: 1 }),
    { live: 'events' },
  );
  return (
    <Screen title="Invitations" answer={claimed.data && sayClaimed(claimed.data.totalCount)}>
      <div class="invitations-forms">
        <Section title="Invite a person" isCard>
          <Invite />
        </Section>
        <Section title="Find an invitation" isCard>
          <Form
            build={(values) => callOf('getInvitation', values.text('invitationCode') ?? '')}
            submit="Find"
            what="The invitation was not found."
            onDone={show}
          >
            <Field
              name="invitationCode"
              label="Code"
              hint="Ten characters. Letter case, dashes and spaces do not matter."
            />
          </Form>
        </Section>
      </div>
      <Section title="Invitations on this page">
        {shown.value.length === 0 ? (
          <Empty title="Create an invitation, or find one by its code." />
        ) : (
          shown.value.map((invitation) => <Invitation key={invitation.code} invitation={invitation} />)
        )}
      </Section>
    </Screen>
  );
}

function sayClaimed(count: number | undefined): string {
  if (count === undefined || count === 0) return 'No invitation was accepted in the last 30 days.';
  return count === 1
    ? 'One invitation was accepted in the last 30 days.'
    : `${count} invitations were accepted in the last 30 days.`;
}

function Invite() {
  return (
    <Form
      build={(values) => {
        const firstName = values.text('firstName');
        const amountToSend = values.number('amountToSend');
        const expires = values.text('expiresAt');
        return callOf('createInvitation', {
          inviterUma: values.text('inviterUma') ?? '',
          ...(firstName !== undefined && { firstName }),
          ...(amountToSend !== undefined && { amountToSend }),
          ...(expires !== undefined && { expiresAt: `${expires}T00:00:00Z` }),
        });
      }}
      submit="Invite"
      what="The invitation was not created."
      onDone={(invitation) => {
        show(invitation);
        toast('The invitation was created. Send its link to the person.');
      }}
    >
      <Field
        name="inviterUma"
        label="UMA address of the inviting customer"
        placeholder="$ada@example.com"
        isRequired
      />
      <Field name="firstName" label="First name of the invited person" />
      <Field
        name="amountToSend"
        label="Amount to send"
        type="number"
        hint="In the smallest unit of the customer’s first currency. The invitation only displays it."
      />
      <Field name="expiresAt" label="Expires" type="date" />
    </Form>
  );
}

function Invitation({ invitation }: { invitation: UmaInvitation }) {
  const { code, url, status, inviterUma, inviteeUma, firstName, amountToSend } = invitation;
  return (
    <div class="card invitations-one">
      <Facts
        facts={{
          Code: (
            <span class="id">
              <code>{code}</code>
              <Copy text={code} label={`Copy ${code}`} />
            </span>
          ),
          Status: <Status value={status} />,
          Page: <OuterLink href={url} />,
          From: <Text>{inviterUma}</Text>,
          To: (inviteeUma ?? firstName) && <Text>{inviteeUma ?? firstName}</Text>,
          Amount: amountToSend && <Money amount={amountToSend.amount} currency={amountToSend.currency} />,
          Made: <Time at={invitation.createdAt} />,
          Accepted: invitation.claimedAt && <Time at={invitation.claimedAt} />,
          Expires: invitation.expiresAt && <Time at={invitation.expiresAt} />,
        }}
      />
      {status === 'PENDING' && (
        <Action
          label="Cancel"
          kind="danger"
          call={callOf('cancelInvitation', code)}
          ask="The person will no longer be able to accept the invitation. This cannot be undone."
          what="The invitation was not cancelled."
          onDone={(cancelled) => {
            show(cancelled);
            toast('The invitation was cancelled.');
          }}
        />
      )}
    </div>
  );
}
