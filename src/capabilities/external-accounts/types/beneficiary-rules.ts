import type { ExternalAccountType } from '#capabilities/external-accounts/types/account-table.ts';
import type { Beneficiary } from '#capabilities/external-accounts/types/beneficiary-schemas.ts';
import type { FieldError } from '#foundation/lib/refusals.ts';

const NAME_MAX = 200;

/**
 * accounts.md §4.5.52, §4.5.53, §4.5.54: the rules on a beneficiary that its schema cannot express. Fields may still
 * have a wrong type.
 */
export function checkBeneficiary(
  accountType: ExternalAccountType,
  beneficiary: Beneficiary,
  { isStrict, now }: { readonly isStrict: boolean; readonly now: Date },
): FieldError[] {
  return [
    ...nameProblem('fullName', beneficiary.fullName),
    ...nameProblem('legalName', beneficiary.legalName),
    ...birthProblem(beneficiary.birthDate, now),
    ...(isStrict ? strictProblems(accountType, beneficiary) : []),
  ];
}

/** Names are stored without surrounding spaces. */
export function withTrimmedNames(beneficiary: Beneficiary): Beneficiary {
  const { fullName, legalName } = beneficiary;
  return {
    ...beneficiary,
    ...(fullName !== undefined && { fullName: fullName.trim() }),
    ...(legalName !== undefined && { legalName: legalName.trim() }),
  };
}

function nameProblem(field: string, sent: unknown): FieldError[] {
  if (typeof sent !== 'string') return [];
  const length = [...sent.trim()].length;
  if (length >= 1 && length <= NAME_MAX) return [];
  const constraint = { minLength: 1, maxLength: NAME_MAX };
  return [
    problem(field, `must have 1 to ${NAME_MAX} characters not counting surrounding spaces`, constraint),
  ];
}

function birthProblem(sent: unknown, now: Date): FieldError[] {
  if (typeof sent !== 'string' || sent < now.toISOString().slice(0, 10)) return [];
  return [problem('birthDate', 'must be a date in the past', { format: 'date' })];
}

/**
 * accounts.md §4.5.53: account types that need an address if a person holds them; and those where an address, if given,
 * needs a city.
 */
const PERSON_NEEDS_ADDRESS: readonly ExternalAccountType[] = ['GBP_ACCOUNT', 'EUR_ACCOUNT'];
const PERSON_NEEDS_CITY: readonly ExternalAccountType[] = ['USD_ACCOUNT', 'GBP_ACCOUNT', 'EUR_ACCOUNT'];

/** accounts.md §4.5.54: account types, by the fields that a business that holds one must give. */
const ADDRESS: readonly ExternalAccountType[] = [
  'USD_ACCOUNT',
  'MXN_ACCOUNT',
  'GBP_ACCOUNT',
  'INR_ACCOUNT',
  'BRL_ACCOUNT',
  'DKK_ACCOUNT',
  'PHP_ACCOUNT',
  'HKD_ACCOUNT',
  'IDR_ACCOUNT',
  'MYR_ACCOUNT',
  'SGD_ACCOUNT',
  'THB_ACCOUNT',
  'VND_ACCOUNT',
  'AED_ACCOUNT',
];
const ADDRESS_AND_REGISTRATION: readonly ExternalAccountType[] = ['EUR_ACCOUNT'];
const ADDRESS_REGISTRATION_AND_TAX: readonly ExternalAccountType[] = [
  'NGN_ACCOUNT',
  'ZAR_ACCOUNT',
  'KES_ACCOUNT',
  'TZS_ACCOUNT',
  'RWF_ACCOUNT',
  'ZMW_ACCOUNT',
  'UGX_ACCOUNT',
  'BWP_ACCOUNT',
  'MWK_ACCOUNT',
  'XOF_ACCOUNT',
  'XAF_ACCOUNT',
];

function strictProblems(type: ExternalAccountType, beneficiary: Beneficiary): FieldError[] {
  const needs =
    beneficiary.beneficiaryType === 'BUSINESS'
      ? businessNeeds(type)
      : PERSON_NEEDS_ADDRESS.includes(type)
        ? ['address']
        : [];
  const missing = needs.filter((name) => !Object.hasOwn(beneficiary, name));
  const { address } = beneficiary;
  const wantsCity = beneficiary.beneficiaryType === 'INDIVIDUAL' && PERSON_NEEDS_CITY.includes(type);
  if (wantsCity && typeof address === 'object' && !Object.hasOwn(address, 'city'))
    missing.push('address.city');
  return missing.map((name) => problem(name, 'is required'));
}

function businessNeeds(type: ExternalAccountType): string[] {
  if (ADDRESS.includes(type)) return ['address'];
  if (ADDRESS_AND_REGISTRATION.includes(type)) return ['address', 'registrationNumber'];
  return ADDRESS_REGISTRATION_AND_TAX.includes(type) ? ['address', 'registrationNumber', 'taxId'] : [];
}

function problem(field: string, message: string, constraint?: FieldError['constraint']): FieldError {
  return { field: `accountInfo.beneficiary.${field}`, ...(constraint && { constraint }), message };
}
