import { SANDBOX_VALUES } from '../api/sandbox-values.ts';
import type { FormValues } from './form.tsx';

interface InfoField {
  /** The member of `accountInfo`. */
  readonly name: string;
  readonly label: string;
  /** A value that the sandbox accepts; `#` is replaced by the digits that choose the outcome. */
  readonly example: string;
}

/** A kind of external account that has a form. The API knows more of them. */
export interface ReceiverKind {
  readonly type: string;
  readonly word: string;
  readonly currency: string;
  readonly fields: readonly InfoField[];
  readonly fixed?: Readonly<Record<string, string>>;
  readonly country: string;
}

/** The last choice: every other kind, as JSON. */
export const OTHER_KIND = 'OTHER';

export const RECEIVER_KINDS: readonly ReceiverKind[] = [
  {
    type: 'EUR_ACCOUNT',
    word: 'Euros, by IBAN',
    currency: 'EUR',
    fields: [{ name: 'iban', label: 'IBAN', example: 'IBAN' }],
    country: 'DE',
  },
  {
    type: 'USD_ACCOUNT',
    word: 'US dollars, by account number',
    currency: 'USD',
    fields: [
      { name: 'accountNumber', label: 'Account number', example: '000123456#' },
      { name: 'routingNumber', label: 'Routing number', example: '021000021' },
    ],
    country: 'US',
  },
  {
    type: 'GBP_ACCOUNT',
    word: 'Pounds, by sort code',
    currency: 'GBP',
    fields: [
      { name: 'accountNumber', label: 'Account number', example: '55779#' },
      { name: 'sortCode', label: 'Sort code', example: '200415' },
    ],
    country: 'GB',
  },
  {
    type: 'INR_ACCOUNT',
    word: 'Rupees, by UPI address',
    currency: 'INR',
    fields: [{ name: 'vpa', label: 'UPI address', example: 'receiver#@okbank' }],
    country: 'IN',
  },
  {
    type: 'BRL_ACCOUNT',
    word: 'Reais, by PIX key (e-mail)',
    currency: 'BRL',
    fields: [
      { name: 'pixKey', label: 'PIX key', example: 'receiver#@mail.example' },
      { name: 'taxId', label: 'CPF or CNPJ', example: '52998224725' },
    ],
    fixed: { pixKeyType: 'EMAIL' },
    country: 'BR',
  },
];

const ACROSS = SANDBOX_VALUES['cross-currency-payouts'];
const WITHIN = SANDBOX_VALUES['same-currency-payouts'];
/** Digits that choose no outcome of their own. */
const NO_OUTCOME = '000';

/** The outcomes that the end of an account's number can choose, as options. */
export const OUTCOME_OPTIONS: readonly (readonly [string, string])[] = [
  ['', 'The bank accepts every payment'],
  ...ACROSS.filter(([value]) => /^\d+$/.test(value)).map(
    ([value, , effect]) => [value, `${value}: ${effect}`] as const,
  ),
];

/** What the same digits do to a payment in the account's own currency. */
export function sayWithin(suffix: string): string | undefined {
  const [, , effect] = WITHIN.find(([value]) => value === suffix) ?? [];
  return suffix === '' ? undefined : (effect ?? 'Completed after 1 second.');
}

/** The value of a field that the sandbox accepts, with the chosen outcome. */
export function exampleOf({ example }: InfoField, suffix: string): string {
  if (example !== 'IBAN') return example.replace('#', suffix === '' ? NO_OUTCOME : suffix);
  const chosen = ACROSS.find(([value]) => value === suffix) ?? ACROSS.at(-1);
  return chosen?.[1] ?? '';
}

/** The JSON of another kind that the form starts with. */
export const OTHER_EXAMPLE = JSON.stringify(
  {
    accountType: 'MXN_ACCOUNT',
    clabeNumber: '032180000118359719',
    beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'Rosa Luna' },
  },
  null,
  2,
);

/** Currency and details, as the API takes them. */
export function readReceiver(kind: ReceiverKind | undefined, values: FormValues): Record<string, unknown> {
  if (!kind)
    return {
      currency: values.text('currency') ?? '',
      accountInfo: parseOr(values.text('accountInfo') ?? ''),
    };
  return {
    currency: kind.currency,
    accountInfo: {
      accountType: kind.type,
      ...kind.fixed,
      ...Object.fromEntries(kind.fields.map(({ name }) => [name, values.text(`accountInfo.${name}`) ?? ''])),
      beneficiary: readBeneficiary(values),
    },
  };
}

function readBeneficiary(values: FormValues): Record<string, unknown> {
  const at = (name: string) => values.text(`accountInfo.beneficiary.${name}`);
  const isPerson = values.text('accountInfo.beneficiary.beneficiaryType') !== 'BUSINESS';
  const address = Object.fromEntries(
    ADDRESS_FIELDS.flatMap(([name]) => {
      const value = at(`address.${name}`);
      return value === undefined ? [] : [[name, value]];
    }),
  );
  const country = at('countryOfResidence');
  return {
    beneficiaryType: isPerson ? 'INDIVIDUAL' : 'BUSINESS',
    [isPerson ? 'fullName' : 'legalName']: at(isPerson ? 'fullName' : 'legalName') ?? '',
    ...(country !== undefined && { countryOfResidence: country }),
    ...(Object.keys(address).length > 0 && { address }),
  };
}

export const ADDRESS_FIELDS: readonly (readonly [string, string])[] = [
  ['line1', 'Street'],
  ['city', 'City'],
  ['postalCode', 'Postal code'],
  ['country', 'Country (two letters)'],
];

/** Text that is not JSON is sent as it is, so that the API refuses it at its field. */
function parseOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
