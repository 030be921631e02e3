// lane: whole — many cases, which take seconds

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { newUuid } from '#foundation/lib/ids.ts';
import { COMPANY, HOLDER, WALLET_HOLDER } from '#tests/checks/external-account-examples.ts';
import { listAccountWebhooks } from '#tests/given/accounts.ts';
import { givenCustomer } from '#tests/given/customers.ts';
import type { AccountRequest } from '#tests/given/external-accounts.ts';
import {
  addAccount,
  buildAccountRequest,
  givenExternalAccount,
  type Reply,
  readExternalAccount,
  refusedFields,
} from '#tests/given/external-accounts.ts';
import { untyped } from '#tests/harness/api-types.ts';
import { TEST_DOMAINS, type TestPlatform, testWorld } from '#tests/harness/harness.ts';

describe('adding an external account', () => {
  const world = testWorld();
  let platform: TestPlatform;
  let strict: TestPlatform;
  let customerId: string;
  let nextNumber = 1_000_000;

  before(async () => {
    platform = await world.platform();
    strict = await world.platform({ settings: { strictAccountValidation: true } });
    customerId = (await givenCustomer(platform)).id;
  });

  /** An account number that no other test uses, without a magic suffix. */
  const fresh = (): string => `${nextNumber++}888`;
  const usd = (fields: object = {}, rest: AccountRequest = {}) =>
    buildAccountRequest('USD_ACCOUNT', { accountNumber: fresh(), ...fields }, rest);
  const countAll = async (): Promise<number> =>
    (await platform.call('listCustomerExternalAccounts')).body.totalCount +
    (await platform.call('listPlatformExternalAccounts')).body.totalCount;

  it('accounts.md §3.1.1, §3.1.2, §3.1.7, §3.1.10: 201 with the owner, or null for the platform’s own; unset fields are left out', async () => {
    const own = await givenExternalAccount(
      platform,
      'USD_ACCOUNT',
      { accountNumber: fresh() },
      { customerId },
    );
    assert.equal(own.customerId, customerId);
    assert.deepEqual(Object.keys(own), [
      'id',
      'customerId',
      'status',
      'currency',
      'defaultUmaDepositAccount',
      'trusted',
      'beneficiaryVerificationStatus',
      'beneficiaryVerifiedData',
      'accountInfo',
      'createdAt',
      'updatedAt',
    ]);
    assert.equal(own.createdAt, own.updatedAt);
    const theirs = await givenExternalAccount(platform, 'USD_ACCOUNT', { accountNumber: fresh() });
    assert.equal(theirs.customerId, null);
    const direct = await platform.call('createPlatformExternalAccount', { body: usd({}, { customerId }) });
    assert.equal(direct.status, 201);
    assert.equal(direct.body.customerId, null);
    const nulled = await addAccount(
      platform,
      untyped({ ...usd(), customerId: null, platformAccountId: null }),
    );
    assert.equal(nulled.body.customerId, null);
  });

  it('accounts.md §1.1: ids name their kind and are chosen by the service, and a deleted account’s id is not reused', async () => {
    const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}';
    const [internal] = (await platform.call('listPlatformInternalAccounts')).body.data;
    assert.match(internal.id, new RegExp(`^InternalAccount:${uuid}$`));
    const params = { receiverUmaAddress: `$success.usd@${TEST_DOMAINS.sandboxUmaDomain}` };
    const lookUp = async () => (await platform.call('lookupUma', { params })).body.lookupId;
    const first = await lookUp();
    assert.match(first, new RegExp(`^Lookup:${uuid}$`));
    assert.notEqual(await lookUp(), first);
    const body = usd();
    const chosen = `ExternalAccount:${newUuid()}`;
    const { id } = (await addAccount(platform, { ...body, ...untyped<AccountRequest>({ id: chosen }) })).body;
    assert.match(id, new RegExp(`^ExternalAccount:${uuid}$`));
    assert.notEqual(id, chosen);
    const address = { params: { externalAccountId: id } };
    await platform.call('deletePlatformExternalAccountById', address);
    const again = (await addAccount(platform, body)).body;
    assert.notEqual(again.id, id);
    assert.equal((await platform.call('getPlatformExternalAccountById', address)).status, 404);
  });

  it('accounts.md §3.1.4: an unknown, foreign or deleted customer is not found; a malformed id is an invalid field', async () => {
    const foreign = (await givenCustomer(await world.platform())).id;
    const deleted = (await givenCustomer(platform)).id;
    assert.equal(
      (await platform.call('deleteCustomerById', { params: { customerId: deleted } })).status,
      200,
    );
    for (const id of [`Customer:${newUuid()}`, foreign, deleted]) {
      const reply = await addAccount(platform, usd({}, { customerId: id }));
      assert.equal(reply.status, 404);
      assert.equal(reply.body.code, 'CUSTOMER_NOT_FOUND');
    }
    const reply = await addAccount(platform, usd({}, { customerId: 'Customer:1' }));
    assert.deepEqual(refusedFields(reply), ['customerId']);
  });

  it('accounts.md §3.1.5, §3.1.8: platformAccountId and ownershipType are echoed; the first is opaque and not unique', async () => {
    for (const platformAccountId of ['ref 1', 'ref 1', 'ü'.repeat(255)]) {
      const made = await addAccount(platform, usd({}, { platformAccountId, ownershipType: 'THIRD_PARTY' }));
      assert.equal(made.body.platformAccountId, platformAccountId);
      assert.equal(made.body.ownershipType, 'THIRD_PARTY');
      assert.deepEqual(await readExternalAccount(platform, made.body.id), made.body);
    }
    const reply = await addAccount(
      platform,
      usd({}, { platformAccountId: 'x'.repeat(256), ownershipType: 'MINE' }),
    );
    assert.deepEqual(refusedFields(reply), ['platformAccountId', 'ownershipType']);
  });

  it('accounts.md §3.1.6: unknown properties are dropped, including paymentRails and businessInfo', async () => {
    const beneficiary = {
      ...HOLDER,
      shoeSize: 38,
      businessInfo: { legalName: 'X' },
      address: { ...HOLDER.address, planet: 'Earth' },
    };
    const reply = await addAccount(
      platform,
      usd({ paymentRails: ['CARRIER_PIGEON'], color: 'red', beneficiary }),
    );
    assert.equal(reply.status, 201, reply.raw);
    assert.deepEqual(reply.body.accountInfo.paymentRails, ['ACH', 'WIRE', 'RTP', 'FEDNOW']);
    assert.equal('color' in reply.body.accountInfo, false);
    const unread = { beneficiary: { fullName: ' ', birthDate: '2999-01-01' }, vaspName: 'Nobody' };
    const own = { lightningAddress: 'ea6@wallet.example' };
    const lightning = await addAccount(platform, buildAccountRequest('LIGHTNING', { ...unread, ...own }));
    assert.deepEqual(lightning.body.accountInfo, { accountType: 'LIGHTNING', ...own });
    assert.deepEqual(reply.body.accountInfo.beneficiary, HOLDER);
  });

  it('accounts.md §1.8, §3.6: every invalid field is named at once, in document order, and nothing is stored', async () => {
    const earlier = await countAll();
    const bad = {
      customerId: 'nobody',
      currency: 5,
      ownershipType: 'NONE',
      accountInfo: {
        accountType: 'COP_ACCOUNT',
        bankName: '',
        accountNumber: 'x'.repeat(35),
        beneficiary: {
          beneficiaryType: 'INDIVIDUAL',
          fullName: '  ',
          birthDate: '2999-01-01',
          email: 'no',
          address: {},
        },
      },
    };
    const reply = await addAccount(platform, untyped(bad));
    assert.deepEqual(refusedFields(reply), [
      'customerId',
      'currency',
      'ownershipType',
      'accountInfo.bankName',
      'accountInfo.accountNumber',
      'accountInfo.bankAccountType',
      'accountInfo.beneficiary.fullName',
      'accountInfo.beneficiary.birthDate',
      'accountInfo.beneficiary.email',
      'accountInfo.beneficiary.address.line1',
      'accountInfo.beneficiary.address.postalCode',
      'accountInfo.beneficiary.address.country',
    ]);
    assert.equal(await countAll(), earlier);
  });

  it('accounts.md §3.6: blank values and invisible characters are refused', async () => {
    const refusedFor = async (name: string, fields: object) =>
      refusedFields(await addAccount(platform, buildAccountRequest(name, fields)));
    for (const text of [' ', '\t', '\u00a0']) {
      const blank = { accountNumber: text, bankName: text, beneficiary: { ...COMPANY, taxId: text } };
      assert.deepEqual(await refusedFor('GHS_ACCOUNT (bank)', blank), [
        'accountInfo.bankName',
        'accountInfo.accountNumber',
        'accountInfo.beneficiary.taxId',
      ]);
    }
    for (const hidden of ['\n', '\u200b', '\u202e', '\u2066', '\ufeff', '\u0007']) {
      assert.deepEqual(await refusedFor('HKD_ACCOUNT', { accountNumber: `1234${hidden}5678` }), [
        'accountInfo.accountNumber',
      ]);
      assert.deepEqual(await refusedFor('BRL_ACCOUNT', { pixKey: `ada${hidden}`, pixKeyType: 'EMAIL' }), [
        'accountInfo.pixKey',
      ]);
    }
    const address = { ...HOLDER.address, line1: 'One\r\nTwo', city: '\u2067London' };
    const beneficiary = { ...HOLDER, fullName: 'Ada\u202eLovelace', address };
    assert.deepEqual(await refusedFor('USD_ACCOUNT', { bankName: 'Chase\n', beneficiary }), [
      'accountInfo.bankName',
      'accountInfo.beneficiary.fullName',
      'accountInfo.beneficiary.address.line1',
      'accountInfo.beneficiary.address.city',
    ]);
    assert.deepEqual(
      await refusedFor('USD_ACCOUNT', { beneficiary: { ...HOLDER, fullName: '\u200b\u200b' } }),
      ['accountInfo.beneficiary.fullName'],
    );
    // Some scripts need joiners, and a bank-to-bank note has several lines.
    const persian = { ...HOLDER, fullName: 'علی‌رضا محمدی' };
    const kept = { accountNumber: '5550001', beneficiary: persian, fiToFiInformation: '/BNF/one\n//two' };
    await givenExternalAccount(platform, 'USD_ACCOUNT', kept);
  });

  it('accounts.md §3.6: checks run in order, and the first that fails answers', async () => {
    const platform = await world.platform({
      settings: { strictAccountValidation: true, counterpartyRequirements: true },
    });
    const { id: owner } = await givenCustomer(platform);
    const nobody = `Customer:${newUuid()}`;
    const wrongNumber = { routingNumber: '021000022' };
    const steps: [object | string, string][] = [
      ['{"currency":', 'INVALID_REQUEST_FORMAT'],
      ['[]', 'INVALID_REQUEST_FORMAT'],
      [usd({ ...wrongNumber, accountNumber: '' }, { customerId: nobody, currency: 'EUR' }), 'INVALID_INPUT'],
      [usd({ accountType: 'PET_ACCOUNT' }, { customerId: nobody, currency: 'EUR' }), 'INVALID_INPUT'],
      [usd(wrongNumber, { customerId: nobody, currency: 'EUR' }), 'INVALID_CURRENCY'],
      [
        buildAccountRequest('BASE_WALLET', { vaspName: 'Nobody' }, { customerId: nobody, currency: 'EUR' }),
        'INVALID_CURRENCY',
      ],
      [buildAccountRequest('BASE_WALLET', { vaspName: 'Nobody' }, { customerId: nobody }), 'INVALID_INPUT'],
      [usd(wrongNumber, { customerId: nobody }), 'CUSTOMER_NOT_FOUND'],
      [usd(wrongNumber, { customerId: owner }), 'INVALID_BANK_ACCOUNT'],
    ];
    for (const [body, code] of steps) {
      const reply = await platform.send('createCustomerExternalAccount', { body });
      assert.equal(reply.body.code, code, `${JSON.stringify(body)}: ${reply.raw}`);
    }
    const refused = usd({ accountNumber: '1234567105' }, { customerId: owner });
    assert.equal((await addAccount(platform, refused)).body.code, 'INVALID_BANK_ACCOUNT');
  });

  it('accounts.md §3.6: a wrong number is reported before an unlisted name, whose refusal has the list', async () => {
    const both = buildAccountRequest('NGN_ACCOUNT', { bankName: 'Bank of Nowhere' });
    const reply = await addAccount(strict, both);
    assert.deepEqual(refusedFields(reply), ['accountInfo.bankName']);
    assert.ok(reply.body.details.errors[0].constraint.enum.includes('First Bank of Nigeria'));
    const wrong = buildAccountRequest('HKD_ACCOUNT', { bankName: 'Bank of Nowhere', swiftCode: 'HSBCGB2L' });
    assert.deepEqual(refusedFields(await addAccount(strict, wrong), 'INVALID_BANK_ACCOUNT'), [
      'accountInfo.swiftCode',
    ]);
  });

  describe('defaults for UMA deposits', () => {
    const given = async () => {
      const { id } = await givenCustomer(platform);
      const add = (isDefault?: boolean) =>
        addAccount(
          platform,
          usd(
            {},
            { customerId: id, ...(isDefault !== undefined && { defaultUmaDepositAccount: isDefault }) },
          ),
        );
      const defaults = async (): Promise<string[]> =>
        (await platform.call('listCustomerExternalAccounts', { query: { customerId: id } })).body.data
          .filter((account: { defaultUmaDepositAccount: boolean }) => account.defaultUmaDepositAccount)
          .map((account: { id: string }) => account.id);
      return { id, add, defaults };
    };

    it('accounts.md §3.2.20, §3.2.21: false by default; a new default replaces the former one, without an event', async () => {
      const { add, defaults } = await given();
      const plain = await add();
      assert.equal(plain.body.defaultUmaDepositAccount, false);
      assert.deepEqual(await defaults(), []);
      const first = await add(true);
      assert.equal(first.body.defaultUmaDepositAccount, true);
      world.clock.advance(1000);
      const second = await add(true);
      assert.deepEqual(await defaults(), [second.body.id]);
      const former = await readExternalAccount(platform, first.body.id);
      assert.equal(former.defaultUmaDepositAccount, false);
      assert.ok(former.updatedAt > first.body.updatedAt);
      await add(false);
      assert.deepEqual(await defaults(), [second.body.id]);
      assert.deepEqual(await listAccountWebhooks(platform, 'EXTERNAL_ACCOUNT.'), []);
    });

    it('accounts.md §3.2.20: if many defaults are added at once, one is the default', async () => {
      const { add, defaults } = await given();
      const replies = await Promise.all(Array.from({ length: 8 }, () => add(true)));
      assert.deepEqual(
        replies.map((reply) => reply.status),
        Array(8).fill(201),
      );
      assert.equal((await defaults()).length, 1);
    });

    it('accounts.md §3.2.22: not without a customer, and not for an invoice', async () => {
      const field = ['defaultUmaDepositAccount'];
      const alone = usd({}, { defaultUmaDepositAccount: true });
      assert.deepEqual(refusedFields(await addAccount(platform, alone)), field);
      const direct = await platform.call('createPlatformExternalAccount', { body: alone });
      assert.deepEqual(refusedFields(direct), field);
      const unread = { ...usd(), ...untyped<AccountRequest>({ defaultUmaDepositAccount: 'yes' }) };
      assert.equal((await platform.call('createPlatformExternalAccount', { body: unread })).status, 201);
      for (const accountType of ['LIGHTNING', 'LIGHTNING_ACCOUNT']) {
        const info = { accountType, invoice: 'lnbc1qqq' };
        const body = { currency: 'BTC', customerId, defaultUmaDepositAccount: true, accountInfo: info };
        assert.deepEqual(refusedFields(await addAccount(platform, body)), field);
      }
      const lightning = buildAccountRequest('LIGHTNING', {}, { customerId, defaultUmaDepositAccount: true });
      assert.equal((await addAccount(platform, lightning)).status, 201);
    });

    it('accounts.md §3.2.24: deleting the default leaves none', async () => {
      const { add, defaults } = await given();
      await add();
      const { body } = await add(true);
      await platform.call('deleteCustomerExternalAccountById', { params: { externalAccountId: body.id } });
      assert.deepEqual(await defaults(), []);
    });
  });

  describe('duplicates', () => {
    const duplicateOf = (reply: Reply): string => {
      assert.equal(reply.status, 409, reply.raw);
      assert.equal(reply.body.code, 'DUPLICATE_EXTERNAL_ACCOUNT');
      return String(reply.body.details.externalAccountId);
    };

    it('accounts.md §3.3.30: one of many identical concurrent requests is stored, and the others’ refusals name it', async () => {
      for (const owner of [{}, { customerId }]) {
        const body = usd({}, owner);
        const replies = await Promise.all(Array.from({ length: 8 }, () => addAccount(platform, body)));
        const made = replies.filter((reply) => reply.status === 201);
        assert.equal(made.length, 1);
        for (const reply of replies.filter((other) => other.status !== 201)) {
          assert.equal(duplicateOf(reply), made[0]?.body.id);
        }
      }
    });

    it('accounts.md §3.3.31: beneficiary, references, ownership and optional fields do not make a different account', async () => {
      const body = usd();
      const made = await addAccount(platform, body);
      const info = body.accountInfo as object;
      const other = {
        ...body,
        platformAccountId: 'other',
        ownershipType: 'FIRST_PARTY',
        accountInfo: { ...info, bankName: 'Other', bankAccountType: 'SAVINGS', beneficiary: COMPANY },
      };
      assert.equal(duplicateOf(await addAccount(platform, other)), made.body.id);
    });

    it('accounts.md §3.3.31: routing and primary identifier distinguish accounts', async () => {
      const pairs: [string, object, object][] = [
        [
          'USD_ACCOUNT',
          { accountNumber: '70001888' },
          { accountNumber: '70001888', routingNumber: '026009593' },
        ],
        ['GBP_ACCOUNT', { accountNumber: '70001888' }, { accountNumber: '70001888', sortCode: '200416' }],
        ['CAD_ACCOUNT', { accountNumber: '70001888' }, { accountNumber: '70001888', branchCode: '10483' }],
        [
          'KES_ACCOUNT',
          { phoneNumber: '+254700018888' },
          { phoneNumber: '+254700018888', provider: 'OTHER' },
        ],
        ['XOF_ACCOUNT', { phoneNumber: '+221700018888' }, { phoneNumber: '+221700018888', region: 'CI' }],
        [
          'BDT_ACCOUNT (bank)',
          { accountNumber: '70001888' },
          { accountNumber: '70001888', bankName: 'City Bank' },
        ],
        ['MYR_ACCOUNT', { accountNumber: '70001888' }, { accountNumber: '70001888', swiftCode: 'CIBBMYKL' }],
        [
          'INR_ACCOUNT (bank)',
          { accountNumber: '700018888' },
          { accountNumber: '700018888', ifsc: 'SBIN0000001' },
        ],
      ];
      for (const [name, one, other] of pairs) {
        await givenExternalAccount(platform, name, one);
        await givenExternalAccount(platform, name, other);
        duplicateOf(await addAccount(platform, buildAccountRequest(name, one)));
      }
    });

    it('accounts.md §3.3.31: spellings of one account are the same account: EVM, Spark, IBAN and VPA case, the two names of Lightning', async () => {
      const spellings: [string, object, object][] = [
        [
          'BASE_WALLET',
          { address: '0xABCDEF0123456789abcdef0123456789ABCDEF01' },
          { address: '0xabcdef0123456789abcdef0123456789abcdef01' },
        ],
        ['SPARK_WALLET', { address: 'SPARK1PGSSYUUUHNRR' }, { address: 'spark1pgssyuuuhnrr' }],
        ['EUR_ACCOUNT', { iban: 'NL91ABNA0417164300' }, { iban: 'NL91abna0417164300' }],
        ['INR_ACCOUNT (UPI)', { vpa: 'Case@Bank' }, { vpa: 'case@bank' }],
        [
          'LIGHTNING',
          { lightningAddress: 'two@names.example' },
          { accountType: 'LIGHTNING_ACCOUNT', lightningAddress: 'two@names.example' },
        ],
      ];
      for (const [name, one, other] of spellings) {
        const made = await givenExternalAccount(platform, name, one);
        assert.equal(duplicateOf(await addAccount(platform, buildAccountRequest(name, other))), made.id);
      }
    });

    it('accounts.md §3.3.31: spaces, forms of one character and spellings of a PIX key do not make a different account', async () => {
      const email = (pixKey: string) => ({ pixKeyType: 'EMAIL', pixKey });
      const random = (pixKey: string) => ({ pixKeyType: 'RANDOM', pixKey });
      const spellings: [string, object, object][] = [
        ['GHS_ACCOUNT (bank)', { bankName: 'Banc\u00e9' }, { bankName: ' Bance\u0301 ' }],
        ['GHS_ACCOUNT (bank)', { accountNumber: '10 20 30' }, { accountNumber: '\uff1102030 ' }],
        ['BRL_ACCOUNT', email('rosa.melo@mail.example'), email('Rosa.Melo@mail.example')],
        [
          'BRL_ACCOUNT',
          random('123e4567-e89b-42d3-a456-426614174000'),
          random('123E4567E89B42D3A456426614174000'),
        ],
      ];
      for (const [name, one, other] of spellings) {
        const made = await givenExternalAccount(platform, name, one);
        assert.equal(duplicateOf(await addAccount(platform, buildAccountRequest(name, other))), made.id);
      }
    });

    it('accounts.md §3.3.31: in Base58 letter case matters, whatever the address starts with', async () => {
      const others: [string, string, string][] = [
        ['SPARK_WALLET', '1BoatSLRHtKNngkdXEeobR76b53LETtpyT', '1BOATSLRHtKNngkdXEeobR76b53LETtpyT'],
        ['SOLANA_WALLET', 'Sp7mAbcdefghijkmnopqrstuvwxyz1234567', 'Sp7MAbcdefghijkmnopqrstuvwxyz1234567'],
        ['SOLANA_WALLET', 'bc1mAbcdefghijkmnopqrstuvwxyz1234567', 'bc1MAbcdefghijkmnopqrstuvwxyz1234567'],
      ];
      for (const [name, one, other] of others) {
        await givenExternalAccount(platform, name, { address: one });
        await givenExternalAccount(platform, name, { address: other });
      }
    });

    it('accounts.md §3.3.31, §3.3.32: another chain, owner or platform may have the same account; deleting it frees it', async () => {
      const address = '0x1111111111111111111111111111111111111888';
      const { id: other } = await givenCustomer(platform);
      for (const name of ['BASE_WALLET', 'POLYGON_WALLET']) {
        for (const rest of [{}, { customerId }, { customerId: other }]) {
          await givenExternalAccount(platform, name, { address }, rest);
        }
        await givenExternalAccount(await world.platform(), name, { address });
      }
      const body = usd();
      const { body: made } = await addAccount(platform, body);
      duplicateOf(await addAccount(platform, body));
      await platform.call('deleteCustomerExternalAccountById', { params: { externalAccountId: made.id } });
      const again = await addAccount(platform, body);
      assert.equal(again.status, 201);
      assert.notEqual(again.body.id, made.id);
    });

    it('accounts.md §3.3.32: a duplicate is refused before the name is checked', async () => {
      const { body: made } = await addAccount(platform, usd({ accountNumber: '55550102' }));
      assert.equal(made.beneficiaryVerificationStatus, 'NOT_MATCHED');
      assert.equal(duplicateOf(await addAccount(platform, usd({ accountNumber: '55550102' }))), made.id);
    });

    it('platform.md §2: a repeated Idempotency-Key gets the first reply instead', async () => {
      const call = { body: usd(), key: 'add-once' };
      const first = await platform.call('createCustomerExternalAccount', call);
      const again = await platform.call('createCustomerExternalAccount', call);
      assert.equal(again.status, 201);
      assert.equal(again.raw, first.raw);
    });
  });

  describe('beneficiaries', () => {
    it('accounts.md §4.5: a person, in currencies that require more fields', async () => {
      const bare = { beneficiaryType: 'INDIVIDUAL', fullName: 'Ada Lovelace' };
      const wants: [string, string[]][] = [
        ['EUR_ACCOUNT', ['countryOfResidence']],
        ['AED_ACCOUNT', ['address']],
        ['GTQ_ACCOUNT', ['phoneNumber', 'countryOfResidence']],
        ['JMD_ACCOUNT', ['phoneNumber', 'address']],
      ];
      for (const [name, fields] of wants) {
        const reply = await addAccount(platform, buildAccountRequest(name, { beneficiary: bare }));
        assert.deepEqual(
          refusedFields(reply),
          fields.map((field) => `accountInfo.beneficiary.${field}`),
        );
      }
      assert.equal((await addAccount(platform, usd({ beneficiary: bare }))).status, 201);
      const colombian = { ...bare, documentType: 'XX', documentNumber: '' };
      assert.deepEqual(
        refusedFields(
          await addAccount(platform, buildAccountRequest('COP_ACCOUNT (bank)', { beneficiary: colombian })),
        ),
        ['accountInfo.beneficiary.documentType', 'accountInfo.beneficiary.documentNumber'],
      );
      const canadian = { ...bare, registrationNumber: '123' };
      const made = await addAccount(platform, buildAccountRequest('CAD_ACCOUNT', { beneficiary: canadian }));
      assert.deepEqual(made.body.accountInfo.beneficiary, canadian);
    });

    it('accounts.md §4.5.50: an unknown or missing beneficiaryType is refused', async () => {
      const field = ['accountInfo.beneficiary.beneficiaryType'];
      for (const beneficiaryType of ['PET', '', undefined, 5]) {
        const reply = await addAccount(platform, usd({ beneficiary: { ...HOLDER, beneficiaryType } }));
        assert.deepEqual(refusedFields(reply), field);
        assert.deepEqual(reply.body.details.errors[0].constraint.enum, ['INDIVIDUAL', 'BUSINESS']);
      }
    });

    it('accounts.md §4.5.51, §4.5.52: addresses need their three parts; names are trimmed; countries, dates and contacts must be valid', async () => {
      const { body } = await addAccount(
        platform,
        usd({ beneficiary: { ...HOLDER, fullName: `  Ada ${'x'.repeat(196)}  ` } }),
      );
      const { fullName } = body.accountInfo.beneficiary as { fullName: string };
      assert.equal(fullName, `Ada ${'x'.repeat(196)}`);
      assert.equal(body.beneficiaryVerifiedData.fullName, `Ada ${'x'.repeat(196)}`);
      const bad: [object, string[]][] = [
        [{ fullName: 'x'.repeat(201) }, ['fullName']],
        [{ fullName: ' \t ' }, ['fullName']],
        [{ address: { line1: 'x', country: 'GB' } }, ['address.postalCode']],
        [{ countryOfResidence: 'gb', nationality: 'ZZ' }, ['nationality', 'countryOfResidence']],
        [{ birthDate: '1990-02-30' }, ['birthDate']],
        [{ birthDate: '2026-03-02' }, ['birthDate']],
        [{ email: 'ada', phoneNumber: '07700900123' }, ['email', 'phoneNumber']],
      ];
      for (const [fields, names] of bad) {
        const reply = await addAccount(platform, usd({ beneficiary: { ...HOLDER, ...fields } }));
        assert.deepEqual(
          refusedFields(reply),
          names.map((name) => `accountInfo.beneficiary.${name}`),
        );
      }
      const company = await addAccount(platform, usd({ beneficiary: { ...COMPANY, legalName: ' ' } }));
      assert.deepEqual(refusedFields(company), ['accountInfo.beneficiary.legalName']);
      assert.equal(
        (await addAccount(platform, usd({ beneficiary: { ...HOLDER, birthDate: '2026-03-01' } }))).status,
        201,
      );
    });

    it('accounts.md §4.5.53: strict mode requires a person’s address for GBP and EUR, and its city for USD too', async () => {
      const { address, ...rest } = HOLDER;
      const { city: _city, ...cityless } = address;
      for (const name of ['GBP_ACCOUNT', 'EUR_ACCOUNT']) {
        assert.deepEqual(
          refusedFields(await addAccount(strict, buildAccountRequest(name, { beneficiary: rest }))),
          ['accountInfo.beneficiary.address'],
        );
      }
      for (const name of ['USD_ACCOUNT', 'GBP_ACCOUNT', 'EUR_ACCOUNT']) {
        const body = buildAccountRequest(name, { beneficiary: { ...rest, address: cityless } });
        assert.deepEqual(refusedFields(await addAccount(strict, body)), [
          'accountInfo.beneficiary.address.city',
        ]);
        assert.equal((await addAccount(platform, body)).status, 201);
      }
      const usd = buildAccountRequest('USD_ACCOUNT', { accountNumber: '9091888', beneficiary: rest });
      assert.equal((await addAccount(strict, usd)).status, 201);
    });

    it('accounts.md §4.5.54: strict mode requires the fields that the currency needs for a business', async () => {
      const lenient = await world.platform();
      const bare = { beneficiaryType: 'BUSINESS', legalName: 'Analytical Engines Ltd' };
      const all = ['registrationNumber', 'taxId', 'address'];
      const wants: [string, string[]][] = [
        ...[
          'USD_ACCOUNT',
          'MXN_ACCOUNT',
          'GBP_ACCOUNT',
          'INR_ACCOUNT (UPI)',
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
        ].map((name): [string, string[]] => [name, ['address']]),
        ['EUR_ACCOUNT', ['registrationNumber', 'address']],
        ...[
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
        ].map((name): [string, string[]] => [name, all]),
      ];
      for (const [name, fields] of wants) {
        const body = buildAccountRequest(name, { beneficiary: bare });
        const names = fields.map((field) => `accountInfo.beneficiary.${field}`);
        assert.deepEqual(refusedFields(await addAccount(strict, body)), names, name);
        const { status } = await addAccount(lenient, body);
        assert.equal(status, 201, name);
      }
      assert.equal(
        (await addAccount(strict, buildAccountRequest('CAD_ACCOUNT', { beneficiary: bare }))).status,
        201,
      );
    });
  });

  describe('name verification', () => {
    it('accounts.md §4.6, §4.8: the suffix chooses the answer, on the part before @ of a domain-type identifier', async () => {
      const answers: [string, string, string | undefined][] = [
        ['102', 'NOT_MATCHED', undefined],
        ['103', 'PARTIAL_MATCH', 'A. Lovelace'],
        ['104', 'PENDING', undefined],
        ['106', 'UNSUPPORTED', undefined],
        ['107', 'CHECKED_BY_RECEIVING_FI', undefined],
        ['101', 'MATCHED', 'Ada Lovelace'],
        ['004', 'MATCHED', 'Ada Lovelace'],
        ['abc', 'MATCHED', 'Ada Lovelace'],
      ];
      for (const [suffix, status, fullName] of answers) {
        const made = [
          await givenExternalAccount(platform, 'USD_ACCOUNT', { accountNumber: `7777${suffix}` }),
          await givenExternalAccount(platform, 'BRL_ACCOUNT', {
            pixKeyType: 'EMAIL',
            pixKey: `rosa.${suffix}@mail.example`,
          }),
          await givenExternalAccount(platform, 'INR_ACCOUNT (UPI)', { vpa: `rosa.${suffix}@okbank` }),
        ];
        for (const account of made) {
          assert.equal(account.beneficiaryVerificationStatus, status, suffix);
          assert.deepEqual(
            account.beneficiaryVerifiedData,
            fullName === undefined ? undefined : { fullName },
          );
          assert.equal(account.status, 'ACTIVE');
          assert.deepEqual(await readExternalAccount(platform, account.id), account);
        }
      }
      const partial = await givenExternalAccount(platform, 'GBP_ACCOUNT', {
        accountNumber: '88888103',
        beneficiary: COMPANY,
      });
      assert.deepEqual(partial.beneficiaryVerifiedData, { fullName: 'A. Engines Ltd' });
    });

    it('accounts.md §4.8: suffix 105 refuses the account, and nothing is stored', async () => {
      const earlier = await countAll();
      for (const body of [
        usd({ accountNumber: '12345105' }),
        buildAccountRequest('EUR_ACCOUNT', { iban: 'DE89370400440532013105' }),
      ]) {
        const reply = await addAccount(platform, body);
        assert.equal(reply.status, 400);
        assert.equal(reply.body.code, 'INVALID_BANK_ACCOUNT');
      }
      assert.equal(await countAll(), earlier);
      const { status } = await addAccount(
        platform,
        buildAccountRequest('BASE_WALLET', { address: `0x${'1'.repeat(37)}105` }),
      );
      assert.equal(status, 201, 'wallets are not checked');
    });

    it('accounts.md §4.6, §8: in production only US banks check names, and suffixes have no meaning', async () => {
      const production = await world.platform({ environment: 'PRODUCTION' });
      const usAccount = await givenExternalAccount(production, 'USD_ACCOUNT', { accountNumber: '12345105' });
      assert.equal(usAccount.beneficiaryVerificationStatus, 'CHECKED_BY_RECEIVING_FI');
      const euro = await givenExternalAccount(production, 'EUR_ACCOUNT');
      assert.equal(euro.beneficiaryVerificationStatus, 'UNSUPPORTED');
      assert.equal(euro.status, 'PENDING');
      const wallet = await givenExternalAccount(production, 'BASE_WALLET');
      assert.equal(wallet.status, 'ACTIVE');
      assert.equal('beneficiaryVerificationStatus' in wallet, false);
    });
  });

  describe('strict mode in the sandbox', () => {
    it('accounts.md §4.1: suffixes still work on values with a valid checksum', async () => {
      // Only the length of 021000021 and 1234567102 is checked.
      const made = await givenExternalAccount(strict, 'USD_ACCOUNT', { accountNumber: '1234567102' });
      assert.equal(made.beneficiaryVerificationStatus, 'NOT_MATCHED');
    });

    it('accounts.md §4.7: the three magic routing numbers are exempt from the ABA check', async () => {
      for (const routingNumber of ['999999991', '999999992', '999999993']) {
        await givenExternalAccount(strict, 'USD_ACCOUNT', { accountNumber: fresh(), routingNumber });
      }
      const other = usd({ routingNumber: '999999994' });
      assert.deepEqual(refusedFields(await addAccount(strict, other), 'INVALID_BANK_ACCOUNT'), [
        'accountInfo.routingNumber',
      ]);
    });
  });

  describe('ownership of wallets', () => {
    const bare = { vaspName: undefined, beneficiary: undefined };
    let asking: TestPlatform;

    before(async () => {
      asking = await world.platform({ settings: { counterpartyRequirements: true } });
    });

    it('accounts.md §5.1.1: a wallet without a custodian needs its ownershipType', async () => {
      for (const name of ['BASE_WALLET', 'SOLANA_WALLET', 'TRON_WALLET', 'SPARK_WALLET']) {
        assert.deepEqual(refusedFields(await addAccount(asking, buildAccountRequest(name, bare))), [
          'ownershipType',
        ]);
        await givenExternalAccount(platform, name, { ...bare, address: `${bodyAddress(name)}` });
      }
      await givenExternalAccount(asking, 'LIGHTNING');
    });

    it('accounts.md §5.1.2: a third party’s wallet needs its holder, and is active', async () => {
      const rest = { ownershipType: 'THIRD_PARTY' };
      assert.deepEqual(
        refusedFields(await addAccount(asking, buildAccountRequest('BASE_WALLET', bare, rest))),
        ['accountInfo.beneficiary'],
      );
      const made = await givenExternalAccount(
        asking,
        'BASE_WALLET',
        { vaspName: undefined, beneficiary: WALLET_HOLDER },
        rest,
      );
      assert.equal(made.status, 'ACTIVE');
      assert.deepEqual(made.accountInfo.beneficiary, WALLET_HOLDER);
    });

    it('accounts.md §5.1.3: the owner’s own wallet waits for its proof, with or without a beneficiary', async () => {
      const rest = { ownershipType: 'FIRST_PARTY' };
      const made = await givenExternalAccount(asking, 'POLYGON_WALLET', bare, rest);
      assert.equal(made.status, 'PENDING_OWNERSHIP_VERIFICATION');
      const named = await givenExternalAccount(asking, 'ETHEREUM_WALLET', { vaspName: undefined }, rest);
      assert.equal(named.status, 'PENDING_OWNERSHIP_VERIFICATION');
      assert.deepEqual(await listAccountWebhooks(asking, 'EXTERNAL_ACCOUNT.'), []);
    });

    it('accounts.md §5.1.4: a wallet hosted by an exchange is active; the exchange’s name is stored in the list’s spelling', async () => {
      const made = await givenExternalAccount(
        asking,
        'ARBITRUM_WALLET',
        { vaspName: 'kRAKEN' },
        { ownershipType: 'FIRST_PARTY' },
      );
      assert.equal(made.status, 'ACTIVE');
      assert.equal(made.accountInfo.vaspName, 'Kraken');
      await givenExternalAccount(asking, 'PLASMA_WALLET', { vaspName: 'Coinbase', beneficiary: undefined });
    });

    it('accounts.md §5.1: an exchange that is not listed is refused on any platform', async () => {
      for (const where of [platform, asking]) {
        const reply = await addAccount(
          where,
          buildAccountRequest('BASE_WALLET', { vaspName: 'Bank of Nowhere' }),
        );
        assert.deepEqual(refusedFields(reply), ['accountInfo.vaspName']);
      }
    });

    it('accounts.md §5.1: without counterparty requirements all wallets are active', async () => {
      const address = '0x2222222222222222222222222222222222222888';
      const made = await givenExternalAccount(
        platform,
        'BASE_WALLET',
        { ...bare, address },
        { ownershipType: 'FIRST_PARTY' },
      );
      assert.equal(made.status, 'ACTIVE');
    });

    const bodyAddress = (name: string) =>
      (buildAccountRequest(name).accountInfo as { address: string }).address;
  });

  it('accounts.md §1.3, platform.md §1.3: the permissions to add and read accounts', async () => {
    const viewer = await world.platform({ permissions: ['VIEW'] });
    assert.equal((await addAccount(viewer, usd())).status, 403);
    assert.equal((await viewer.call('listCustomerExternalAccounts')).status, 200);
    for (const as of ['nobody', 'Bearer x']) {
      assert.equal((await platform.call('createCustomerExternalAccount', { body: usd(), as })).status, 401);
    }
  });
});
