import { Command } from 'commander';
import { WALLET_LIST, WALLET_SHOW } from '#capabilities/cards/delegated-keys/wallet-records.ts';
import { idArgument } from '#cli/arguments.ts';
import { addPagedList } from '#cli/operator/shell/listing.ts';
import { addShow } from '#cli/operator/shell/show.ts';

interface Filters {
  customer?: CustomerId;
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
  addPagedList(list, {
    example: '--customer Customer:0190a5d2-…',
    none: 'There are no wallets.',
    page: (tx, request, { customer }: Filters) => WALLET_LIST.page(tx, request, { customer }),
  });
  addShow(wallet, {
    type: 'InternalAccount',
    argument: 'account',
    description: 'print a wallet with its credentials, active sessions and delegated keys',
    load: WALLET_SHOW.load,
  });
  return wallet;
}
