import { Command } from 'commander';
import { listDelegatedKeys } from '#capabilities/cards/delegated-key-store.ts';
import { presentKey } from '#capabilities/cards/delegated-keys/keys.ts';
import { listCredentials } from '#capabilities/wallet-auth/credential-store.ts';
import { presentCredential, presentSession } from '#capabilities/wallet-auth/present.ts';
import { loadWallet } from '#capabilities/wallet-auth/rules.ts';
import { listActiveSessions } from '#capabilities/wallet-auth/session-store.ts';
import { listWallets, type WalletSummary } from '#capabilities/wallet-auth/wallet-store.ts';
import { walletAddress } from '#capabilities/wallet-auth/wallets/provision-wallets.ts';
import { countArgument, idArgument } from '#cli/arguments.ts';
import { addPlatforms, type PlatformsOptions } from '#cli/operator/shell/choose-platform.ts';
import { listRows } from '#cli/operator/shell/listing.ts';
import { asOperator, type Operator } from '#cli/operator/shell/operator.ts';
import { addShow } from '#cli/operator/shell/show.ts';
import { audit } from '#foundation/audit/audit.ts';
import { countAttempts } from '#foundation/codes/limit-store.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { publicId } from '#foundation/lib/ids.ts';

interface ListOptions extends PlatformsOptions {
  customer?: CustomerId;
  limit: number;
}

const LIMIT_MAX = 1_000;

/** `corridor wallet …`: credentials and sessions of embedded wallets; never a secret. */
export function walletCommand(): Command {
  const wallet = new Command('wallet').addHelpText(
    'after',
    '\nExample:\n  $ corridor wallet show InternalAccount:0190a5d2-…',
  );
  const list = wallet
    .command('list')
    .description('list wallets, the newest first')
    .option('--customer <customer>', 'only those of this customer', idArgument('Customer'))
    .option('--limit <count>', 'print at most this many', countArgument(1, LIMIT_MAX), 100);
  addPlatforms(list)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  $ corridor wallet list --customer Customer:0190a5d2-…')
    .action((options: ListOptions) => asOperator((operator) => listAll(operator, options)));
  addShow(wallet, {
    type: 'InternalAccount',
    argument: 'account',
    description: 'print a wallet with its credentials, active sessions and delegated keys',
    load: presentWallet,
  });
  return wallet;
}

async function listAll(operator: Operator, options: ListOptions): Promise<void> {
  const { customer: customerId, limit: rowsMax } = options;
  await listRows(operator, options, {
    action: 'wallet list',
    none: 'There are no wallets.',
    order: 'newest first',
    rows: async (tx) => (await listWallets(tx, { customerId, rowsMax })).map(presentSummary),
    at: ({ createdAt }) => createdAt,
  });
}

function presentSummary({
  id,
  customer_id,
  status,
  credentials,
  sessions,
  has_key,
  created_at,
}: WalletSummary) {
  return {
    wallet: publicId('InternalAccount', id),
    customer: publicId('Customer', customer_id),
    status,
    credentials: credentials.join(', '),
    activeSessions: sessions,
    hasKey: has_key,
    createdAt: created_at,
  };
}

/** Audited, because it prints the owner's e-mail address and phone number. */
async function presentWallet(tx: Tx, accountId: AccountId) {
  const account = await loadWallet(tx, accountId, 'account');
  const wallet = publicId('InternalAccount', accountId);
  audit(tx, { action: 'wallet show', resource: wallet });
  const credentials = await listCredentials(tx, accountId);
  const credentialIds = credentials.map(({ id }) => id);
  const failures = await countAttempts(tx, 'WALLET_FAILURE', credentialIds);
  const sessions = await listActiveSessions(tx, accountId);
  const keys = await listDelegatedKeys(tx, { accountId });
  return {
    wallet,
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
