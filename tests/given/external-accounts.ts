import assert from 'node:assert/strict';
import type { ExternalAccount } from '#capabilities/external-accounts/schemas.ts';
import { EXAMPLES, type Example } from '#tests/checks/external-account-examples.ts';
import type { Answered, AnyReply, BodyOf, RequestOf, Shown } from '#tests/harness/api-types.ts';
import type { TestPlatform } from '#tests/harness/harness.ts';

/** An external account as the API shows it. */
export type ExternalAccountReply = Shown<ExternalAccount>;

export type AccountRequest = RequestOf<'createCustomerExternalAccount'>;

export type Reply = Answered<BodyOf<'createCustomerExternalAccount'>>;

export function example(name: string): Example {
  const found = EXAMPLES[name];
  assert.ok(found, `no example of ${name}`);
  return found;
}

/** The body that creates an account like the example, with other values where some are given. */
export function buildAccountRequest(
  name: string,
  fields: object = {},
  rest: AccountRequest = {},
): AccountRequest {
  const { currency, info } = example(name);
  return { currency, accountInfo: { ...info, ...fields }, ...rest };
}

export function addAccount(platform: TestPlatform, body: AccountRequest): Promise<Reply> {
  return platform.call('createCustomerExternalAccount', { body });
}

/** An account made through the API; it must succeed. */
export async function givenExternalAccount(
  platform: TestPlatform,
  name = 'USD_ACCOUNT',
  fields: object = {},
  rest: AccountRequest = {},
): Promise<ExternalAccountReply> {
  const made = await addAccount(platform, buildAccountRequest(name, fields, rest));
  assert.equal(made.status, 201, made.raw);
  return made.body;
}

export async function readExternalAccount(platform: TestPlatform, id: string): Promise<ExternalAccountReply> {
  const read = await platform.call('getCustomerExternalAccountById', { params: { externalAccountId: id } });
  assert.equal(read.status, 200, read.raw);
  return read.body;
}

/** A refusal with this code; its fields. */
export function refusedFields(reply: AnyReply, code = 'INVALID_INPUT'): string[] {
  assert.equal(reply.body.code, code, reply.raw);
  return (reply.body.details?.errors ?? []).map(({ field }) => field);
}
