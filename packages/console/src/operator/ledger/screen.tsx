import type { BookBalance, TrialBalance } from '../../api/operator/generated/schemas.ts';
import { operator } from '../../api/operator/session.ts';
import { useQuery } from '../../api/query.ts';
import { type FilterField, Filters, useFilters } from '../../ui/filters.tsx';
import { Screen, Section } from '../../ui/layout.tsx';
import { formatMoney } from '../../ui/money.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { HOLDS, isOfOwners } from './accounts-words.ts';
import { OnSide } from './amount.tsx';
import { AT, ledgerAddress, momentOf } from './moment.ts';
import { ByPlatform } from './platforms.tsx';

/** Answers: do the books add up, and what is on each kind of account? */
export default function Ledger() {
  const filters = useFilters(FIELDS);
  const { platform, environment, at } = filters.values;
  const query = {
    ...(platform !== undefined && { platform }),
    ...(environment !== undefined && { environment: environment as 'SANDBOX' | 'PRODUCTION' }),
    ...(at !== undefined && { at: momentOf(at) ?? at }),
  };
  const trial = useQuery(['getTrialBalance', query], () => operator.getTrialBalance(query));
  return (
    <Screen
      title="Ledger"
      answer={trial.data && <Verdict trial={trial.data} />}
      actions={
        <a class="button" href="/console/operator/proof">
          Prove the books
        </a>
      }
    >
      <Filters fields={FIELDS} filters={filters} />
      <Loaded read={trial} what="The trial balance could not be loaded." lines={8}>
        {(data) => <Currencies trial={data} platform={platform} at={at} />}
      </Loaded>
      {platform === undefined && <ByPlatform environment={environment} at={at} />}
    </Screen>
  );
}

function Verdict({ trial: { unbalanced, balances, at, isProvisional } }: { trial: TrialBalance }) {
  const decimals = (currency: string) => balances.find((row) => row.currency === currency)?.decimals ?? 2;
  const sums = unbalanced.map(({ currency, sum }) =>
    formatMoney(BigInt(sum), { code: currency, decimals: decimals(currency) } as never),
  );
  return (
    <>
      {sums.length === 0
        ? 'The books add up to zero in each currency, '
        : `The books do not add up: ${sums.join(' and ')} too much, `}
      as of <Time at={at} isExact />.{isProvisional && ' Entries of the last minutes may still be missing.'}
    </>
  );
}

interface CurrenciesProps {
  readonly trial: TrialBalance;
  readonly platform: string | undefined;
  readonly at: string | undefined;
}

function Currencies({ trial: { balances, unbalanced }, platform, at }: CurrenciesProps) {
  const currencies = [...new Set(balances.map(({ currency }) => currency))];
  if (currencies.length === 0) {
    return (
      <Empty title="Nothing was booked yet.">
        <p>Every deposit, payment, fee and refund is an entry of the ledger.</p>
      </Empty>
    );
  }
  return (
    <>
      {currencies.map((currency) => {
        const rows = balances.filter((row) => row.currency === currency);
        const sum = unbalanced.find((one) => one.currency === currency)?.sum;
        return (
          <Section
            key={currency}
            title={currency}
            hint={
              sum !== undefined &&
              'Debit and credit of this currency differ. Prove the books to see which entry, or open a platform, then its accounts.'
            }
          >
            <Table
              caption={`Trial balance in ${currency}`}
              rows={[...rows, totalOf(rows)]}
              keyOf={({ account }) => account}
              linkOf={({ account }) => addressOf({ account, currency, platform, at })}
              columns={COLUMNS}
            />
          </Section>
        );
      })}
    </>
  );
}

const TOTAL = 'Sum';

interface Row extends BookBalance {
  /** Sums of the sides, in the last row. */
  readonly sides?: { readonly debit: string; readonly credit: string };
}

/** The sums of both sides, which are equal if the currency adds up. */
function totalOf(rows: readonly BookBalance[]): Row {
  const sum = (sign: 1n | -1n) =>
    rows
      .map(({ balance }) => BigInt(balance) * sign)
      .filter((amount) => amount > 0n)
      .reduce((all, one) => all + one, 0n);
  const [first] = rows;
  const sides = { debit: sum(1n).toString(), credit: (-sum(-1n)).toString() };
  return { ...(first as BookBalance), account: TOTAL, balance: '0', sides };
}

const COLUMNS = [
  { title: 'Account', cell: ({ account }: Row) => <code>{account}</code> },
  { title: 'Holds', isWide: true, cell: ({ account }: Row) => HOLDS[account.split(':')[0] ?? ''] ?? '' },
  {
    title: 'Debit',
    align: 'end' as const,
    cell: ({ sides, balance, ...row }: Row) => (
      <OnSide {...row} units={sides?.debit ?? balance} side="debit" />
    ),
  },
  {
    title: 'Credit',
    align: 'end' as const,
    cell: ({ sides, balance, ...row }: Row) => (
      <OnSide {...row} units={sides?.credit ?? balance} side="credit" />
    ),
  },
];

interface Place {
  readonly account: string;
  readonly currency: string;
  readonly platform: string | undefined;
  readonly at: string | undefined;
}

/** A kind of accounts opens its accounts, and an account its lines. Accounts are those of one platform. */
function addressOf({ account, currency, platform, at }: Place): string | undefined {
  if (account === TOTAL || platform === undefined) return undefined;
  if (isOfOwners(account)) return ledgerAddress('/accounts', { platform, kind: account, at });
  return ledgerAddress('/lines', { platform, account, currency });
}

const FIELDS: readonly FilterField[] = [
  {
    name: 'environment',
    label: 'Environment',
    kind: 'select',
    options: ['PRODUCTION', 'SANDBOX'],
    words: { '': 'Production, if there is any' },
  },
  { name: 'platform', label: 'Platform', kind: 'platform' },
  AT,
];
