import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  checkCanMoveMoney,
  chooseAccountType,
  STATUS_CHANGES,
  type StatusChange,
} from '#capabilities/accounts/rules.ts';
import { ACCOUNT_STATUSES, ACCOUNT_TYPES } from '#capabilities/accounts/schemas.ts';

describe('account rules', () => {
  it('accounts.md §2.1.4: fiat, digital, issued and wallet currencies give their account types', () => {
    for (const owner of ['customer', 'platform'] as const) {
      for (const code of ['USD', 'EUR', 'KES']) assert.equal(chooseAccountType(code, owner), 'INTERNAL_FIAT');
      for (const code of ['BTC', 'USDC', 'USDT', 'GLOBEX']) {
        assert.equal(chooseAccountType(code, owner), 'INTERNAL_CRYPTO');
      }
    }
    assert.equal(chooseAccountType('USDB', 'customer'), 'EMBEDDED_WALLET');
    assert.equal(chooseAccountType('USDB', 'platform'), 'INTERNAL_CRYPTO');
  });

  it('accounts.md §2.2: only an ACTIVE account moves money; a wallet that is not set up has its own refusal', () => {
    for (const type of ACCOUNT_TYPES) {
      for (const status of ACCOUNT_STATUSES) {
        const isUnready = type === 'EMBEDDED_WALLET' && ['PENDING', 'FAILED'].includes(status);
        const expected = isUnready ? 'WALLET_NOT_PROVISIONED' : 'USER_NOT_READY';
        assert.equal(
          checkCanMoveMoney({ type, status })?.code,
          status === 'ACTIVE' ? undefined : expected,
          `${type} ${status}`,
        );
      }
    }
  });

  it('accounts.md §2.2: CLOSED is final, and every other status can become CLOSED', () => {
    for (const step of Object.keys(STATUS_CHANGES) as StatusChange[]) {
      assert.ok(!(STATUS_CHANGES[step].from as readonly string[]).includes('CLOSED'), step);
    }
    assert.deepEqual(new Set([...STATUS_CHANGES.close.from, 'CLOSED']), new Set(ACCOUNT_STATUSES));
  });
});
