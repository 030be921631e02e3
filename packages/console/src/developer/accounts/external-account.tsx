import type { ExternalAccount } from '@corridor/client';
import { useLocation, useRoute } from 'preact-iso/router';
import { callOf } from '../../api/call.ts';
import { failureOf } from '../../api/failure.ts';
import { beneficiaryOf, receiverOf } from '../../api/names.ts';
import { invalidate, usePages, useQuery } from '../../api/query.ts';
import { corridor } from '../../api/session.ts';
import { Action } from '../../ui/action.tsx';
import { CustomerId, Id, placeOf, shortId } from '../../ui/id.tsx';
import { Facts, Screen, Section } from '../../ui/layout.tsx';
import { paymentColumns } from '../../ui/resources.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { PagedTable } from '../../ui/table.tsx';
import { sayName, Text } from '../../ui/text.tsx';
import { Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toast.tsx';
import { InfoFacts } from './info-facts.tsx';

/** Answers: can I pay this external account, and who owns it? */
export default function OneExternalAccount() {
  const { id = '' } = useRoute().params;
  const account = useQuery(['getExternalAccount', id], () => readAccount(id), { live: 'events' });
  return (
    <Screen
      title={shortId(id)}
      name={account.data && receiverOf(account.data)}
      answer={account.data && <Answer account={account.data} />}
      actions={
        account.data && (
          <>
            <a class="button" href={`/console/pay?to=${id}`}>
              Pay this account
            </a>
            <Remove account={account.data} />
          </>
        )
      }
    >
      <Loaded read={account} what="The account could not be loaded." lines={8}>
        {(found) => (
          <>
            <Section title="Account" isCard>
              <Summary account={found} />
            </Section>
            <Section title="Bank details" isCard>
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
  try {
    return await corridor.getCustomerExternalAccountById(id);
  } catch (error) {
    if (failureOf(error).status !== 404) throw error;
    return corridor.getPlatformExternalAccountById(id);
  }
}

const ANSWERS: Readonly<Record<string, string>> = {
  ACTIVE: 'You can pay this account',
  PENDING: 'The account is being checked',
  PENDING_OWNERSHIP_VERIFICATION: 'The owner has to prove ownership before you can pay this account',
  UNVERIFIED: 'The ownership of this account is not verified',
  UNDER_REVIEW: 'The operator is reviewing this account',
  INACTIVE: 'You cannot pay this account',
};

function Answer({
  account: { status, accountInfo, beneficiaryVerificationStatus },
}: {
  account: ExternalAccount;
}) {
  const name = beneficiaryOf({ accountInfo });
  return (
    <>
      {ANSWERS[status] ?? sayName(status)}
      {name !== undefined && (
        <>
          {' '}
          (<Text>{name}</Text>)
        </>
      )}
      .{beneficiaryVerificationStatus === 'NOT_MATCHED' && ' The name does not match the account holder.'}
    </>
  );
}

function Summary({ account }: { account: ExternalAccount }) {
  const verified = account.beneficiaryVerifiedData?.fullName;
  return (
    <Facts
      facts={{
        Id: <Id id={account.id} isWhole />,
        'Your id': account.platformAccountId && <Text>{account.platformAccountId}</Text>,
        Status: <Status value={account.status} />,
        Owner: <CustomerId id={account.customerId ?? null} />,
        Ownership: account.ownershipType && sayName(account.ownershipType),
        Currency: account.currency,
        'Name check': account.beneficiaryVerificationStatus && (
          <Status
            value={account.beneficiaryVerificationStatus}
            kind={NAME_CHECKS[account.beneficiaryVerificationStatus] ?? 'calm'}
          />
        ),
        'Name at the bank': verified && <Text>{verified}</Text>,
        Trusted: account.trusted ? 'Yes' : 'No',
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
      ask="You will no longer be able to pay this account. Payments that have already started will continue."
      what="The account was not deleted."
      onDone={() => {
        invalidate('listCustomerExternalAccounts', 'listPlatformExternalAccounts', 'getExternalAccount');
        toast('The account was deleted.');
        route(
          customerId === null ? '/console/external-accounts' : (placeOf(customerId) ?? '/console/customers'),
        );
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
        what="The payments could not be loaded."
        pages={payments}
        keyOf={(payment) => payment.id ?? ''}
        linkOf={(payment) => placeOf(payment.id ?? '')}
        empty={<Empty title="Nothing has been paid to this account yet." />}
        columns={paymentColumns()}
      />
    </Section>
  );
}
