// lane: first — every way to pay, told by every tool to its end

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { tellTransaction } from '#edge/mcp/describe-outcome.ts';
import { moneyMoved, stageOf, type Transaction } from '#edge/mcp/progress.ts';
import { fetchAccounts, inCurrency } from '#tests/given/accounts.ts';
import { APPROVAL, givenConnectedAgent } from '#tests/given/agents.ts';
import {
  advance,
  execute,
  fetchPayer,
  givenFunds,
  givenOutside,
  givenPayer,
  givenPlatform,
  givenQuote,
  type Payer,
} from '#tests/given/payments.ts';
import { givenEuropean } from '#tests/given/sca.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { type AnyClient, callTool as call, McpClients, type ToolReply } from '#tests/harness/mcp-clients.ts';

const TEN = { minorUnits: 1_000, decimal: '10.00 USD' };

interface Money {
  readonly minorUnits: number;
}

/** An agent's request: the paying tool and its arguments. */
interface ToolCall {
  readonly tool: string;
  readonly args: object;
}

type Ask = (client: AnyClient, suffix: string) => Promise<ToolCall>;

describe('reports of tools about the money (agents.md §6.5)', () => {
  const world = testWorld();
  const clients = new McpClients();
  let platform: TestPlatform;
  let ada: Payer;
  let usd: string;
  let eur: string;
  let origin: string;
  let keys = 0;

  before(async () => {
    platform = await givenPlatform(world, {
      settings: { requestRate: { perSecond: 100_000, burst: 100_000 } },
    });
    ada = await givenPayer(platform, 10_000_000);
    usd = ada.account('USD').id;
    eur = ada.account('EUR').id;
    await givenFunds(platform, eur, 1_000_000);
    origin = await world.app.http.listen({ port: 0, host: '127.0.0.1' });
  });
  after(() => clients.close());

  const agentWith = (policy: object = {}) => givenConnectedAgent(platform, ada, policy);
  const outside = (suffix: string, type: 'USD_ACCOUNT' | 'EUR_ACCOUNT') =>
    givenOutside(platform, ada.id, suffix, type);

  /** Of both accounts: the spendable balance and the total. */
  async function balances() {
    const accounts = await fetchAccounts(platform, ada.id);
    return Object.fromEntries(
      ['USD', 'EUR'].map((code) => {
        const { id, balance, totalBalance } = inCurrency(accounts, code);
        return [id, { spendable: balance.amount, total: totalBalance.amount }];
      }),
    );
  }
  type Balances = Awaited<ReturnType<typeof balances>>;

  const units = (money: Money | undefined) => {
    assert.ok(money, 'an amount is present');
    return money.minorUnits;
  };

  /** The ledger decides: sentence and figures must match its accounts. */
  function holdTo(told: ToolReply, before: Balances, now: Balances): void {
    const { money } = told.data;
    const change = (id: string, of: 'spendable' | 'total') => (now[id]?.[of] ?? 0) - (before[id]?.[of] ?? 0);
    const from = money.fromAccountId as string;
    const why = `${told.text} ${JSON.stringify(money)}`;
    const [taken, held, returned] = [money.taken, money.onHold, money.returned ?? { minorUnits: 0 }].map(
      units,
    );
    if (from in before) {
      assert.equal(change(from, 'total'), (returned ?? 0) - (taken ?? 0), why);
      assert.equal(change(from, 'spendable'), change(from, 'total') - (held ?? 0), why);
      const isLess = change(from, 'spendable') < 0;
      if (isLess) assert.doesNotMatch(told.text, /nothing (was taken|has moved)|NOT STARTED|NOT PAID:/i);
      if (taken || held)
        assert.match(told.text, new RegExp(`(was taken from|is on hold in) account ${from}`));
      else assert.match(told.text, new RegExp(`[Nn]othing was taken from account ${from}`));
    }
    const to = [usd, eur].find((id) => id !== from && told.whole.includes(`"toAccountId":"${id}"`));
    const credited =
      to ??
      [usd, eur].find(
        (id) =>
          id !== from && (told.data.transaction?.to?.accountId === id || told.data.to?.accountId === id),
      );
    if (credited) assert.equal(change(credited, 'total'), money.arrived ? units(money.arrived) : 0, why);
    if (told.text.startsWith('COMPLETED')) assert.ok(units(money.arrived) > 0, why);
    if (/^(STARTED|COMPLETED)/.test(told.text)) assert.match(told.text, /Do not (pay|request it) again/);
  }

  /** Calls every tool that shows one action; they must agree. */
  async function tellings(
    client: AnyClient,
    { tool, args }: ToolCall,
    actionId: string,
  ): Promise<ToolReply[]> {
    const action = await call(client, 'get_action', { actionId });
    const listed = await call(client, 'list_actions', { limit: 1 });
    const [item] = listed.data.items;
    assert.equal(item.actionId, actionId);
    assert.equal(item.outcome, action.text);
    assert.deepEqual(item.money, action.data.money);
    const again = await call(client, tool, args);
    assert.ok(!again.isError, again.text);
    assert.equal(
      again.text,
      `You made this call before, and nothing was done again. Its current state: ${action.text}`,
    );
    assert.deepEqual(again.data.money, action.data.money);
    const { transaction } = action.data;
    if (!transaction) return [action];
    const { transactionId } = transaction;
    const seen = await call(client, 'get_transaction', { transactionId });
    assert.equal(seen.text, action.text);
    assert.deepEqual(seen.data.money, action.data.money);
    const { data } = await call(client, 'list_transactions', { limit: 100 });
    const inList = data.items.find((one: { transactionId: string }) => one.transactionId === transactionId);
    assert.equal(inList.outcome, action.text);
    assert.deepEqual(inList.money, action.data.money);
    return [action, seen];
  }

  const priced = async (client: AnyClient, fromAccountId: string, toAccountId: string) => {
    const asked = { fromAccountId, toAccountId, amount: TEN, amountIs: 'SENDING' };
    const { data, text } = await call(client, 'create_quote', asked);
    assert.ok(data, text);
    return { tool: 'pay_quote', args: { quoteId: data.quoteId } };
  };

  const key = () => ({ amount: TEN, idempotencyKey: `money ${++keys}` });
  const WAYS: Readonly<Record<string, { readonly ask: Ask; readonly suffixes: readonly string[] }>> = {
    transfer_out: {
      suffixes: ['999', '002', '003', '004', '005'],
      ask: async (_, suffix) => ({
        tool: 'transfer_out',
        args: { ...key(), fromAccountId: usd, toPayeeId: await outside(suffix, 'USD_ACCOUNT') },
      }),
    },
    transfer_in: {
      suffixes: ['999', '002', '004', '005'],
      ask: async (_, suffix) => ({
        tool: 'transfer_in',
        args: { ...key(), fromPayeeId: await outside(suffix, 'USD_ACCOUNT'), toAccountId: usd },
      }),
    },
    'a quote out in one currency': {
      suffixes: ['999', '002', '004', '005'],
      ask: async (client, suffix) => priced(client, usd, await outside(suffix, 'USD_ACCOUNT')),
    },
    'a quote out that converts': {
      suffixes: ['999', '002', '003', '004', '005', '006', '007'],
      ask: async (client, suffix) => priced(client, usd, await outside(suffix, 'EUR_ACCOUNT')),
    },
    'a quote between own accounts': { suffixes: ['999'], ask: (client) => priced(client, usd, eur) },
    'a quote that pulls in one currency': {
      suffixes: ['999', '002', '004', '005'],
      ask: async (client, suffix) => priced(client, await outside(suffix, 'USD_ACCOUNT'), usd),
    },
    'a quote that pulls and converts': {
      suffixes: ['999', '004'],
      ask: async (client, suffix) => priced(client, await outside(suffix, 'USD_ACCOUNT'), eur),
    },
    'a quote that pulls and pays on': {
      suffixes: ['999', '002', '005'],
      ask: async (client, suffix) =>
        priced(client, await outside('999', 'USD_ACCOUNT'), await outside(suffix, 'EUR_ACCOUNT')),
    },
  };

  for (const [way, { ask, suffixes }] of Object.entries(WAYS)) {
    for (const mode of ['AUTO', 'APPROVAL_REQUIRED']) {
      it(`agents.md §6.5: ${way}, ${mode}: each tool agrees with the ledger, from the first answer to the end`, async () => {
        const agent = await agentWith({ defaultExecutionMode: mode });
        const client = await clients.overHttp(origin, agent);
        for (const suffix of suffixes) {
          const asked = await ask(client, suffix);
          const before = await balances();
          const first = await call(client, asked.tool, asked.args);
          assert.ok(!first.isError, first.text);
          holdTo(first, before, await balances());
          const { actionId } = first.data;
          if (mode !== 'AUTO') {
            assert.match(
              first.text,
              /^NOT PAID YET: this waits for approval.*Nothing was taken from account/,
            );
            const params = { agentId: agent.id, actionId };
            assert.equal((await platform.send('approveAgentAction', { params })).status, 200);
          }
          let last = '';
          let seen: unknown;
          for (const seconds of [0, 1, 1, 40, 400]) {
            if (seconds > 0) await advance(platform, seconds);
            const { text, data } = await call(client, 'get_action', { actionId });
            const now = [text, data.money, await balances()];
            // The tools read the same rows: they are compared whenever one of these has changed.
            if (isDeepStrictEqual(now, seen)) continue;
            seen = now;
            for (const told of await tellings(client, asked, actionId)) {
              holdTo(told, before, await balances());
              last = told.text;
            }
          }
          assert.match(last, /^(COMPLETED|FAILED|CANCELLED)/, `${way} ${suffix} has come to an end`);
        }
      });
    }
  }

  it('agents.md §6.5: an action without a payment took nothing: rejected, failed on approval, or not decided in time', async () => {
    const agent = await agentWith(APPROVAL);
    const client = await clients.overHttp(origin, agent);
    const bank = await outside('999', 'USD_ACCOUNT');
    const before = await balances();
    const ends: [RegExp, (actionId: string) => Promise<unknown>][] = [
      [
        /^NOT PAID: a person at the platform rejected this\. Nothing was taken/,
        (actionId) => platform.send('rejectAgentAction', { params: { agentId: agent.id, actionId } }),
      ],
      [
        /^NOT PAID: FORBIDDEN: .* Nothing was taken/,
        async (actionId) => {
          const params = { agentId: agent.id };
          await platform.send('updateAgent', { params, body: { isPaused: true } });
          await platform.send('approveAgentAction', { params: { ...params, actionId } });
          await platform.send('updateAgent', { params, body: { isPaused: false } });
        },
      ],
      [
        /^NOT PAID: (TRANSACTION_NOT_PENDING|QUOTE_EXPIRED).* Nothing was taken/,
        () => advance(platform, 700_000),
      ],
    ];
    for (const [words, end] of ends) {
      const asked: (() => Promise<ToolCall>)[] = [
        async () => ({ tool: 'transfer_out', args: { ...key(), fromAccountId: usd, toPayeeId: bank } }),
        async () => ({ tool: 'transfer_in', args: { ...key(), fromPayeeId: bank, toAccountId: usd } }),
        () => priced(client, usd, bank),
      ];
      for (const ask of asked) {
        const { tool, args } = await ask();
        const { data } = await call(client, tool, args);
        await end(data.actionId);
        const told = await call(client, 'get_action', { actionId: data.actionId });
        const { data: listed } = await call(client, 'list_actions', { limit: 1 });
        assert.match(told.text, words);
        assert.equal(listed.items[0].outcome, told.text);
        assert.deepEqual([told.data.money.taken, told.data.money.onHold].map(units), [0, 0]);
      }
    }
    assert.deepEqual(await balances(), before);
  });

  it('agents.md §5.6, §6.5: a rejected quote that the platform executes anyway is not reported as unpaid', async () => {
    const agent = await agentWith(APPROVAL);
    const client = await clients.overHttp(origin, agent);
    const { args } = await priced(client, usd, await outside('999', 'USD_ACCOUNT'));
    const { quoteId } = args as { quoteId: string };
    const { data } = await call(client, 'pay_quote', args);
    const params = { agentId: agent.id, actionId: data.actionId };
    assert.equal((await platform.send('rejectAgentAction', { params })).status, 200);
    assert.match((await call(client, 'get_action', { actionId: data.actionId })).text, /^NOT PAID/);
    assert.equal((await execute(platform, quoteId)).status, 200);
    const seen = await call(client, 'get_action', { actionId: data.actionId });
    assert.match(seen.text, /^DO NOT PAY AGAIN: this request ended as REJECTED, and its quote was executed/);
    assert.deepEqual(seen.data.money, {});
    assert.match((await call(client, 'get_quote', { quoteId })).text, /was executed.*Do not pay it again/);
    const { transactionId } = data.quote;
    assert.match(
      (await call(client, 'get_transaction', { transactionId })).text,
      /^STARTED: 10\.00 USD was taken from/,
    );
  });

  it('agents.md §4.4, §6.5: money that awaits the customer’s confirmation is on hold, and is released when that expires', async () => {
    const emmy = await fetchPayer(platform, await givenEuropean(platform));
    const account = emmy.account('EUR').id;
    await givenFunds(platform, account, 100_000);
    const to = await givenOutside(platform, emmy.id, '999', 'EUR_ACCOUNT');
    const client = await clients.overHttp(origin, await givenConnectedAgent(platform, emmy));
    const amount = { minorUnits: 1_000, decimal: '10.00 EUR' };
    const asked = { fromAccountId: account, toAccountId: to, amount, amountIs: 'SENDING' };
    const { data: quote } = await call(client, 'create_quote', asked);
    const { text, data } = await call(client, 'pay_quote', { quoteId: quote.quoteId });
    assert.match(text, new RegExp(`^NOT PAID YET: 10\\.00 EUR is on hold in account ${account}`));
    assert.deepEqual([data.money.onHold, data.money.taken].map(units), [1_000, 0]);
    const spendable = async () => inCurrency(await fetchAccounts(platform, emmy.id), 'EUR').balance.amount;
    assert.equal(await spendable(), 99_000);
    await advance(platform, 3_600);
    const lapsed = await call(client, 'get_action', { actionId: data.actionId });
    assert.match(lapsed.text, /^FAILED: SCA_NOT_COMPLETED: nothing was taken from account/);
    assert.deepEqual([lapsed.data.money.onHold, lapsed.data.money.taken].map(units), [0, 0]);
    assert.equal(await spendable(), 100_000);
  });

  it('agents.md §6.5: payments that no agent requested are described by their kind', async () => {
    const client = await clients.overHttp(origin, await agentWith());
    const bank = await outside('005', 'USD_ACCOUNT');
    const body = { source: { accountId: usd }, destination: { accountId: bank }, amount: 1_000 };
    const { body: out } = await platform.call('createTransferOut', { body });
    const back = { source: body.destination, destination: body.source, amount: 1_000 };
    const { body: pulled } = await platform.call('createTransferIn', { body: back });
    const quote = await givenQuote(world, platform, { from: usd, to: bank, send: 1_000n });
    const pull = await givenQuote(world, platform, { from: bank, to: usd, send: 1_000n, execute: true });
    const rows: [id: string | undefined, words: RegExp][] = [
      [out.id, /^STARTED: 10\.00 USD was taken from account InternalAccount/],
      [pulled.id, /^STARTED: 10\.00 USD is being collected from account ExternalAccount/],
      [quote.transactionId, /^NOT STARTED: nothing was taken from account/],
      [pull.transactionId, /^STARTED: 10\.00 USD is being taken from .* or was taken already/],
    ];
    for (const [transactionId, words] of rows) {
      assert.match((await call(client, 'get_transaction', { transactionId })).text, words);
    }
  });

  const AMOUNT = { amount: 1_000, currency: { code: 'USD', decimals: 2 } };
  const REFUND = { reference: 'x', initiatedAt: 'x', amount: AMOUNT };
  const outgoingPayment = (status: string, more: object = {}) => ({
    id: 'Transaction:1',
    type: 'OUTGOING',
    status,
    agentId: 'Agent:1',
    quoteId: 'Quote:1',
    source: { sourceType: 'ACCOUNT', accountId: 'InternalAccount:1' },
    destination: { destinationType: 'ACCOUNT', accountId: 'ExternalAccount:1' },
    sentAmount: AMOUNT,
    receivedAmount: AMOUNT,
    ...more,
  });
  const into = (status: string, more: object = {}) => ({
    ...outgoingPayment(status),
    type: 'INCOMING',
    source: { sourceType: 'ACCOUNT', accountId: 'ExternalAccount:1' },
    destination: { destinationType: 'ACCOUNT', accountId: 'InternalAccount:1' },
    ...more,
  });
  const [BEGUN, TAKEN] = [{ executedAt: 'x' }, { executedAt: 'x', takenAt: 'x' }];
  const FAILED = { failureReason: 'WHY' };
  const OTHERS = {
    agentId: undefined,
    quoteId: undefined,
    source: { sourceType: 'UMA_ADDRESS', umaAddress: '$a@b' },
  };

  /** By status and money movement: stage, beginning of the sentence, amount taken and not returned. */
  const STAGES: [transaction: object, stage: string, words: RegExp, gone: number | undefined][] = [
    [outgoingPayment('PENDING'), 'OPEN', /^NOT STARTED: nothing was taken/, 0],
    [outgoingPayment('PENDING', { quoteId: undefined }), 'OPEN', /nothing was taken.*waits for approval/, 0],
    [
      outgoingPayment('PENDING', TAKEN),
      'TAKEN',
      /^STARTED: 10\.00 USD was taken from account InternalAccount:1/,
      1_000,
    ],
    [outgoingPayment('PROCESSING', TAKEN), 'TAKEN', /^STARTED: 10\.00 USD was taken/, 1_000],
    [
      outgoingPayment('PROCESSING', { ...into('PROCESSING'), type: 'OUTGOING', ...BEGUN }),
      'COLLECTING',
      /is being collected/,
      0,
    ],
    [
      outgoingPayment('PROCESSING', { ...TAKEN, refund: { ...REFUND, status: 'PENDING' } }),
      'CANCELLING',
      /^CANCELLED: .*being returned and has not/,
      1_000,
    ],
    [
      outgoingPayment('COMPLETED', { ...TAKEN, refund: { ...REFUND, status: 'COMPLETED' } }),
      'CANCELLED',
      /^CANCELLED: .*was returned\. No payment/,
      0,
    ],
    [
      outgoingPayment('COMPLETED', TAKEN),
      'COMPLETED',
      /^COMPLETED: 10\.00 USD was taken.*Do not pay again/,
      1_000,
    ],
    [outgoingPayment('PENDING_AUTHORIZATION'), 'HELD', /^NOT PAID YET: 10\.00 USD is on hold/, 0],
    [
      outgoingPayment('PENDING_AUTHORIZATION', { source: into('').source }),
      'ASKED',
      /^NOT PAID YET: nothing was taken/,
      0,
    ],
    [outgoingPayment('FAILED', FAILED), 'UNTAKEN', /^FAILED: WHY: nothing was taken/, 0],
    [
      outgoingPayment('FAILED', { ...TAKEN, ...FAILED, refund: { ...REFUND, status: 'PENDING' } }),
      'REFUNDING',
      /^FAILED: WHY: 10\.00 USD was taken.*not arrived yet/,
      1_000,
    ],
    [
      outgoingPayment('FAILED', { ...TAKEN, ...FAILED, refund: { ...REFUND, status: 'COMPLETED' } }),
      'REFUNDED',
      /^FAILED AND REFUNDED: WHY: 10\.00 USD/,
      0,
    ],
    [
      outgoingPayment('FAILED', { ...TAKEN, ...FAILED, refund: { ...REFUND, status: 'FAILED' } }),
      'REFUND_FAILED',
      /could not be paid back/,
      1_000,
    ],
    [outgoingPayment('EXPIRED'), 'EXPIRED', /^EXPIRED: nothing was taken/, 0],
    [into('PENDING'), 'OPEN', /^NOT STARTED: nothing was taken from account ExternalAccount:1/, 0],
    [
      into('PENDING', BEGUN),
      'COLLECTING',
      /^STARTED: 10\.00 USD is being collected.*not reached account InternalAccount:1/,
      0,
    ],
    [into('PENDING', { agentId: undefined }), 'UNDER_WAY', /or was taken already/, undefined],
    [into('COMPLETED', TAKEN), 'COMPLETED', /^COMPLETED: .*has reached account InternalAccount:1/, 1_000],
    [into('FAILED', { ...BEGUN, ...FAILED }), 'UNTAKEN', /^FAILED: WHY: nothing was taken/, 0],
    [
      into('FAILED', { ...TAKEN, ...FAILED }),
      'SUSPENDED',
      /could not be credited to account InternalAccount:1/,
      1_000,
    ],
    [
      into('FAILED', { ...TAKEN, ...FAILED, settledAt: 'x' }),
      'REVERSED',
      /had reached account InternalAccount:1 and was taken back/,
      0,
    ],
    [into('REJECTED'), 'REJECTED', /^REJECTED: nothing was taken/, 0],
    [into('PENDING', OTHERS), 'AWAITED', /^NOT ARRIVED YET: 10\.00 USD/, undefined],
    [
      into('COMPLETED', OTHERS),
      'COMPLETED',
      /^COMPLETED: 10\.00 USD has reached account InternalAccount:1\. Tr/,
      undefined,
    ],
    [into('FAILED', { ...OTHERS, ...FAILED }), 'LOST', /did not reach account InternalAccount:1/, undefined],
  ];

  it('agents.md §6.5: every status of a payment, taken or not, has its own sentence and figures', () => {
    for (const [given, stage, words, gone] of STAGES) {
      const transaction = given as Transaction;
      const what = JSON.stringify(given);
      assert.equal(stageOf(transaction), stage, what);
      assert.match(tellTransaction(transaction), words);
      const { taken, returned } = moneyMoved(transaction, stageOf(transaction));
      const left = taken && taken.minorUnits - (returned?.minorUnits ?? 0);
      assert.equal(left, gone, what);
      if (gone) assert.doesNotMatch(tellTransaction(transaction), /nothing was taken/i);
    }
  });
});
