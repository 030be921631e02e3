import type { StablecoinOperation } from '@corridor/client';
import { useRoute } from 'preact-iso/router';
import { useQuery } from '../../api/query.ts';
import { corridor } from '../../api/session.ts';
import { Id, shortId } from '../../ui/id.tsx';
import { Facts, Screen, Section } from '../../ui/layout.tsx';
import { Money } from '../../ui/money.tsx';
import { Loaded } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { sayField, sayName, Text } from '../../ui/text.tsx';
import { Time } from '../../ui/time.tsx';

/** Answers: have the coins or the money arrived, and if not, what is missing? */
export default function OneOperation() {
  const { id = '' } = useRoute().params;
  const operation = useQuery(['getStablecoinOperation', id], () => corridor.getStablecoinOperation(id), {
    live: 'requests',
  });
  return (
    <Screen title={shortId(id)} answer={operation.data && <Answer operation={operation.data} />}>
      <Loaded read={operation} what="The operation could not be loaded." lines={8}>
        {(found) => (
          <>
            <Summary operation={found} />
            {found.fundingInstructions && (
              <Section title="Funding instructions" hint="Send the funds with exactly this reference." isCard>
                <Facts facts={texts(found.fundingInstructions)} />
              </Section>
            )}
            {found.estimatedDelivery && (
              <Section title="Expected arrival" isCard>
                <Facts facts={texts(found.estimatedDelivery)} />
              </Section>
            )}
          </>
        )}
      </Loaded>
    </Screen>
  );
}

const ANSWERS: Readonly<Record<string, string>> = {
  CREATED: 'was accepted and is about to start.',
  PENDING_FUNDING: 'is waiting for money or coins. The instructions are below.',
  PENDING_PROVIDER: 'is waiting for the provider.',
  PROCESSING: 'is being processed by the provider.',
  COMPLETED: 'is done.',
  FAILED: 'failed, and its funds were released.',
  EXPIRED: 'expired, because nothing arrived in time.',
};

function Answer({ operation }: { operation: StablecoinOperation }) {
  const { operationType, status, failureReason } = operation;
  return (
    <>
      The {operationType.toLowerCase()} {ANSWERS[status] ?? sayName(status)}{' '}
      {failureReason && <Text>{failureReason}</Text>}
    </>
  );
}

function Summary({ operation }: { operation: StablecoinOperation }) {
  const { stablecoinId, amount, source, destination } = operation;
  const coin = useQuery(['getStablecoin', stablecoinId], () => corridor.getStablecoin(stablecoinId)).data;
  const currency = coin && { code: coin.symbol, decimals: coin.decimals };
  return (
    <Section title="Operation" isCard>
      <Facts
        facts={{
          Id: <Id id={operation.id} isWhole />,
          Coin: <Id id={stablecoinId} />,
          Status: <Status value={operation.status} />,
          Amount: currency ? <Money amount={BigInt(amount)} currency={currency} /> : amount,
          From: source && sayName(source.type),
          'From account': (source?.accountId ?? source?.externalAccountId) && (
            <Id id={source?.accountId ?? source?.externalAccountId} />
          ),
          To: destination && <Id id={destination.accountId} />,
          Rail: destination?.rail && sayName(destination.rail),
          'Provider status': operation.providerStatus && <Text>{operation.providerStatus}</Text>,
          Failure: operation.failureReason && <Text>{operation.failureReason}</Text>,
          Description: operation.description && <Text>{operation.description}</Text>,
          Expires: operation.expiresAt && <Time at={operation.expiresAt} />,
          Created: <Time at={operation.createdAt} />,
          'Last changed': <Time at={operation.updatedAt} />,
        }}
      />
    </Section>
  );
}

function texts(values: Readonly<Record<string, unknown>>) {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [sayField(name), <Text>{String(value)}</Text>]),
  );
}
