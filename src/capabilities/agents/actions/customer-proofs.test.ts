// lane: whole — many cases, which take seconds

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import {
  type CallingAgent,
  executeAs,
  givenAgentQuote,
  listActionsAs,
  sendAs,
} from '#tests/given/actions.ts';
import { APPROVAL, givenConnectedAgent, readAgent } from '#tests/given/agents.ts';
import { advance, givenFunds, givenOutside, givenPlatform, readTransaction } from '#tests/given/payments.ts';
import { authorize, fetchFunds, givenScaPayer } from '#tests/given/waiting.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import {
  type ClientKey,
  callSigned,
  givenWallet,
  logIn,
  newClientKey,
  newPerson,
  requirePayload,
  signStamp,
} from '#tests/harness/wallet-client.ts';

describe('agents’ actions that their customer has to authorize', () => {
  const world = testWorld();
  let platform: TestPlatform;

  before(async () => {
    platform = await givenPlatform(world, { currencies: ['USD', 'EUR', 'USDB'] });
  });

  const approve = (agent: CallingAgent, actionId: string) =>
    platform.call('approveAgentAction', { params: { agentId: agent.id, actionId } });

  describe('the stamp of a wallet', () => {
    /** An agent with a quote from the wallet of its customer, who is logged in. */
    async function givenWalletQuote(policy: object = {}) {
      const wallet = await givenWallet(platform, newPerson());
      await givenFunds(platform, wallet.accountId, 10_000_000);
      const { key, session } = await logIn(platform, wallet.credentialId);
      const agent = await givenConnectedAgent(platform, wallet.customer, policy);
      const to = await givenOutside(platform, wallet.customer.id);
      const quote = await givenAgentQuote(platform, agent, { from: wallet.accountId, to, send: 1_000_000 });
      const execute = async (signer?: ClientKey) =>
        executeAs(platform, agent, quote.id, {
          headers: signer ? { 'svc-wallet-signature': await signStamp(signer, requirePayload(quote)) } : {},
        });
      return { wallet, agent, quote, key, session, execute };
    }

    it('agents.md §4.27: without it, or with a foreign key, the reply is 401 and no action is created; with it the quote is executed', async () => {
      const { agent, key, execute } = await givenWalletQuote();
      assert.equal((await execute()).status, 401);
      const strange = await execute(newClientKey());
      assert.deepEqual([strange.status, strange.body.code], [401, 'WALLET_SIGNATURE_INVALID']);
      assert.deepEqual(await listActionsAs(platform, agent), []);
      const done = await execute(key);
      assert.deepEqual([done.status, done.body.status], [200, 'APPROVED'], done.raw);
    });

    it('agents.md §4.27, §4.30, §4.31: it is checked before the policy’s verdict on the movement', async () => {
      const { key, execute } = await givenWalletQuote({ accountRestrictions: { allowedAccountIds: [] } });
      assert.equal((await execute()).status, 401);
      const refused = await execute(key);
      assert.deepEqual([refused.status, refused.body.details?.violation], [403, 'ACCOUNT_RESTRICTION']);
    });

    it('agents.md §5.1: it is not required again when the platform approves', async () => {
      const { agent, quote, key, execute } = await givenWalletQuote(APPROVAL);
      const asked = await execute(key);
      assert.equal(asked.body.status, 'PENDING_APPROVAL', asked.raw);
      const reply = await approve(agent, asked.body.id);
      assert.deepEqual([reply.status, reply.body.status], [200, 'APPROVED'], reply.raw);
      await advance(platform, 5);
      assert.equal((await readTransaction(platform, quote.transactionId)).status, 'COMPLETED');
    });

    it('agents.md §5.1: a signature stays valid if its session has expired since', async () => {
      const { wallet, agent, key } = await givenWalletQuote(APPROVAL);
      await advance(platform, 890);
      const to = await givenOutside(platform, wallet.customer.id);
      const quote = await givenAgentQuote(platform, agent, { from: wallet.accountId, to, send: 1_000_000 });
      const headers = { 'svc-wallet-signature': await signStamp(key, requirePayload(quote)) };
      const asked = await executeAs(platform, agent, quote.id, { headers });
      assert.equal(asked.body.status, 'PENDING_APPROVAL', asked.raw);
      await advance(platform, 600);
      const reply = await approve(agent, asked.body.id);
      assert.deepEqual([reply.status, reply.body.status], [200, 'APPROVED'], reply.raw);
    });

    it('agents.md §5.1, §5.12, §5.22: if the signing session was revoked since, the action is FAILED; signed again, it can be submitted again', async () => {
      const { wallet, agent, quote, key, session, execute } = await givenWalletQuote(APPROVAL);
      const asked = await execute(key);
      assert.equal(asked.body.status, 'PENDING_APPROVAL', asked.raw);
      const { key: other } = await logIn(platform, wallet.credentialId);
      const gone = await callSigned(platform, other, 'revokeAuthSession', { params: { id: session.id } });
      assert.equal(gone.status, 204, gone.raw);
      const reply = await approve(agent, asked.body.id);
      assert.deepEqual(
        [reply.status, reply.body.status, reply.body.failure?.code],
        [200, 'FAILED', 'UNAUTHORIZED'],
        reply.raw,
      );
      assert.equal((await readTransaction(platform, quote.transactionId)).status, 'PENDING');
      assert.equal((await readAgent(platform, agent)).usage.dailyTransactionCount, 0);
      const again = await execute(other);
      assert.equal(again.body.status, 'PENDING_APPROVAL', again.raw);
      assert.equal((await approve(agent, again.body.id)).body.status, 'APPROVED');
    });
  });

  describe('strong customer authentication', () => {
    async function givenScaQuote(policy: object = {}) {
      const payer = await givenScaPayer(platform, 1_000_000);
      const agent = await givenConnectedAgent(platform, payer, policy);
      const quote = await givenAgentQuote(platform, agent, { from: payer.usd, to: payer.bank, send: 1_000 });
      return { payer, agent, quote };
    }

    it('agents.md §4.4, §4.7, §3.4: AUTO: APPROVED, its transaction waits for the customer, counted from the hold, and the agent does not see the challenge', async () => {
      const { payer, agent, quote } = await givenScaQuote();
      const done = await executeAs(platform, agent, quote.id);
      assert.deepEqual(
        [done.status, done.body.status, done.body.transaction?.status],
        [200, 'APPROVED', 'PENDING_AUTHORIZATION'],
        done.raw,
      );
      assert.ok(!done.raw.includes('scaChallenge'));
      const read = await sendAs(platform, agent, 'agentGetAction', { params: { actionId: done.body.id } });
      assert.ok(!read.raw.includes('scaChallenge'));
      assert.deepEqual(await fetchFunds(platform, payer), [999_000, 1_000_000]);
      assert.equal((await readAgent(platform, agent)).usage.dailySpend, 1_000);
      const authorized = await authorize(platform, quote.id);
      assert.deepEqual([authorized.status, authorized.body.status], [200, 'PROCESSING'], authorized.raw);
      assert.equal((await readAgent(platform, agent)).usage.dailySpend, 1_000, 'counted once');
    });

    it('agents.md §4.7: a lapsed challenge does not reduce the usage', async () => {
      const { payer, agent, quote } = await givenScaQuote();
      await executeAs(platform, agent, quote.id);
      await advance(platform, 3_600);
      assert.equal((await readTransaction(platform, quote.transactionId)).status, 'FAILED');
      assert.deepEqual(await fetchFunds(platform, payer), [1_000_000, 1_000_000]);
      assert.equal((await readAgent(platform, agent)).usage.dailySpend, 1_000);
    });

    it('agents.md §5.11, money.md §3.3c: the customer’s challenge opens after the platform’s approval, and not before', async () => {
      const { payer, agent, quote } = await givenScaQuote(APPROVAL);
      const asked = await executeAs(platform, agent, quote.id);
      assert.equal(asked.body.status, 'PENDING_APPROVAL', asked.raw);
      assert.deepEqual(await fetchFunds(platform, payer), [1_000_000, 1_000_000]);
      const early = await authorize(platform, quote.id);
      assert.notEqual(early.status, 200);
      const reply = await approve(agent, asked.body.id);
      assert.deepEqual(
        [reply.body.status, reply.body.transaction?.status],
        ['APPROVED', 'PENDING_AUTHORIZATION'],
        reply.raw,
      );
      assert.equal((await authorize(platform, quote.id)).body.status, 'PROCESSING');
    });
  });
});
