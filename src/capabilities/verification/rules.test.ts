import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Profile } from '#capabilities/customers/profile/profile.ts';
import type { DocumentType } from '#capabilities/documents/schemas.ts';
import {
  checkPacket,
  type Packet,
  type PacketDocument,
  type PacketOwner,
} from '#capabilities/verification/rules.ts';
import type { VerificationError } from '#capabilities/verification/schemas.ts';

const NOW = new Date('2026-03-02T10:00:00Z');
const CUSTOMER = 'Customer:019542f5-b3e7-7d02-8000-000000000001';
const ADDRESS = { line1: '1 A St', city: 'Boston', state: 'MA', postalCode: '02110', country: 'US' };

const PERSON: Profile = {
  customerType: 'INDIVIDUAL',
  address: ADDRESS,
  person: {
    fullName: 'Ada Lovelace',
    birthDate: '1990-12-10',
    nationality: 'US',
    idType: 'SSN',
    identifier: '123-45-6789',
  },
  business: {},
};

const BUSINESS: Profile = {
  customerType: 'BUSINESS',
  address: ADDRESS,
  person: {},
  business: {
    legalName: 'Engines',
    country: 'US',
    taxId: '123456789',
    incorporatedOn: '2015-01-01',
    registrationNumber: 'R-1',
    entityType: 'LLC',
    countriesOfOperation: ['US'],
    businessType: 'INFORMATION',
    purposeOfAccount: 'SUPPLIER_PAYMENTS',
    sourceOfFunds: 'Sales',
    expectedMonthlyTransactionCount: 'COUNT_10_TO_100',
    expectedMonthlyTransactionVolume: 'VOLUME_10K_TO_100K',
    expectedRecipientJurisdictions: ['US'],
  },
};

function paper(type: DocumentType, side?: 'FRONT' | 'BACK', holder = CUSTOMER): PacketDocument {
  return { holder, type, side };
}

function owner(
  n: number,
  change: Partial<PacketOwner> = {},
  person: PacketOwner['person'] = {},
): PacketOwner {
  return {
    id: `BeneficialOwner:019542f5-b3e7-7d02-8000-00000000000${n}`,
    roles: ['UBO', 'DIRECTOR'],
    ownershipPercentage: 50,
    person: {
      firstName: 'Charles',
      lastName: 'Babbage',
      birthDate: '1971-12-26',
      nationality: 'US',
      address: ADDRESS,
      idType: 'SSN',
      identifier: '219-09-9999',
      ...person,
    },
    ...change,
  };
}

const PAPERS = [
  paper('CERTIFICATE_OF_INCORPORATION'),
  paper('DIRECTOR_REGISTRY'),
  paper('SHAREHOLDER_REGISTER'),
  paper('PROOF_OF_ADDRESS'),
];

const person = (change: Partial<Packet> = {}): Packet => ({
  customerId: CUSTOMER,
  region: 'US',
  profile: PERSON,
  documents: [paper('PASSPORT')],
  owners: [],
  ...change,
});

const business = (change: Partial<Packet> = {}): Packet => ({
  customerId: CUSTOMER,
  region: 'US',
  profile: BUSINESS,
  documents: PAPERS,
  owners: [owner(2)],
  ...change,
});

/** `TYPE field` of each entry. */
const told = (packet: Packet): string[] =>
  checkPacket(packet, NOW).map(({ type, field }) => (field === undefined ? type : `${type} ${field}`));

function personWithout(...fields: string[]): Profile {
  const kept = Object.entries(PERSON.person).filter(([name]) => !fields.includes(name));
  return { ...PERSON, person: Object.fromEntries(kept) };
}

