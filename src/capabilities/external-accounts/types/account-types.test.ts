// lane: whole — every type of account outside

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { EXTERNAL_ACCOUNT_TYPES } from '#capabilities/external-accounts/types/account-table.ts';
import { COMPANY, EXAMPLES, type Example, HOLDER } from '#tests/checks/external-account-examples.ts';
import {
  addAccount,
  buildAccountRequest,
  example,
  givenExternalAccount,
  readExternalAccount,
  refusedFields,
} from '#tests/given/external-accounts.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';

describe('every type of external account', () => {
  const world = testWorld();
  let lenient: TestPlatform;
  let strict: TestPlatform;

  before(async () => {
    lenient = await world.platform();
    strict = await world.platform({ settings: { strictAccountValidation: true } });
  });

  it('accounts.md §4.2, §4.4: each of the fifty types has an example here', () => {
    const shown = new Set(Object.values(EXAMPLES).map(({ info }) => info.accountType));
    assert.deepEqual([...shown].sort(), [...EXTERNAL_ACCOUNT_TYPES].sort());
  });

  const expected = ({ info, rails }: Example) => ({ ...info, ...(rails && { paymentRails: rails }) });

  for (const [name, { currency, info, rails, required, wrong = {} }] of Object.entries(EXAMPLES)) {
    it(`${name}: accepted in both modes and read back unchanged; a repeated request is a duplicate`, async () => {
      for (const platform of [lenient, strict]) {
        const made = await givenExternalAccount(platform, name);
        assert.deepEqual(made.accountInfo, expected(example(name)));
        assert.equal(made.currency, currency);
        assert.equal(made.status, 'ACTIVE');
        assert.deepEqual(await readExternalAccount(platform, made.id), made);
        assert.equal('beneficiaryVerificationStatus' in made, rails !== undefined);
        const again = await addAccount(platform, buildAccountRequest(name));
        assert.equal(again.status, 409, again.raw);
        assert.equal(again.body.code, 'DUPLICATE_EXTERNAL_ACCOUNT');
        assert.deepEqual(again.body.details, { externalAccountId: made.id });
      }
    });

    it(`${name}: each required field is named if it is missing`, async () => {
      for (const field of required) {
        const { [field]: _left, ...rest } = info;
        const reply = await addAccount(lenient, { currency, accountInfo: rest });
        assert.deepEqual(refusedFields(reply), [`accountInfo.${field}`], field);
      }
    });

    it(`${name}: impossible values are refused in strict mode only`, async () => {
      for (const [field, [value, code]] of Object.entries(wrong)) {
        const reply = await addAccount(strict, buildAccountRequest(name, { [field]: value }));
        assert.deepEqual(refusedFields(reply, code), [`accountInfo.${field}`], reply.raw);
        assert.equal(reply.status, 400);
        const taken = await addAccount(lenient, buildAccountRequest(name, { [field]: value }));
        // If only a name differs, the account may be the existing one.
        assert.ok(taken.status === 201 || taken.body.code === 'DUPLICATE_EXTERNAL_ACCOUNT', taken.raw);
      }
    });

    it(`${name}: another currency is refused`, async () => {
      for (const code of ['JPY', 'usd', 'XXX', '']) {
        if (info.accountType === 'SWIFT_ACCOUNT' && code === 'JPY') continue;
        const reply = await addAccount(lenient, { ...buildAccountRequest(name), currency: code });
        assert.equal(reply.body.code, 'INVALID_CURRENCY', reply.raw);
      }
    });
  }

  it('accounts.md §4.2: a mixed type with neither bank account nor phone names every field of the first variant', async () => {
    const missing: [string, string[]][] = [
      ['BDT_ACCOUNT (mobile)', ['accountNumber']],
      ['COP_ACCOUNT (mobile)', ['accountNumber', 'bankAccountType']],
      ['EGP_ACCOUNT (mobile)', ['iban']],
      ['PKR_ACCOUNT (mobile)', ['accountNumber', 'iban']],
      ['SLV_ACCOUNT (mobile)', ['accountNumber', 'bankAccountType']],
      ['CNY_ACCOUNT (mobile)', ['accountNumber']],
      ['GHS_ACCOUNT (mobile)', ['accountNumber']],
    ];
    for (const [name, fields] of missing) {
      const { phoneNumber: _gone, ...rest } = example(name).info as Record<string, unknown>;
      const reply = await addAccount(lenient, { currency: example(name).currency, accountInfo: rest });
      assert.deepEqual(
        refusedFields(reply),
        fields.map((field) => `accountInfo.${field}`),
        name,
      );
    }
    const { vpa: _vpa, ...bare } = example('INR_ACCOUNT (UPI)').info as Record<string, unknown>;
    const reply = await addAccount(lenient, { currency: 'INR', accountInfo: bare });
    assert.deepEqual(refusedFields(reply), ['accountInfo.vpa']);
    const { accountNumber: _number, ...swift } = example('SWIFT_ACCOUNT (number)').info as Record<
      string,
      unknown
    >;
    const nowhere = await addAccount(lenient, { currency: 'AUD', accountInfo: swift });
    assert.deepEqual(refusedFields(nowhere), ['accountInfo.accountNumber', 'accountInfo.iban']);
  });

  it('accounts.md §4.2: beside a bank account the phone is contact data', async () => {
    const made = await givenExternalAccount(lenient, 'GHS_ACCOUNT (bank)', {
      accountNumber: '1011130009999',
      phoneNumber: '+233241234567',
    });
    assert.deepEqual(made.accountInfo.paymentRails, ['BANK_TRANSFER']);
    const { status } = await addAccount(
      strict,
      buildAccountRequest('GHS_ACCOUNT (bank)', { accountNumber: '1011130009998', phoneNumber: '+1202' }),
    );
    assert.equal(status, 400);
    const abroad = await addAccount(
      strict,
      buildAccountRequest('GHS_ACCOUNT (bank)', {
        accountNumber: '1011130009998',
        phoneNumber: '+12025550123',
      }),
    );
    assert.equal(abroad.status, 201, abroad.raw);
  });

  it('accounts.md §4.2 INR_ACCOUNT: a half-filled bank account is refused even beside a VPA', async () => {
    const reply = await addAccount(
      lenient,
      buildAccountRequest('INR_ACCOUNT (UPI)', { ifsc: 'HDFC0000001' }),
    );
    assert.deepEqual(refusedFields(reply), ['accountInfo.accountNumber', 'accountInfo.rail']);
    const other = await addAccount(lenient, buildAccountRequest('INR_ACCOUNT (bank)', { rail: 'IMPS' }));
    assert.deepEqual(refusedFields(other), ['accountInfo.rail']);
    assert.deepEqual(other.body.details.errors[0].constraint.enum, ['NEFT', 'RTGS']);
  });

  it('accounts.md §4.2 CNY_ACCOUNT: only a business holds a bank account; mobile money has two providers', async () => {
    const person = await addAccount(
      lenient,
      buildAccountRequest('CNY_ACCOUNT (bank)', { beneficiary: HOLDER }),
    );
    assert.deepEqual(refusedFields(person), ['accountInfo.beneficiary.beneficiaryType']);
    const provider = await addAccount(
      lenient,
      buildAccountRequest('CNY_ACCOUNT (mobile)', { bankName: 'Alipay' }),
    );
    assert.deepEqual(refusedFields(provider), ['accountInfo.bankName']);
    assert.deepEqual(provider.body.details.errors[0].constraint.enum, ['AliPay', 'WechatPay']);
    const company = await addAccount(
      lenient,
      buildAccountRequest('CNY_ACCOUNT (mobile)', { phoneNumber: '+8613812345679', beneficiary: COMPANY }),
    );
    assert.equal(company.status, 201);
  });

  it('accounts.md §4.2 SGD_ACCOUNT: the bank is found by its BIC; an unknown bank must be named in strict mode', async () => {
    const { bankName: _bank, ...rest } = example('SGD_ACCOUNT').info as Record<string, unknown>;
    const body = {
      currency: 'SGD',
      accountInfo: { ...rest, accountNumber: '0729999999', swiftCode: 'OCBCSGSGXXX' },
    };
    for (const platform of [lenient, strict]) {
      const made = await addAccount(platform, body);
      assert.equal(made.status, 201, made.raw);
      assert.equal(made.body.accountInfo.bankName, 'OCBC Bank');
    }
    const unknown = { ...body, accountInfo: { ...body.accountInfo, swiftCode: 'ABCDSGSG' } };
    assert.deepEqual(refusedFields(await addAccount(strict, unknown), 'INVALID_BANK_ACCOUNT'), [
      'accountInfo.swiftCode',
    ]);
    const lax = await addAccount(lenient, unknown);
    assert.equal(lax.status, 201);
    assert.equal('bankName' in lax.body.accountInfo, false);
    const named = { ...unknown, accountInfo: { ...unknown.accountInfo, bankName: 'Some Bank' } };
    assert.equal((await addAccount(strict, named)).status, 201);
  });

  it('accounts.md §4.2 SWIFT_ACCOUNT: any fiat currency; strict mode requires the IBAN in countries that use only IBANs, and checks its country', async () => {
    for (const code of ['BTC', 'USDC']) {
      const reply = await addAccount(lenient, {
        ...buildAccountRequest('SWIFT_ACCOUNT (IBAN)'),
        currency: code,
      });
      assert.equal(reply.body.code, 'INVALID_CURRENCY');
    }
    const number = { accountNumber: '12345678', country: 'GB' };
    assert.equal(
      (await addAccount(lenient, buildAccountRequest('SWIFT_ACCOUNT (number)', number))).status,
      201,
    );
    const reply = await addAccount(strict, buildAccountRequest('SWIFT_ACCOUNT (number)', number));
    assert.deepEqual(refusedFields(reply), ['accountInfo.iban']);
    const elsewhere = await addAccount(
      strict,
      buildAccountRequest('SWIFT_ACCOUNT (IBAN)', { country: 'DE' }),
    );
    assert.deepEqual(refusedFields(elsewhere, 'INVALID_BANK_ACCOUNT'), ['accountInfo.iban']);
    const nowhere = await addAccount(lenient, buildAccountRequest('SWIFT_ACCOUNT (IBAN)', { country: 'ZZ' }));
    assert.deepEqual(refusedFields(nowhere), ['accountInfo.country']);
  });

  it('accounts.md §4.1: strict mode refuses an account number that a payment message cannot carry', async () => {
    for (const accountNumber of ['１２３４５６７', '٠١٢٣٤٥٦٧', '12345😀', '№ 12345', ' 12345']) {
      const body = buildAccountRequest('HKD_ACCOUNT', { accountNumber });
      assert.deepEqual(refusedFields(await addAccount(strict, body), 'INVALID_BANK_ACCOUNT'), [
        'accountInfo.accountNumber',
      ]);
      assert.equal((await addAccount(lenient, body)).status, 201);
    }
    for (const accountNumber of ['012-345678-001', 'HK 12/34.5']) {
      assert.equal(
        (await addAccount(strict, buildAccountRequest('HKD_ACCOUNT', { accountNumber }))).status,
        201,
      );
    }
    const us = await addAccount(
      strict,
      buildAccountRequest('USD_ACCOUNT', { accountNumber: '１２３４５６７' }),
    );
    assert.equal(us.body.details.errors.length, 1);
  });

  it('accounts.md §4.4: lenient mode accepts both dollar coins on every chain, strict mode only those that the chain carries', async () => {
    const pairs: [string, string][] = [
      ['BASE_WALLET', 'USDT'],
      ['POLYGON_WALLET', 'USDT'],
      ['PLASMA_WALLET', 'USDC'],
      ['TRON_WALLET', 'USDC'],
      ['SPARK_WALLET', 'USDC'],
    ];
    for (const [name, currency] of pairs) {
      const body = { ...buildAccountRequest(name), currency };
      assert.equal((await addAccount(lenient, body)).status, 201, name);
      assert.equal((await addAccount(strict, body)).body.code, 'INVALID_CURRENCY', name);
    }
    for (const platform of [lenient, strict]) {
      assert.equal(
        (await addAccount(platform, { ...buildAccountRequest('SPARK_WALLET'), currency: 'USDB' })).status,
        201,
      );
      assert.equal(
        (await addAccount(platform, { ...buildAccountRequest('SPARK_WALLET'), currency: 'USDT' })).body.code,
        'INVALID_CURRENCY',
      );
      assert.equal(
        (await addAccount(platform, { ...buildAccountRequest('SPARK_WALLET'), currency: 'GOLD' })).body.code,
        'INVALID_CURRENCY',
      );
    }
  });

  it('accounts.md §4.4: Lightning requires exactly one of its three fields', async () => {
    for (const fields of [
      {},
      { invoice: 'lnbc1', lightningAddress: 'ada@wallet.example' },
      { bolt12: 'lno1x', invoice: 'lnbc1' },
    ]) {
      const body = { currency: 'BTC', accountInfo: { accountType: 'LIGHTNING', ...fields } };
      assert.deepEqual(refusedFields(await addAccount(lenient, body)), ['accountInfo']);
    }
    for (const fields of [{ invoice: '' }, { lightningAddress: 'nobody' }]) {
      const body = { currency: 'BTC', accountInfo: { accountType: 'LIGHTNING', ...fields } };
      assert.deepEqual(refusedFields(await addAccount(lenient, body)), [
        `accountInfo.${Object.keys(fields)[0]}`,
      ]);
    }
    // From BOLT 11: a donation invoice of 2017, long expired.
    const invoice =
      'lnbc1pvjluezpp5qqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqypqdpl2pkx2ctnv5sxxmmwwd5kgetjypeh2ursdae8g6' +
      'twvus8g6rfwvs8qun0dfjkxaq8rkx3yf5tcsyz3d73gafnh3cax9rn449d9p5uxz9ezhhypd0elx87sjle52x86fux2ypatgddc6k63n7erqz25' +
      'le42c4u4ecky03ylcqca784w';
    const body = { currency: 'BTC', accountInfo: { accountType: 'LIGHTNING', invoice } };
    assert.deepEqual(refusedFields(await addAccount(strict, body)), ['accountInfo.invoice']);
    assert.equal((await addAccount(lenient, body)).status, 201);
  });
});
