import { Command } from 'commander';
import { listDelegatedKeys } from '#capabilities/cards/delegated-key-store.ts';
import { presentKey } from '#capabilities/cards/delegated-keys/keys.ts';
import { listCredentials } from '#capabilities/wallet-auth/credential-store.ts';
import { presentCredential, presentSession } from '#capabilities/wallet-auth/present.ts';
import { loadWallet } from '#capabilities/wallet-auth/rules.ts';
import { listActiveSessions } from '#capabilities/wallet-auth/session-store.ts';
import { listWallets, type WalletSummary } from '#capabilities/wallet-auth/wallet-store.ts';
import { walletAddress } from '#capabilities/wallet-auth/wallets/provision-wallets.ts';
import { idArgument } from '#cli/arguments.ts';
import { addShortList } from '#cli/operator/shell/listing.ts';
import { addShow } from '#cli/operator/shell/show.ts';
import { countAttempts } from '#foundation/codes/limit-store.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { publicId } from '#foundation/lib/ids.ts';

interface Filters {
  customer?: CustomerId;
  limit: number;
}

/** `corridor wallet …`: credentials and sessions of embedded wallets; never a secret. */
export function walletCommand(): Command {
  const wallet = new Command('wallet').addHelpText(
    'after',
    '\nExample:\n  $ corridor wallet show InternalAccount:0190a5d2-…',
  );
  const list = wallet
    .command('list')
    .description('list wallets, the newest first')
    .option('--customer <customer>', 'only those of this customer', idArgument('Customer'));
  addShortList(list, {
    example: '--customer Customer:0190a5d2-…',
    limitMax: 1_000,
    none: 'There are no wallets.',
    order: 'newest first',
    rows: async (tx, { customer: customerId, limit: rowsMax }: Filters) =>
      (await listWallets(tx, { customerId, rowsMax })).map(presentSummary),
    at: ({ createdAt }) => createdAt,
  });
  addShow(wallet, {
    type: 'InternalAccount',
    argument: 'account',
    description: 'print a wallet with its credentials, active sessions and delegated keys',
    load: presentWallet,
  });
  return wallet;
}

function presentSummary(row: WalletSummary) {
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

async function presentWallet(tx: Tx, accountId: AccountId) {
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
}
