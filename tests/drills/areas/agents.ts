import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { Area, Client } from '#tests/drills/areas/area.ts';
import type { Deployment } from '#tests/drills/deployment.ts';
import type { Figures } from '#tests/drills/frame/drill.ts';
import { createRemotePlatform, type RemotePlatform } from '#tests/drills/remote-platform.ts';
import { SeededRandom } from '#tests/drills/seeded-random.ts';
import { LEASE_LOOK_MS } from '#tests/drills/site.ts';
import { supports } from '#tests/given/accounts.ts';
import { type CallingAgent, sendAs } from '#tests/given/actions.ts';
import { givenConnectedAgent } from '#tests/given/agents.ts';
import { advance, fetchBalance, givenOutside, givenPayer, type Payer } from '#tests/given/payments.ts';

const OPENING_CENTS = 100_000_000;
const DEADLINE_MS = 300_000;
/** A suffix whose payouts succeed. */
const PAID = '999';

/**
 * Agents that pay out of one account: some by themselves, the others with their platform's approval. Every accepted transfer
 * must be paid once, and every rejected one not at all.
 */
export async function openAgents(deployment: Deployment, random: SeededRandom, count: number): Promise<Area> {
  const settings = ['isRegulatedFinancialInstitution=true', 'requestRate.perSecond=0'];
  const platform = await createRemotePlatform(deployment, settings);
  await supports(platform, ['USD']);
  const payer = await givenPayer(platform, OPENING_CENTS);
  const bank = await givenOutside(platform, payer.id, PAID, 'USD_ACCOUNT');
  const agents: Agent[] = [];
  for (let i = 0; i < count; i++) {
    const mode = i % 2 === 0 ? 'AUTO' : 'APPROVAL_REQUIRED';
    const calling = await givenConnectedAgent(platform, payer, { defaultExecutionMode: mode });
    const scene = { platform, from: payer.account('USD').id, to: bank };
    agents.push(new Agent(scene, calling, new SeededRandom(random.between(0, 2 ** 31))));
  }
  return {
    clients: agents,
    check: () => checkResult(platform, payer, agents),
    close: () => platform.receiver.close(),
  };
}

interface Scene {
  readonly platform: RemotePlatform;
  readonly from: string;
  readonly to: string;
}

class Agent implements Client {
  /** The expected end of each action, by its id. */
  readonly expected = new Map<string, 'APPROVED' | 'REJECTED'>();
  spent = 0;
  readonly #scene: Scene;
  readonly #calling: CallingAgent;
  readonly #random: SeededRandom;

  constructor(scene: Scene, calling: CallingAgent, random: SeededRandom) {
    this.#scene = scene;
    this.#calling = calling;
    this.#random = random;
  }

  async course(): Promise<void> {
    const { platform, from, to } = this.#scene;
    const amount = this.#random.between(100, 2_000);
    const body = { source: { accountId: from }, destination: { accountId: to }, amount };
    const asked = await sendAs(platform, this.#calling, 'agentCreateTransferOut', { body });
    assert.equal(asked.status, 201, asked.raw);
    const { id, status } = asked.body;
    if (status === 'PENDING_APPROVAL') {
      const isApproved = this.#random.between(0, 3) > 0;
      const params = { agentId: this.#calling.id, actionId: id };
      const decided = await platform.send(isApproved ? 'approveAgentAction' : 'rejectAgentAction', {
        params,
      });
      assert.equal(decided.status, 200, decided.raw);
      this.expected.set(id, isApproved ? 'APPROVED' : 'REJECTED');
      if (isApproved) this.spent += amount;
      return;
    }
    assert.equal(status, 'APPROVED', asked.raw);
    this.expected.set(id, 'APPROVED');
    this.spent += amount;
  }
}

async function checkResult(
  platform: RemotePlatform,
  payer: Payer,
  agents: readonly Agent[],
): Promise<Figures> {
  const expected = new Map(agents.flatMap((agent) => [...agent.expected]));
  const approved = [...expected.values()].filter((end) => end === 'APPROVED').length;
  const statuses = await endedTransfers(platform);
  assert.deepEqual(
    [statuses.length, statuses.filter((status) => status === 'COMPLETED').length],
    [expected.size, approved],
    'a transfer for every action, and every approved one is paid',
  );
  const spent = agents.reduce((sum, agent) => sum + agent.spent, 0);
  assert.equal(await fetchBalance(platform, payer, 'USD'), OPENING_CENTS - spent);
  return { 'actions of agents': expected.size, 'of these rejected': expected.size - approved };
}

/** The statuses of all transfers, when none is open. */
async function endedTransfers(platform: RemotePlatform): Promise<string[]> {
  for (const deadline = Date.now() + DEADLINE_MS; ; ) {
    await advance(platform, 60);
    const statuses: string[] = [];
    for (let cursor: string | undefined; ; ) {
      const query = { limit: 100, type: 'OUTGOING', ...(cursor !== undefined && { cursor }) };
      const { body, raw, status } = await platform.send('listTransactions', { query });
      assert.equal(status, 200, raw);
      statuses.push(...(body.data as unknown as { status: string }[]).map((row) => row.status));
      cursor = body.nextCursor;
      if (cursor === undefined) break;
    }
    if (!statuses.some((status) => status === 'PENDING' || status === 'PROCESSING')) return statuses;
    assert.ok(Date.now() < deadline, 'every transfer ends');
    await delay(LEASE_LOOK_MS);
  }
}
