import { dropUnknownFields } from '#capabilities/external-accounts/read-account-info.ts';
import { ExternalAccountCreateRequest, type OwnershipType } from '#capabilities/external-accounts/schemas.ts';
import { type AccountInfo, has } from '#capabilities/external-accounts/types/account-fields.ts';
import { checkStrictlyRequired, checkVariants } from '#capabilities/external-accounts/types/account-rules.ts';
import { ACCOUNT_TABLE, isExternalAccountType } from '#capabilities/external-accounts/types/account-table.ts';
import { checkBeneficiary } from '#capabilities/external-accounts/types/beneficiary-rules.ts';
import { findVasp } from '#capabilities/platform/vasps.ts';
import { inDocumentOrder } from '#foundation/http/read/validate.ts';
import { isWalletType } from '#foundation/lib/identifiers/wallet-address.ts';
import { isObject } from '#foundation/lib/is-object.ts';
import type { FieldError } from '#foundation/lib/refusals.ts';

/** Rules on a request to create an account (accounts.md §3.6): pure, and every invalid field is reported at once. */

export interface CreateContext {
  readonly hasCustomer: boolean;
  readonly isStrict: boolean;
  readonly now: Date;
}

/** Second row of accounts.md §3.6: violations of the schema, and rules that the schema cannot express. */
export function checkAccountFields(
  body: Readonly<Record<string, unknown>>,
  schemaProblems: readonly FieldError[],
  context: CreateContext,
): FieldError[] {
  const info = isObject(body.accountInfo) ? dropUnknownFields(body.accountInfo) : undefined;
  const found = [
    ...schemaProblems,
    ...(info ? infoProblems(info, context) : []),
    ...defaultProblem(body, info, context),
  ];
  // One problem per field; a violation of the schema wins.
  const byField = new Map(found.toReversed().map((problem) => [problem.field, problem]));
  return inDocumentOrder(ExternalAccountCreateRequest, [...byField.values()], body);
}

function infoProblems(info: AccountInfo, context: CreateContext): FieldError[] {
  if (!isExternalAccountType(info.accountType)) return [];
  const row = ACCOUNT_TABLE[info.accountType];
  const { beneficiary } = info;
  return [
    ...checkVariants(row, info),
    ...checkHiddenCharacters(info),
    ...(context.isStrict ? checkStrictlyRequired(row, info) : []),
    ...(isObject(beneficiary) ? checkBeneficiary(info.accountType, beneficiary, context) : []),
  ];
}

/** accounts.md §3.2.22: only customers have a default account, and an invoice can be paid only once. */
function defaultProblem(
  body: Readonly<Record<string, unknown>>,
  info: AccountInfo | undefined,
  { hasCustomer }: CreateContext,
): FieldError[] {
  if (body.defaultUmaDepositAccount !== true) return [];
  const field = 'defaultUmaDepositAccount';
  if (!hasCustomer) return [{ field, message: 'cannot be true for an account of the platform' }];
  const isInvoice = info !== undefined && ACCOUNT_TABLE.LIGHTNING === rowFor(info) && has(info, 'invoice');
  return isInvoice ? [{ field, message: 'cannot be true for an invoice, which can be paid only once' }] : [];
}

function rowFor({ accountType }: AccountInfo) {
  return isExternalAccountType(accountType) ? ACCOUNT_TABLE[accountType] : undefined;
}

/** The custodian and the owner of a wallet (accounts.md §5.1). */
export function checkOwnership(
  info: AccountInfo,
  ownershipType: OwnershipType | undefined,
  counterpartyRequirements: boolean,
): FieldError[] {
  const { vaspName, beneficiary } = info;
  if (!isWalletType(info.accountType)) return [];
  if (vaspName !== undefined) {
    const field = 'accountInfo.vaspName';
    return findVasp(vaspName) ? [] : [{ field, message: 'is not one of the names that `GET /vasps` lists' }];
  }
  if (!counterpartyRequirements) return [];
  if (ownershipType === undefined) {
    const message = 'is required for a self-hosted wallet';
    return [{ field: 'ownershipType', constraint: { enum: ['FIRST_PARTY', 'THIRD_PARTY'] }, message }];
  }
  if (ownershipType === 'THIRD_PARTY' && beneficiary === undefined) {
    return [{ field: 'accountInfo.beneficiary', message: 'is required for a wallet of a third party' }];
  }
  return [];
}

/** accounts.md §5.1.3: the owner's self-hosted wallet needs a proof of ownership. */
export function awaitsOwnershipProof(
  info: AccountInfo,
  ownershipType: OwnershipType | null,
  counterpartyRequirements: boolean,
): boolean {
  return counterpartyRequirements && canProveOwnership(info, ownershipType);
}

/** accounts.md §5.2.11: whether a proof of ownership is possible for this wallet. */
export function canProveOwnership(info: AccountInfo, ownershipType: OwnershipType | null): boolean {
  return isWalletType(info.accountType) && info.vaspName === undefined && ownershipType === 'FIRST_PARTY';
}

/**
 * Refuses invisible characters. To a bank, a number with a hidden character is a different number, and line breaks and
 * direction overrides change the meaning of a payment message.
 */
export function checkHiddenCharacters({ beneficiary, ...info }: AccountInfo): FieldError[] {
  return [
    ...matches(info, 'accountInfo', (name) => (FREE_TEXT.has(name) ? CONTROL : INVISIBLE)),
    ...matches(beneficiary, 'accountInfo.beneficiary', () => CONTROL),
    ...matches(beneficiary?.address, 'accountInfo.beneficiary.address', () => CONTROL),
  ];
}

/** Fields with text in any language; some scripts need invisible joiners. */
const FREE_TEXT: ReadonlySet<string> = new Set(['bankName', 'provider', 'intermediaryBankName']);

/** This field may have several lines. */
const MULTILINE = 'fiToFiInformation';

const INVISIBLE = /\p{C}/u;
/** Control characters, direction overrides, and text of invisible characters only. */
const CONTROL = /[\p{Cc}\u202a-\u202e\u2066-\u2069]|^[\p{C}\p{Z}]+$/u;

function matches(group: unknown, path: string, patternFor: (name: string) => RegExp): FieldError[] {
  if (group === null || typeof group !== 'object') return [];
  return Object.entries(group)
    .filter(([name, text]) => typeof text === 'string' && name !== MULTILINE && patternFor(name).test(text))
    .map(([name]) => ({ field: `${path}.${name}`, message: 'contains invisible characters' }));
}
