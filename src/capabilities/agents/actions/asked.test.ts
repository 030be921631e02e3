import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { executeAs, givenAgentQuote, givenPrincipal, sendAs } from '#tests/given/actions.ts';
import { APPROVAL, givenConnectedAgent } from '#tests/given/agents.ts';
import { advance, givenOutside, type Payer, readTransaction } from '#tests/given/payments.ts';
import { TEST_DOMAINS, type TestPlatform, testWorld } from '#tests/harness/harness.ts';

describe('details of agents’ actions for reviewers', () => {
  const world = testWorld();
  let platform: TestPlatform;
  let ada: Payer;
  let usd: string;
  let bank: string;

  before(async () => {
    ({ platform, ada, usd, bank } = await givenPrincipal(world));
  });

  const shownAccount = async (id: string) => {
    const query = { customerId: ada.id, limit: 100 };
    const { body } = await platform.call('listCustomerExternalAccounts', { query });
    const info = body.data.find((account) => account.id === id)?.accountInfo as unknown as {
      readonly accountNumber?: string;
      readonly iban?: string;
      readonly beneficiary: { readonly fullName: string };
    };
    const number = info.accountNumber ?? info.iban ?? '';
    return { name: info.beneficiary.fullName, account: `****${number.slice(-4)}` };
  };
  const parties = ({ payer, payee, memo }: Record<string, unknown>) => ({ payer, payee, memo });

  it('agents.md §4.10: a transfer under approval shows payee, masked account and memo: in the reply, the list, the webhook and its transaction', async () => {
    const agent = await givenConnectedAgent(platform, ada, APPROVAL);
    const body = {
      source: { accountId: usd },
      destination: { accountId: bank },
      amount: 1_000,
      remittanceInformation: 'Rent May',
    };
    const expected = { payer: undefined, payee: await shownAccount(bank), memo: 'Rent May' };
    const asked = await sendAs(platform, agent, 'agentCreateTransferOut', { body });
    assert.equal(asked.status, 201, asked.raw);
    assert.deepEqual(parties(asked.body), expected);
    const { body: approvals } = await platform.call('listAgentApprovals', { query: { agentId: agent.id } });
    assert.deepEqual(parties(approvals.data[0] ?? {}), expected);
    const approved = await platform.send('approveAgentAction', {
      params: { agentId: agent.id, actionId: asked.body.id },
    });
    assert.deepEqual(parties(approved.body.transaction), expected);
    assert.ok(approved.body.transaction.takenAt, 'it is PENDING, but the money was taken');
    assert.equal(approved.body.transaction.status, 'PENDING');
    const seen = await readTransaction(platform, approved.body.transaction.id);
    assert.deepEqual(parties(seen), expected);
  });

  it('agents.md §4.10: a transfer in shows the payer, and that nothing was taken before the collection', async () => {
    const agent = await givenConnectedAgent(platform, ada);
    const body = { source: { accountId: bank }, destination: { accountId: usd }, amount: 1_000 };
    const { body: action } = await sendAs(platform, agent, 'agentCreateTransferIn', { body });
    assert.deepEqual(parties(action), { payer: await shownAccount(bank), payee: undefined, memo: undefined });
    assert.ok(action.transaction.executedAt);
    assert.equal(action.transaction.takenAt, undefined);
    await advance(platform, 5);
    assert.ok((await readTransaction(platform, action.transaction.id)).takenAt);
  });

  it('agents.md §4.10: a quote shows its payee, for UMA the address and the reported name; payments without an agent show none of it', async () => {
    const agent = await givenConnectedAgent(platform, ada, APPROVAL);
    const to = await givenOutside(platform, ada.id);
    const quote = await givenAgentQuote(platform, agent, {
      from: usd,
      to,
      more: { remittanceInformation: 'Room' },
    });
    const { body: action } = await executeAs(platform, agent, quote.id);
    assert.deepEqual(parties(action), { payer: undefined, payee: await shownAccount(to), memo: 'Room' });
    const receiverUmaAddress = `$success.usd@${TEST_DOMAINS.sandboxUmaDomains[0]}`;
    const found = await platform.call('lookupUma', {
      params: { receiverUmaAddress },
      query: { customerId: ada.id },
    });
    const wish = { from: usd, to: receiverUmaAddress, more: { lookupId: found.body.lookupId } };
    const uma = await executeAs(platform, agent, (await givenAgentQuote(platform, agent, wish)).id);
    assert.deepEqual(uma.body.payee, { name: 'Sandbox Receiver', account: receiverUmaAddress });
    const body = { source: { accountId: usd }, destination: { accountId: bank }, amount: 1_000 };
    const { body: own } = await platform.call('createTransferOut', { body });
    assert.deepEqual(parties(own), { payer: undefined, payee: undefined, memo: undefined });
    assert.equal(own.takenAt, undefined);
  });

  it('agents.md §1.5a: the platform lists all actions of an agent, by the status that they show, in pages', async () => {
    const [agent, other] = [
      await givenConnectedAgent(platform, ada, APPROVAL),
      await givenConnectedAgent(platform, ada),
    ];
    const transfer = (amount: number) => ({
      body: { source: { accountId: usd }, destination: { accountId: bank }, amount },
    });
    const list = async (query: object = {}, agentId = agent.id) => {
      const reply = await platform.send('listAgentActions', { params: { agentId }, query: { ...query } });
      assert.equal(reply.status, 200, reply.raw);
      return reply.body;
    };
    const ids = async (query: object = {}, agentId = agent.id) =>
      (await list(query, agentId)).data.map(({ id }: { id: string }) => id);
    const asked: string[] = [];
    for (const amount of [1_000, 1_100, 1_200]) {
      const { body } = await sendAs(platform, agent, 'agentCreateTransferOut', transfer(amount));
      asked.push(body.id);
      world.clock.advance(1_000);
    }
    const [approved = '', rejected = '', waiting = ''] = asked;
    await platform.send('approveAgentAction', { params: { agentId: agent.id, actionId: approved } });
    await platform.send('rejectAgentAction', { params: { agentId: agent.id, actionId: rejected } });
    const quote = await givenAgentQuote(platform, agent, { from: usd, to: bank, send: 500 });
    const lapsing = (await executeAs(platform, agent, quote.id)).body.id;
    await advance(platform, 3_600);

    const newest = [lapsing, waiting, rejected, approved];
    assert.deepEqual(await ids(), newest);
    assert.deepEqual(await ids({ sortOrder: 'asc' }), newest.toReversed());
    assert.deepEqual(await ids({ status: 'FAILED' }), [lapsing], 'nobody decided before the quote expired');
    assert.deepEqual(await ids({ status: 'PENDING_APPROVAL' }), [waiting]);
    assert.deepEqual(await ids({ type: 'EXECUTE_QUOTE' }), [lapsing]);
    assert.deepEqual(await ids({}, other.id), []);
    const first = await list({ limit: 3 });
    assert.equal(first.totalCount, 4);
    assert.deepEqual(await ids({ limit: 3, cursor: first.nextCursor }), [approved]);
    const stray = { params: { agentId: other.id }, query: { limit: 3, cursor: first.nextCursor } };
    assert.equal((await platform.send('listAgentActions', stray)).status, 400, 'a cursor of another agent');

    await platform.send('deleteAgent', { params: { agentId: other.id } });
    const gone = await platform.send('listAgentActions', { params: { agentId: other.id } });
    assert.deepEqual([gone.status, gone.body.code], [404, 'NOT_FOUND']);
    const bounds = { startDate: '2026-01-02T00:00:00Z', endDate: '2026-01-01T00:00:00Z' };
    const crossed = await platform.send('listAgentActions', { params: { agentId: agent.id }, query: bounds });
    assert.equal(crossed.status, 400);
  });
});
