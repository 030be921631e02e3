import assert from 'node:assert/strict';
import type { Agent, AgentPolicy } from '#capabilities/agents/schemas.ts';
import type { BodyOf, Shown } from '#tests/harness/api-types.ts';
import type { TestPlatform } from '#tests/harness/harness.ts';

/** A policy under which every action needs the platform's approval. */
export const APPROVAL = { defaultExecutionMode: 'APPROVAL_REQUIRED' };

/** An agent as the API shows it. */
export type AgentReply = Shown<Agent>;

/** May do everything up to 1,000.00 USD at once, without asking. */
export const FREE_POLICY: AgentPolicy = {
  permissions: [
    'VIEW_TRANSACTIONS',
    'CREATE_TRANSFERS',
    'CREATE_QUOTES',
    'EXECUTE_QUOTES',
    'MANAGE_EXTERNAL_ACCOUNTS',
  ],
  defaultExecutionMode: 'AUTO',
  spendingLimits: { currency: 'USD', perTransactionLimit: 100_000 },
};

/** A request for an agent of this customer. */
export function agentBody(customerId = '', policy: object = {}) {
  return { name: 'Travel booker', customerId, policy: { ...FREE_POLICY, ...policy } };
}

/** A new agent with the code that connects it. */
export async function givenNewAgent(
  platform: TestPlatform,
  { id }: { readonly id: string },
  policy: object = {},
): Promise<BodyOf<'createAgent'>> {
  const reply = await platform.send('createAgent', { body: agentBody(id, policy) });
  assert.equal(reply.status, 201, reply.raw);
  return reply.body;
}

export async function givenAgent(
  platform: TestPlatform,
  customer: { readonly id: string },
  policy: object = {},
): Promise<AgentReply> {
  return (await givenNewAgent(platform, customer, policy)).agent;
}

export async function readAgent(
  platform: TestPlatform,
  { id }: { readonly id: string },
): Promise<AgentReply> {
  const reply = await platform.call('getAgentById', { params: { agentId: id } });
  assert.equal(reply.status, 200, reply.raw);
  return reply.body;
}

export function redeem(platform: TestPlatform, code: string) {
  return platform.send('redeemAgentDeviceCode', { params: { code } });
}

/** An agent with its token. */
export async function givenConnectedAgent(
  platform: TestPlatform,
  customer: { readonly id: string },
  policy: object = {},
): Promise<AgentReply & { readonly accessToken: string }> {
  const { agent, deviceCode } = await givenNewAgent(platform, customer, policy);
  const reply = await redeem(platform, deviceCode.code);
  assert.equal(reply.status, 200, reply.raw);
  return { ...agent, isConnected: true, accessToken: reply.body.accessToken };
}
