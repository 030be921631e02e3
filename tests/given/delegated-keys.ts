import assert from 'node:assert/strict';
import { setCustomerStatus } from '#capabilities/customers/lifecycle/set-customer-status.ts';
import type { BodyOf, RequestOf } from '#tests/harness/api-types.ts';
import type { TestPlatform } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';
import type { Wallet } from '#tests/harness/wallet-client.ts';

export type DelegatedKeyReply = BodyOf<'getDelegatedKeyById'>;

/** A new card with an embedded wallet as its source; its owner is approved first. */
export async function givenWalletCard(
  platform: TestPlatform,
  { accountId, customer }: Pick<Wallet, 'accountId' | 'customer'>,
): Promise<BodyOf<'createCard'>> {
  const work = await platform.work();
  await work.write((tx) => setCustomerStatus(tx, uuidOf(customer.id), 'APPROVED'));
  const made = await platform.call('createCard', {
    body: { customerId: customer.id, form: 'VIRTUAL', fundingSource: accountId },
  });
  assert.equal(made.status, 201, made.raw);
  return made.body;
}

export type KeyBody = RequestOf<'createDelegatedKey'>;

/** The next leg of a delegation: the first, or the one that the sandbox's stamp signs. */
export function nextLeg(
  platform: TestPlatform,
  body: KeyBody,
  requestId?: string,
  stamp = 'sandbox-valid-signature',
) {
  const headers = requestId === undefined ? {} : { 'svc-wallet-signature': stamp, 'request-id': requestId };
  return platform.send('createDelegatedKey', { body, headers });
}

/** The pending request after this many legs. */
export async function openedLegs(platform: TestPlatform, body: KeyBody, legs: 1 | 2): Promise<string> {
  let requestId: string | undefined;
  for (let leg = 1; leg <= legs; leg++) {
    const reply = await nextLeg(platform, body, requestId);
    assert.equal(reply.status, 202, reply.raw);
    requestId = String(Reflect.get(reply.body, 'requestId'));
  }
  return requestId ?? '';
}

/** A key that is active. */
export async function givenDelegatedKey(platform: TestPlatform, body: KeyBody): Promise<DelegatedKeyReply> {
  const done = await nextLeg(platform, body, await openedLegs(platform, body, 2));
  assert.equal(done.status, 201, done.raw);
  return done.body;
}
