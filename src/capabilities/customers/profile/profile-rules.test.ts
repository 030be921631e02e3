import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  checkDate,
  checkIdentification,
  checkOtherExplained,
  checkPersonName,
  checkTaxId,
  readName,
  withoutUnusedDescriptions,
} from '#capabilities/customers/profile/profile-rules.ts';
import { inferRegion, isScaRegion } from '#capabilities/customers/profile/regions.ts';
import { checkUmaAddress } from '#capabilities/customers/profile/uma-address.ts';

describe('profile rules', () => {
  it("customers.md §2.1.10: a name has letters of any script, digits, single spaces and ' ’ - . ,", () => {
    const good = [
      'Ada',
      "Sinéad O'Connor",
      'Sinéad O’Connor',
      'Jean-Luc P. Picard, Jr.',
      '王小明',
      'สมชาย ใจดี',
      'محمد علي',
      ' Ada ',
      'Bot 002',
    ];
    for (const name of good) assert.equal(checkPersonName('fullName', name), undefined, name);
    for (const name of ['Ada  Lovelace', 'Ada_L', 'a@b', 'x\ty', '<b>', 'Ada!']) {
      assert.ok(checkPersonName('fullName', name)?.constraint?.pattern, name);
    }
  });

  it('customers.md §2.1.10: a name has 1 to 250 characters after trimming, whatever their size in bytes', () => {
    assert.deepEqual(checkPersonName('fullName', '   ')?.constraint, { minLength: 1 });
    assert.equal(checkPersonName('fullName', ` ${'𐐷'.repeat(250)} `), undefined);
    assert.deepEqual(checkPersonName('fullName', 'a'.repeat(251))?.constraint, { maxLength: 250 });
    assert.equal(readName('  Ada '), 'Ada');
  });

  it('customers.md §2.1.10: a date is after 1900-01-01 and not in the future', () => {
    const now = new Date('2026-03-02T10:00:00Z');
    for (const date of ['1900-01-02', '2026-03-02'])
      assert.equal(checkDate('birthDate', date, now), undefined);
    for (const date of ['1900-01-01', '1850-05-05', '2026-03-03']) {
      assert.deepEqual(checkDate('birthDate', date, now)?.constraint, { format: 'date' }, date);
    }
  });

  it('customers.md §2.1.10: an identifier is checked by its type once both are known', () => {
    const check = (idType: 'SSN' | 'ITIN' | 'NON_US_TAX_ID', identifier: string) =>
      checkIdentification({ idType, identifier })[0]?.constraint;
    for (const good of ['123-45-6789', '987-65-4321', '000-00-0000'])
      assert.equal(check('SSN', good), undefined, good);
    for (const bad of ['123456789', '123-45-678', '12-345-6789', '123-45-67890', ''])
      assert.deepEqual(check('SSN', bad), { format: 'us-ssn' });
    assert.equal(check('ITIN', '912-34-5678'), undefined);
    assert.ok(check('ITIN', '123-45-6789')?.pattern);
    for (const good of ['DE811907980', 'AB-12/3.4', 'x'.repeat(30)])
      assert.equal(check('NON_US_TAX_ID', good), undefined);
    for (const bad of ['123', 'x'.repeat(31), 'a b c d', 'ä123'])
      assert.ok(check('NON_US_TAX_ID', bad)?.pattern, bad);
    assert.deepEqual(checkIdentification({ identifier: 'whatever it is' }), []);
  });

  it('customers.md §2.1.10: EIN is refused for an individual', () => {
    const [error] = checkIdentification({ idType: 'EIN', identifier: '12-3456789' });
    assert.deepEqual(error?.constraint, { enum: ['SSN', 'ITIN', 'NON_US_TAX_ID'] });
  });

  it('customers.md §2.1.10: an SSN or ITIN is issued by the US, any other number by another country', () => {
    const check = (idType: 'SSN' | 'NON_US_TAX_ID', countryOfIssuance: string) =>
      checkIdentification({ idType, countryOfIssuance })[0];
    assert.equal(check('SSN', 'US'), undefined);
    assert.deepEqual(check('SSN', 'DE')?.constraint, { enum: ['US'] });
    assert.equal(check('NON_US_TAX_ID', 'DE'), undefined);
    assert.equal(check('NON_US_TAX_ID', 'US')?.field, 'countryOfIssuance');
    assert.deepEqual(checkIdentification({ idType: 'NON_US_TAX_ID' }), []);
  });

  it('customers.md §2.1.10: a US tax number has 9 digits without EIN- and punctuation; others have 4 to 30 characters', () => {
    for (const good of ['123456789', '12-3456789', 'EIN-12-3456789', '12 345 6789']) {
      assert.equal(checkTaxId(good, 'US'), undefined, good);
    }
    for (const bad of ['12345678', '1234567890', 'EIN12-3456789', 'AB-3456789'])
      assert.ok(checkTaxId(bad, 'US')?.constraint?.pattern, bad);
    assert.equal(checkTaxId('DE811907980', 'DE'), undefined);
    assert.ok(checkTaxId('123', 'DE')?.constraint?.pattern);
    assert.equal(checkTaxId('?', undefined), undefined);
  });

  it('customers.md §2.1.11: OTHER must be described, and a description without OTHER is dropped', () => {
    assert.deepEqual(
      checkOtherExplained({ sourceOfFundsCategories: ['GIFT', 'OTHER'], purposeOfAccount: 'OTHER' }).map(
        ({ field }) => field,
      ),
      ['sourceOfFundsOtherDescription', 'purposeOfAccountOtherDescription'],
    );
    assert.deepEqual(
      checkOtherExplained({ purposeOfAccount: 'OTHER' }, 'businessInfo.')[0]?.field,
      'businessInfo.purposeOfAccountOtherDescription',
    );
    const described = { purposeOfAccount: 'OTHER', purposeOfAccountOtherDescription: 'stamps' };
    assert.deepEqual(checkOtherExplained(described), []);
    assert.deepEqual(withoutUnusedDescriptions(described), described);
    assert.deepEqual(withoutUnusedDescriptions({ ...described, purposeOfAccount: 'AR_AUTOMATION' }), {
      purposeOfAccount: 'AR_AUTOMATION',
    });
  });

  it('customers.md §2.1.12: the region comes from the country, else from the first single-country currency, else it is US', () => {
    assert.equal(inferRegion({ country: 'DE', currencies: ['BRL'] }), 'DE');
    assert.equal(inferRegion({ country: undefined, currencies: ['EUR', 'BTC', 'BRL', 'GBP'] }), 'BR');
    assert.equal(inferRegion({ country: undefined, currencies: ['EUR', 'USDC'] }), 'US');
    assert.equal(inferRegion({ country: undefined, currencies: undefined }), 'US');
  });

  it('customers.md §1: SCA regions are the EU, Iceland, Liechtenstein and Norway', () => {
    for (const region of ['DE', 'FR', 'IS', 'LI', 'NO', 'HR']) assert.ok(isScaRegion(region), region);
    for (const region of ['US', 'GB', 'CH', 'BR']) assert.ok(!isScaRegion(region), region);
  });

  it('customers.md §2.1.4: a UMA address is $user@domain, at most 64 characters before the @', () => {
    for (const good of ['$ada@example.com', '$A.d+a_1-2@Example.com', `$${'x'.repeat(63)}@example.com`]) {
      assert.equal(checkUmaAddress(good, 'example.com'), undefined, good);
    }
    const bad = [
      'ada@example.com',
      '$@example.com',
      '$ada',
      '$ada@',
      '$a b@example.com',
      '$ada@-x.com',
      '$a@b@example.com',
      // The Kelvin sign, whose lower case is the letter k.
      '$\u212aate@example.com',
      '$kate@\u212ate.com',
    ];
    for (const address of [...bad, `$${'x'.repeat(64)}@example.com`])
      assert.ok(checkUmaAddress(address, undefined), address);
    assert.equal(checkUmaAddress('$ada@elsewhere.com', undefined), undefined);
    assert.ok(checkUmaAddress('$ada@elsewhere.com', 'example.com'));
  });
});
