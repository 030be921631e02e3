import { accountsOpened, type OpenedAccount } from '#capabilities/accounts/announcements.ts';
import {
  buildHolderName,
  type FundedAccount,
  fundingEntriesOf,
  fundingInstructions,
  fundingReference,
  needsReference,
} from '#capabilities/accounts/funding-instructions.ts';
import { ledgerAccountsOf } from '#capabilities/accounts/ledger-accounts.ts';
import { chooseAccountType, FIRST_ACCOUNT_STATUSES } from '#capabilities/accounts/rules.ts';
import { insertAccounts, liveCurrencies, type NewAccount } from '#capabilities/accounts/store.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import { announce } from '#foundation/events/reactions.ts';
import { schedule } from '#foundation/jobs/schedule.ts';
import { openLedgerAccounts } from '#foundation/ledger/store.ts';
import type { ProvisioningRequest } from '#foundation/ports/accounts.ts';

export interface AccountOwner {
  /** Absent: the platform itself. */
  readonly customerId?: CustomerId | undefined;
  readonly name: string;
  readonly email?: string | undefined;
  /** The service's own name, which is part of the holder name. */
  readonly serviceName: string;
}

/**
 * Opens one account per currency, with its ledger accounts, in this commit. Skips currencies in which the owner
 * already has a live account, so that it may be called again.
 */
export async function openAccounts(
  tx: Tx,
  owner: AccountOwner,
  currencies: readonly string[],
): Promise<OpenedAccount[]> {
  const opened: NewAccount[] = [];
  for (let wanted = [...new Set(currencies)]; wanted.length > 0; ) {
    const candidates = wanted.map((currency) => newAccount(tx, owner, currency));
    const stored = await insertAccounts(tx, candidates);
    opened.push(...candidates.filter(({ id }) => stored.has(id)));
    wanted = candidates.filter(({ id }) => !stored.has(id)).map(({ currency }) => currency);
    if (wanted.length === 0) break;
    const live = await liveCurrencies(tx, owner.customerId, wanted);
    // Neither stored nor already live: the new reference was taken. Retry with another one.
    wanted = wanted.filter((currency) => !live.has(currency));
  }
  if (opened.length === 0) return [];
  await openLedgerAccounts(
    tx,
    opened.flatMap(({ id, currency }) => ledgerAccountsOf(id).map((account) => ({ account, currency }))),
  );
  for (const { id, status } of opened) {
    if (status === FIRST_ACCOUNT_STATUSES.requested)
      schedule(tx, { kind: PROVISION_JOB, key: id, payload: { id }, afterMs: 0 });
  }
  const accounts = opened.map(({ id, customerId, currency, type }) => ({ id, customerId, currency, type }));
  await announce(tx, accountsOpened, { accounts });
  return accounts;
}

function newAccount(tx: ReadTx, owner: AccountOwner, currency: string): NewAccount {
  const { customerId } = owner;
  const id = tx.newId('InternalAccount');
  const type = chooseAccountType(currency, customerId === undefined ? 'platform' : 'customer');
  const holderName = buildHolderName(owner.serviceName, owner.name);
  const reference = needsReference({ type, currency }) ? fundingReference(fundingSeed(tx, id)) : undefined;
  const account = { id, customerId, currency, type, holderName, reference };
  const coordinates = tx.ports.provisioning.atOpening({
    ...provisioningRequest(tx, account),
    ...(type === 'EMBEDDED_WALLET' && { walletEmail: owner.email }),
  });
  const instructions = coordinates === undefined ? [] : fundingInstructions(account, coordinates);
  return {
    id,
    customerId,
    currency,
    type,
    status: coordinates === undefined ? FIRST_ACCOUNT_STATUSES.requested : FIRST_ACCOUNT_STATUSES.opened,
    provisioning: coordinates === undefined ? 'REQUESTED' : 'COMPLETED',
    reference,
    funding: { holderName, instructions },
    fundingCount: instructions.length,
  };
}

/** The job that requests an account from the provider if it could not be opened at once; keyed by the account's id. */
export const PROVISION_JOB = 'accounts.provision';

/** The data that the provider needs to open the account. */
export function provisioningRequest(
  tx: ReadTx,
  account: { readonly id: AccountId; readonly reference?: string | null | undefined } & Pick<
    FundedAccount,
    'currency' | 'type' | 'holderName'
  >,
): ProvisioningRequest {
  return {
    accountId: account.id,
    platformId: tx.platformId,
    reference: account.reference ?? undefined,
    currency: account.currency,
    holderName: account.holderName,
    accountTypes: fundingEntriesOf(account).map(({ accountType }) => accountType),
    seed: fundingSeed(tx, account.id),
  };
}

/** Constant while the account exists, and unguessable. */
export function fundingSeed(tx: ReadTx, accountId: AccountId): Uint8Array {
  return tx.vault.fingerprint(accountId, 'funding coordinates');
}
