import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { givenEuropean, givenPasskey, givenScaSession, givenTotp } from '#tests/given-sca.ts';
import { testWorld } from '#tests/harness.ts';

describe('factors of strong customer authentication', () => {
  const world = testWorld();
  it('customers.md §7.3: the list has text messages, the app and the passkey once they are enrolled, and each logs in', async () => {
    const platform = await world.platform();
    const customer = await givenEuropean(platform);
    const passkey = await givenPasskey(platform, customer);
    await givenTotp(platform, customer);
    await givenScaSession(platform, customer);
    await givenScaSession(platform, customer, 'TOTP');
    await givenScaSession(platform, customer, passkey);
    const { body } = await platform.call('listScaFactors', { query: { customerId: customer.id } });
    const { credentialId } = passkey;
    assert.deepEqual(body.factors, [
      { factor: 'SMS_OTP' },
      { factor: 'PASSKEY', credentialId },
      { factor: 'TOTP' },
    ]);
  });
});
