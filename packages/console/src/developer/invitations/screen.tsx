import type { ListInvitationsQuery, UmaInvitation } from '@corridor/client';
import { useState } from 'preact/hooks';
import { callOf } from '../../api/call.ts';
import { invalidate, type Pages, usePages, useQuery } from '../../api/query.ts';
import { corridor } from '../../api/session.ts';
import { Action } from '../../ui/action.tsx';
import { Copy } from '../../ui/copy.tsx';
import { type FilterField, Filters, useFilters } from '../../ui/filters.tsx';
import { Field, Form } from '../../ui/form.tsx';
import { Facts, Screen, Section } from '../../ui/layout.tsx';
import { Money } from '../../ui/money.tsx';
import { Empty } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { PagedTable } from '../../ui/table.tsx';
import { OuterLink, Text } from '../../ui/text.tsx';
import { Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toast.tsx';

/** Answers: was my customer's invitation accepted? */
export default function Invitations() {
  const filters = useFilters(FIELDS);
  const query = { ...filters.values, limit: 50 } as ListInvitationsQuery;
  const invitations = usePages(
    ['listInvitations', query],
    (cursor) => corridor.listInvitations({ ...query, ...(cursor && { cursor }) }),
    { live: 'events' },
  );
  const claimed = useQuery(
    ['listInvitations', 'claimed'],
    async () => (await corridor.listInvitations({ status: 'CLAIMED', limit: 1 })).totalCount,
    { live: 'events' },
  );
  const [shown, show] = useState<UmaInvitation>();
  return (
    <Screen title="Invitations" answer={claimed.isLoading ? undefined : sayClaimed(claimed.data)}>
      <div class="invitations-forms">
        <Section title="Invite a person" isCard>
          <Invite onDone={show} />
        </Section>
        <Section
          title="Find an invitation"
          hint="By its code you also find invitations from customers of other platforms."
          isCard
        >
          <Find onDone={show} />
        </Section>
      </div>
      {shown && (
        <Section title="Invitation">
          <Invitation invitation={shown} onChange={show} />
        </Section>
      )}
      <Section title="All invitations">
        <Filters fields={FIELDS} filters={filters} />
        <InvitationTable pages={invitations} isFiltered={filters.isAny} onOpen={show} />
      </Section>
    </Screen>
  );
}

const FIELDS: readonly FilterField[] = [
  {
    name: 'status',
    label: 'Status',
    kind: 'select',
    options: ['PENDING', 'CLAIMED', 'EXPIRED', 'CANCELLED'],
    words: { CLAIMED: 'Accepted' },
  },
  { name: 'customerId', label: 'Customer', kind: 'text' },
];

interface Shows {
  readonly onDone: (invitation: UmaInvitation) => void;
}

/** Above 10,000 the API does not count. */
function sayClaimed(count: number | undefined): string {
  if (count === undefined) return 'More than 10,000 invitations were accepted.';
  if (count === 0) return 'No invitation was accepted yet.';
  return count === 1
    ? 'One invitation was accepted.'
    : `${count.toLocaleString('en')} invitations were accepted.`;
}

function Find({ onDone }: Shows) {
  return (
    <Form
      build={(values) => callOf('getInvitation', values.text('invitationCode') ?? '')}
      submit="Find"
      what="The invitation was not found."
      onDone={onDone}
    >
      <Field
        name="invitationCode"
        label="Code"
        hint="Ten characters. Letter case, dashes and spaces do not matter."
      />
    </Form>
  );
}

function InvitationTable({
  pages,
  isFiltered,
  onOpen,
}: {
  pages: Pages<UmaInvitation>;
  isFiltered: boolean;
  onOpen: (invitation: UmaInvitation) => void;
}) {
  return (
    <PagedTable
      caption="Invitations"
      what="The invitations could not be loaded."
      pages={pages}
      keyOf={({ code }) => code}
      empty={
        <Empty title={isFiltered ? 'No invitation matches these filters.' : 'There is no invitation yet.'}>
          <p>An invitation asks a person without a UMA address to open an account.</p>
        </Empty>
      }
      columns={[
        { title: 'Code', cell: ({ code }) => <CodeWithCopy code={code} /> },
        { title: 'Status', cell: ({ status }) => <InvitationStatus status={status} /> },
        { title: 'From', cell: ({ inviterUma }) => <Text>{inviterUma}</Text> },
        {
          title: 'To',
          isWide: true,
          cell: ({ inviteeUma, firstName }) => <Text>{inviteeUma ?? firstName}</Text>,
        },
        { title: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
        { title: 'Expires', cell: ({ expiresAt }) => <Time at={expiresAt} /> },
        {
          title: 'Details',
          cell: (invitation) => (
            <button type="button" class="quiet" onClick={() => onOpen(invitation)}>
              Show
              <span class="unseen"> invitation {invitation.code}</span>
            </button>
          ),
        },
      ]}
    />
  );
}

function CodeWithCopy({ code }: { code: string }) {
  return (
    <span class="id">
      <code>{code}</code>
      <Copy text={code} label={`Copy ${code}`} />
    </span>
  );
}

function InvitationStatus({ status }: { status: UmaInvitation['status'] }) {
  return <Status value={status} {...(status === 'CLAIMED' && { word: 'Accepted' })} />;
}

function Invite({ onDone }: Shows) {
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
        onDone(invitation);
        invalidate('listInvitations');
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

function Invitation({
  invitation,
  onChange,
}: {
  invitation: UmaInvitation;
  onChange: (invitation: UmaInvitation) => void;
}) {
  const { code, url, status, inviterUma, inviteeUma, firstName, amountToSend } = invitation;
  return (
    <div class="card invitations-one">
      <Facts
        facts={{
          Code: <CodeWithCopy code={code} />,
          Status: <InvitationStatus status={status} />,
          Page: <OuterLink href={url} />,
          From: <Text>{inviterUma}</Text>,
          To: (inviteeUma ?? firstName) && <Text>{inviteeUma ?? firstName}</Text>,
          Amount: amountToSend && <Money amount={amountToSend.amount} currency={amountToSend.currency} />,
          Created: <Time at={invitation.createdAt} />,
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
            onChange(cancelled);
            invalidate('listInvitations');
            toast('The invitation was cancelled.');
          }}
        />
      )}
    </div>
  );
}
