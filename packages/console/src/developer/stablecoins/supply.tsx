import type { Stablecoin, StablecoinOperation } from '@corridor/client';
import { useQuery } from '../../api/query.ts';
import { corridor } from '../../api/session.ts';
import { Facts, Section } from '../../ui/layout.tsx';
import { decimalsOf, Money } from '../../ui/money.tsx';
import { Loaded } from '../../ui/states.tsx';

const READ_MAX = 100;

/** How many coins were minted here and not burned, and the money behind them. */
export function Supply({ coin }: { coin: Stablecoin }) {
  const operations = useQuery(
    ['listStablecoinOperations', coin.id, 'supply'],
    () => corridor.listStablecoinOperations(coin.id, { limit: READ_MAX }),
    { live: 'requests' },
  );
  return (
    <Section
      title="Supply and reserve"
      hint="Counted from completed mints and burns. Coins that the provider issued before the registration are not included."
      isCard
    >
      <Loaded read={operations} what="The operations could not be loaded.">
        {({ data, hasMore }) => (
          <>
            {hasMore && <p class="soft">Only the newest {READ_MAX} operations are counted.</p>}
            <Sums coin={coin} operations={data} />
          </>
        )}
      </Loaded>
    </Section>
  );
}

function Sums({ coin, operations }: { coin: Stablecoin; operations: readonly StablecoinOperation[] }) {
  const sum = (type: StablecoinOperation['operationType']) =>
    operations
      .filter(({ operationType, status }) => operationType === type && status === 'COMPLETED')
      .reduce((all, { amount }) => all + BigInt(amount), 0n);
  const minted = sum('MINT');
  const burned = sum('BURN');
  const currency = { code: coin.symbol, decimals: coin.decimals };
  const scale = 10n ** BigInt(Math.max(0, coin.decimals - decimalsOf(coin.baseCurrency)));
  return (
    <Facts
      facts={{
        Minted: <Money amount={minted} currency={currency} />,
        Burned: <Money amount={burned} currency={currency} />,
        'In circulation': <Money amount={minted - burned} currency={currency} />,
        Reserve: <Money amount={(minted - burned) / scale} currency={coin.baseCurrency} />,
      }}
    />
  );
}
