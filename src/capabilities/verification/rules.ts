import type { Address } from '#capabilities/customers/field-schemas.ts';
import type { BeneficialOwner, PersonalInfo } from '#capabilities/customers/owner-schemas.ts';
import type { Profile } from '#capabilities/customers/profile/profile.ts';
import type { DocumentType } from '#capabilities/documents/schemas.ts';
import { checkAddress, missingParts } from '#capabilities/verification/address-rules.ts';
import type { VerificationError, VerificationErrorType } from '#capabilities/verification/schemas.ts';

/** Everything that is checked when a customer is submitted. */
export interface Packet {
  /** `Customer:<uuid>` */
  readonly customerId: string;
  readonly region: string;
  readonly profile: Profile;
  readonly documents: readonly PacketDocument[];
  /** In the order in which they were added. */
  readonly owners: readonly PacketOwner[];
}

export interface PacketDocument {
  /** `Customer:<uuid>` or `BeneficialOwner:<uuid>` */
  readonly holder: string;
  readonly type: DocumentType;
  readonly side: 'FRONT' | 'BACK' | undefined;
  /** Differs as soon as another file takes its place. */
  readonly version?: string;
}

export interface PacketOwner extends Pick<BeneficialOwner, 'id' | 'roles' | 'ownershipPercentage'> {
  readonly person: Partial<PersonalInfo>;
}

/**
 * Lists missing and invalid data: customer fields, customer documents, then owners by creation (customers.md §4.2.3,
 * §4.3).
 */
export function checkPacket(packet: Packet, now: Date): VerificationError[] {
  return packet.profile.customerType === 'INDIVIDUAL'
    ? [
        ...personErrors(packet, now),
        ...identityErrors(packet.customerId, holderDocuments(packet, packet.customerId)),
      ]
    : [...businessErrors(packet), ...businessDocumentErrors(packet), ...ownersErrors(packet)];
}

// -- Individuals ------------------------------------------------------------------------------------------

const PERSON_FIELDS = ['fullName', 'birthDate', 'nationality', 'idType', 'identifier'] as const;
const AGE_MIN = 18;

function personErrors({ customerId, region, profile }: Packet, now: Date): VerificationError[] {
  const { person, address } = profile;
  const fields = PERSON_FIELDS.flatMap((field) => {
    const value = person[field];
    if (value === undefined) return [missing(customerId, field)];
    if (field === 'fullName' && !/\s/.test(value)) {
      return [invalid(customerId, field, 'The full name needs a first and a last name.')];
    }
    if (field === 'birthDate' && isTooYoung(value, now)) {
      return [invalid(customerId, field, `The person must be at least ${AGE_MIN} years old.`)];
    }
    return [];
  });
  return [...fields, ...addressErrors(customerId, '', address, missingParts(address, region))];
}

/** Compares calendar dates, on the day of `now` in UTC. */
export function isTooYoung(birthDate: string, now: Date): boolean {
  const [year = '', ...rest] = birthDate.split('-');
  const comesOfAge = [String(Number(year) + AGE_MIN), ...rest].join('-');
  return comesOfAge > now.toISOString().slice(0, 10);
}

/** Lists missing and invalid parts. */
function addressErrors(
  resourceId: string,
  prefix: string,
  address: Address | undefined,
  lacking: readonly (keyof Address)[] = [],
): VerificationError[] {
  const wrong = address ? checkAddress(address) : [];
  return [
    ...lacking.map((part) => missing(resourceId, `${prefix}address.${part}`)),
    ...wrong.map(({ part, reason }) => invalid(resourceId, `${prefix}address.${part}`, reason)),
  ];
}

const CARDS = ['DRIVERS_LICENSE', 'NATIONAL_ID'] as const satisfies DocumentType[];
const CARD_NAMES = { DRIVERS_LICENSE: 'driver’s licence', NATIONAL_ID: 'identity card' };

