import type { Stablecoin, StablecoinSupply } from '@corridor/client';
import { useQuery } from '../../api/query.ts';
import { corridor } from '../../api/session.ts';
import { Facts, Section } from '../../ui/layout.tsx';
import { Money } from '../../ui/money.tsx';
import { Loaded } from '../../ui/states.tsx';

/** How many coins exist, where they are, and the money behind them. */
export function Supply({ coin }: { coin: Stablecoin }) {
  const supply = useQuery(['getStablecoinSupply', coin.id], () => corridor.getStablecoinSupply(coin.id), {
    live: 'requests',
  });
  return (
    <Section
      title="Supply and reserve"
      hint="These figures come from the ledger. They include coins that the provider issued before the registration."
      isCard
    >
      <Loaded read={supply} what="The supply could not be loaded.">
        {(found) => <Books coin={coin} supply={found} />}
      </Loaded>
    </Section>
  );
}

function Books({ coin: { symbol, decimals }, supply }: { coin: Stablecoin; supply: StablecoinSupply }) {
  const coins = (amount: string) => <Money amount={BigInt(amount)} currency={{ code: symbol, decimals }} />;
  return (
    <Facts
      facts={{
        'In circulation': coins(supply.issued),
        'In internal accounts and payments': coins(supply.inside),
        'In external wallets': coins(supply.outside),
        Reserve: <Money amount={BigInt(supply.reserve)} currency={supply.reserveCurrency} />,
        'Being minted': supply.openMints === '0' ? undefined : coins(supply.openMints),
        'Being burned': supply.openBurns === '0' ? undefined : coins(supply.openBurns),
      }}
    />
  );
}
