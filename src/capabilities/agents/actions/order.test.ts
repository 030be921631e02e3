import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { executeAs, givenAgentQuote, listActionsAs, sendAs } from '#tests/given/actions.ts';
import { givenConnectedAgent } from '#tests/given/agents.ts';
import { givenFunds, givenOutside, givenPayer, givenPlatform } from '#tests/given/payments.ts';
import { quoted } from '#tests/given/quotes.ts';
import { type Answered, type Call, type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import {
  executeSigned,
  givenWallet,
  logIn,
  newPerson,
  requirePayload,
  signStamp,
} from '#tests/harness/wallet-client.ts';

/** Everything is wrong at first; each step fixes the failing check, so that the next check in the order answers. */
describe('the order of the checks on an agent’s requests', () => {
  const world = testWorld();
  let platform: TestPlatform;

  before(async () => {
    platform = await givenPlatform(world, { currencies: ['USD', 'EUR', 'USDB'] });
  });

  /** An agent without permissions, and functions that grant them. */
  async function givenBound(customer: { readonly id: string }) {
    const agent = await givenConnectedAgent(platform, customer, {
      permissions: ['CREATE_QUOTES'],
      defaultExecutionMode: 'APPROVAL_REQUIRED',
      spendingLimits: { currency: 'USD', perTransactionLimit: 0 },
      accountRestrictions: { allowedAccountIds: [] },
    });
    const params = { agentId: agent.id };
    const patch = async (body: object) => {
      const reply = await platform.send('updateAgentPolicy', { params, body });
      assert.equal(reply.status, 200, reply.raw);
    };
    const pause = (isPaused: boolean) => platform.send('updateAgent', { params, body: { isPaused } });
    return { agent, patch, pause };
  }

  type Failed = Answered<{ code?: string; details?: Record<string, unknown> }>;
  const outcome = ({ status, body: { code, details } }: Failed) =>
    [status, details?.violation ?? code].join(' ');

  it('agents.md §4.21–4.33, §3.17, money.md §3.3b: an execution', async () => {
    const wallet = await givenWallet(platform, newPerson());
    await givenFunds(platform, wallet.accountId, 1_000_000);
    const { key } = await logIn(platform, wallet.credentialId);
    const { agent, patch, pause } = await givenBound(wallet.customer);
    const to = await givenOutside(platform, wallet.customer.id);
    const quote = await givenAgentQuote(platform, agent, { from: wallet.accountId, to, send: 1_000_000 });
    const spent = await quoted(platform, { from: wallet.accountId, to, send: 1_000_000 });
    assert.equal((await executeSigned(platform, spent, key)).status, 200);
    const stamp = { headers: { 'svc-wallet-signature': await signStamp(key, requirePayload(quote)) } };
    const other = await givenConnectedAgent(platform, wallet.customer);
    await platform.send('updateAgent', { params: { agentId: other.id }, body: { isPaused: true } });
    const execute = (call: Call = {}, as = agent) => executeAs(platform, as, quote.id, call);
    await pause(true);

    const nobody = { ...agent, accessToken: `sat_${'0'.repeat(40)}` };
    assert.equal(outcome(await execute({}, nobody)), '401 UNAUTHORIZED', 'agents.md §4.21');
    assert.equal(outcome(await execute({}, other)), '404 QUOTE_NOT_FOUND', 'agents.md §4.22');
    assert.equal(outcome(await execute()), '403 PAUSED', 'agents.md §4.24');
    await pause(false);
    assert.equal(outcome(await execute()), '403 PERMISSION', 'agents.md §4.25');
    await patch({ permissions: ['CREATE_QUOTES', 'EXECUTE_QUOTES'] });
    assert.equal((await execute()).status, 401, 'agents.md §4.27');
    assert.equal(outcome(await execute(stamp)), '403 ACCOUNT_RESTRICTION', 'agents.md §4.30');
    await patch({ accountRestrictions: { allowedAccountIds: null } });
    assert.equal(outcome(await execute(stamp)), '403 PER_TRANSACTION_LIMIT', 'agents.md §4.31');
    assert.deepEqual(await listActionsAs(platform, agent), []);
    await patch({ spendingLimits: { perTransactionLimit: 100_000 } });
    // The wallet is empty, but this is not checked yet.
    const waiting = await execute({ ...stamp, key: 'once' });
    assert.deepEqual([waiting.status, waiting.body.status], [200, 'PENDING_APPROVAL'], 'agents.md §4.32');
    await pause(true);
    assert.deepEqual((await execute({ ...stamp, key: 'once' })).body, waiting.body, 'agents.md §4.23');
    await pause(false);
    await patch({ spendingLimits: { perTransactionLimit: 0 } });
    assert.equal(outcome(await execute(stamp)), '409 CONFLICT', 'agents.md §4.28');
    assert.equal((await execute()).status, 401, 'agents.md §4.27 before agents.md §4.28');
    const params = { agentId: agent.id, actionId: waiting.body.id };
    assert.equal((await platform.call('approveAgentAction', { params })).body.status, 'FAILED');
    await patch({ spendingLimits: { perTransactionLimit: 100_000 }, defaultExecutionMode: 'AUTO' });
    assert.equal(outcome(await execute(stamp)), '400 INSUFFICIENT_FUNDS', 'agents.md §4.33');
    await patch({ accountRestrictions: { allowedAccountIds: [] } });
    world.clock.advance(15 * 60_000 - 1);
    const { key: later } = await logIn(platform, wallet.credentialId);
    const again = { headers: { 'svc-wallet-signature': await signStamp(later, requirePayload(quote)) } };
    assert.equal(outcome(await execute(again)), '403 ACCOUNT_RESTRICTION');
    world.clock.advance(1);
    assert.equal(outcome(await execute(again)), '400 QUOTE_EXPIRED', 'agents.md §4.29');
  });

  it('agents.md §4.26: an execution has no body; a sent one is ignored', async () => {
    const payer = await givenPayer(platform, 10_000);
    const agent = await givenConnectedAgent(platform, payer);
    const to = await givenOutside(platform, payer.id);
    const quote = await givenAgentQuote(platform, agent, { from: payer.account('USD').id, to, send: 1_000 });
    const reply = await executeAs(platform, agent, quote.id, { body: { scaFactor: 17 } });
    assert.deepEqual([reply.status, reply.body.status], [200, 'APPROVED'], reply.raw);
  });

  for (const operation of ['agentCreateTransferOut', 'agentCreateTransferIn'] as const) {
    it(`agents.md §4.41–4.51, §3.18: ${operation}`, async () => {
      const isOut = operation === 'agentCreateTransferOut';
      const [payer, stranger] = [await givenPayer(platform, 0), await givenPayer(platform, 0)];
      const { agent, patch, pause } = await givenBound(payer);
      const [bank, euros] = [
        await givenOutside(platform, payer.id, '999', 'USD_ACCOUNT'),
        await givenOutside(platform, payer.id),
      ];
      const send = (internal: string, external: string, amount?: number, more: Call = {}, as = agent) => {
        const [from, to] = isOut ? [internal, external] : [external, internal];
        const body = { source: { accountId: from }, destination: { accountId: to }, amount };
        return sendAs(platform, as, operation, { body, ...more });
      };
      const [own, foreign] = [payer.account('USD').id, stranger.account('USD').id];
      await pause(true);

      const nobody = { ...agent, accessToken: `sat_${'0'.repeat(40)}` };
      assert.equal(
        outcome(await send(foreign, euros, undefined, {}, nobody)),
        '401 UNAUTHORIZED',
        'agents.md §4.41',
      );
      assert.equal(outcome(await send(foreign, euros)), '403 PAUSED', 'agents.md §4.43');
      await pause(false);
      assert.equal(outcome(await send(foreign, euros)), '403 PERMISSION', 'agents.md §4.44');
      await patch({ permissions: ['CREATE_TRANSFERS'] });
      assert.equal(outcome(await send(foreign, euros)), '400 INVALID_INPUT', 'agents.md §4.45');
      assert.equal(outcome(await send(foreign, euros, 0)), '400 INVALID_AMOUNT', 'agents.md §4.45');
      assert.equal(outcome(await send(foreign, euros, 1_000)), '404 ACCOUNT_NOT_FOUND', 'agents.md §4.46');
      assert.equal(outcome(await send(own, euros, 1_000)), '400 INVALID_CURRENCY', 'agents.md §4.47');
      assert.equal(outcome(await send(own, bank, 1_000)), '403 ACCOUNT_RESTRICTION', 'agents.md §4.48');
      await patch({ accountRestrictions: { allowedAccountIds: null } });
      assert.equal(outcome(await send(own, bank, 1_000)), '403 PER_TRANSACTION_LIMIT', 'agents.md §4.49');
      assert.deepEqual(await listActionsAs(platform, agent), []);
      await patch({ spendingLimits: { perTransactionLimit: 100_000 } });
      // The account is empty, but this is not checked yet.
      const waiting = await send(own, bank, 1_000, { key: 'once' });
      assert.deepEqual([waiting.status, waiting.body.status], [201, 'PENDING_APPROVAL'], 'agents.md §4.50');
      await pause(true);
      assert.deepEqual((await send(own, bank, 1_000, { key: 'once' })).body, waiting.body, 'agents.md §4.42');
      const another = await send(own, bank, 2_000, { key: 'once' });
      assert.equal(outcome(another), '409 DUPLICATE_PAY_REQUEST', 'agents.md §4.42');
      await pause(false);
      await patch({ defaultExecutionMode: 'AUTO' });
      const started = await send(own, bank, 1_000);
      if (isOut) assert.equal(outcome(started), '400 INSUFFICIENT_FUNDS', 'agents.md §4.51');
      else assert.deepEqual([started.status, started.body.status], [201, 'APPROVED'], 'agents.md §4.51');
    });
  }
});
