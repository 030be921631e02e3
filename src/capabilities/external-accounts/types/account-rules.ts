import assert from 'node:assert/strict';
import {
  type AccountInfo,
  has,
  readTextField,
} from '#capabilities/external-accounts/types/account-fields.ts';
import {
  type AccountTypeRow,
  accountTypeRow,
  type Variant,
} from '#capabilities/external-accounts/types/account-table.ts';
import {
  type StrictContext,
  type StrictProblem,
  writtenAccountNumber,
} from '#capabilities/external-accounts/types/strict-checks.ts';
import { isOwnCurrency, type OwnCurrencies } from '#foundation/lib/currencies.ts';
import { walletFamily } from '#foundation/lib/identifiers/wallet-address.ts';
import { isFiat, type PaymentRail, railsReaching } from '#foundation/lib/rails-by-currency.ts';
import type { Constraint, FieldError } from '#foundation/lib/refusals.ts';

/** Pure rules that are derived from the row of an account's type (accounts.md §3.3, §4.2). */

/** Checks what the type's schema leaves open: the variant that the request means, and its completeness. */
export function checkVariants(row: AccountTypeRow, info: AccountInfo): FieldError[] {
  const indicated = chooseVariants(row, info);
  const [first] = indicated;
  if (!first) return missingVariant(row, info);
  if (row.isExclusive && row.variants.filter((variant) => isIndicated(variant, info)).length > 1)
    return [onlyOne(row)];
  return indicated.flatMap((variant) => [
    ...[variant.id, ...(variant.required ?? [])]
      .filter((name) => !has(info, name))
      .map((name) => missing(name)),
    ...bankNameProblem(variant, info),
    ...holderProblem(variant, info),
  ]);
}

/** Fields that are required only in strict mode (accounts.md §4.2, SWIFT). */
export function checkStrictlyRequired(row: AccountTypeRow, info: AccountInfo): FieldError[] {
  return (row.strictlyRequired?.(info) ?? []).map((name) => missing(name));
}

/** Check digits, directories and countries (accounts.md §4.3). Reports every problem at once. */
export function checkStrictly(
  row: AccountTypeRow,
  info: AccountInfo,
  context: StrictContext,
): StrictProblem[] {
  const checks = [...row.checks, writtenAccountNumber];
  const found = checks.map((check) => check(info, context)).filter((problem) => problem !== undefined);
  // One problem per field; the checks of the account's type come first.
  return [
    ...new Map(found.toReversed().map((problem) => [problem.error.field, problem])).values(),
  ].toReversed();
}

/** accounts.md §4.4. An account in a disabled coin is accepted as well, because it moves no money by itself. */
export function acceptsCurrency(
  row: AccountTypeRow,
  currency: string,
  { isStrict, own }: { readonly isStrict: boolean; readonly own: OwnCurrencies },
): boolean {
  const { listed, lenient = [], anyFiat = false, ownCurrencies = false } = row.currencies;
  return (
    listed.includes(currency) ||
    (!isStrict && lenient.includes(currency)) ||
    (anyFiat && isFiat(currency)) ||
    (ownCurrencies && isOwnCurrency(currency, own))
  );
}

/** `paymentRails` of the reply; wallets have none. */
export function railsOfAccount(info: AccountInfo): PaymentRail[] {
  return chooseVariants(accountTypeRow(info.accountType), info).flatMap((variant) =>
    railsOfVariant(variant, info).filter(
      (rail) => variant.railField === undefined || rail === info[variant.railField],
    ),
  );
}

function railsOfVariant(variant: Variant, { accountType }: AccountInfo): readonly PaymentRail[] {
  return railsReaching(accountType, variant.id);
}

/** The primary identifier: the field that a payer needs to name the account. */
export function identifierOf(info: AccountInfo): string {
  const identifier = readTextField(info, namingVariant(info).id);
  assert(identifier !== undefined, `an account of the type ${info.accountType} has no identifier`);
  return identifier;
}

/**
 * accounts.md §3.3.31: the text is equal for two entries of one owner that mean the same account. Beneficiary,
 * `platformAccountId` and `ownershipType` make no difference.
 */
