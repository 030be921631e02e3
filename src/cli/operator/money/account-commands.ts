import { readFileSync } from 'node:fs';
import { Command, InvalidArgumentError } from 'commander';
import {
  auditAction,
  closeAccount,
  freezeAccount,
  type OperatorAction,
  unfreezeAccount,
} from '#capabilities/accounts/change-status.ts';
import { fundedCurrencies, fundingEntries } from '#capabilities/accounts/funding-table.ts';
import { coordinateFields } from '#capabilities/accounts/payment-instruction-schemas.ts';
import { presentInternalAccount } from '#capabilities/accounts/present.ts';
import {
  addSwiftCollection,
  provisionByOperator,
  refuseProvisioning,
  retryProvisioning,
} from '#capabilities/accounts/provision-account.ts';
import { findAccounts } from '#capabilities/accounts/store.ts';
import { idArgument } from '#cli/arguments.ts';
import { addExternalAccountCommands } from '#cli/operator/money/external-account-commands.ts';
import { addAccountList } from '#cli/operator/money/find-accounts.ts';
import { addAccountShow, withCoordinates } from '#cli/operator/money/show-account.ts';
import { findResourceWork, ownerOption, type PlatformOptions } from '#cli/operator/shell/choose-platform.ts';
import { confirmed } from '#cli/operator/shell/confirm.ts';
import { asOperator, type Operator } from '#cli/operator/shell/operator.ts';
import { noteOption, reasonOption } from '#cli/options.ts';
import { printObject } from '#cli/print.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { isObject } from '#foundation/lib/is-object.ts';
import type { Coordinates } from '#foundation/ports/accounts.ts';

interface AccountOptions extends PlatformOptions {
  reason?: string;
}

/** An operator's action on one account, in one transaction. */
type Action<Options> = (tx: Tx, action: OperatorAction, options: Options) => Promise<unknown>;

/** `corridor account …`: actions on accounts that have no public endpoint (accounts.md §2.2). */
export function accountCommand(): Command {
  const account = new Command('account').addHelpText(
    'after',
    '\nExample:\n  $ corridor account freeze InternalAccount:0190a5d2-… --reason "case 4711"',
  );
  addAccountList(account);
  addAccountShow(account);
  addDecision(account, 'freeze', 'stop all money to and from an account', freezeAccount);
  addDecision(account, 'unfreeze', 'let money move again', unfreezeAccount);
  const close = addDecision(account, 'close', 'close an empty account for good', closeAccount);
  confirmed(close, 'The account is closed for good: it can no longer receive money.');
  addDecision(account, 'refuse', 'report that an account cannot be set up', refuse);
  addNoted(
    account,
    'retry',
    'ask the provider again for an account that could not be set up',
    retryProvisioning,
  );
  addProvision(account);
  addSwift(account);
  addExternalAccountCommands(account);
  return account;
}

function addProvision(account: Command): void {
  const what = 'report that an account is set up, with its coordinates';
  addNoted(account, 'provision', what, provision, ' --coordinates coordinates.json')
    .requiredOption(
      '--coordinates <file>',
      'a JSON file: fields by account type, or - for standard input',
      coordinatesArgument,
    )
    .addHelpText('after', provisionHelp());
}

/** The fields of each currency, from the table that `provision` checks against. */
function provisionHelp(): string {
  const needs = (currency: string) =>
    fundingEntries(currency, false).map(({ accountType, fixed = {}, holderName }) => {
      const { required, optional } = coordinateFields(accountType);
      const isAsked = (name: string) => !(name in fixed) && !(holderName && name === 'accountHolderName');
      const asked = [...required.filter(isAsked), ...optional.filter(isAsked).map((name) => `[${name}]`)];
      return `${accountType} (${asked.join(', ')})`;
    });
  const lines = fundedCurrencies().map((currency) => `  ${currency.padEnd(5)} ${needs(currency).join(', ')}`);
  return [
    '\nThe file holds the bank’s details for each way to pay in:',
    '  { "EUR_ACCOUNT": { "iban": "DE…", "swiftCode": "…" } }',
    '\nThe fields that an account in each currency needs, optional ones in brackets:',
    ...lines,
    '  Stablecoins on Spark, a platform’s own among them: SPARK_WALLET (address)',
    '  Embedded wallets and payout-only currencies: {}',
    '\nThe same content again changes nothing; different content is refused.',
  ].join('\n');
}

