import { usePages, useQuery } from '../../api/query.ts';
import { corridor } from '../../api/session.ts';
import { Id, placeOf } from '../../ui/id.tsx';
import { Screen, Section } from '../../ui/layout.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { PagedTable, Table } from '../../ui/table.tsx';
import { sayName, Text } from '../../ui/text.tsx';
import { Time } from '../../ui/time.tsx';
import { LinkProvider, RegisterCoin } from './new-coin.tsx';

/** Answers: which coins are mine, and can they be minted and held? */
export default function Stablecoins() {
  const coins = usePages(
    ['listStablecoins'],
    (cursor) => corridor.listStablecoins({ limit: 50, ...(cursor && { cursor }) }),
    { live: 'events' },
  );
  const links = useQuery(
    ['listStablecoinProviderAccounts'],
    async () => (await corridor.listStablecoinProviderAccounts({ limit: 50 })).data,
  );
  const mintable = coins.rows.filter(({ issuanceStatus }) => issuanceStatus === 'PROVISIONED').length;
  return (
    <Screen
      title="Stablecoins"
      answer={
        coins.rows.length === 0
          ? 'Your own coins: each is worth one unit of its currency, which the provider holds in reserve.'
          : `${coins.rows.length === 1 ? 'One coin' : `${coins.rows.length} coins`}, of which ${mintable} can be minted and burned.`
      }
      actions={<RegisterCoin links={links.data ?? []} />}
    >
      <PagedTable
        caption="Stablecoins"
        what="The coins could not be loaded."
        pages={coins}
        keyOf={({ id }) => id}
        linkOf={({ id }) => placeOf(id)}
        empty={
          <Empty title="There is no coin yet.">
            <p>Link your provider account below, then register a token that exists there.</p>
          </Empty>
        }
        columns={[
          { title: 'Symbol', cell: ({ symbol }) => <Text>{symbol}</Text> },
          { title: 'Name', cell: ({ name }) => <Text>{name}</Text> },
          {
            title: 'Minting',
            cell: ({ issuanceStatus }) => (
              <Status
                value={issuanceStatus}
                {...(issuanceStatus === 'PROVISIONED' && { kind: 'good' as const })}
              />
            ),
          },
          {
            title: 'Internal accounts',
            cell: ({ svcOperationsStatus }) => (
              <Status
                value={svcOperationsStatus}
                {...(svcOperationsStatus === 'ENABLED' && { kind: 'good' as const })}
              />
            ),
          },
          { title: 'Value', cell: ({ baseCurrency }) => `1 ${baseCurrency}` },
          { title: 'Registered', cell: ({ createdAt }) => <Time at={createdAt} /> },
        ]}
      />
      <Section
        title="Provider accounts"
        hint="Corridor calls the provider with your credentials, stores them encrypted, and never shows them again."
        actions={<LinkProvider />}
      >
        <Loaded read={links} what="The provider accounts could not be loaded.">
          {(rows) =>
            rows.length === 0 ? (
              <p class="soft">No provider account is linked.</p>
            ) : (
              <Table
                caption="Provider accounts"
                rows={rows}
                keyOf={({ id }) => id}
                columns={[
                  { title: 'Provider', cell: ({ provider }) => sayName(provider) },
                  { title: 'Account', cell: ({ providerAccountId }) => <Text>{providerAccountId}</Text> },
                  { title: 'Status', cell: ({ status }) => <Status value={status} /> },
                  { title: 'Id', cell: ({ id }) => <Id id={id} /> },
                  { title: 'Last verified', cell: ({ lastVerifiedAt }) => <Time at={lastVerifiedAt} /> },
                ]}
              />
            )
          }
        </Loaded>
      </Section>
    </Screen>
  );
}
