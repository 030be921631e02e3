import type { ListTransactionsQuery, TransactionOneOf } from '@corridor/client';
import { useReceivers } from '../../api/names.ts';
import { type Pages, usePages, useQuery } from '../../api/query.ts';
import { corridor } from '../../api/session.ts';
import { type FilterField, Filters, useFilters } from '../../ui/filters.tsx';
import { CustomerId, placeOf } from '../../ui/id.tsx';
import { Screen } from '../../ui/layout.tsx';
import { formatAmount, Money } from '../../ui/money.tsx';
import { Empty } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { PagedTable } from '../../ui/table.tsx';
import { sayName, Text } from '../../ui/text.tsx';
import { Time } from '../../ui/time.tsx';
import { hasArrived, hasLeft } from './moved.ts';
import { Views } from './views.tsx';

const FIELDS: readonly FilterField[] = [
  { name: 'reference', label: 'Reference', kind: 'text' },
  { name: 'amount', label: 'Amount', kind: 'text' },
  {
    name: 'status',
    label: 'Status',
    kind: 'select',
    options: ['PENDING', 'PENDING_AUTHORIZATION', 'PROCESSING', 'COMPLETED', 'FAILED', 'REJECTED', 'EXPIRED'],
  },
  {
    name: 'type',
    label: 'Type',
    kind: 'select',
    options: ['OUTGOING', 'INCOMING', 'CARD'],
    words: { CARD: 'Card' },
  },
  { name: 'customer', label: 'Customer', kind: 'customer' },
  { name: 'account', label: 'Account or UMA address', kind: 'text', isPersonal: true },
  { name: 'from', label: 'From', kind: 'date' },
  { name: 'to', label: 'Until', kind: 'date' },
];

const PAGE = 50;

