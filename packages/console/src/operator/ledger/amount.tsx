import { Money } from '../../ui/money.tsx';

interface AmountProps {
  /** As the books answer: text, because it may be larger than a number can be exactly. */
  readonly units: string | undefined;
  readonly currency: string;
  readonly decimals: number;
}

/** An amount of the books, in debit above zero. */
export function Amount({ units, currency, decimals }: AmountProps) {
  return (
    <Money
      amount={units === undefined ? undefined : BigInt(units)}
      currency={{ code: currency, decimals } as never}
    />
  );
}

interface SideProps extends AmountProps {
  readonly side: 'debit' | 'credit';
}

/** The amount in the column of its side; nothing in the other one. */
export function OnSide({ units = '0', side, currency, decimals }: SideProps) {
  const amount = BigInt(units);
  if (amount === 0n || amount > 0n !== (side === 'debit')) return null;
  return <Money amount={amount < 0n ? -amount : amount} currency={{ code: currency, decimals } as never} />;
}