export function fingerprintText(owner: string, currency: string, info: AccountInfo): string {
  const variant = namingVariant(info);
  const parts = [...variant.routing, variant.id].map((name) => comparable(info, name));
  return JSON.stringify([owner, accountTypeRow(info.accountType).name, currency, variant.id, ...parts]);
}

function namingVariant(info: AccountInfo): Variant {
  const [variant] = chooseVariants(accountTypeRow(info.accountType), info);
  assert(variant, 'a stored account has an identifier');
  return variant;
}

/** The first variant that the request indicates, or all of them if the type combines variants (accounts.md §4.2). */
function chooseVariants(row: AccountTypeRow, info: AccountInfo): Variant[] {
  if (row.variants.length === 1) return [...row.variants];
  const indicated = row.variants.filter((variant) => isIndicated(variant, info));
  return row.combinesVariants ? indicated : indicated.slice(0, 1);
}

function isIndicated(variant: Variant, info: AccountInfo): boolean {
  return (variant.indicatedBy ?? [variant.id]).some((name) => has(info, name));
}

/** Reports the missing fields of the first variant, and of variants that are paid over the same rails. */
function missingVariant(row: AccountTypeRow, info: AccountInfo): FieldError[] {
  if (row.isExclusive) return [onlyOne(row)];
  const [first] = row.variants.map((variant) => railsOfVariant(variant, info).join());
  const names = row.variants
    .filter((variant) => railsOfVariant(variant, info).join() === first)
    .flatMap((variant) => [variant.id, ...(variant.required ?? [])]);
  return names.filter((name) => !has(info, name)).map((name) => missing(name));
}

function onlyOne(row: AccountTypeRow): FieldError {
  const names = row.variants.map((variant) => variant.id).join(', ');
  return { field: 'accountInfo', message: `must have exactly one of ${names}` };
}

function bankNameProblem({ bankNames }: Variant, info: AccountInfo): FieldError[] {
  const bankName = readTextField(info, 'bankName');
  if (bankNames === undefined || bankName === undefined || bankNames.includes(bankName)) return [];
  return [problem('bankName', 'is not a known mobile money provider', { enum: bankNames })];
}

function holderProblem({ isBusinessOnly }: Variant, { beneficiary }: AccountInfo): FieldError[] {
  if (!isBusinessOnly || beneficiary?.beneficiaryType !== 'INDIVIDUAL') return [];
  const message = 'must be BUSINESS: an account of this type cannot belong to an individual';
  return [problem('beneficiary.beneficiaryType', message, { enum: ['BUSINESS'] })];
}

function missing(name: string): FieldError {
  return problem(name, 'is required');
}

function problem(name: string, message: string, constraint?: Constraint): FieldError {
  return { field: `accountInfo.${name}`, ...(constraint && { constraint }), message };
}

/** Normalizes the spellings of one account to the same text. */
function comparable(info: AccountInfo, name: string): string {
  // Accented letters and digits exist in several forms that look alike.
  const text = readTextField(info, name)?.normalize('NFKC').replace(/\s+/g, ' ').trim();
  if (text === undefined) return '';
  if (name === 'iban') return text.toUpperCase();
  // A BIC without a branch, or with the branch XXX, is the head office's.
  if (name === 'swiftCode') return text.replace(/XXX$/, '');
  if (name === 'accountNumber') return text.replaceAll(' ', '');
  if (name === 'pixKey') return comparablePixKey(info, text);
  if (CASELESS.has(name)) return text.toLowerCase();
  return name === 'address' && isCaselessAddress(info.accountType, text) ? text.toLowerCase() : text;
}

const CASELESS: ReadonlySet<string> = new Set(['vpa', 'lightningAddress', 'invoice', 'bolt12']);

/** An e-mail address, or a UUID that may be written without hyphens; other keys are digits. */
function comparablePixKey(info: AccountInfo, key: string): string {
  const caseless = key.toLowerCase();
  return readTextField(info, 'pixKeyType') === 'RANDOM' ? caseless.replaceAll('-', '') : caseless;
}

/** EVM, Spark and Bech32 addresses ignore case; in Base58, as on Solana, it counts. */
function isCaselessAddress(accountType: string, address: string): boolean {
  const family = walletFamily(accountType);
  return family === 'EVM' || (family === 'BITCOIN' && /^(sp|bc1|tb1|bcrt1)/i.test(address));
}
