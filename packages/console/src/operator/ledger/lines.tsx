import { operator } from '../../api/operator/session.ts';
import { usePages, useQuery } from '../../api/query.ts';
import { Chart } from '../../ui/chart.tsx';
import { type FilterField, Filters, useFilters } from '../../ui/filters.tsx';
import { Id } from '../../ui/id.tsx';
import { Screen } from '../../ui/layout.tsx';
import { formatMoney } from '../../ui/money.tsx';
import { Empty, Failed } from '../../ui/states.tsx';
import { PagedTable } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { HOLDS } from './accounts-words.ts';
import { Amount, OnSide } from './amount.tsx';
import { momentOf } from './moment.ts';

const PAGE = 50;
const ENTRY = /^(?:\d{1,18}|(?:JournalEntry:)?[0-9a-f]{8}-[0-9a-f-]{27})$/;

/** Answers: what came and went on this account, and what was on it at a moment? */
export default function Lines() {
  const filters = useFilters(FIELDS);
  const { platform = '', account = '', currency = '', from, until } = filters.values;
  const asked = {
    ...{ account, currency, limit: PAGE },
    ...(from !== undefined && { createdAfter: `${from}T00:00:00.000Z` }),
    ...(until !== undefined && { createdBefore: `${until}T23:59:59.999Z` }),
  };
  const isAsked = platform !== '' && account !== '' && currency !== '';
  const lines = usePages(
    ['listBookLines', platform, asked],
    (cursor) => operator.listBookLines(platform, { ...asked, ...(cursor && { cursor }) }),
    { isEnabled: isAsked },
  );
  return (
    <Screen
      title="Lines of an account"
      name={account === '' ? undefined : account}
      answer={
        isAsked ? (
          <BalanceAt {...{ platform, account, currency, when: filters.values.when }} />
        ) : (
          HOLDS[account]
        )
      }
    >
      <Filters fields={FIELDS} filters={filters} />
      {isAsked && <BalanceChart lines={lines.rows} isWhole={!lines.more} />}
      {isAsked ? (
        <PagedTable
          caption={`Lines of ${account}`}
          what="The lines could not be loaded."
          pages={lines}
          keyOf={({ entry, amount, balance }) => `${entry} ${amount} ${balance}`}
          linkOf={({ entry }) => `/console/operator/ledger/entries/${entry}`}
          empty={<Empty title="Nothing was booked on this account in this time." />}
          columns={COLUMNS}
        />
      ) : (
        <Empty title="Which account?">
          <p>Name a platform, an account such as FEES:USD, and a currency.</p>
        </Empty>
      )}
    </Screen>
  );
}

interface BalanceAtProps {
  readonly platform: string;
  readonly account: string;
  readonly currency: string;
  readonly when: string | undefined;
}

/** The balance at a time or right after an entry (money.md §13.4). */
function BalanceAt({ platform, account, currency, when }: BalanceAtProps) {
  const moment =
    when === undefined ? {} : ENTRY.test(when) ? { entry: when } : { at: momentOf(when) ?? when };
  const balance = useQuery(['getBookBalance', platform, account, moment], () =>
    operator.getBookBalance(platform, { account, ...moment }),
  );
  if (balance.failure) return <Failed what="There is no balance at this moment." failure={balance.failure} />;
  if (!balance.data) return null;
  const { at, isProvisional, balances } = balance.data;
  const own = balances.find((one) => one.currency === currency);
  return (
    <>
      {own ? <Amount {...own} units={own.balance} /> : 'Nothing'}{' '}
      {'entry' in moment ? 'right after this entry, ' : ''}as of <Time at={at} isExact />.
      {isProvisional && ' Entries of the last minutes may still be missing.'}
    </>
  );
}

/** The balance after each of the lines that were loaded. A number is exact enough to draw. */
function BalanceChart({ lines, isWhole }: { lines: readonly Line[]; isWhole: boolean }) {
  // They come newest first. The last line of a moment says what stayed.
  const after = new Map(lines.toReversed().map(({ at, balance }) => [at, Number(balance)]));
  const [first] = lines;
  if (!first || after.size < 2) return null;
  const { currency: code, decimals } = first;
  return (
    <Chart
      title={isWhole ? 'Balance over time' : 'Balance since the oldest line listed below'}
      times={[...after.keys()]}
      series={[{ label: 'Balance', values: [...after.values()], kind: 'accent' }]}
      format={(value) => formatMoney(Math.round(value), { code, decimals } as never)}
      isStepped
    />
  );
}

type Line = Awaited<ReturnType<typeof operator.listBookLines>>['data'][number];

const COLUMNS = [
  { title: 'Entry', cell: ({ seq }: Line) => <code>{seq}</code> },
  { title: 'Kind', cell: ({ kind }: Line) => <code>{kind}</code> },
  { title: 'Transaction', isWide: true, cell: ({ transactionId }: Line) => <Id id={transactionId} /> },
  { title: 'Time', cell: ({ at }: Line) => <Time at={at} isExact /> },
  {
    title: 'Debit',
    align: 'end' as const,
    cell: ({ amount, ...row }: Line) => <OnSide {...row} units={amount} side="debit" />,
  },
  {
    title: 'Credit',
    align: 'end' as const,
    cell: ({ amount, ...row }: Line) => <OnSide {...row} units={amount} side="credit" />,
  },
  {
    title: 'Balance',
    align: 'end' as const,
    cell: ({ balance, ...row }: Line) => <Amount {...row} units={balance} />,
  },
];

const FIELDS: readonly FilterField[] = [
  { name: 'platform', label: 'Platform', kind: 'platform' },
  { name: 'account', label: 'Account', kind: 'text', placeholder: 'FEES:USD' },
  { name: 'currency', label: 'Currency', kind: 'text', placeholder: 'USD' },
  { name: 'from', label: 'From', kind: 'date' },
  { name: 'until', label: 'Until', kind: 'date' },
  { name: 'when', label: 'Balance at', kind: 'text', placeholder: 'A time (UTC), or an entry' },
];
