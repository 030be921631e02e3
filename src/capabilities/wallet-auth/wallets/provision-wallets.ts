import { accountsClosed, accountsOpened } from '#capabilities/accounts/announcements.ts';
import { customerContactChanged, customerErased } from '#capabilities/customers/announcements.ts';
import { findCustomer } from '#capabilities/customers/store.ts';
import { CREDENTIALS_BY_CONTACT } from '#capabilities/wallet-auth/contacts/contact-gate.ts';
import { renameTiedCredentials } from '#capabilities/wallet-auth/contacts/store.ts';
import { insertCredential, listCredentials } from '#capabilities/wallet-auth/credential-store.ts';
import { eraseWallets } from '#capabilities/wallet-auth/erase-store.ts';
import { revokeSessionsOfAccounts } from '#capabilities/wallet-auth/session-store.ts';
import {
  findWalletKey,
  insertWalletKey,
  lockWalletsWithoutKey,
  setWalletAddress,
} from '#capabilities/wallet-auth/wallet-store.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import { on, type Subscription } from '#foundation/events/reactions.ts';
import type { JobDeclarations } from '#foundation/jobs/handlers.ts';
import { schedule } from '#foundation/jobs/schedule.ts';

/** Gives a wallet its key and, if the customer has an e-mail address, its first credential (accounts.md §2.1.5). */
export async function provisionWallet(tx: Tx, accountId: AccountId, customerId: CustomerId): Promise<void> {
  await insertWalletKey(tx, accountId, customerId, tx.ports.custody.newSeed());
  const customer = await findCustomer(tx, customerId);
  if (!customer?.email || (await listCredentials(tx, accountId)).length > 0) return;
  const id = tx.newId('AuthMethod');
  const account = { account_id: accountId, customer_id: customerId };
  await insertCredential(tx, { id, ...account, type: 'EMAIL_OTP', nickname: customer.email });
}

/**
 * The wallet's Spark address (wallets.md §6.9.46a). It is derived once, when it is first needed, because that takes
 * time.
 */
export async function walletAddress(tx: ReadTx, accountId: AccountId): Promise<string | undefined> {
  const key = await findWalletKey(tx, accountId);
  if (!key || key.address !== null) return key?.address ?? undefined;
  const address = await tx.ports.custody.addressOf(key);
  await setWalletAddress(tx, key, address);
  return address;
}

const PROVISION = 'wallet-auth.provision';
const BATCH_WALLETS = 100;
/** Sorts before every id. */
const NIL = '00000000-0000-0000-0000-000000000000';

/**
 * A job that migrations/0019_provision_wallets.sql schedules once per platform, for wallets from before there were
 * keys. Each batch is its own commit, so that an interrupted job continues where it stopped.
 */
export function provisionJobs({ batchWallets = BATCH_WALLETS } = {}): JobDeclarations {
  return {
    [PROVISION]: {
      due: 'upkeep',
      async run(tx, job) {
        const { after = NIL } = job.payload as { after?: string };
        const wallets = await lockWalletsWithoutKey(tx, after, batchWallets);
        const owners = wallets.map(({ customerId }) => customerId);
        await tx.runtime.personKeys.ensure(tx.platformId, owners);
        for (const { id, customerId } of wallets) await provisionWallet(tx, id, customerId);
        if (wallets.length < batchWallets) return;
        const payload = { after: wallets.at(-1)?.id };
        schedule(tx, { kind: PROVISION, key: 'wallets', payload, afterMs: 0 });
      },
    },
  };
}

/** How wallets react to changes of their accounts and owners, in the same commit. */
export const walletReactions: Subscription[] = [
  on(accountsOpened, async (tx, { accounts }) => {
    for (const { id, type, customerId } of accounts) {
      if (type === 'EMBEDDED_WALLET' && customerId !== undefined) await provisionWallet(tx, id, customerId);
    }
  }),
  on(accountsClosed, (tx, { accountIds }) => revokeSessionsOfAccounts(tx, accountIds)),
  on(customerContactChanged, async (tx, { customer, field }) => {
    const contact = field === 'email' ? customer.email : customer.phone_number;
    if (contact) await renameTiedCredentials(tx, customer.id, CREDENTIALS_BY_CONTACT[field].type, contact);
  }),
  on(customerErased, (tx, { customer }) => eraseWallets(tx, customer.id)),
];