/** Answers: which payments are there, and which of them went wrong? */
export default function Payments() {
  const filters = useFilters(FIELDS);
  const receivers = useReceivers();
  const { amount } = filters.values;
  const query = queryOf(filters.values);
  const limit = amount === undefined ? PAGE : 100;
  const read = usePages(
    ['listTransactions', query, limit],
    (cursor) => corridor.listTransactions({ ...query, limit, ...(cursor && { cursor }) }),
    { live: 'events' },
  );
  const rows = amount === undefined ? read.rows : read.rows.filter((row) => hasAmount(row, amount));
  const pages = { ...read, rows, total: amount === undefined ? read.total : undefined };
  return (
    <Screen
      title="Payments"
      answer={<Answer total={amount === undefined ? read.total : rows.length} isFiltered={filters.isAny} />}
      actions={
        <a class="button primary" href="/console/pay">
          Pay
        </a>
      }
    >
      <Views />
      <Filters fields={FIELDS} filters={filters} />
      {amount !== undefined && <AmountNote read={read} found={rows.length} />}
      <PagedTable
        caption="Payments"
        what="The payments could not be loaded."
        pages={pages}
        keyOf={({ id }) => id}
        linkOf={({ id }) => placeOf(id)}
        empty={<NoPayment isFiltered={filters.isAny} />}
        columns={[
          { title: 'Status', cell: ({ status }) => <Status value={status} /> },
          { title: 'Type', cell: ({ type }) => sayName(type) },
          { title: 'Description', isWide: true, cell: (row) => <Text>{subjectOf(row)}</Text> },
          { title: 'Receiver', cell: (row) => <Text>{receiverOf(row, receivers)}</Text> },
          {
            title: 'Sent',
            align: 'end',
            cell: (row) => <Sum sum={hasLeft(row) ? sentOf(row) : undefined} />,
          },
          {
            title: 'Received',
            align: 'end',
            cell: (row) => <Sum sum={hasArrived(row) ? receivedOf(row) : undefined} />,
          },
          { title: 'Customer', cell: ({ customerId }) => <CustomerId id={customerId} /> },
          { title: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
        ]}
      />
    </Screen>
  );
}

/** The API has no filter by amount, so the payments that were loaded are searched. */
function AmountNote({ read, found }: { read: Pages<TransactionOneOf>; found: number }) {
  return (
    <p class="soft">
      {read.more
        ? `The amount is searched among the ${read.rows.length} newest of these payments. Narrow them down by date, or load more.`
        : `The amount was searched among all ${read.rows.length} of these payments.`}
      {found === 0 && read.more && (
        <button type="button" class="quiet" onClick={read.more}>
          Search more
        </button>
      )}
    </p>
  );
}

function queryOf(values: Readonly<Record<string, string | undefined>>): ListTransactionsQuery {
  const { status, type, reference, customer, account, from, to } = values;
  const isId =
    customer === undefined || /^(Customer|Platform):/.test(customer) || /^[0-9a-f-]{36}$/.test(customer);
  return {
    ...(status && { status: status as NonNullable<ListTransactionsQuery['status']> }),
    ...(type && { type: type as NonNullable<ListTransactionsQuery['type']> }),
    ...(reference && { reference }),
    ...(customer && (isId ? { customerId: customer } : { platformCustomerId: customer })),
    ...(account && { accountIdentifier: account }),
    ...(from && { startDate: `${from}T00:00:00Z` }),
    ...(to && { endDate: `${to}T23:59:59Z` }),
  };
}

interface SumOfMoney {
  readonly amount: number;
  readonly currency: { readonly code?: string; readonly decimals?: number };
}

function Sum({ sum }: { sum: SumOfMoney | undefined }) {
  return <Money amount={sum?.amount} currency={sum?.currency} />;
}

function sentOf(row: TransactionOneOf): SumOfMoney | undefined {
  return row.type === 'CARD' ? row.authorizedAmount : row.sentAmount;
}

function receivedOf(row: TransactionOneOf): SumOfMoney | undefined {
  return row.type === 'CARD' ? row.settledAmount : row.receivedAmount;
}

/** The merchant, the named payee, or the holder of the account that is paid. */
function receiverOf(row: TransactionOneOf, receivers: ReadonlyMap<string, string>): string | undefined {
  if (row.type === 'CARD') return row.merchant.descriptor;
  if (row.payee?.name !== undefined) return row.payee.name;
  if (row.type === 'INCOMING') return undefined;
  const { destination } = row;
  return destination.destinationType === 'ACCOUNT'
    ? receivers.get(destination.accountId)
    : destination.umaAddress;
}

/** `250`, `250.00` and `1,250.00` find the same amount, sent or received. */
function hasAmount(row: TransactionOneOf, text: string): boolean {
  const wanted = trimAmount(text);
  return [sentOf(row), receivedOf(row)].some(
    (sum) => sum !== undefined && trimAmount(formatAmount(sum.amount, sum.currency)) === wanted,
  );
}

function trimAmount(text: string): string {
  const plain = text.replaceAll(/[, ]/g, '');
  return plain.includes('.') ? plain.replace(/\.?0+$/, '') : plain;
}

function subjectOf(row: TransactionOneOf): string | undefined {
  if (row.type === 'CARD') return undefined;
  return row.description ?? row.memo ?? row.reconciliationInstructions?.reference;
}

function Answer({ total, isFiltered }: { total: number | undefined; isFiltered: boolean }) {
  const failed = useQuery(
    ['listTransactions', 'failed'],
    async () => (await corridor.listTransactions({ status: 'FAILED', limit: 1 })).totalCount,
    { live: 'events' },
  );
  if (total === undefined || failed.isLoading) return <>&nbsp;</>;
  const count = `${total.toLocaleString('en')} ${total === 1 ? 'payment' : 'payments'}`;
  if (isFiltered) return <>{count} with these filters.</>;
  if (total === 0) return <>There is no payment yet.</>;
  return (
    <>
      {count}.{' '}
      {failed.data === 0 ? (
        'None of them failed.'
      ) : (
        <a href="/console/payments?status=FAILED">{failed.data?.toLocaleString('en') ?? 'Many'} failed.</a>
      )}
    </>
  );
}

function NoPayment({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) return <Empty title="No payment matches these filters." />;
  return (
    <Empty title="Your payments will appear here.">
      <p>
        <a href="/console">Make your first payment step by step</a>, or{' '}
        <a href="/console/pay">create a payment</a>.
      </p>
    </Empty>
  );
}
