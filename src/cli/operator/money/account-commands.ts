import { readFileSync } from 'node:fs';
import { Command, InvalidArgumentError } from 'commander';
import { fundedCurrencies, fundingEntries } from '#capabilities/accounts/funding-table.ts';
import { coordinateFields } from '#capabilities/accounts/payment-instruction-schemas.ts';
import { presentInternalAccount } from '#capabilities/accounts/present.ts';
import { findAccounts } from '#capabilities/accounts/store.ts';
import { addExternalAccountCommands } from '#cli/operator/money/external-account-commands.ts';
import { addAccountList } from '#cli/operator/money/find-accounts.ts';
import { addAccountShow, withCoordinates } from '#cli/operator/money/show-account.ts';
import { addChange, type ChangeOptions } from '#cli/operator/shell/show.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { isObject } from '#foundation/lib/is-object.ts';
import { notFound } from '#foundation/lib/refusals.ts';
import type { Coordinates } from '#foundation/ports/accounts.ts';

/** `corridor account …`: actions on accounts that have no public endpoint (accounts.md §2.2). */
export function accountCommand(): Command {
  const account = new Command('account').addHelpText(
    'after',
    '\nExample:\n  $ corridor account freeze InternalAccount:0190a5d2-… --reason "case 4711"',
  );
  addAccountList(account);
  addAccountShow(account);
  addChange(account, 'freeze', {
    ...{ ...ON_ACCOUNT, operation: 'freezeAccount' },
    description: 'stop all money to and from an account',
  });
  addChange(account, 'unfreeze', {
    ...{ ...ON_ACCOUNT, operation: 'unfreezeAccount' },
    description: 'let money move again',
  });
  addChange(account, 'close', {
    ...{ ...ON_ACCOUNT, operation: 'closeAccount', two: true },
    description: 'close an empty account for good',
    effect: 'The account is closed for good: it can no longer receive money.',
  });
  addChange(account, 'refuse', {
    ...{ ...ON_ACCOUNT, operation: 'refuseAccount' },
    description: 'report that an account cannot be set up',
  });
  addChange(account, 'retry', {
    ...{ ...ON_ACCOUNT, operation: 'retryAccount', isNoted: true, example: '' },
    description: 'ask the provider again for an account that could not be set up',
  });
  addProvision(account);
  addSwift(account);
  addExternalAccountCommands(account);
  return account;
}

const ON_ACCOUNT = {
  type: 'InternalAccount',
  argument: 'account',
  param: 'accountId',
  async present(tx: Tx, accountId: AccountId) {
    const [row] = await findAccounts(tx, [accountId]);
    if (!row) throw notFound('ACCOUNT_NOT_FOUND', 'InternalAccount');
    return withCoordinates(presentInternalAccount(tx, row));
  },
} as const;

function addProvision(account: Command): void {
  addChange(account, 'provision', {
    ...{ ...ON_ACCOUNT, operation: 'provisionAccount', two: true, isNoted: true },
    description: 'report that an account is set up, with its coordinates',
    example: '--coordinates coordinates.json',
    body: ({ coordinates }: ChangeOptions & { coordinates: Coordinates }) => ({ coordinates }),
  })
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
  addChange(account, 'swift', {
    ...{ ...ON_ACCOUNT, operation: 'addSwiftInstructions', two: true, isNoted: true },
    description: 'add a way to pay in by SWIFT',
    example: '--country DE --swift-code DEUTDEFF --bank-name "A Bank" --iban DE…',
    body: ({ country, swiftCode, bankName, bankAddress, accountNumber, iban }: SwiftOptions) => ({
      ...{ country, swiftCode, bankName, bankAddress, accountNumber, iban },
    }),
  })
    .requiredOption('--country <country>', 'country of the bank', upper)
    .requiredOption('--swift-code <bic>', 'its SWIFT code', upper)
    .requiredOption('--bank-name <name>', 'its name')
    .option('--bank-address <address>', 'its postal address')
    .option('--account-number <number>', 'the account there')
    .option('--iban <iban>', 'the account there, instead or as well');
}

const upper = (text: string): string => text.trim().toUpperCase();

interface SwiftOptions extends ChangeOptions {
  country: string;
  swiftCode: string;
  bankName: string;
  bankAddress?: string;
  accountNumber?: string;
  iban?: string;
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
