import { receiverOf } from '../../api/names.ts';
import { usePages, useQuery } from '../../api/query.ts';
import { corridor } from '../../api/session.ts';
import { Id, placeOf, shortId } from '../../ui/id.tsx';
import { Section } from '../../ui/layout.tsx';
import { ACCOUNT_COLUMNS, AgentState, paymentColumns, sayCard } from '../../ui/resources.tsx';
import { Loaded } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { PagedTable, Table } from '../../ui/table.tsx';
import { sayName, Text } from '../../ui/text.tsx';
import { Time } from '../../ui/time.tsx';

interface Of {
  readonly customerId: string;
}

const LIMIT = 10;

export function Accounts({ customerId }: Of) {
  const query = { customerId, limit: LIMIT };
  const accounts = usePages(
    ['listInternalAccounts', query],
    (cursor) => corridor.listInternalAccounts({ ...query, ...(cursor && { cursor }) }),
    { live: 'events' },
  );
  return (
    <Section title="Accounts and wallets">
      <PagedTable
        caption="Accounts and wallets"
        what="The accounts could not be loaded."
        pages={accounts}
        keyOf={({ id }) => id}
        linkOf={({ id }) => placeOf(id)}
        empty={<p class="soft">The accounts are being opened.</p>}
        columns={ACCOUNT_COLUMNS}
      />
    </Section>
  );
}

export function ExternalAccounts({ customerId }: Of) {
  const query = { customerId, limit: LIMIT };
  const accounts = usePages(
    ['listCustomerExternalAccounts', query],
    (cursor) => corridor.listCustomerExternalAccounts({ ...query, ...(cursor && { cursor }) }),
    { live: 'events' },
  );
  return (
    <Section
      title="External accounts"
      actions={
        <a class="button" href={`/console/external-accounts?new=${customerId}`}>
          New receiver
        </a>
      }
    >
      <PagedTable
        caption="External accounts"
        what="The external accounts could not be loaded."
        pages={accounts}
        keyOf={({ id }) => id}
        linkOf={({ id }) => placeOf(id)}
        empty={<p class="soft">The customer has no external accounts.</p>}
        columns={[
          {
            title: 'Receiver',
            isWide: true,
            cell: (account) => <Text>{receiverOf(account) ?? shortId(account.id)}</Text>,
          },
          { title: 'Kind', cell: ({ accountInfo }) => sayName(accountInfo.accountType) },
          { title: 'Currency', cell: ({ currency }) => currency },
          { title: 'Status', cell: ({ status }) => <Status value={status} /> },
          { title: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
        ]}
      />
    </Section>
  );
}

export function Cards({ customerId }: Of) {
  const query = { customerId, limit: LIMIT };
  const cards = usePages(
    ['listCards', query],
    (cursor) => corridor.listCards({ ...query, ...(cursor && { cursor }) }),
    { live: 'events' },
  );
  return (
    <Section
      title="Cards"
      actions={
        <a class="button" href={`/console/cards?new=${customerId}`}>
          New card
        </a>
      }
    >
      <PagedTable
        caption="Cards"
        what="The cards could not be loaded."
        pages={cards}
        keyOf={({ id }) => id}
        linkOf={({ id }) => placeOf(id)}
        empty={<p class="soft">None.</p>}
        columns={[
          { title: 'Card', isWide: true, cell: sayCard },
          { title: 'Status', cell: ({ status }) => <Status value={status} /> },
          { title: 'Funding account', cell: ({ fundingSource }) => <Id id={fundingSource} /> },
          { title: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
        ]}
      />
    </Section>
  );
}

export function Factors({ customerId }: Of) {
  const found = useQuery(['listScaFactors', customerId], () => corridor.listScaFactors({ customerId }), {
    live: 'events',
  });
  return (
    <Section
      title="Authentication factors"
      hint="The customer authorizes payments with these factors, because strong customer authentication applies."
    >
      <Loaded read={found} what="The factors could not be loaded.">
        {({ factors }) =>
          factors.length === 0 ? (
            <p class="soft">None.</p>
          ) : (
            <Table
              caption="Factors"
              rows={factors}
              keyOf={({ factor, credentialId = '' }) => factor + credentialId}
              columns={[
                { title: 'Factor', cell: ({ factor }) => sayName(factor) },
                { title: 'Name', isWide: true, cell: ({ name }) => <Text>{name}</Text> },
                { title: 'Credential', cell: ({ credentialId }) => <Text>{credentialId}</Text> },
              ]}
            />
          )
        }
      </Loaded>
    </Section>
  );
}

export function Agents({ customerId }: Of) {
  const query = { customerId, limit: LIMIT };
  const agents = usePages(
    ['listAgents', query],
    (cursor) => corridor.listAgents({ ...query, ...(cursor && { cursor }) }),
    { live: 'events' },
  );
  return (
    <Section title="Agents">
      <PagedTable
        caption="Agents"
        what="The agents could not be loaded."
        pages={agents}
        keyOf={({ id }) => id}
        linkOf={({ id }) => placeOf(id)}
        empty={<p class="soft">No agent pays on behalf of this customer.</p>}
        columns={[
          { title: 'Agent', isWide: true, cell: ({ name }) => <Text>{name}</Text> },
          { title: 'State', cell: (agent) => <AgentState agent={agent} /> },
          { title: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
        ]}
      />
    </Section>
  );
}

export function Payments({ customerId }: Of) {
  const query = { customerId, limit: LIMIT };
  const payments = usePages(
    ['listTransactions', query],
    (cursor) => corridor.listTransactions({ ...query, ...(cursor && { cursor }) }),
    { live: 'events' },
  );
  return (
    <Section
      title="Payments"
      actions={
        <a class="button" href={`/console/payments?customer=${customerId}`}>
          All payments
        </a>
      }
    >
      <PagedTable
        caption="Payments"
        what="The payments could not be loaded."
        pages={payments}
        keyOf={({ id }) => id ?? ''}
        linkOf={({ id }) => placeOf(id ?? '')}
        empty={<p class="soft">The customer has no payments yet.</p>}
        columns={paymentColumns()}
      />
    </Section>
  );
}
