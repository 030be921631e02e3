import { useLocation } from 'preact-iso/router';
import { operator } from '../../api/operator/session.ts';
import { usePages } from '../../api/query.ts';
import { type FilterField, Filters, useFilters } from '../../ui/filters.tsx';
import { Screen } from '../../ui/layout.tsx';
import { Empty } from '../../ui/states.tsx';
import { PagedTable } from '../../ui/table.tsx';
import { ACCOUNT_KINDS, HOLDS } from './accounts-words.ts';
import { OnSide } from './amount.tsx';
import { AT, ledgerAddress, momentOf } from './moment.ts';

const PAGE = 50;

/** Answers: which accounts of a kind are there, and what is on each of them? */
export default function Accounts() {
  const { query } = useLocation();
  const filters = useFilters(FIELDS);
  const { platform = '', kind = 'AVAIL', at } = filters.values;
  const asked = { kind: kind as 'AVAIL', limit: PAGE, ...(at !== undefined && { at: momentOf(at) ?? at }) };
  const accounts = usePages(
    ['listBookAccounts', platform, asked],
    (cursor) => operator.listBookAccounts(platform, { ...asked, ...(cursor && { cursor }) }),
    { isEnabled: platform !== '' },
  );
  return (
    <Screen title="Accounts of the ledger" answer={HOLDS[kind]}>
      <Filters fields={FIELDS} filters={filters} />
      {platform === '' ? (
        <Empty title="Choose a platform.">
          <p>
            This screen lists the accounts of one platform.{' '}
            <a href="/console/operator/ledger">Choose it in the trial balance.</a>
          </p>
        </Empty>
      ) : (
        <PagedTable
          caption={`Accounts of the kind ${kind}`}
          what="The accounts could not be loaded."
          pages={accounts}
          keyOf={({ account, currency }) => `${account} ${currency}`}
          linkOf={({ account, currency }) =>
            ledgerAddress('/lines', { ...query, account, currency, kind: undefined })
          }
          empty={<Empty title="No account of this kind was used yet." />}
          columns={[
            { title: 'Account', isWide: true, cell: ({ account }) => <code>{account}</code> },
            {
              title: 'Debit',
              align: 'end',
              cell: ({ balance, ...row }) => <OnSide {...row} units={balance} side="debit" />,
            },
            {
              title: 'Credit',
              align: 'end',
              cell: ({ balance, ...row }) => <OnSide {...row} units={balance} side="credit" />,
            },
          ]}
        />
      )}
    </Screen>
  );
}

const FIELDS: readonly FilterField[] = [
  { name: 'platform', label: 'Platform', kind: 'platform' },
  {
    name: 'kind',
    label: 'Kind',
    kind: 'select',
    options: ACCOUNT_KINDS.filter((kind) => kind !== 'AVAIL'),
    words: { '': 'Avail' },
  },
  AT,
];
