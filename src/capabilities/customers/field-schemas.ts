import Type, { type Static } from 'typebox';
import { clearable, component, namedEnum, text } from '#foundation/http/schema.ts';
import type { IdentityStatus } from '#foundation/ports/identity.ts';

/** Schemas that customers and their beneficial owners share. */

export const CustomerType = namedEnum(
  'CustomerType',
  'A natural person, or a company or other organisation.',
  ['INDIVIDUAL', 'BUSINESS'],
);

export const CUSTOMER_STATUSES = [
  'UNVERIFIED',
  'PENDING',
  'APPROVED',
  'REJECTED',
  'HOLD',
] as const satisfies readonly IdentityStatus[];

export const KycStatus = namedEnum(
  'KycStatus',
  'Status of a person’s identity check. `APPROVED` and `REJECTED` are final; `HOLD` is a pause that only the ' +
    'provider sets.',
  CUSTOMER_STATUSES,
);

export const KybStatus = namedEnum(
  'KybStatus',
  'Status of a business’s check. `APPROVED` and `REJECTED` are final; `HOLD` is a pause that only the ' +
    'provider sets.',
  CUSTOMER_STATUSES,
);

export const IdentificationType = namedEnum(
  'IdentificationType',
  'The kind of number in `identifier`: US social security number, US individual taxpayer number, US ' +
    'employer number, or the tax number of another country. `EIN` is not possible for an individual customer.',
  ['SSN', 'ITIN', 'EIN', 'NON_US_TAX_ID'],
);

export const PHONE_PATTERN = '^\\+[1-9]\\d{6,14}$';

export function country(description: string) {
  return Type.String({ format: 'iso3166-1-alpha-2', description, examples: ['DE'] });
}

export function countries(description: string) {
  return Type.Array(Type.String({ format: 'iso3166-1-alpha-2' }), {
    maxItems: 250,
    description,
    examples: [['US', 'DE']],
  });
}

export function email(description: string) {
  return Type.String({ format: 'email', maxLength: 254, description, examples: ['ada@example.com'] });
}

export function phoneNumber(description: string) {
  return Type.String({
    pattern: PHONE_PATTERN,
    format: 'e.164',
    description,
    examples: ['+4915112345678'],
  });
}

/** Text of more than spaces, because spaces alone would count as a value. */
export function words(maxLength: number, options: Record<string, unknown>) {
  return text(1, maxLength, { pattern: '\\S', ...options });
}

/** A calendar date. `checkDate` in profile-rules.ts checks that it is after 1900 and not in the future. */
export function date(description: string) {
  return Type.String({ format: 'date', description, examples: ['1990-04-23'] });
}

const ADDRESS = {
  line1: words(200, { description: 'Street and house number.', examples: ['Hauptstrasse 1'] }),
  line2: words(200, { description: 'Flat, floor, building.', examples: ['Apt 4'] }),
  city: words(200, { description: 'City or town.', examples: ['Berlin'] }),
  state: words(200, { description: 'State, province or region.', examples: ['BE'] }),
  postalCode: words(32, { description: 'Postal code.', examples: ['10115'] }),
  country: country('Country of the address, ISO 3166-1 alpha-2.'),
};

export const Address = component('Address', 'A postal address.', {
  line1: ADDRESS.line1,
  line2: Type.Optional(ADDRESS.line2),
  city: Type.Optional(ADDRESS.city),
  state: Type.Optional(ADDRESS.state),
  postalCode: ADDRESS.postalCode,
  country: ADDRESS.country,
});

export type Address = Static<typeof Address>;

/** On PATCH an address replaces the stored one entirely, so a `null` part equals a missing one. */
export const AddressUpdate = component(
  'AddressUpdate',
  'A postal address; it replaces the stored one entirely.',
  {
    line1: ADDRESS.line1,
    line2: Type.Optional(clearable(ADDRESS.line2)),
    city: Type.Optional(clearable(ADDRESS.city)),
    state: Type.Optional(clearable(ADDRESS.state)),
    postalCode: ADDRESS.postalCode,
    country: ADDRESS.country,
  },
);

export type AddressUpdate = Static<typeof AddressUpdate>;

/** Returns the address that replaces the stored one, without parts that were sent as `null`. */
export function readAddress(sent: AddressUpdate): Address {
  const { line1, line2, city, state, postalCode, country: code } = sent;
  return {
    line1,
    ...(line2 != null && { line2 }),
    ...(city != null && { city }),
    ...(state != null && { state }),
    postalCode,
    country: code,
  };
}
