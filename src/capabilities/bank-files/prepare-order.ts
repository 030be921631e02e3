import type { FileFormat, Profile, RailProfile } from '#capabilities/bank-files/profile.ts';
import type { OrderContent } from '#capabilities/bank-files/row.ts';
import { type CharacterSet, hasName, writeText } from '#foundation/bank-formats/characters.ts';
import { NACHA_AMOUNT_MAX } from '#foundation/bank-formats/nacha-writer.ts';
import type { BankAccount, PostalAddress } from '#foundation/bank-formats/pain001.ts';
import type { OrderBody } from '#foundation/connector-protocol/orders.ts';
import { isAbaRoutingNumber } from '#foundation/lib/identifiers/account-numbers.ts';

/** What a file will say about an order; decided when the order comes, so that no file fails because of one. Pure. */

export type Prepared =
  | { readonly kind: 'READY'; readonly content: OrderContent }
  /** The account cannot be written as the bank wants it. */
  | { readonly kind: 'FAILED'; readonly content: OrderContent }
  /** It is not for this connector. */
  | { readonly kind: 'REFUSED'; readonly reason: string };

/** The rail of the profile that an order takes; undefined if there is none. */
export function railOf(profile: Profile, body: OrderBody): RailProfile | undefined {
  return profile.rails.find(
    ({ rail, currency, kinds, settlementAccounts, min, max }) =>
      rail === body.rail &&
      currency === body.currency &&
      kinds.includes(body.kind) &&
      settlementAccounts.includes(body.settlementAccount) &&
      (min === undefined || BigInt(body.amount) >= BigInt(min)) &&
      (max === undefined || BigInt(body.amount) <= BigInt(max)),
  );
}

/** `payer`: the account that the refunded money came from. */
export function prepareOrder(profile: Profile, body: OrderBody, payer: OrderContent | undefined): Prepared {
  const rail = railOf(profile, body);
  if (!rail)
    return refused('no rail of the profile takes this kind, currency, settlement account and amount');
  if (rail.format === 'NACHA' && BigInt(body.amount) > NACHA_AMOUNT_MAX)
    return refused('a NACHA file holds at most 9999999999 cents');
  const content = contentOf(profile, body, payer);
  if (!content) return refused('nobody knows the account that the money came from');
  const problem = checkAccount(rail.format, content.account);
  if (problem !== undefined) return refused(problem);
  return isWritable(rail, content) ? { kind: 'READY', content } : { kind: 'FAILED', content };
}

function refused(reason: string): Prepared {
  return { kind: 'REFUSED', reason };
}

type Outside = NonNullable<Extract<OrderBody, { kind: 'REFUND' }>['beneficiary']>;

function contentOf(
  profile: Profile,
  body: OrderBody,
  payer: OrderContent | undefined,
): OrderContent | undefined {
  const holder = profile.settlementAccounts.find(({ id }) => id === body.settlementAccount)?.name ?? '';
  switch (body.kind) {
    case 'PAYOUT':
      return {
        ...outside(body.beneficiary),
        originator: body.originator.name,
        purpose: PURPOSES[body.purpose ?? ''] ?? undefined,
        remittance: body.remittance,
      };
    case 'COLLECTION':
      return { ...outside(body.debtor), originator: body.creditor.name };
    case 'REFUND':
      return body.beneficiary ? { ...outside(body.beneficiary), originator: holder } : payer;
  }
}

/** The purposes of the API as ISO 20022 lists them. */
const PURPOSES: Readonly<Record<string, string>> = {
  ...{ GIFT: 'GIFT', SELF: 'CASH', GOODS_OR_SERVICES: 'GDDS', EDUCATION: 'EDUC', HEALTH_OR_MEDICAL: 'MDCS' },
  ...{ REAL_ESTATE_PURCHASE: 'PPTI', TAX_PAYMENT: 'TAXS', LOAN_PAYMENT: 'LOAN', UTILITY_BILL: 'UBIL' },
  ...{ DONATION: 'CHAR', TRAVEL: 'TRPT', FAMILY_SUPPORT: 'FAMI', SALARY_PAYMENT: 'SALA', OTHER: 'OTHR' },
};

function outside(party: Outside): Omit<OrderContent, 'originator'> {
  const field = (name: string) => {
    const value = party.fields[name];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  return {
    name: party.name ?? '',
    isBusiness: party.type === 'BUSINESS',
    isSavings: field('bankAccountType') === 'SAVINGS',
    account: {
      iban: field('iban')?.replaceAll(' ', ''),
      number: field('accountNumber') ?? field('clabe') ?? field('cbu'),
      bic: field('swiftCode'),
      clearing: clearingOf(field),
    },
    address: party.address && addressOf(party.address),
  };
}

/** The codes by which countries name banks, by the field that has them. */
const CLEARINGS = { routingNumber: 'USABA', sortCode: 'GBDSC', ifsc: 'INFSC', bsb: 'AUBSB' } as const;

function clearingOf(field: (name: string) => string | undefined): BankAccount['clearing'] {
  for (const [name, system] of Object.entries(CLEARINGS)) {
    const member = field(name);
    if (member !== undefined) return { system, member: member.replaceAll('-', '') };
  }
  return undefined;
}

function addressOf(address: Readonly<Record<string, unknown>>): PostalAddress {
  const part = (name: string) => (typeof address[name] === 'string' ? address[name] : undefined);
  return {
    ...{ street: part('line1'), building: part('line2'), postalCode: part('postalCode') },
    ...{ town: part('city'), region: part('state'), country: part('country') },
  };
}

function checkAccount(format: FileFormat, { iban, number, bic, clearing }: BankAccount): string | undefined {
  if (format === 'NACHA') {
    const isRight = clearing?.system === 'USABA' && isAbaRoutingNumber(clearing.member);
    return isRight && number !== undefined && number.length <= 17
      ? undefined
      : 'a NACHA file needs an account number and a routing number';
  }
  if (format !== 'GENERIC') return iban === undefined ? 'a SEPA file needs an IBAN' : undefined;
  if (iban === undefined && (number === undefined || number.length > 34))
    return 'the file needs an IBAN or an account number';
  return iban === undefined && bic === undefined && clearing === undefined
    ? 'the file needs a BIC or the bank’s code in its country'
    : undefined;
}

/** bank-files.md §3.3: a bank cannot compare a name of which no letter or digit is left. */
function isWritable(
  { characters = 'basic', format }: RailProfile,
  { name, originator }: OrderContent,
): boolean {
  const set: CharacterSet = format === 'NACHA' ? 'basic' : characters;
  return [name, originator].every((each) => hasName(writeText(each, set, 140)));
}
