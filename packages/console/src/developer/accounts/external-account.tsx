import type { ExternalAccount } from '@corridor/client';
import { useLocation, useRoute } from 'preact-iso/router';
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
import { InfoFacts } from './info-facts.tsx';

/** Answers: can money go to this account elsewhere, and whose is it? */
export default function OneExternalAccount() {
  const { id = '' } = useRoute().params;
  const account = useQuery(['getExternalAccount', id], () => readAccount(id), { live: 'events' });
  return (
    <Screen
      title={shortId(id)}
      answer={account.data && <Answer account={account.data} />}
      actions={
        account.data && (
          <>
            <a class="button" href={`/console/pay?to=${id}`}>
              Pay to it
            </a>
            <Remove account={account.data} />
          </>
        )
      }
    >
      <Loaded read={account} what="The account could not be read." lines={8}>
        {(found) => (
          <>
            <Section title="The account" isCard>
              <Summary account={found} />
            </Section>
            <Section title="Where it is" isCard>
              <InfoFacts info={found.accountInfo} />
            </Section>
            <Payments id={id} />
          </>
        )}
      </Loaded>
    </Screen>
  );
}

/** Accounts of customers and of the platform have different addresses, and an id does not say which it is. */
async function readAccount(id: string): Promise<ExternalAccount> {
  const own = await corridor.listPlatformExternalAccounts({ limit: 100 });
  const found = own.data.find((account) => account.id === id);
  return found ?? corridor.getCustomerExternalAccountById(id);
}

const ANSWERS: Readonly<Record<string, string>> = {
  ACTIVE: 'Money can go to this account',
  PENDING: 'The account is being checked',
  PENDING_OWNERSHIP_VERIFICATION: 'Its owner has to prove that it is theirs before money can go there',
  UNVERIFIED: 'Nobody has proved whose account this is',
  UNDER_REVIEW: 'The operator reviews this account',
  INACTIVE: 'No money can go to this account',
};

function Answer({
  account: { status, accountInfo, beneficiaryVerificationStatus },
}: {
  account: ExternalAccount;
}) {
  const name = beneficiaryOf(accountInfo);
  return (
    <>
      {ANSWERS[status] ?? sayName(status)}
      {name !== undefined && (
        <>
          {' '}
          of <Text>{name}</Text>
        </>
      )}
      .{beneficiaryVerificationStatus === 'NOT_MATCHED' && ' The name does not match the account.'}
    </>
  );
}

function beneficiaryOf(info: ExternalAccount['accountInfo']): string | undefined {
  const { beneficiary } = info as { beneficiary?: { fullName?: string; legalName?: string } };
  return beneficiary?.fullName ?? beneficiary?.legalName;
}

function Summary({ account }: { account: ExternalAccount }) {
  const verified = account.beneficiaryVerifiedData?.fullName;
  return (
    <Facts
      facts={{
        Id: <Id id={account.id} isWhole />,
        'Your id': account.platformAccountId && <Text>{account.platformAccountId}</Text>,
        Status: <Status value={account.status} />,
        Owner: account.customerId ? <Id id={account.customerId} /> : 'your platform',
        Ownership: account.ownershipType && sayName(account.ownershipType),
        Currency: account.currency,
        'Name check': account.beneficiaryVerificationStatus && (
          <Status
            value={account.beneficiaryVerificationStatus}
            kind={NAME_CHECKS[account.beneficiaryVerificationStatus] ?? 'calm'}
          />
        ),
        'Name at the bank': verified && <Text>{verified}</Text>,
        Trusted: account.trusted ? 'yes' : 'no',
        Created: <Time at={account.createdAt} />,
      }}
    />
  );
}

const NAME_CHECKS: Readonly<Record<string, 'good' | 'wait' | 'bad'>> = {
  MATCHED: 'good',
  PARTIAL_MATCH: 'wait',
  PENDING: 'wait',
  NOT_MATCHED: 'bad',
};

function Remove({ account: { id, customerId } }: { account: ExternalAccount }) {
  const { route } = useLocation();
  const operation =
    customerId === null ? 'deletePlatformExternalAccountById' : 'deleteCustomerExternalAccountById';
  return (
    <Action
      label="Delete"
      kind="danger"
      call={callOf(operation, id)}
      ask="No payment can go to this account from then on. Payments that were started still end."
      what="The account was not deleted."
      onDone={() => {
        invalidate('listCustomerExternalAccounts', 'getExternalAccount');
        toast('The account is deleted.');
        route(customerId === null ? '/console/accounts' : (placeOf(customerId) ?? '/console/customers'));
      }}
    />
  );
}

function Payments({ id }: { id: string }) {
  const query = { accountIdentifier: id, limit: 10 };
  const payments = usePages(
    ['listTransactions', query],
    (cursor) => corridor.listTransactions({ ...query, ...(cursor && { cursor }) }),
    { live: 'events' },
  );
  return (
    <Section title="Payments">
      <PagedTable
        caption="Payments to and from this account"
        what="The payments could not be read."
        pages={payments}
        keyOf={(payment) => payment.id ?? ''}
        linkOf={(payment) => placeOf(payment.id ?? '')}
        empty={<Empty title="Nothing was paid to this account yet." />}
        columns={[
          { title: 'Payment', cell: (payment) => <code>{shortId(payment.id ?? '')}</code> },
          { title: 'Status', cell: ({ status }) => <Status value={status} /> },
          {
            title: 'Amount',
            align: 'end',
            cell: (payment) => {
              const amount = 'receivedAmount' in payment ? payment.receivedAmount : undefined;
              return <Money amount={amount?.amount} currency={amount?.currency} />;
            },
          },
          { title: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
        ]}
      />
    </Section>
  );
}
