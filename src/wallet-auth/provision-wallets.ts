import { accountsClosed, accountsOpened } from '#accounts/announcements.ts';
import { customerContactChanged, customerErased } from '#customers/announcements.ts';
import { findCustomer } from '#customers/store.ts';
import type { ReadTx, Tx } from '#database/tx.ts';
import { on, type Subscription } from '#events/reactions.ts';
import { CREDENTIALS_BY_CONTACT } from '#wallet-auth/contact-gate.ts';
import { renameTiedCredentials } from '#wallet-auth/contact-store.ts';
import { insertCredential, listCredentials } from '#wallet-auth/credential-store.ts';
import { eraseWallets } from '#wallet-auth/erase-store.ts';
import { revokeSessionsOfAccounts } from '#wallet-auth/session-store.ts';
import { findWalletKey, insertWalletKey, setWalletAddress } from '#wallet-auth/wallet-store.ts';

/** A wallet gets its key and, where the customer has an e-mail address, its first credential (IA-5). */
export async function provisionWallet(tx: Tx, accountId: string, customerId: string): Promise<void> {
  await insertWalletKey(tx, accountId, tx.ports.custody.newMnemonic());
  const customer = await findCustomer(tx, customerId);
  if (!customer?.email || (await listCredentials(tx, accountId)).length > 0) return;
  const id = tx.newId();
  await insertCredential(tx, { id, account_id: accountId, type: 'EMAIL_OTP', nickname: customer.email });
}

/** The wallet's Spark address (W46a). It is derived once, when it is first needed, since that takes a while. */
export async function walletAddress(tx: ReadTx, accountId: string): Promise<string | undefined> {
  const key = await findWalletKey(tx, accountId);
  if (!key || key.address !== null) return key?.address ?? undefined;
  const address = await tx.ports.custody.addressOf(key.mnemonic);
  await setWalletAddress(tx, accountId, address);
  return address;
}

/** How wallets follow what happens to their accounts and owners, in the same commit. */
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