function addSwift(account: Command): void {
  const example = ' --country DE --swift-code DEUTDEFF --bank-name "A Bank" --iban DE…';
  addNoted(account, 'swift', 'add a way to pay in by SWIFT', swift, example)
    .requiredOption('--country <country>', 'country of the bank', upper)
    .requiredOption('--swift-code <bic>', 'its SWIFT code', upper)
    .requiredOption('--bank-name <name>', 'its name')
    .option('--bank-address <address>', 'its postal address')
    .option('--account-number <number>', 'the account there')
    .option('--iban <iban>', 'the account there, instead or as well');
}

const upper = (text: string): string => text.trim().toUpperCase();

/** Adds an action that needs a reason: it stops or ends something, or decides about it. */
function addDecision<Options extends AccountOptions>(
  account: Command,
  name: string,
  description: string,
  act: Action<Options>,
): Command {
  return addSubcommand(account, name, description, act)
    .addOption(reasonOption())
    .addHelpText('after', `${renderExample(name)} --reason "case 4711"`);
}

function addNoted<Options extends AccountOptions>(
  account: Command,
  name: string,
  description: string,
  act: Action<Options>,
  more = '',
): Command {
  return addSubcommand(account, name, description, act)
    .addOption(noteOption())
    .addHelpText('after', `${renderExample(name)}${more}`);
}

function renderExample(name: string): string {
  return `\nExample:\n  $ corridor account ${name} InternalAccount:0190a5d2-…`;
}

/** Adds a subcommand on one account, with the arguments and options that all of them share. */
function addSubcommand<Options extends AccountOptions>(
  account: Command,
  name: string,
  description: string,
  act: Action<Options>,
): Command {
  return account
    .command(name)
    .description(description)
    .argument('<account>', 'its id', idArgument('InternalAccount'))
    .addOption(ownerOption())
    .option('--json', 'print JSON')
    .action((id: AccountId, options: Options) => asOperator((operator) => run(operator, id, options, act)));
}

async function run<Options extends AccountOptions>(
  operator: Operator,
  accountId: AccountId,
  options: Options,
  act: Action<Options>,
): Promise<void> {
  const work = await findResourceWork(operator, options, 'InternalAccount', accountId);
  const shown = await work.write(async (tx) => {
    await act(tx, { accountId, reason: options.reason }, options);
    return (await findAccounts(tx, [accountId])).map((row) => presentInternalAccount(tx, row));
  });
  printObject(withCoordinates(shown[0] as NonNullable<(typeof shown)[0]>), { json: options.json ?? false });
}

async function refuse(tx: Tx, action: OperatorAction): Promise<void> {
  const account = await refuseProvisioning(tx, action);
  auditAction(tx, 'refuse', action, account);
}

async function provision(
  tx: Tx,
  action: OperatorAction,
  { coordinates }: AccountOptions & { coordinates: Coordinates },
): Promise<void> {
  await provisionByOperator(tx, { ...action, coordinates });
}

interface SwiftOptions extends AccountOptions {
  country: string;
  swiftCode: string;
  bankName: string;
  bankAddress?: string;
  accountNumber?: string;
  iban?: string;
}

async function swift(tx: Tx, action: OperatorAction, options: SwiftOptions): Promise<void> {
  const { country, swiftCode, bankName, bankAddress, accountNumber, iban } = options;
  const given = { country, swiftCode, bankName, bankAddress, accountNumber, iban };
  const coordinates = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  await addSwiftCollection(tx, { ...action, coordinates: coordinates as Record<string, string> });
}

/** Parsed by commander, so that a bad file is refused before the database is opened. */
function coordinatesArgument(file: string): Coordinates {
  const parsed = readJson(file);
  if (isCoordinates(parsed)) return parsed;
  throw new InvalidArgumentError('The file must hold fields by account type, as JSON.');
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file === '-' ? STANDARD_INPUT : file, 'utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw new InvalidArgumentError('The file cannot be read.');
  }
}

const STANDARD_INPUT = 0;

function isCoordinates(value: unknown): value is Coordinates {
  return isObject(value) && Object.values(value).every(isTextFields);
}

function isTextFields(value: unknown): boolean {
  return isObject(value) && Object.values(value).every((field) => typeof field === 'string');
}
