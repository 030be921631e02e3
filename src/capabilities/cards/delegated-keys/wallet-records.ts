import Type from 'typebox';
import { ACCOUNT_STATUSES } from '#capabilities/accounts/schemas.ts';
import { listDelegatedKeys } from '#capabilities/cards/delegated-key-store.ts';
import { presentKey } from '#capabilities/cards/delegated-keys/keys.ts';
import { listCredentials } from '#capabilities/wallet-auth/credential-store.ts';
import { presentCredential, presentSession } from '#capabilities/wallet-auth/present.ts';
import { loadWallet } from '#capabilities/wallet-auth/rules.ts';
import { listActiveSessions } from '#capabilities/wallet-auth/session-store.ts';
import { listWallets, type WalletSummary } from '#capabilities/wallet-auth/wallet-store.ts';
import { walletAddress } from '#capabilities/wallet-auth/wallets/provision-wallets.ts';
import { countAttempts } from '#foundation/codes/limit-store.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { shown } from '#foundation/records/fields.ts';
import { filterBy } from '#foundation/records/filters.ts';
import { recordList, recordShow } from '#foundation/records/record-list.ts';

const AREA = 'Wallets';

/** Credentials and sessions of embedded wallets, never with a secret. */
export const WALLET_LIST = recordList({
  name: 'wallets',
  area: AREA,
  summary: 'Embedded wallets',
  filters: { customer: filterBy.customer },
  item: Type.Object({
    wallet: shown.id('InternalAccount', 'The wallet.'),
    customer: shown.id('Customer', 'Its owner.'),
    status: shown.code('The status of its account.', ACCOUNT_STATUSES),
    credentials: shown.own('The kinds of its credentials.'),
    activeSessions: shown.count('How many sessions can sign now.'),
    hasKey: shown.flag('Whether it has a key.'),
    createdAt: shown.time('When it was created.'),
  }),
  page: (tx, request, { customer: customerId }) => listWallets(tx, request, { customerId }, presentListed),
});

function presentListed(row: WalletSummary) {
  return {
    wallet: publicId('InternalAccount', row.id),
    customer: publicId('Customer', row.customer_id),
    status: row.status,
    credentials: row.credentials.join(', '),
    activeSessions: row.sessions,
    hasKey: row.has_key,
    createdAt: row.created_at,
  };
}

export const WALLET_SHOW = recordShow({
  name: 'wallets',
  area: AREA,
  summary: 'An embedded wallet with its credentials, active sessions and delegated keys',
  type: 'InternalAccount',
  async load(tx, accountId: AccountId) {
    const account = await loadWallet(tx, accountId, 'account');
    const credentials = await listCredentials(tx, accountId);
    const credentialIds = credentials.map(({ id }) => id);
    const failures = await countAttempts(tx, 'WALLET_FAILURE', credentialIds);
    const sessions = await listActiveSessions(tx, accountId);
    const keys = await listDelegatedKeys(tx, { accountId });
    return {
      wallet: publicId('InternalAccount', accountId),
      customer: publicId('Customer', account.customer_id),
      status: account.status,
      address: await walletAddress(tx, accountId),
      privateEnabled: account.private_enabled,
      credentials: credentials.map((row) => {
        const { id, type, nickname, createdAt } = presentCredential(row);
        return { id, type, nickname, createdAt, failuresWithinADay: failures.get(row.id) ?? 0 };
      }),
      activeSessions: sessions.map((row) => {
        const { id, type, createdAt, expiresAt } = presentSession(row);
        return { id, type, createdAt, expiresAt };
      }),
      delegatedKeys: keys.map((row) => {
        const { accountId: _wallet, ...key } = presentKey(row);
        return key;
      }),
    };
  },
});
