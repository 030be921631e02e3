import { Argument, type Command } from 'commander';
import {
  changeExternalStatusByOperator,
  type ExternalStatusChange,
  type OperatorAction,
  recordUsValidationByOperator,
} from '#capabilities/external-accounts/change-status.ts';
import { presentForOperator } from '#capabilities/external-accounts/external-records.ts';
import { externalAccountNotFound, findExternalAccount } from '#capabilities/external-accounts/store.ts';
import { acceptAnyCase, idArgument } from '#cli/arguments.ts';
import { findResourceWork, ownerOption, type PlatformOptions } from '#cli/operator/shell/choose-platform.ts';
import { asOperator, type Operator } from '#cli/operator/shell/operator.ts';
import { noteOption, reasonOption } from '#cli/options.ts';
import { printObject } from '#cli/print.ts';
import { audit } from '#foundation/audit/audit.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { publicId } from '#foundation/lib/ids.ts';

/** An operator's action on one external account, in one transaction. */
type Action = (tx: Tx, action: OperatorAction, outcome: string) => Promise<unknown>;

/** Adds the subcommands of `corridor account` for external accounts (accounts.md §3.5, §4.7). */
export function addExternalAccountCommands(account: Command): void {
  addSubcommand(account, 'external', 'print an external account', show);
  addSubcommand(account, 'disable', 'disable an external account', changeStatus('disable'));
  addSubcommand(account, 'enable', 'enable an external account again', changeStatus('enable'));
  addSubcommand(account, 'screening', 'report the outcome of its screening', reportOutcome('screening'), [
    'clear',
    'hit',
  ]);
  addSubcommand(
    account,
    'review',
    'decide on an external account that is under review',
    reportOutcome('review'),
    ['clear', 'refuse'],
  );
  addSubcommand(account, 'validation', 'report whether a US bank account exists', reportValidation, [
    'valid',
    'failed',
  ]);
}

interface Options extends PlatformOptions {
  reason?: string;
}

function addSubcommand(
  account: Command,
  name: string,
  description: string,
  act: Action,
  outcomes: readonly string[] = [],
): void {
  const command = account
    .command(name)
    .description(description)
    .argument('<account>', 'its id', idArgument('ExternalAccount'));
  if (outcomes.length > 0)
    command.addArgument(acceptAnyCase(new Argument('<outcome>', 'the outcome'), outcomes));
  const isReading = act === show;
  const example = ['corridor account', name, 'ExternalAccount:0190a5d2-…', ...outcomes.slice(0, 1)].join(' ');
  command
    .addOption(ownerOption())
    .addOption(isReading ? noteOption() : reasonOption())
    .option('--json', 'print JSON')
    .addHelpText('after', `\nExample:\n  $ ${example}${isReading ? '' : ' --reason "case 4711"'}`)
    .action((id: ExternalAccountId, ...rest: unknown[]) => {
      const outcome = outcomes.length > 0 ? String(rest[0]) : '';
      const options = rest[outcomes.length > 0 ? 1 : 0] as Options;
      return asOperator((operator) => run(operator, id, outcome, options, act));
    });
}

async function run(
  operator: Operator,
  accountId: ExternalAccountId,
  outcome: string,
  options: Options,
  act: Action,
): Promise<void> {
  const work = await findResourceWork(operator, options, 'ExternalAccount', accountId);
  const shown = await work.write(async (tx) => {
    await act(tx, { accountId, reason: options.reason }, outcome);
    return presentForOperator(tx, accountId);
  });
  printObject(shown, { json: options.json ?? false });
}

/** Audited, because it prints account numbers. */
async function show(tx: Tx, { accountId, reason }: OperatorAction): Promise<void> {
  const account = await findExternalAccount(tx, accountId);
  if (!account) throw externalAccountNotFound();
  const fact = { resource: publicId('ExternalAccount', accountId), customerId: account.customer_id };
  audit(tx, { action: 'account external', ...fact, ...(reason !== undefined && { details: { reason } }) });
}

function changeStatus(name: ExternalStatusChange): Action {
  return (tx, action) => changeExternalStatusByOperator(tx, name, action);
}

function reportOutcome(what: 'screening' | 'review'): Action {
  return (tx, action, outcome) =>
    changeExternalStatusByOperator(tx, `${what} ${outcome}` as ExternalStatusChange, action);
}

function reportValidation(tx: Tx, action: OperatorAction, outcome: string): Promise<unknown> {
  return recordUsValidationByOperator(tx, outcome === 'valid' ? 'VALID' : 'FAILED', action);
}