/** Requires a passport, or a card with both sides (customers.md §4.3.8). */
function identityErrors(resourceId: string, documents: readonly PacketDocument[]): VerificationError[] {
  if (has(documents, ['PASSPORT'])) return [];
  return cardErrors(resourceId, documents, CARDS, ['PASSPORT', ...CARDS]);
}

function cardErrors(
  resourceId: string,
  documents: readonly PacketDocument[],
  cards: readonly (keyof typeof CARD_NAMES)[],
  accepted: readonly DocumentType[],
): VerificationError[] {
  if (cards.some((card) => isComplete(documents, card))) return [];
  const half = cards.find((card) => has(documents, [card]));
  if (half !== undefined) {
    const reason = `Only one side of the ${CARD_NAMES[half]} was uploaded.`;
    return [{ resourceId, type: 'INCOMPLETE_DOCUMENT', reason }];
  }
  return [
    missingDocument(resourceId, 'MISSING_IDENTITY_DOCUMENT', accepted, 'An identity document is missing.'),
  ];
}

function isComplete(documents: readonly PacketDocument[], card: DocumentType): boolean {
  const sides = documents.filter(({ type }) => type === card).map(({ side }) => side);
  return sides.includes(undefined) || (sides.includes('FRONT') && sides.includes('BACK'));
}

// -- Businesses -------------------------------------------------------------------------------------------

const BUSINESS_FIELDS = [
  'legalName',
  'country',
  'taxId',
  'incorporatedOn',
  'registrationNumber',
  'entityType',
  'countriesOfOperation',
  'businessType',
  'purposeOfAccount',
  'sourceOfFunds',
  'expectedMonthlyTransactionCount',
  'expectedMonthlyTransactionVolume',
  'expectedRecipientJurisdictions',
] as const;

const OWNERSHIP_MAX = 100;

function businessErrors({ customerId, region, profile, owners }: Packet): VerificationError[] {
  const { business, address } = profile;
  const fields = BUSINESS_FIELDS.filter((field) => {
    const hasCategories = field === 'sourceOfFunds' && isFilled(business.sourceOfFundsCategories);
    return !isFilled(business[field]) && !hasCategories;
  }).map((field) => missing(customerId, `customer.businessInfo.${field}`));
  const shares = owners.reduce((sum, owner) => sum + owner.ownershipPercentage, 0);
  const tooMuch =
    shares > OWNERSHIP_MAX
      ? [
          invalid(
            customerId,
            'beneficialOwners.ownershipPercentage',
            `The owners’ shares add up to ${shares} percent, which is more than 100.`,
          ),
        ]
      : [];
  return [
    ...fields,
    ...addressErrors(customerId, 'customer.', address, missingParts(address, region)),
    ...tooMuch,
  ];
}

function isFilled(value: string | readonly string[] | undefined): boolean {
  return value !== undefined && value.length > 0;
}

interface Proof {
  readonly type: VerificationErrorType;
  readonly accepted: readonly DocumentType[];
  readonly reason: string;
}

/** One document of each kind; a trust agreement proves both control and ownership. */
const REQUIRED_PROOFS: readonly Proof[] = [
  {
    type: 'MISSING_LEGAL_PRESENCE_DOCUMENT',
    accepted: [
      'CERTIFICATE_OF_INCORPORATION',
      'ARTICLES_OF_INCORPORATION',
      'ARTICLES_OF_ASSOCIATION',
      'STATE_REGISTRY_EXCERPT',
    ],
    reason: 'A document that proves the business exists is missing.',
  },
  {
    type: 'MISSING_CONTROL_STRUCTURE_DOCUMENT',
    accepted: [
      'DIRECTOR_REGISTRY',
      'TRUST_AGREEMENT',
      'STATE_COMPANY_REGISTRY',
      'PARTNERSHIP_CONTROL_AGREEMENT',
    ],
    reason: 'A document that proves who controls the business is missing.',
  },
  {
    type: 'MISSING_OWNERSHIP_STRUCTURE_DOCUMENT',
    accepted: ['SHAREHOLDER_REGISTER', 'TRUST_AGREEMENT', 'PARTNERSHIP_AGREEMENT'],
    reason: 'A document that proves who owns the business is missing.',
  },
  {
    type: 'MISSING_PROOF_OF_ADDRESS_DOCUMENT',
    accepted: [
      'PROOF_OF_ADDRESS',
      'UTILITY_BILL',
      'RENT_OR_LEASE_AGREEMENT',
      'ELECTRICITY_BILL',
      'BANK_STATEMENT',
      'TAX_RETURN',
    ],
    reason: 'A document that proves the address of the business is missing.',
  },
];