describe('packet checks', () => {
  it('customers.md §4.3: complete packets have no errors', () => {
    assert.deepEqual(checkPacket(person(), NOW), []);
    assert.deepEqual(checkPacket(business(), NOW), []);
  });

  it('customers.md §4.3.6: each absent field of a person is MISSING_FIELD with its bare path, on the customer', () => {
    for (const field of ['fullName', 'birthDate', 'nationality', 'idType', 'identifier']) {
      const [error, ...more] = checkPacket(person({ profile: personWithout(field) }), NOW);
      assert.deepEqual(more, []);
      assert.deepEqual(
        { ...error, reason: '' },
        { resourceId: CUSTOMER, type: 'MISSING_FIELD', field, reason: '' },
      );
      assert.ok(error?.reason);
    }
  });

  it('customers.md §4.3.6: an absent address lists its parts, with the state for US and CA', () => {
    const { address, ...without } = PERSON;
    const parts = ['line1', 'city', 'postalCode', 'country'].map((part) => `MISSING_FIELD address.${part}`);
    const at = (region: string) => told(person({ profile: without, region }));
    assert.deepEqual(at('DE'), parts);
    assert.deepEqual(at('US'), [...parts, 'MISSING_FIELD address.state']);
    assert.deepEqual(at('CA'), [...parts, 'MISSING_FIELD address.state']);
  });

  it('customers.md §4.3.6: for an existing address only the missing parts are listed', () => {
    const at = (country: string, postalCode: string) =>
      told(person({ profile: { ...PERSON, address: { line1: 'x', postalCode, country } } }));
    assert.deepEqual(at('GB', 'SW1A 1AA'), ['MISSING_FIELD address.city']);
    assert.deepEqual(at('CA', 'K1A 0B1'), ['MISSING_FIELD address.city', 'MISSING_FIELD address.state']);
  });

  it('customers.md §4.3.6: a post box is refused as the address of a person or a business', () => {
    const at = (line1: string) => {
      const address = { ...ADDRESS, line1 };
      return [
        ...told(person({ profile: { ...PERSON, address } })),
        ...told(business({ profile: { ...BUSINESS, address } })),
        ...told(business({ owners: [owner(2, {}, { address })] })),
      ];
    };
    const refused = ['address', 'customer.address', 'personalInfo.address'].map(
      (path) => `INVALID_FIELD ${path}.line1`,
    );
    for (const line1 of [
      'PO Box 123',
      'P.O. Box 123',
      'p. o. box #12',
      'P O BOX 5-B',
      'POB 77',
      'Post Office Box 9',
      'Post Box No. 4',
      'PO Box 12, Boston',
      'c/o Babbage, PO Box 12',
      'Postfach 10 20',
      'Postbus 12',
      'Boîte postale 7',
      'Apartado postal 3',
      'Casella Postale 8',
      'Caixa Postal 31',
      'Postboks 44',
    ]) {
      assert.deepEqual(at(line1), refused, line1);
    }
    for (const line1 of [
      '1 Market St',
      'Box Hill Road 5',
      '12 Boxwood Lane',
      '3 Post Office Lane',
      'Rose Cottage, PO Box 7',
      '12 Main St, P.O. Box 7',
      'PO Box 1234, 5 Sheikh Zayed Road',
      'RR 2 Box 18',
      'PSC 1234 Box 5678',
      'Postfachweg 3',
      '4 Pob Street',
      '東京都千代田区1-1',
    ]) {
      assert.deepEqual(at(line1), [], line1);
    }
  });

  it('customers.md §4.3.6: a postal code must have its country’s format if there is only one; any other is accepted', () => {
    const at = (country: string, postalCode: string) =>
      told(person({ profile: { ...PERSON, address: { ...ADDRESS, country, postalCode } } }));
    const good: Record<string, string[]> = {
      US: ['94105', '02110-1234', '021101234', ' 94105 '],
      CA: ['K1A 0B1', 'k1a0b1', 'M5V-2T6'],
      GB: [
        'SW1A 1AA',
        'sw1a1aa',
        'M1 1AE',
        'CR2 6XH',
        'DN55 1PT',
        'W1A 0AX',
        'EC1A 1BB',
        'GIR 0AA',
        'BF1 2AT',
      ],
      IE: ['D02 AF30', '0'],
      AE: ['00000', '-'],
      PR: ['PR 00901'],
    };
    const bad: Record<string, string[]> = {
      US: ['abc', '9410', '941050', '94105-12', 'MA 02110', '９４１０５'],
      CA: ['K1A', '12345', 'D1A 0B1', 'K1A 0O1'],
      GB: ['SW1', '12345', 'SW1A 1A', 'London'],
    };
    for (const [country, codes] of Object.entries(good))
      for (const code of codes) assert.deepEqual(at(country, code), [], `${country} ${code}`);
    for (const [country, codes] of Object.entries(bad))
      for (const code of codes)
        assert.deepEqual(at(country, code), ['INVALID_FIELD address.postalCode'], `${country} ${code}`);
    const [error] = checkPacket(
      person({ profile: { ...PERSON, address: { ...ADDRESS, postalCode: 'abc' } } }),
      NOW,
    );
    assert.match(error?.reason ?? '', /ZIP code has 5 digits/);
  });

  it('customers.md §4.3.8: a card with only one side is named in the reason', () => {
    const half = person({ documents: [paper('NATIONAL_ID', 'FRONT')] });
    assert.deepEqual(
      checkPacket(half, NOW).map(({ reason }) => reason),
      ['Only one side of the identity card was uploaded.'],
    );
  });

  it('customers.md §4.3.7: a name of one word is INVALID_FIELD', () => {
    const named = (fullName: string) =>
      told(person({ profile: { ...PERSON, person: { ...PERSON.person, fullName } } }));
    assert.deepEqual(named('Ada'), ['INVALID_FIELD fullName']);
    assert.deepEqual(named('Ada L'), []);
  });

  it('customers.md §4.3.7: under 18 is INVALID_FIELD on birthDate, to the day', () => {
    const born = (birthDate: string) =>
      told(person({ profile: { ...PERSON, person: { ...PERSON.person, birthDate } } }));
    assert.deepEqual(born('2008-03-03'), ['INVALID_FIELD birthDate']);
    assert.deepEqual(born('2008-03-02'), []);
    assert.deepEqual(born('2008-02-29'), []);
    assert.deepEqual(born('2025-01-01'), ['INVALID_FIELD birthDate']);
  });

  it('customers.md §4.3.8: a passport, or a card unsided or with both sides, identifies a person', () => {
    const enough: PacketDocument[][] = [
      [paper('PASSPORT')],
      [paper('PASSPORT', 'FRONT')],
      [paper('DRIVERS_LICENSE')],
      [paper('NATIONAL_ID')],
      [paper('DRIVERS_LICENSE', 'FRONT'), paper('DRIVERS_LICENSE', 'BACK')],
      [paper('NATIONAL_ID', 'FRONT'), paper('PASSPORT')],
    ];
    for (const documents of enough) assert.deepEqual(told(person({ documents })), []);
  });

  it('customers.md §4.3.8: no identity document is MISSING_IDENTITY_DOCUMENT with the accepted types', () => {
    const elsewhere = paper('PASSPORT', undefined, owner(2).id);
    for (const documents of [[], [paper('SELFIE'), paper('UTILITY_BILL')], [elsewhere]]) {
      const [error, ...more] = checkPacket(person({ documents }), NOW);
      assert.deepEqual(more, []);
      assert.equal(error?.type, 'MISSING_IDENTITY_DOCUMENT');
      assert.deepEqual(error?.acceptedDocumentTypes, ['PASSPORT', 'DRIVERS_LICENSE', 'NATIONAL_ID']);
      assert.equal('field' in (error as VerificationError), false);
    }
  });

  it('customers.md §4.3.8: one side only is INCOMPLETE_DOCUMENT, even one side each of two cards', () => {
    const halves: PacketDocument[][] = [
      [paper('DRIVERS_LICENSE', 'FRONT')],
      [paper('NATIONAL_ID', 'BACK')],
      [paper('DRIVERS_LICENSE', 'FRONT'), paper('NATIONAL_ID', 'BACK')],
    ];
    for (const documents of halves) {
      const errors = checkPacket(person({ documents }), NOW);
      assert.deepEqual(
        errors.map(({ type }) => type),
        ['INCOMPLETE_DOCUMENT'],
      );
      assert.equal(errors[0]?.acceptedDocumentTypes, undefined);
    }
  });

  it('customers.md §4.3: each absent field of a business is MISSING_FIELD under customer', () => {
    for (const field of Object.keys(BUSINESS.business)) {
      const { [field as 'taxId']: _, ...rest } = BUSINESS.business;
      const missing = told(business({ profile: { ...BUSINESS, business: rest } }));
      assert.deepEqual(missing, [`MISSING_FIELD customer.businessInfo.${field}`]);
    }
    const empty = { ...BUSINESS.business, countriesOfOperation: [], expectedRecipientJurisdictions: [] };
    assert.deepEqual(told(business({ profile: { ...BUSINESS, business: empty } })), [
      'MISSING_FIELD customer.businessInfo.countriesOfOperation',
      'MISSING_FIELD customer.businessInfo.expectedRecipientJurisdictions',
    ]);
    const { address, ...homeless } = BUSINESS;
    assert.deepEqual(
      told(business({ profile: homeless, region: 'GB' })),
      ['line1', 'city', 'postalCode', 'country'].map((part) => `MISSING_FIELD customer.address.${part}`),
    );
  });

  it('customers.md §4.3: categories of the source of funds replace its text', () => {
    const { sourceOfFunds, ...rest } = BUSINESS.business;
    const said = { ...rest, sourceOfFundsCategories: ['LOANS' as const] };
    assert.deepEqual(told(business({ profile: { ...BUSINESS, business: said } })), []);
  });

  it('customers.md §4.3: each missing kind of business document has its own entry with the accepted types', () => {
    const kinds: [string, DocumentType[]][] = [
      [
        'MISSING_LEGAL_PRESENCE_DOCUMENT',
        [
          'CERTIFICATE_OF_INCORPORATION',
          'ARTICLES_OF_INCORPORATION',
          'ARTICLES_OF_ASSOCIATION',
          'STATE_REGISTRY_EXCERPT',
        ],
      ],
      [
        'MISSING_CONTROL_STRUCTURE_DOCUMENT',
        ['DIRECTOR_REGISTRY', 'TRUST_AGREEMENT', 'STATE_COMPANY_REGISTRY', 'PARTNERSHIP_CONTROL_AGREEMENT'],
      ],
      [
        'MISSING_OWNERSHIP_STRUCTURE_DOCUMENT',
        ['SHAREHOLDER_REGISTER', 'TRUST_AGREEMENT', 'PARTNERSHIP_AGREEMENT'],
      ],
      [
        'MISSING_PROOF_OF_ADDRESS_DOCUMENT',
        [
          'PROOF_OF_ADDRESS',
          'UTILITY_BILL',
          'RENT_OR_LEASE_AGREEMENT',
          'ELECTRICITY_BILL',
          'BANK_STATEMENT',
          'TAX_RETURN',
        ],
      ],
    ];
    const none = checkPacket(business({ documents: [] }), NOW);
    assert.deepEqual(
      none.map(({ type, acceptedDocumentTypes }) => [type, acceptedDocumentTypes]),
      kinds,
    );
    for (const [i, [type, accepted]] of kinds.entries()) {
      const others = PAPERS.filter((_, place) => place !== i);
      assert.deepEqual(told(business({ documents: others })), [type]);
      for (const accepting of accepted) {
        assert.deepEqual(told(business({ documents: [...others, paper(accepting)] })), [], accepting);
      }
    }
    const trust = [
      paper('CERTIFICATE_OF_INCORPORATION'),
      paper('TRUST_AGREEMENT'),
      paper('PROOF_OF_ADDRESS'),
    ];
    assert.deepEqual(told(business({ documents: trust })), []);
  });

  it('customers.md §4.3: a business needs an owner, and a person with another role than UBO', () => {
    assert.deepEqual(told(business({ owners: [] })), ['MISSING_BENEFICIAL_OWNER', 'MISSING_CONTROL_PERSON']);
    assert.deepEqual(told(business({ owners: [owner(2, { roles: ['UBO'] })] })), ['MISSING_CONTROL_PERSON']);
    const two = [owner(2, { roles: ['UBO'] }), owner(3, { roles: ['COMPANY_OFFICER'] })];
    assert.deepEqual(told(business({ owners: two })), []);
  });

  it('customers.md §4.3: a missing field of an owner is MISSING_FIELD on the owner', () => {
    for (const field of ['firstName', 'lastName', 'birthDate', 'address', 'idType', 'identifier'] as const) {
      const { [field]: _, ...rest } = owner(2).person;
      const [error, ...more] = checkPacket(business({ owners: [owner(2, { person: rest })] }), NOW);
      assert.deepEqual(
        [error?.resourceId, error?.type, error?.field],
        [owner(2).id, 'MISSING_FIELD', `personalInfo.${field}`],
      );
      assert.deepEqual(more, []);
    }
  });

  it('customers.md §4.3: an American owner is identified by SSN or ITIN and needs no document', () => {
    for (const idType of ['SSN', 'ITIN'] as const) {
      assert.deepEqual(told(business({ owners: [owner(2, {}, { idType })] })), []);
    }
    for (const idType of ['EIN', 'NON_US_TAX_ID'] as const) {
      const [error] = checkPacket(business({ owners: [owner(2, {}, { idType })] }), NOW);
      assert.deepEqual(
        [error?.type, error?.field, error?.resourceId],
        ['INVALID_FIELD', 'personalInfo.idType', owner(2).id],
      );
    }
  });

  it('customers.md §4.3: any other owner needs a passport and a second government id, an entry each', () => {
    const foreign = owner(2, {}, { nationality: 'GB', idType: 'NON_US_TAX_ID' });
    const at = (...papers: PacketDocument[]) =>
      checkPacket(business({ owners: [foreign], documents: [...PAPERS, ...papers] }), NOW).map(
        ({ type, acceptedDocumentTypes }) => [type, acceptedDocumentTypes],
      );
    const own = (type: DocumentType, side?: 'FRONT' | 'BACK') => paper(type, side, foreign.id);
    const passport = ['MISSING_IDENTITY_DOCUMENT', ['PASSPORT']];
    const second = ['MISSING_IDENTITY_DOCUMENT', ['NATIONAL_ID', 'DRIVERS_LICENSE']];
    assert.deepEqual(at(), [passport, second]);
    assert.deepEqual(at(own('PASSPORT')), [second]);
    assert.deepEqual(at(own('NATIONAL_ID')), [passport]);
    assert.deepEqual(at(own('PASSPORT'), own('DRIVERS_LICENSE')), []);
    assert.deepEqual(at(own('PASSPORT'), own('NATIONAL_ID', 'FRONT')), [['INCOMPLETE_DOCUMENT', undefined]]);
    assert.deepEqual(at(paper('PASSPORT'), paper('NATIONAL_ID')), [passport, second]);
  });

  it('customers.md §4.3: shares over 100 percent are INVALID_FIELD on the customer', () => {
    const owners = (a: number, b: number) => [
      owner(2, { ownershipPercentage: a }),
      owner(3, { ownershipPercentage: b }),
    ];
    assert.deepEqual(told(business({ owners: owners(60, 40) })), []);
    const [error, ...more] = checkPacket(business({ owners: owners(60, 41) }), NOW);
    assert.deepEqual(more, []);
    assert.deepEqual(
      [error?.resourceId, error?.type, error?.field],
      [CUSTOMER, 'INVALID_FIELD', 'beneficialOwners.ownershipPercentage'],
    );
  });

  it('customers.md §4.2.3: customer fields come first, then customer documents, then owners by creation', () => {
    const packet = business({
      profile: { ...BUSINESS, business: {} },
      documents: [],
      owners: [
        owner(2, { roles: ['UBO'], ownershipPercentage: 90 }, { nationality: 'GB' }),
        owner(3, { roles: ['UBO'], ownershipPercentage: 90 }, { idType: 'EIN' }),
      ],
    });
    const kinds = checkPacket(packet, NOW).map(({ resourceId, type, field }) =>
      resourceId === CUSTOMER
        ? field
          ? 'field'
          : type.endsWith('_DOCUMENT')
            ? 'document'
            : 'owners'
        : resourceId,
    );
    assert.deepEqual(
      kinds.filter((kind, i) => kind !== kinds[i - 1]),
      ['field', 'document', 'owners', owner(2).id, owner(3).id],
    );
  });
});
