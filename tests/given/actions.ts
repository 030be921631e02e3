import assert from 'node:assert/strict';
import type { AgentReply } from '#tests/given/agents.ts';
import { givenOutside, givenPayer, givenPlatform } from '#tests/given/payments.ts';
import { quoteBody, type Wish } from '#tests/given/quotes.ts';
import type { Call, TestPlatform, World } from '#tests/harness/harness.ts';

/** An agent that calls with its token. */
export interface CallingAgent extends AgentReply {
  readonly accessToken: string;
}

/** A customer for whom agents pay, with a dollar balance and a bank account to pay to. */
export async function givenPrincipal(world: World, dollars = 10_000) {
  const platform = await givenPlatform(world);
  const ada = await givenPayer(platform, dollars * 100);
  const bank = await givenOutside(platform, ada.id, '999', 'USD_ACCOUNT');
  return { platform, ada, usd: ada.account('USD').id, bank };
}

/** A call with the agent's token. */
export function sendAs<const Id extends string>(
  platform: TestPlatform,
  { accessToken }: Pick<CallingAgent, 'accessToken'>,
  operationId: Id,
  call: Call = {},
) {
  return platform.send(operationId, { ...call, as: `Bearer ${accessToken}` });
}

/** A quote that this agent made. */
export async function givenAgentQuote(
  platform: TestPlatform,
  agent: Pick<CallingAgent, 'accessToken'>,
  wish: Wish,
) {
  const reply = await sendAs(platform, agent, 'agentCreateQuote', { body: quoteBody(wish) });
  assert.equal(reply.status, 201, reply.raw);
  return reply.body;
}

export function executeAs(
  platform: TestPlatform,
  agent: Pick<CallingAgent, 'accessToken'>,
  quoteId: string,
  call: Call = {},
) {
  return sendAs(platform, agent, 'agentExecuteQuote', { params: { quoteId }, ...call });
}

export async function listActionsAs(
  platform: TestPlatform,
  agent: Pick<CallingAgent, 'accessToken'>,
  query: object = {},
) {
  const reply = await sendAs(platform, agent, 'agentListActions', { query: { ...query } });
  assert.equal(reply.status, 200, reply.raw);
  return reply.body.data;
}