function businessDocumentErrors(packet: Packet): VerificationError[] {
  const documents = holderDocuments(packet, packet.customerId);
  return REQUIRED_PROOFS.filter(({ accepted }) => !has(documents, accepted)).map(
    ({ type, accepted, reason }) => missingDocument(packet.customerId, type, accepted, reason),
  );
}

// -- Owners -----------------------------------------------------------------------------------------------

function ownersErrors(packet: Packet): VerificationError[] {
  const { customerId: resourceId, owners } = packet;
  const errors: VerificationError[] = [];
  if (owners.length === 0) {
    errors.push({ resourceId, type: 'MISSING_BENEFICIAL_OWNER', reason: 'No beneficial owner is named.' });
  }
  if (!owners.some(({ roles }) => roles.some((role) => role !== 'UBO'))) {
    errors.push({
      resourceId,
      type: 'MISSING_CONTROL_PERSON',
      reason: 'No person who controls the business is named.',
    });
  }
  return [...errors, ...owners.flatMap((owner) => ownerErrors(owner, holderDocuments(packet, owner.id)))];
}

const OWNER_FIELDS = [
  'firstName',
  'lastName',
  'birthDate',
  'nationality',
  'address',
  'idType',
  'identifier',
] as const satisfies (keyof PersonalInfo)[];

const US_NUMBERS: readonly (string | undefined)[] = ['SSN', 'ITIN', undefined];

function ownerErrors({ id, person }: PacketOwner, documents: readonly PacketDocument[]): VerificationError[] {
  const fields = [
    ...OWNER_FIELDS.filter((field) => person[field] === undefined).map((field) =>
      missing(id, `personalInfo.${field}`),
    ),
    ...addressErrors(id, 'personalInfo.', person.address),
  ];
  if (person.nationality === 'US') {
    const hasNumber = US_NUMBERS.includes(person.idType);
    const reason = 'An owner with US nationality must be identified by an SSN or ITIN.';
    return hasNumber ? fields : [...fields, invalid(id, 'personalInfo.idType', reason)];
  }
  const passport = has(documents, ['PASSPORT'])
    ? []
    : [missingDocument(id, 'MISSING_IDENTITY_DOCUMENT', ['PASSPORT'], 'The passport is missing.')];
  return [...fields, ...passport, ...cardErrors(id, documents, SECOND_IDS, SECOND_IDS)];
}

/** Required besides the passport of an owner who is not a US national. */
const SECOND_IDS = ['NATIONAL_ID', 'DRIVERS_LICENSE'] as const satisfies DocumentType[];

// -- Entries ----------------------------------------------------------------------------------------------

function holderDocuments({ documents }: Packet, holder: string): PacketDocument[] {
  return documents.filter((document) => document.holder === holder);
}

function has(documents: readonly PacketDocument[], types: readonly DocumentType[]): boolean {
  return documents.some(({ type }) => types.includes(type));
}

function missing(resourceId: string, field: string): VerificationError {
  return { resourceId, type: 'MISSING_FIELD', field, reason: `${field} is missing.` };
}

function invalid(resourceId: string, field: string, reason: string): VerificationError {
  return { resourceId, type: 'INVALID_FIELD', field, reason };
}

function missingDocument(
  resourceId: string,
  type: VerificationErrorType,
  accepted: readonly DocumentType[],
  reason: string,
): VerificationError {
  return { resourceId, type, acceptedDocumentTypes: [...accepted], reason };
}
