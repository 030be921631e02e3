import assert from 'node:assert/strict';
import { type AccountInfo, has, textOf } from '#external-accounts/account-info.ts';
import { type AccountTypeRow, rowOf, type Way } from '#external-accounts/account-table.ts';
import { type Fault, type StrictFacts, writtenAccountNumber } from '#external-accounts/strict-checks.ts';
import { isCurrencyCode } from '#lib/currencies.ts';
import { walletFamily } from '#lib/identifiers/wallet-formats.ts';
import { isDigital, type PaymentRail, railsReaching } from '#lib/rails-by-currency.ts';
import type { Constraint, FieldError } from '#lib/refusals.ts';

/** Decisions on an account that its type's row makes (accounts.md §3.3, §4.2): pure. */

/** What the shape of the type leaves open: which way is meant, and whether it is whole. */
export function wayProblems(row: AccountTypeRow, info: AccountInfo): FieldError[] {
  const meant = waysOf(row, info);
  const [first] = meant;
  if (!first) return missingWay(row, info);
  if (row.isExclusive && row.ways.filter((way) => isMeant(way, info)).length > 1) return [onlyOne(row)];
  return meant.flatMap((way) => [
    ...[way.id, ...(way.needs ?? [])].filter((name) => !has(info, name)).map((name) => missing(name)),
    ...bankNameProblem(way, info),
    ...holderProblem(way, info),
  ]);
}

/** What must be there only where validation is strict (accounts.md §4.2, SWIFT). */
export function strictlyMissing(row: AccountTypeRow, info: AccountInfo): FieldError[] {
  return (row.strictNeeds?.(info) ?? []).map((name) => missing(name));
}

/** Check digits, directories, countries (accounts.md §4.3): every fault at once. */
export function strictFaults(row: AccountTypeRow, info: AccountInfo, facts: StrictFacts): Fault[] {
  const checks = [...row.checks, writtenAccountNumber];
  const found = checks.map((check) => check(info, facts)).filter((fault) => fault !== undefined);
  // A field is told of once: what its type says of it comes first.
  return [...new Map(found.toReversed().map((fault) => [fault.error.field, fault])).values()].toReversed();
}

/** `ISSUED?`: only if the platform issues a token of this name. */
export function isCurrencyTaken(
  row: AccountTypeRow,
  currency: string,
  isStrict: boolean,
): boolean | 'ISSUED?' {
  const { listed, lenient = [], anyFiat, issued } = row.currencies;
  if (listed.includes(currency) || (!isStrict && lenient.includes(currency))) return true;
  if (anyFiat) return isCurrencyCode(currency) && !isDigital(currency);
  return issued && !isCurrencyCode(currency) ? 'ISSUED?' : false;
}

/** `paymentRails` of the answer; wallets have none. */
export function railsOf(info: AccountInfo): PaymentRail[] {
  return waysOf(rowOf(info.accountType), info).flatMap((way) =>
    railsOfWay(way, info).filter((rail) => way.railField === undefined || rail === info[way.railField]),
  );
}

function railsOfWay(way: Way, { accountType }: AccountInfo): readonly PaymentRail[] {
  return railsReaching(accountType, way.id);
}

/** The primary identifier: what names the account to whoever pays it. */
export function identifierOf(info: AccountInfo): string {
  return textOf(info, namingWay(info).id) ?? '';
}

/**
 * EA-31: what two accounts of one owner have in common when they are the same. Whoever holds it, how it is
 * referred to and whose it is make no difference.
 */
export function fingerprintText(owner: string, currency: string, info: AccountInfo): string {
  const way = namingWay(info);
  const parts = [...way.routing, way.id].map((name) => comparable(info, name));
  return JSON.stringify([owner, rowOf(info.accountType).name, currency, way.id, ...parts]);
}

function namingWay(info: AccountInfo): Way {
  const [way] = waysOf(rowOf(info.accountType), info);
  assert(way, 'the account was stored with an identifier');
  return way;
}

/** (a) before (b), unless the type takes both (accounts.md §4.2). */
function waysOf(row: AccountTypeRow, info: AccountInfo): Way[] {
  if (row.ways.length === 1) return [...row.ways];
  const meant = row.ways.filter((way) => isMeant(way, info));
  return row.combinesWays ? meant : meant.slice(0, 1);
}

function isMeant(way: Way, info: AccountInfo): boolean {
  return (way.marks ?? [way.id]).some((name) => has(info, name));
}

/** Every field that (a) would take; where several identifiers are as good, each of them. */
function missingWay(row: AccountTypeRow, info: AccountInfo): FieldError[] {
  if (row.isExclusive) return [onlyOne(row)];
  const [first] = row.ways.map((way) => railsOfWay(way, info).join());
  const names = row.ways
    .filter((way) => railsOfWay(way, info).join() === first)
    .flatMap((way) => [way.id, ...(way.needs ?? [])]);
  return names.filter((name) => !has(info, name)).map((name) => missing(name));
}

function onlyOne(row: AccountTypeRow): FieldError {
  const names = row.ways.map((way) => way.id).join(', ');
  return { field: 'accountInfo', message: `must have exactly one of ${names}` };
}

function bankNameProblem({ bankNames }: Way, info: AccountInfo): FieldError[] {
  const bankName = textOf(info, 'bankName');
  if (bankNames === undefined || bankName === undefined || bankNames.includes(bankName)) return [];
  return [problem('bankName', 'is not a known mobile money provider', { enum: bankNames })];
}

function holderProblem({ businessOnly }: Way, { beneficiary }: AccountInfo): FieldError[] {
  if (!businessOnly || beneficiary?.beneficiaryType !== 'INDIVIDUAL') return [];
  const message = 'must be BUSINESS: an account of this type cannot belong to an individual';
  return [problem('beneficiary.beneficiaryType', message, { enum: ['BUSINESS'] })];
}

function missing(name: string): FieldError {
  return problem(name, 'is required');
}

function problem(name: string, message: string, constraint?: Constraint): FieldError {
  return { field: `accountInfo.${name}`, ...(constraint && { constraint }), message };
}

/** Spellings that mean the same account are compared as one. */
function comparable(info: AccountInfo, name: string): string {
  // Letters with accents, and digits, exist in several forms that look alike.
  const text = (textOf(info, name) ?? '').normalize('NFKC').replace(/\s+/g, ' ').trim();
  if (name === 'iban') return text.toUpperCase();
  // Without a branch, or with the branch XXX, a BIC is that of the head office.
  if (name === 'swiftCode') return text.replace(/XXX$/, '');
  if (name === 'accountNumber') return text.replaceAll(' ', '');
  if (name === 'pixKey') return comparablePixKey(info, text);
  if (CASELESS.has(name)) return text.toLowerCase();
  return name === 'address' && isCaselessAddress(info.accountType, text) ? text.toLowerCase() : text;
}

const CASELESS: ReadonlySet<string> = new Set(['vpa', 'lightningAddress', 'invoice', 'bolt12']);

/** An email address, or a UUID that may come without its hyphens; the other keys are digits. */
function comparablePixKey(info: AccountInfo, key: string): string {
  const caseless = key.toLowerCase();
  return textOf(info, 'pixKeyType') === 'RANDOM' ? caseless.replaceAll('-', '') : caseless;
}

/** EVM, Spark and Bech32 addresses; in Base58, as on Solana, the case of a letter counts. */
function isCaselessAddress(accountType: string, address: string): boolean {
  const family = walletFamily(accountType);
  return family === 'EVM' || (family === 'BITCOIN' && /^(sp|bc1|tb1|bcrt1)/i.test(address));
}
