// lane: whole — one of the longest of the short tests

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { TOOLS } from '#edge/mcp/tools.ts';
import { givenPrincipal, listActionsAs } from '#tests/given/actions.ts';
import { givenConnectedAgent } from '#tests/given/agents.ts';
import type { Payer } from '#tests/given/payments.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { type AnyClient, callTool as call, McpClients, type ToolReply } from '#tests/harness/mcp-clients.ts';

const TEN = { minorUnits: 1_000, decimal: '10.00 USD' };
const LARGE = { minorUnits: 200_000, decimal: '2000.00 USD' };
const EUROPEAN_PAYEE = (iban: string) => ({
  currency: 'EUR',
  accountInfo: {
    accountType: 'EUR_ACCOUNT',
    iban,
    beneficiary: {
      beneficiaryType: 'INDIVIDUAL',
      fullName: 'Jean Dupont',
      countryOfResidence: 'FR',
      address: { line1: '1 rue de Rivoli', city: 'Paris', postalCode: '75001', country: 'FR' },
    },
  },
});
const IBANS = ['FR1420041010050500013M02606', 'DE89370400440532013000', 'GB82WEST12345698765432'];

describe('clients of the MCP server', () => {
  const world = testWorld();
  const clients = new McpClients();
  let platform: TestPlatform;
  let ada: Payer;
  let usd: string;
  let bank: string;
  let origin: string;

  before(async () => {
    ({ platform, ada, usd, bank } = await givenPrincipal(world));
    origin = await world.app.http.listen({ port: 0, host: '127.0.0.1' });
  });
  after(() => clients.close());

  type Agent = Awaited<ReturnType<typeof givenConnectedAgent>>;
  const KINDS: readonly [name: string, connect: (agent: Agent) => Promise<AnyClient>][] = [
    ['the first major of the SDK', (agent) => clients.ofFirstMajor(origin, agent)],
    ['the second, with a handshake', (agent) => clients.overHttp(origin, agent, 'legacy')],
    ['the second, without one', (agent) => clients.overHttp(origin, agent, 'auto')],
  ];

  for (const [n, [name, connect]] of KINDS.entries()) {
    it(`agents.md §6.6: ${name}: every tool’s success matches its declared schema, and its refusal is readable text`, async () => {
      const agent = await givenConnectedAgent(platform, ada);
      const client = await connect(agent);
      // From here on the client checks results against the declared schemas.
      const { tools } = await client.listTools();
      assert.deepEqual(
        tools.map((tool) => tool.name),
        TOOLS.map((tool) => tool.name),
      );
      const tried = { succeeded: new Set<string>(), refused: new Set<string>() };

      const succeeds = async (tool: string, args: object = {}): Promise<ToolReply> => {
        const told = await call(client, tool, args);
        assert.ok(!told.isError, `${tool}: ${told.text}`);
        assert.equal(told.data.outcome, told.text, tool);
        tried.succeeded.add(tool);
        return told;
      };
      const fails = async (tool: string, args: object, words: RegExp): Promise<void> => {
        const told = await call(client, tool, args);
        assert.ok(told.isError, tool);
        assert.equal(told.data, undefined, 'a refusal has no structured content');
        assert.match(told.text, words, tool);
        const { code, reason } = told.error;
        assert.ok(told.text.includes(code) && typeof reason === 'string', told.whole);
        tried.refused.add(tool);
      };

      await succeeds('get_my_policy');
      await succeeds('list_accounts');
      await succeeds('add_payee', EUROPEAN_PAYEE(IBANS[n] ?? ''));
      await succeeds('list_payees');
      const priced = { fromAccountId: usd, toAccountId: bank, amount: TEN, amountIs: 'SENDING' };
      const { quoteId, transactionId } = (await succeeds('create_quote', priced)).data;
      await succeeds('get_quote', { quoteId });
      const { actionId } = (await succeeds('pay_quote', { quoteId })).data;
      const out = { fromAccountId: usd, toPayeeId: bank, amount: TEN, idempotencyKey: 'out' };
      const into = { fromPayeeId: bank, toAccountId: usd, amount: TEN, idempotencyKey: 'in' };
      await succeeds('transfer_out', out);
      await succeeds('transfer_in', into);
      await succeeds('list_transactions');
      await succeeds('get_transaction', { transactionId });
      await succeeds('list_actions');
      await succeeds('get_action', { actionId });

      const unknown = (kind: string) => `${kind}:00000000-0000-7000-8000-000000000000`;
      const foreign = unknown('InternalAccount');
      await fails('get_my_policy', { colour: 'red' }, /^REFUSED: INVALID_INPUT: colour: /);
      await fails('list_accounts', { limit: 0 }, /^REFUSED: INVALID_INPUT: limit: /);
      await fails('add_payee', EUROPEAN_PAYEE(IBANS[n] ?? ''), /^REFUSED: DUPLICATE_EXTERNAL_ACCOUNT: /);
      await fails('list_payees', { cursor: 'x' }, /^REFUSED: INVALID_INPUT: cursor: /);
      await fails(
        'create_quote',
        { ...priced, fromAccountId: foreign },
        /^REFUSED: ACCOUNT_NOT_FOUND: fromAccountId: /,
      );
      await fails('create_quote', { ...priced, toAccountId: 'x' }, /^REFUSED: INVALID_INPUT: toAccountId: /);
      await fails(
        'create_quote',
        { ...priced, amount: { minorUnits: 0, decimal: '0.00 USD' } },
        /^REFUSED: INVALID_AMOUNT: amount: /,
      );
      await fails('get_quote', { quoteId: unknown('Quote') }, /^REFUSED: QUOTE_NOT_FOUND: /);
      await fails(
        'pay_quote',
        { quoteId, idempotencyKey: 'again' },
        /^REFUSED: CONFLICT: .* This call moved nothing\. An earlier one may have: look at list_actions/,
      );
      await fails(
        'transfer_out',
        { ...out, amount: LARGE, idempotencyKey: 'large' },
        /^REFUSED: FORBIDDEN: PER_TRANSACTION_LIMIT: 2000\.00 USD is above your limit of 1000\.00 USD for one payment\./,
      );
      await fails(
        'transfer_out',
        { ...out, memo: 'other' },
        /^REFUSED: DUPLICATE_PAY_REQUEST: .*list_actions/,
      );
      await fails(
        'transfer_out',
        { ...out, toPayeeId: unknown('ExternalAccount'), idempotencyKey: 'whom' },
        /^REFUSED: ACCOUNT_NOT_FOUND: toPayeeId: .* This call moved nothing\.$/,
      );
      await fails(
        'transfer_in',
        { ...into, fromPayeeId: unknown('ExternalAccount'), idempotencyKey: 'whence' },
        /^REFUSED: ACCOUNT_NOT_FOUND: fromPayeeId: /,
      );
      await fails('list_transactions', { startDate: 'yesterday' }, /^REFUSED: INVALID_INPUT: startDate: /);
      await fails(
        'get_transaction',
        { transactionId: unknown('Transaction') },
        /^REFUSED: TRANSACTION_NOT_FOUND: /,
      );
      await fails('list_actions', { status: 'DONE' }, /^REFUSED: INVALID_INPUT: status: /);
      await fails('get_action', { actionId: unknown('AgentAction') }, /^REFUSED: NOT_FOUND: /);

      const all = TOOLS.map((tool) => tool.name).sort();
      assert.deepEqual([...tried.succeeded].sort(), all);
      assert.deepEqual([...tried.refused].sort(), all);
      assert.equal((await listActionsAs(platform, agent)).length, 3, 'refusals created no actions');
    });
  }

  it('agents.md §4.1, §6.6: the first sentence names the limits of a day and a month, and the used part', async () => {
    const rows: [limits: object, words: RegExp][] = [
      [
        { dailyLimit: 1_500 },
        /^REFUSED: FORBIDDEN: DAILY_LIMIT: 10\.00 USD is above what is left of your limit of 15\.00 USD a day.*10\.00 USD is used/,
      ],
      [
        { monthlyLimit: 1_500 },
        /^REFUSED: FORBIDDEN: MONTHLY_LIMIT: 10\.00 USD is above.*15\.00 USD a month.*10\.00 USD is used/,
      ],
      [
        { dailyTransactionLimit: 1 },
        /^REFUSED: FORBIDDEN: DAILY_TRANSACTION_LIMIT: Your limit is 1 payments? a day.*started 1 today/,
      ],
    ];
    for (const [more, words] of rows) {
      const spendingLimits = { currency: 'USD', perTransactionLimit: 100_000, ...more };
      const client = await clients.overHttp(
        origin,
        await givenConnectedAgent(platform, ada, { spendingLimits }),
      );
      const out = { fromAccountId: usd, toPayeeId: bank, amount: TEN };
      assert.match((await call(client, 'transfer_out', { ...out, idempotencyKey: 'a' })).text, /^STARTED/);
      assert.match((await call(client, 'transfer_out', { ...out, idempotencyKey: 'b' })).text, words);
    }
  });
});
