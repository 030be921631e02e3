// lane: whole — loads the signing libraries of six chains

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { messageToSign } from '#capabilities/external-accounts/ownership/verify-ownership.ts';

const parts = {
  serviceName: 'Svc',
  address: '0x52908400098527886E0F7030069857D2E4169EE7',
  accountId: 'ExternalAccount:0190a5d0-0000-7000-8000-00000000abcd' as const,
  nonce: Uint8Array.from({ length: 16 }, (_, at) => at),
  expiresAt: new Date('2026-11-15T10:15:00Z'),
};

describe('messageToSign', () => {
  it('accounts.md §5.2.13: one line of ASCII with address, account, nonce and expiry', () => {
    const message = messageToSign(parts);
    assert.equal(
      message,
      'Svc wallet ownership: I control 0x52908400098527886E0F7030069857D2E4169EE7. ' +
        'Account ExternalAccount:0190a5d0-0000-7000-8000-00000000abcd. ' +
        'Nonce 000102030405060708090a0b0c0d0e0f. Valid until 2026-11-15T10:15:00.000Z.',
    );
    assert.match(message, /^[\x20-\x7e]+$/);
  });

  it('accounts.md §5.2.13: a nonce of another length is a bug', () => {
    assert.throws(() => messageToSign({ ...parts, nonce: new Uint8Array(15) }));
  });
});
