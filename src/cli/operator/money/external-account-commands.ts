import type { Command } from 'commander';
import { presentForOperator } from '#capabilities/external-accounts/external-records.ts';
import { externalAccountNotFound, findExternalAccount } from '#capabilities/external-accounts/store.ts';
import { idArgument } from '#cli/arguments.ts';
import { findResourceWork, ownerOption, type PlatformOptions } from '#cli/operator/shell/choose-platform.ts';
import { asOperator, type Operator } from '#cli/operator/shell/operator.ts';
import { addChange, readPending } from '#cli/operator/shell/show.ts';
import { noteOption } from '#cli/options.ts';
import { printObject } from '#cli/print.ts';
import { audit } from '#foundation/audit/audit.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { publicId } from '#foundation/lib/ids.ts';

/** Adds the subcommands of `corridor account` for external accounts (accounts.md §3.5, §4.7). */
export function addExternalAccountCommands(account: Command): void {
  addExternal(account);
  addChange(account, 'disable', {
    ...{ ...ON_EXTERNAL, operation: 'disableExternalAccount' },
    description: 'disable an external account',
  });
  addChange(account, 'enable', {
    ...{ ...ON_EXTERNAL, operation: 'enableExternalAccount' },
    description: 'enable an external account again',
  });
  addOutcome(account, 'screening', {
    operation: 'screenExternalAccount',
    description: 'report the outcome of its screening',
    outcomes: ['clear', 'hit'],
  });
  addOutcome(account, 'review', {
    operation: 'reviewExternalAccount',
    description: 'decide on an external account that is under review',
    outcomes: ['clear', 'refuse'],
  });
  addOutcome(account, 'validation', {
    operation: 'validateExternalAccount',
    description: 'report whether a US bank account exists',
    outcomes: ['valid', 'failed'],
  });
}

const ON_EXTERNAL = {
  type: 'ExternalAccount',
  argument: 'account',
  param: 'accountId',
  present: (tx: Tx, accountId: ExternalAccountId) => presentForOperator(tx, accountId),
} as const;

interface Options extends PlatformOptions {
  reason?: string;
}

function addOutcome(
  account: Command,
  name: string,
  words: { operation: string; description: string; outcomes: readonly string[] },
): void {
  addChange(account, name, { ...ON_EXTERNAL, ...words });
}

function addExternal(account: Command): void {
  account
    .command('external')
    .description('print an external account')
    .argument('<account>', 'its id', idArgument('ExternalAccount'))
    .addOption(ownerOption())
    .addOption(noteOption())
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  $ corridor account external ExternalAccount:0190a5d2-…')
    .action((id: ExternalAccountId, options: Options) =>
      asOperator((operator) => show(operator, id, options)),
    );
}

/** Audited, because it prints account numbers. */
async function show(operator: Operator, accountId: ExternalAccountId, options: Options): Promise<void> {
  const { reason } = options;
  const work = await findResourceWork(operator, options, 'ExternalAccount', accountId);
  const shown = await work.write(async (tx) => {
    const account = await findExternalAccount(tx, accountId);
    if (!account) throw externalAccountNotFound();
    const fact = { resource: publicId('ExternalAccount', accountId), customerId: account.customer_id };
    audit(tx, { action: 'account external', ...fact, ...(reason !== undefined && { details: { reason } }) });
    return { ...(await presentForOperator(tx, accountId)), ...(await readPending(tx, fact.resource)) };
  });
  printObject(shown, { json: options.json ?? false });
}
