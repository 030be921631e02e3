import type { StablecoinOperation } from '@corridor/client';
import { useRoute } from 'preact-iso/router';
import { useQuery } from '../../api/query.ts';
import { corridor } from '../../api/session.ts';
import { Id, shortId } from '../../ui/id.tsx';
import { Facts, Screen, Section } from '../../ui/layout.tsx';
import { Money } from '../../ui/money.tsx';
import { Loaded } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { sayName, Text } from '../../ui/text.tsx';
import { Time } from '../../ui/time.tsx';

/** Answers: have the coins, or the money for them, arrived, and if not, what is missing? */
export default function OneOperation() {
  const { id = '' } = useRoute().params;
  const operation = useQuery(['getStablecoinOperation', id], () => corridor.getStablecoinOperation(id), {
    live: 'requests',
  });
  return (
    <Screen title={shortId(id)} answer={operation.data && <Answer operation={operation.data} />}>
      <Loaded read={operation} what="The operation could not be read." lines={8}>
        {(found) => (
          <>
            <Summary operation={found} />
            {found.fundingInstructions && (
              <Section title="What has to arrive" hint="Send it with exactly this reference." isCard>
                <Facts facts={texts(found.fundingInstructions)} />
              </Section>
            )}
            {found.estimatedDelivery && (
              <Section title="When it should arrive" isCard>
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
  CREATED: 'was accepted, and starts in a moment.',
  PENDING_FUNDING: 'waits for money or coins to arrive: the instructions are below.',
  PENDING_PROVIDER: 'waits for an answer of the provider.',
  PROCESSING: 'is being done by the provider.',
  COMPLETED: 'is done.',
  FAILED: 'failed. What was taken for it went back.',
  EXPIRED: 'expired: nothing arrived in time.',
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
    <Section title="The operation" isCard>
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
          By: destination?.rail && sayName(destination.rail),
          'Says the provider': operation.providerStatus && <Text>{operation.providerStatus}</Text>,
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
    Object.entries(values).map(([name, value]) => [
      sayName(name.replaceAll(/[A-Z]/g, (letter) => ` ${letter}`)),
      <Text>{String(value)}</Text>,
    ]),
  );
}
