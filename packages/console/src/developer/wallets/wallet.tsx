import type { AuthMethod, AuthSession, DelegatedKey, InternalAccount } from '@corridor/client';
import { useRoute } from 'preact-iso/router';
import { callOf } from '../../api/call.ts';
import { platformNow } from '../../api/clock.ts';
import { invalidate, useQuery } from '../../api/query.ts';
import { corridor } from '../../api/session.ts';
import { Action } from '../../ui/action.tsx';
import { CustomerId, Id, shortId } from '../../ui/id.tsx';
import { Facts, Screen, Section } from '../../ui/layout.tsx';
import { Money } from '../../ui/money.tsx';
import { Loaded, Skeleton } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { Table } from '../../ui/table.tsx';
import { sayName, Text } from '../../ui/text.tsx';
import { Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toast.tsx';

const LIVE = { live: 'events' } as const;

/** Answers: how can the customer sign, and is anybody signed in now? */
export default function OneWallet() {
  const { id = '' } = useRoute().params;
  const account = useQuery(['getInternalAccountById', id], () => corridor.getInternalAccountById(id), LIVE);
  const credentials = useQuery(
    ['listAuthCredentials', id],
    async () => (await corridor.listAuthCredentials({ accountId: id })).data,
    LIVE,
  );
  const sessions = useQuery(
    ['listAuthSessions', id],
    async () => (await corridor.listAuthSessions({ accountId: id })).data,
    LIVE,
  );
  const keys = useQuery(
    ['listDelegatedKeys', id],
    async () => (await corridor.listDelegatedKeys({ accountId: id })).data,
    LIVE,
  );
  // Everything comes together, so that nothing moves.
  if ([account, credentials, sessions, keys].some(({ isLoading }) => isLoading)) {
    return (
      <Screen title={shortId(id)}>
        <Skeleton lines={20} />
      </Screen>
    );
  }
  return (
    <Screen title={shortId(id)} answer={sayAccess(credentials.data, sessions.data)}>
      <Loaded read={account} what="The wallet could not be loaded." lines={6}>
        {(found) => <Summary account={found} />}
      </Loaded>
      <Section title="Credentials" hint="The customer uses one of these to sign in and to sign payments.">
        <Loaded read={credentials} what="The credentials could not be loaded.">
          {(rows) => <Credentials rows={rows} />}
        </Loaded>
      </Section>
      <Section
        title="Sessions"
        hint="A session can sign until it ends. Only the customer can end it, with a signature of the wallet."
      >
        <Loaded read={sessions} what="The sessions could not be loaded.">
          {(rows) => <Sessions rows={rows} />}
        </Loaded>
      </Section>
      <Section
        title="Delegated keys"
        hint="These keys let a card spend from the wallet without a signature for each purchase."
      >
        <Loaded read={keys} what="The delegated keys could not be loaded.">
          {(rows) => <DelegatedKeys rows={rows} />}
        </Loaded>
      </Section>
    </Screen>
  );
}

function sayAccess(
  credentials: readonly AuthMethod[] | undefined,
  sessions: readonly AuthSession[] | undefined,
): string | undefined {
  if (credentials === undefined || sessions === undefined) return undefined;
  if (credentials.length === 0) return 'Nobody can sign for this wallet yet, because it has no credential.';
  const live = sessions.filter(({ expiresAt }) => Date.parse(expiresAt) > platformNow()).length;
  const ways = credentials.length === 1 ? 'one credential' : `${credentials.length} credentials`;
  const now =
    live === 0 ? 'nobody is signed in now' : live === 1 ? 'one session is open' : `${live} sessions are open`;
  return `The customer can sign with ${ways}, and ${now}.`;
}

function Summary({ account }: { account: InternalAccount }) {
  const { id, customerId, status, balance, createdAt } = account;
  return (
    <Section title="Wallet" isCard>
      <Facts
        facts={{
          Id: <Id id={id} isWhole />,
          Status: <Status value={status} />,
          Available: <Money amount={balance.amount} currency={balance.currency} />,
          Entries: <a href={`/console/accounts/${id}`}>Balance and entries</a>,
          Customer: <CustomerId id={customerId} />,
          Opened: <Time at={createdAt} />,
        }}
      />
    </Section>
  );
}

function Credentials({ rows }: { rows: readonly AuthMethod[] }) {
  if (rows.length === 0)
    return <p class="soft">There are none yet. Your product creates the first one with the customer.</p>;
  return (
    <Table
      caption="Credentials"
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        { title: 'Nickname', cell: ({ nickname }) => <Text>{nickname}</Text> },
        { title: 'Kind', cell: ({ type }) => sayName(type) },
        { title: 'Id', cell: ({ id }) => <Id id={id} /> },
        { title: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
      ]}
    />
  );
}

function Sessions({ rows }: { rows: readonly AuthSession[] }) {
  if (rows.length === 0) return <p class="soft">Nobody is signed in.</p>;
  return (
    <Table
      caption="Sessions"
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        { title: 'Credential', cell: ({ nickname }) => <Text>{nickname}</Text> },
        { title: 'Kind', cell: ({ type }) => sayName(type) },
        {
          title: 'State',
          cell: ({ expiresAt }) => (
            <Status value={Date.parse(expiresAt) > platformNow() ? 'ACTIVE' : 'EXPIRED'} />
          ),
        },
        { title: 'Expires', cell: ({ expiresAt }) => <Time at={expiresAt} /> },
        { title: 'Id', cell: ({ id }) => <Id id={id} /> },
      ]}
    />
  );
}

function DelegatedKeys({ rows }: { rows: readonly DelegatedKey[] }) {
  if (rows.length === 0) return <p class="soft">None.</p>;
  return (
    <Table
      caption="Delegated keys"
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        { title: 'Nickname', cell: ({ nickname }) => <Text>{nickname}</Text> },
        { title: 'Status', cell: ({ status }) => <Status value={status} /> },
        { title: 'Card', cell: ({ cardId }) => <Id id={cardId} /> },
        { title: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
        { title: 'Revoke', cell: ({ id, status }) => status !== 'REVOKED' && <Revoke id={id} /> },
      ]}
    />
  );
}

function Revoke({ id }: { id: string }) {
  return (
    <Action
      label="Revoke"
      kind="danger"
      call={callOf('revokeDelegatedKey', id)}
      ask="The card will no longer be able to spend from the wallet with this key. This cannot be undone."
      what="The key was not revoked."
      onDone={() => {
        invalidate('listDelegatedKeys');
        toast('The key was revoked.');
      }}
    />
  );
}
