import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  automaticRail,
  checkForPayment,
  loadForPayment,
  type PaymentUse,
  reachesOwnershipThreshold,
} from '#capabilities/external-accounts/check-for-payment.ts';
import { ACCOUNT_STATUSES, type AccountStatus } from '#capabilities/external-accounts/schemas.ts';
import { rateTable } from '#capabilities/pricing/rates.ts';
import { SANDBOX_RATES } from '#edge/sandbox/rates/rates-table.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { effectiveSettings } from '#foundation/lib/platform.ts';
import type { UsValidation } from '#foundation/ports/account-screening.ts';
import { givenExternalAccount } from '#tests/given/external-accounts.ts';
import { testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

describe('external accounts in payments', () => {
  const world = testWorld();
  const uses: PaymentUse[] = [
    { role: 'source', isLarge: false },
    { role: 'source', isLarge: true },
    { role: 'destination', isLarge: false },
    { role: 'destination', isLarge: true },
  ];
  const codes = (status: AccountStatus, usValidation?: UsValidation) =>
    uses.map((use) => checkForPayment({ status, usValidation }, use)?.code ?? 'allowed');

  it('accounts.md §3.5: each status, as small and large source and destination', () => {
    const proof = 'EXTERNAL_ACCOUNT_VERIFICATION_REQUIRED';
    const closed = ['INVALID_BANK_ACCOUNT', 'INVALID_BANK_ACCOUNT', 'INVALID_RECEIVER', 'INVALID_RECEIVER'];
    const table: Record<AccountStatus, string[]> = {
      ACTIVE: ['allowed', 'allowed', 'allowed', 'allowed'],
      PENDING_OWNERSHIP_VERIFICATION: ['allowed', proof, 'allowed', proof],
      UNVERIFIED: [proof, proof, proof, proof],
      PENDING: closed,
      UNDER_REVIEW: closed,
      INACTIVE: closed,
    };
    for (const status of ACCOUNT_STATUSES) assert.deepEqual(codes(status), table[status], status);
  });

  it('accounts.md §4.7: US validation: a pull or ACH waits, other rails work; a failed validation is refused everywhere', () => {
    const check = (usValidation: UsValidation, use: PaymentUse) =>
      checkForPayment({ status: 'ACTIVE', usValidation }, use)?.code ?? 'allowed';
    const source: PaymentUse = { role: 'source', isLarge: false };
    const payout = (rail?: 'ACH' | 'WIRE'): PaymentUse => ({ role: 'destination', rail, isLarge: false });
    assert.equal(check('PENDING', source), 'BANK_ACCOUNT_VALIDATION_PENDING');
    assert.equal(check('PENDING', payout('ACH')), 'BANK_ACCOUNT_VALIDATION_PENDING');
    assert.equal(check('PENDING', payout('WIRE')), 'allowed');
    assert.equal(check('PENDING', payout()), 'allowed');
    for (const use of [source, payout('ACH'), payout('WIRE'), payout()]) {
      assert.equal(check('FAILED', use), 'INVALID_BANK_ACCOUNT');
      assert.equal(check('VALID', use), 'allowed');
    }
    assert.equal(checkForPayment({ status: 'ACTIVE', usValidation: 'PENDING' }, source)?.status, 409);
  });

  it('money.md §2.13: status is checked before US validation', () => {
    assert.equal(codes('INACTIVE', 'PENDING')[2], 'INVALID_RECEIVER');
  });

  it('accounts.md §4.7: automatic selection skips ACH while the account is being validated', () => {
    const rails = ['ACH', 'WIRE', 'RTP', 'FEDNOW'] as const;
    assert.equal(automaticRail({ rails, usValidation: 'PENDING' }), 'WIRE');
    assert.equal(automaticRail({ rails, usValidation: 'VALID' }), 'ACH');
    assert.equal(automaticRail({ rails: [], usValidation: undefined }), undefined);
  });

  it('accounts.md §3.5: the ownership threshold is EUR 1,000.00 by the rate table, is exact, and can be configured', () => {
    const rates = rateTable(SANDBOX_RATES);
    const ownCurrencies = { ACME: { name: 'Acme', symbol: 'ACME', decimals: 8 } };
    const platform = { settings: effectiveSettings('SANDBOX', {}), ownCurrencies };
    const reaches = (amount: bigint, currency: string) =>
      reachesOwnershipThreshold({ amount, currency }, rates, platform);
    assert.equal(reaches(99_999n, 'EUR'), false);
    assert.equal(reaches(100_000n, 'EUR'), true);
    // 1000 / 0.92 = 1086.9565…
    assert.equal(reaches(108_695n, 'USD'), false);
    assert.equal(reaches(108_696n, 'USD'), true);
    assert.equal(reaches(1_086_956_521n, 'USDC'), false);
    assert.equal(reaches(1_086_956_522n, 'USDC'), true);
    // stablecoins.md §8.3: a coin is worth a dollar.
    assert.equal(reaches(108_695_652_173n, 'ACME'), false);
    assert.equal(reaches(108_695_652_174n, 'ACME'), true);
    const settings = effectiveSettings('SANDBOX', { limits: { ownershipThresholdEurCents: 500 } });
    const lower = { settings, ownCurrencies };
    assert.equal(reachesOwnershipThreshold({ amount: 500n, currency: 'EUR' }, rates, lower), true);
  });

  it('accounts are loaded by id in one statement, with the facts that a payment needs; deleted and foreign ones are left out', async () => {
    const platform = await world.platform();
    const bank = await givenExternalAccount(platform, 'USD_ACCOUNT', { routingNumber: '999999992' });
    const wallet = await givenExternalAccount(platform, 'BASE_WALLET');
    const gone = await givenExternalAccount(platform, 'EUR_ACCOUNT');
    await platform.call('deleteCustomerExternalAccountById', { params: { externalAccountId: gone.id } });
    const foreign = await givenExternalAccount(await world.platform());
    const work = await platform.work();
    const ids = [bank, wallet, gone, foreign].map(({ id }) => uuidOf(id));
    const found = await work.read((tx) => loadForPayment(tx, [...ids, newUuid()]));
    assert.deepEqual([...found.keys()].sort(), ids.slice(0, 2).sort());
    const loaded = found.get(uuidOf(bank.id));
    assert.ok(loaded);
    const { info, ...rest } = loaded;
    assert.deepEqual(rest, {
      id: uuidOf(bank.id),
      customerId: undefined,
      accountType: 'USD_ACCOUNT',
      kind: 'BANK',
      currency: 'USD',
      status: 'ACTIVE',
      usValidation: 'FAILED',
      isTrusted: false,
      rails: ['ACH', 'WIRE', 'RTP', 'FEDNOW'],
      identifier: '1234567890',
    });
    assert.equal(info.routingNumber, '999999992');
    assert.equal(found.get(uuidOf(wallet.id))?.kind, 'WALLET');
    assert.deepEqual(found.get(uuidOf(wallet.id))?.rails, []);
  });

  it('accounts.md §4.7: the sandbox decides by routing number; 999999993 is valid after 30 s', async () => {
    const platform = await world.platform();
    const work = await platform.work();
    const ids: ExternalAccountId[] = [];
    for (const routingNumber of ['021000021', '999999991', '999999992', '999999993']) {
      const { id, status } = await givenExternalAccount(platform, 'USD_ACCOUNT', { routingNumber });
      assert.equal(status, 'ACTIVE');
      ids.push(uuidOf(id));
    }
    const states = async () => {
      await world.app.worker.settle(platform.id);
      const found = await work.read((tx) => loadForPayment(tx, ids));
      return ids.map((id) => found.get(id)?.usValidation);
    };
    assert.deepEqual(await states(), ['VALID', 'PENDING', 'FAILED', 'PENDING']);
    world.clock.advance(29_999);
    assert.deepEqual(await states(), ['VALID', 'PENDING', 'FAILED', 'PENDING']);
    world.clock.advance(1);
    assert.deepEqual(await states(), ['VALID', 'PENDING', 'FAILED', 'VALID']);
    world.clock.advance(86_400_000);
    assert.deepEqual(await states(), ['VALID', 'PENDING', 'FAILED', 'VALID']);
  });
});
