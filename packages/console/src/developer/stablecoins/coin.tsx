import type { Stablecoin } from '@corridor/client';
import { useRoute } from 'preact-iso/router';
import { callOf } from '../../api/call.ts';
import { invalidate, usePages, useQuery } from '../../api/query.ts';
import { corridor } from '../../api/session.ts';
import { Action } from '../../ui/action.tsx';
import { Id, placeOf, shortId } from '../../ui/id.tsx';
import { Facts, Screen, Section } from '../../ui/layout.tsx';
import { Money } from '../../ui/money.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { PagedTable } from '../../ui/table.tsx';
import { sayName, Text } from '../../ui/text.tsx';
import { Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toast.tsx';
import { Burn, Mint } from './mint-and-burn.tsx';
import { Supply } from './supply.tsx';

/** Answers: can this coin be minted and held, and what happened to it? */
export default function OneCoin() {
  const { id = '' } = useRoute().params;
  const coin = useQuery(['getStablecoin', id], () => corridor.getStablecoin(id), { live: 'events' });
  return (
    <Screen
      title={shortId(id)}
      answer={coin.data && <Answer coin={coin.data} />}
      actions={
        coin.data?.issuanceStatus === 'PROVISIONED' && (
          <>
            <Mint coin={coin.data} />
            <Burn coin={coin.data} />
          </>
        )
      }
    >
      <Loaded read={coin} what="The coin could not be loaded." lines={8}>
        {(found) => (
          <>
            <Summary coin={found} />
            <Supply coin={found} />
            <Operations coin={found} />
          </>
        )}
      </Loaded>
    </Screen>
  );
}

const MINTING: Readonly<Record<string, string>> = {
  PENDING_REVIEW: 'needs a review before it can be minted.',
  PROVISIONING: 'is being set up at the provider.',
  PROVISIONED: 'can be minted and burned',
  REJECTED: 'was rejected and cannot be minted.',
  FAILED: 'could not be set up at the provider.',
};

function Answer({ coin: { symbol, issuanceStatus, svcOperationsStatus } }: { coin: Stablecoin }) {
  const inAccounts =
    svcOperationsStatus === 'ENABLED'
      ? ', and internal accounts can hold it.'
      : ', but only to external wallets: internal accounts cannot hold it yet.';
  return (
    <>
      <strong>
        <Text>{symbol}</Text>
      </strong>{' '}
      {MINTING[issuanceStatus] ?? sayName(issuanceStatus)}
      {issuanceStatus === 'PROVISIONED' && inAccounts}
    </>
  );
}

function Summary({ coin }: { coin: Stablecoin }) {
  return (
    <Section
      title="Coin"
      actions={coin.svcOperationsStatus === 'NOT_ENABLED' && <Enable id={coin.id} />}
      isCard
    >
      <Facts
        facts={{
          Id: <Id id={coin.id} isWhole />,
          Name: <Text>{coin.name}</Text>,
          Symbol: <Text>{coin.symbol}</Text>,
          Value: `1 ${coin.baseCurrency}`,
          Decimals: coin.decimals,
          Minting: <Status value={coin.issuanceStatus} />,
          'Internal accounts': <Status value={coin.svcOperationsStatus} />,
          'Currency code': coin.currency,
          Network: sayName(coin.network),
          'Token on the network': <Text>{coin.networkTokenIdentifier}</Text>,
          Provider: sayName(coin.provider),
          'Token at the provider': <Text>{coin.providerTokenIdentifier}</Text>,
          Registered: <Time at={coin.createdAt} />,
        }}
      />
    </Section>
  );
}

function Enable({ id }: { id: string }) {
  return (
    <Action
      label="Allow in internal accounts"
      call={callOf('requestStablecoinEnablement', id)}
      ask="The operator will decide whether internal accounts may hold the coin."
      what="The request was not sent."
      onDone={() => {
        invalidate('getStablecoin', 'listStablecoins');
        toast('The request was sent.');
      }}
    />
  );
}

function Operations({ coin }: { coin: Stablecoin }) {
  const { id } = coin;
  const operations = usePages(
    ['listStablecoinOperations', id],
    (cursor) => corridor.listStablecoinOperations(id, { limit: 20, ...(cursor && { cursor }) }),
    { live: 'requests' },
  );
  return (
    <Section
      title="Mints and burns"
      hint="Mints and burns have no webhooks. This list updates as requests come in."
    >
      <PagedTable
        caption="Mints and burns"
        what="The operations could not be loaded."
        pages={operations}
        keyOf={(operation) => operation.id}
        linkOf={(operation) => placeOf(operation.id)}
        empty={
          <Empty title="Nothing has been minted or burned yet.">
            <p>Mint coins with the button above.</p>
          </Empty>
        }
        columns={[
          { title: 'Operation', cell: ({ operationType }) => sayName(operationType) },
          { title: 'Status', cell: ({ status }) => <Status value={status} /> },
          {
            title: 'Amount',
            align: 'end',
            cell: ({ amount }) => (
              <Money amount={BigInt(amount)} currency={{ code: coin.symbol, decimals: coin.decimals }} />
            ),
          },
          { title: 'Description', cell: ({ description }) => <Text>{description}</Text> },
          { title: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
        ]}
      />
    </Section>
  );
}
