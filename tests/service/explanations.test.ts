import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SERVICE } from '#app/compose.ts';
import { eraseCustomer } from '#capabilities/customers/lifecycle/delete-customer.ts';
import { settleByHand } from '#capabilities/payments/operator/settle-by-hand.ts';
import { rawSql, sql } from '#foundation/database/sql.ts';
import { Work } from '#foundation/database/work.ts';
import { explainTransaction } from '#foundation/explanation/explain.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { inCurrency, platformAccounts, posts, supports } from '#tests/given/accounts.ts';
import { executeAs, givenAgentQuote, givenPrincipal, sendAs } from '#tests/given/actions.ts';
import { APPROVAL, givenConnectedAgent } from '#tests/given/agents.ts';
import { givenCardPlatform } from '#tests/given/cards.ts';
import { callsIn, type ExplanationReply, explained, movesIn, titlesIn } from '#tests/given/explanations.ts';
import { givenExternalAccount } from '#tests/given/external-accounts.ts';
import {
  askBurn,
  askMint,
  COIN,
  DONE_SECONDS,
  givenBank,
  givenCoins,
  givenSparkWallet,
} from '#tests/given/mints.ts';
import {
  advance,
  execute,
  givenFunds,
  givenOutside,
  givenPayer,
  givenPlatform,
  givenQuote,
} from '#tests/given/payments.ts';
import { bought, givenCardholder, purchaseBody, simulated } from '#tests/given/purchases.ts';
import { quoted } from '#tests/given/quotes.ts';
import { givenRates } from '#tests/given/rates.ts';
import { givenCoin } from '#tests/given/stablecoins.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

/** What one execution of a quote writes, as it did before payments could be explained. */
const ROWS_OF_EXECUTION = {
  audit_log: 1,
  counters: 1,
  events: 2,
  jobs: 1,
  ledger_balances: 1,
  ledger_entries: 2,
  transactions: 1,
};

describe('explanations of transactions of every kind', () => {
  const world = testWorld();

  function show(explanation: ExplanationReply) {
    if (process.env.SHOW_EXPLANATIONS) console.log(JSON.stringify(explanation, null, 1));
  }

  /** An executed payment of 100.00 USD to a euro account. */
  async function givenPaid(suffix = '999') {
    const platform = await givenPlatform(world);
    const payer = await givenPayer(platform);
    const to = await givenOutside(platform, payer.id, suffix);
    const quote = await givenQuote(world, platform, { from: payer.account('USD').id, to });
    assert.equal((await execute(platform, quote.id)).status, 200);
    return { platform, payer, quote, id: quote.transactionId };
  }

  it('operator.md §8.1: a card purchase cleared in parts, with an exception', async () => {
    const platform = await givenCardPlatform(world);
    const { cardId } = await givenCardholder(platform, 10_000);
    const purchase = await bought(world, platform, cardId, 6_000);
    const cardTransactionId = `Transaction:${purchase.id}`;
    const open = await explained(platform, cardTransactionId);
    show(open);
    assert.equal(
      open.summary,
      '60.00 USD is on hold in the account, because the merchant has not cleared the purchase of 60.00 USD at CORNER BOOKS yet.',
    );
    assert.deepEqual(callsIn(open), [
      `POST /sandbox/cards/${cardId}/simulate/clearing`,
      'POST /sandbox/clock/advance',
    ]);
    world.clock.advance(1_000);
    await simulated(world, platform, cardId, 'clearing', { cardTransactionId, amount: 2_000 });
    const partial = await explained(platform, cardTransactionId);
    assert.equal(
      partial.summary,
      'The merchant has taken 20.00 USD of 60.00 USD so far, and 40.00 USD is on hold in the account for the rest.',
    );
    world.clock.advance(1_000);
    await simulated(world, platform, cardId, 'clearing', { cardTransactionId, amount: 9_000 });
    const explanation = await explained(platform, cardTransactionId);
    show(explanation);
    assert.equal(
      explanation.summary,
      'The card network was paid 110.00 USD for the purchase at CORNER BOOKS, though only 60.00 USD was authorized. ' +
        '60.00 USD of it was taken from the account. ' +
        'The service covered the other 50.00 USD, and the account owes it until the operator collects it or writes it off.',
    );
    assert.equal(
      explanation.failure?.sentence,
      'The card network was paid, and 50.00 USD could not be taken from the account. The part of a clearing that is not ' +
        'on hold is taken whole or not at all, and the account had only 40.00 USD available, which it still has.',
    );
    assert.deepEqual(movesIn(explanation), [
      'none → AUTHORIZED',
      'AUTHORIZED → PARTIALLY_SETTLED',
      'PARTIALLY_SETTLED → EXCEPTION',
    ]);
    assert.equal(explanation.failure.rule, 'cards.md §6.9.2');
    assert.ok(
      titlesIn(explanation, 'entry').includes('Booked: 20.00 USD was taken from the hold for the purchase.'),
    );
    assert.deepEqual(
      titlesIn(explanation, 'request'),
      ['authorization', 'clearing', 'clearing'].map(
        (name) => `POST /sandbox/cards/{id}/simulate/${name} was answered with 202.`,
      ),
    );
    assert.deepEqual(
      explanation.waiting?.by.map(({ who }) => who),
      ['OPERATOR'],
    );
    assert.ok(explanation.items.every(({ details }) => !JSON.stringify(details).includes('RAIL:')));
  });

  it('operator.md §8.3: a declined purchase names the sandbox’s value only if that caused it', async () => {
    const platform = await givenCardPlatform(world);
    const { cardId } = await givenCardholder(platform, 1_000);
    const forced = await bought(world, platform, cardId, 500, 'CORNER BOOKS 008');
    const { failure, summary } = await explained(platform, `Transaction:${forced.id}`);
    assert.match(
      summary,
      /^Nothing has moved: the authorization of 5\.00 USD at CORNER BOOKS 008 was declined\. The issuer declined/,
    );
    assert.deepEqual(
      [failure?.reason, failure?.causedBy?.value, failure?.causedBy?.of],
      ['UNSUPPORTED_NETWORK', '008', 'the end of the merchant’s name'],
    );
    const poor = await bought(world, platform, cardId, 5_000, 'CORNER BOOKS 005');
    const declined = await explained(platform, `Transaction:${poor.id}`);
    assert.deepEqual(declined.failure, {
      reason: 'INSUFFICIENT_FUNDS',
      sentence: 'The account had 10.00 USD available, 40.00 USD less than the purchase needed.',
      rule: 'cards.md §6.6.7',
    });
  });

  it('operator.md §8.3: a decline names the check that decided, and the balance if it still is the one of that time', async () => {
    const platform = await givenCardPlatform(world);
    const { cardId, payer } = await givenCardholder(platform, 2_000);
    const forced = await bought(world, platform, cardId, 500, 'CORNER BOOKS 002');
    const byName = await explained(platform, `Transaction:${forced.id}`);
    assert.deepEqual(
      [byName.failure?.sentence, byName.failure?.rule],
      [
        'The issuer declined the purchase as INSUFFICIENT_FUNDS, because the merchant’s name ends in 002. The balance and ' +
          'the limits were not checked.',
        'cards.md §6.6.2',
      ],
    );
    const decision = byName.items.find(({ kind }) => kind === 'decision');
    assert.deepEqual(
      [decision?.rule, decision?.title.startsWith(byName.failure?.sentence ?? '?')],
      ['cards.md §6.6.2', true],
    );
    assert.deepEqual(byName.items.find(({ kind }) => kind === 'transition')?.actor, { kind: 'SERVICE' });
    const casino = { mcc: '7995' };
    const blocked = await simulated(
      world,
      platform,
      cardId,
      'authorization',
      purchaseBody(500, 'DICE', casino),
    );
    const { failure } = await explained(platform, `Transaction:${blocked.id}`);
    assert.deepEqual(
      [failure?.sentence, failure?.rule],
      ['The merchant’s category, 7995, is blocked.', 'cards.md §6.6.4'],
    );
    // The increment is declined by the name of the merchant, the purchase of too much for lack of money.
    await bought(world, platform, cardId, 300, 'CORNER BOOKS 013');
    await advance(platform, 2);
    const rows = (await platform.call('listTransactions', { query: { type: 'CARD' } })).body.data;
    const increment = rows.find(
      (row) => 'status' in row && row.status === 'DECLINED' && row.id !== byName.id,
    );
    assert.equal((await explained(platform, increment?.id ?? '')).failure?.rule, 'cards.md §6.6.2');
    const poor = await bought(world, platform, cardId, 9_000, 'CORNER BOOKS 013');
    const short = await explained(platform, `Transaction:${poor.id}`);
    assert.deepEqual([short.failure?.rule, short.failure?.causedBy], ['cards.md §6.6.7', undefined]);
    world.clock.advance(1_000);
    await givenFunds(platform, payer.account('USD').id, 10_000);
    assert.equal(
      (await explained(platform, `Transaction:${poor.id}`)).failure?.sentence,
      'The available balance of the account did not cover 90.00 USD. The account has 117.00 USD available now.',
    );
  });

  it('operator.md §8.1a: an authorization names the limits of its moment, whatever the card’s limits are later', async () => {
    const platform = await givenCardPlatform(world);
    const { cardId } = await givenCardholder(platform, 10_000);
    const limit = (limits: object) =>
      platform.send('updateCardById', { params: { id: cardId }, body: limits });
    assert.equal((await limit({ maxSpendPerTransaction: 3_000, maxSpendPerDay: 4_000 })).status, 200);
    const limitsOf = async (id: string) =>
      (await explained(platform, `Transaction:${id}`)).items.find(({ kind }) => kind === 'decision')?.details
        .limits;
    const [first, second] = [
      await bought(world, platform, cardId, 2_500),
      await bought(world, platform, cardId, 2_000),
    ];
    assert.deepEqual([first.status, second.declined_reason], ['AUTHORIZED', 'SPEND_LIMIT_EXCEEDED']);
    assert.equal((await limit({ maxSpendPerTransaction: 9_000 })).status, 200);
    const compared = { maxSpendPerTransaction: 3_000, maxSpendPerDay: 4_000 };
    assert.deepEqual(await limitsOf(first.id), { ...compared, spentToday: 0, transactionsToday: 0 });
    assert.deepEqual(await limitsOf(second.id), { ...compared, spentToday: 2_500, transactionsToday: 1 });
    const [size] = await world.database.query<{ bytes: number }>(sql`
      select max(pg_column_size(limits)) as bytes from card_transactions where platform_id = ${platform.id}`);
    assert.ok(size && size.bytes < 200, 'the budget of one authorization');
  });

  it('operator.md §8.1: a mint by wire shows each status that the service saw', async () => {
    const platform = await givenPlatform(world, { currencies: ['USD'] });
    const coin = await givenCoin(platform);
    const wallet = await givenSparkWallet(platform);
    const mint = await askMint(platform, coin, { destination: { accountId: wallet.id } });
    for (const seconds of [10, 2, 3]) await advance(platform, seconds);
    const explanation = await explained(platform, mint.body.id);
    assert.deepEqual(movesIn(explanation), [
      'none → CREATED',
      'CREATED → PENDING_FUNDING',
      'PENDING_FUNDING → PENDING_PROVIDER',
      'PENDING_PROVIDER → PROCESSING',
      'PROCESSING → COMPLETED',
    ]);
    const rules = explanation.items.filter(({ kind }) => kind === 'transition').map(({ rule }) => rule);
    assert.deepEqual(rules.slice(1), [
      'stablecoins.md §5.61',
      'stablecoins.md §5.63',
      'stablecoins.md §5.65',
      'stablecoins.md §5.66',
    ]);
  });

  it('operator.md §8.2: the quote of an agent waits for the agent, and the platform can execute it too', async () => {
    const { platform, ada, usd, bank } = await givenPrincipal(world);
    const agent = await givenConnectedAgent(platform, ada);
    const quote = await givenAgentQuote(platform, agent, { from: usd, to: bank, send: 500 });
    const { waiting } = await explained(platform, quote.transactionId);
    assert.equal(waiting?.for, 'The agent has to execute the quote.');
    assert.deepEqual(
      waiting?.by.map(({ who }) => who),
      ['AGENT', 'TOKEN', 'TOKEN'],
    );
    assert.equal((await execute(platform, quote.id)).status, 200);
  });

  it('operator.md §8.2: a mint without an answer says what is on hold, and when the service gives up', async () => {
    const platform = await givenPlatform(world, { currencies: ['USD'] });
    const coin = await givenCoin(platform, { enabled: true });
    const payer = await givenPayer(platform, 10_000);
    const wallet = await givenSparkWallet(platform);
    const mint = await askMint(platform, coin, {
      fundingSource: { type: 'SVC_INTERNAL_ACCOUNT', accountId: payer.account('USD').id },
      destination: { accountId: wallet.id },
      description: 'treasury 007',
    });
    assert.equal(mint.body.status, 'CREATED', mint.raw);
    const explanation = await explained(platform, mint.body.id);
    show(explanation);
    assert.equal(
      explanation.summary,
      '25.00 USD is on hold in the account: the mint was submitted, and the provider has not said yet whether it ' +
        'accepted it.',
    );
    assert.equal(explanation.type, 'MINT');
    const { waiting } = explanation;
    const minutes = (Date.parse(waiting?.until ?? '') - Date.parse(waiting?.since ?? '')) / 60_000;
    assert.equal(
      minutes,
      16,
      'questions are a minute apart, and the first one after a quarter of an hour is the last',
    );
    assert.match(
      waiting?.afterwards ?? '',
      /never submits twice.*after 15 minutes, the mint fails, and the hold is released\.$/,
    );
    assert.deepEqual(callsIn(explanation), ['POST /sandbox/clock/advance']);
    assert.equal(titlesIn(explanation, 'order').length, 1, 'not asked again yet');
    await advance(platform, 150);
    const waited = await explained(platform, mint.body.id);
    assert.deepEqual(titlesIn(waited, 'order'), [
      'The mint was submitted to the provider, once. The sandbox decides by the end of the description, 007: the submission ' +
        'is lost: `CREATED`, and `FAILED` after a quarter of an hour.',
      'The service has asked the provider every minute. When it last asked, the provider did not know the mint.',
    ]);
    assert.ok(Date.parse(waited.waiting?.nextCheckAt ?? '') < Date.parse(waited.waiting?.until ?? ''));
    const way = waited.waiting?.by.find(({ call }) => call);
    assert.match(
      way?.how ?? '',
      new RegExp(
        `clock to ${waited.waiting?.until}, when the mint has failed, if the provider never received it\\.`,
      ),
    );
    await advance(platform, Number(way?.call?.body?.seconds));
    const failed = await explained(platform, mint.body.id);
    assert.match(failed.summary, /^The hold was released, and the account kept the money: the mint failed\./);
    assert.deepEqual(
      [failed.failure?.rule, failed.failure?.causedBy?.value],
      ['stablecoins.md §5.68', '007'],
    );
    assert.deepEqual(movesIn(failed), ['none → CREATED', 'CREATED → FAILED']);
    assert.deepEqual(titlesIn(failed, 'entry'), [
      'Booked: 25.00 USD was put on hold for the mint.',
      'Booked: 25.00 USD on hold for the mint was released.',
    ]);
    assert.deepEqual(
      failed.items.filter(({ kind }) => kind === 'entry').map(({ details }) => details.number),
      ['L26', 'L26'],
    );
  });

  it('operator.md §8.1, §8.2: a payment that waits for an agent’s approval, by both of its ids', async () => {
    const { platform, ada, usd, bank } = await givenPrincipal(world);
    const agent = await givenConnectedAgent(platform, ada, APPROVAL);
    const quote = await givenAgentQuote(platform, agent, { from: usd, to: bank, send: 5_000 });
    const asked = await executeAs(platform, agent, quote.id);
    assert.equal(asked.body.status, 'PENDING_APPROVAL', asked.raw);
    const payment = await explained(platform, quote.transactionId);
    show(payment);
    assert.equal(
      payment.summary,
      'Nothing has moved: an agent asked for the payment, and the platform has not approved it yet.',
    );
    assert.deepEqual(callsIn(payment).slice(0, 2), [
      `POST /transactions/${quote.transactionId}/approve`,
      `POST /transactions/${quote.transactionId}/reject`,
    ]);
    assert.match(payment.waiting?.for ?? '', /The policy requires it for every payment from this account\.$/);
    const decision = payment.items.find(({ details }) => details.about === 'AGENT_POLICY');
    assert.deepEqual(
      [decision?.rule, decision?.details.limits],
      ['agents.md §4.5', { currency: 'USD', perTransactionLimit: 100_000 }],
    );
    assert.deepEqual(decision?.actor, { kind: 'AGENT', actorId: agent.id });
    const action = await explained(platform, asked.body.id);
    assert.deepEqual(
      [action.type, action.status, callsIn(action)[0]],
      ['AGENT_ACTION', 'PENDING_APPROVAL', `POST /agents/${agent.id}/actions/${asked.body.id}/approve`],
    );
    world.clock.advance(1_000);
    const approved = await platform.send('approvePendingPayment', {
      params: { transactionId: quote.transactionId },
    });
    assert.equal(approved.status, 200, approved.raw);
    const done = await explained(platform, asked.body.id);
    assert.equal(done.status, 'APPROVED');
    assert.deepEqual(movesIn(done), ['none → PENDING_APPROVAL', 'PENDING_APPROVAL → APPROVED']);
    assert.deepEqual(titlesIn(done, 'entry'), ['Booked: 50.00 USD was taken from the payer’s account.']);
    const refused = await sendAs(platform, agent, 'explainTransaction', {
      params: { transactionId: quote.transactionId },
    });
    assert.equal(refused.status, 401, 'agents read their payments elsewhere');
  });

  it('operator.md §8.1, §8.2: a payment above an agent’s threshold names it, its action and the event about it', async () => {
    const { platform, ada, usd, bank } = await givenPrincipal(world);
    await platform.receive();
    const agent = await givenConnectedAgent(platform, ada, {
      approvalThresholds: { currency: 'USD', amount: 2_000 },
    });
    world.clock.advance(1_000);
    await advance(platform, 60);
    const quote = await givenAgentQuote(platform, agent, { from: usd, to: bank, send: 5_000 });
    const asked = await executeAs(platform, agent, quote.id);
    assert.equal(asked.body.status, 'PENDING_APPROVAL', asked.raw);
    world.clock.advance(1_000);
    await advance(platform, 2);
    const why = '50.00 USD is above the policy’s threshold of 20.00 USD.';
    const payment = await explained(platform, quote.transactionId);
    assert.ok(payment.waiting?.for.endsWith(why), payment.waiting?.for);
    assert.deepEqual(
      payment.related.filter(({ relation }) => relation === 'agent’s action'),
      [{ id: asked.body.id, relation: 'agent’s action' }],
    );
    assert.ok(
      titlesIn(payment, 'event').includes(
        'The event AGENT_ACTION.PENDING_APPROVAL was created, and has been delivered.',
      ),
    );
    const action = await explained(platform, asked.body.id);
    assert.ok(action.waiting?.for.endsWith(why), action.waiting?.for);
    for (const { items } of [payment, action]) {
      const request = items.findIndex(
        ({ details }) => details.route === '/agents/me/quotes/{quoteId}/execute',
      );
      const decided = items.findIndex(({ details }) => details.about === 'AGENT_POLICY');
      assert.ok(request >= 0 && request < decided, 'operator.md §8.1b: the request before its decision');
      assert.ok(items[decided]?.title.endsWith(why));
      assert.deepEqual(items[decided]?.details.approvalThreshold, { currency: 'USD', amount: 2_000 });
    }
    world.clock.advance(1_000);
    const changed = await platform.call('updateAgentPolicy', {
      params: { agentId: agent.id },
      body: { approvalThresholds: { currency: 'USD', amount: 1_000 } },
    });
    assert.equal(changed.status, 200, changed.raw);
    const { waiting } = await explained(platform, quote.transactionId);
    assert.ok(!waiting?.for.includes('threshold'), 'the policy of that time is not known');
  });

  it('operator.md §8.1: a burn says where its dollars go, and over which rail', async () => {
    const platform = await givenPlatform(world, { currencies: ['USD'] });
    const coin = await givenCoin(platform, { enabled: true });
    await supports(platform, ['USD', coin.symbol]);
    const payer = await givenPayer(platform, 0);
    await givenCoins(platform, coin, 30n * COIN, payer.account(coin.symbol).id);
    const bank = await givenBank(platform);
    const burn = await askBurn(platform, coin, {
      amount: String(10n * COIN),
      source: { type: 'SVC_INTERNAL_ACCOUNT', accountId: payer.account(coin.symbol).id },
      destination: { type: 'EXTERNAL_ACCOUNT', externalAccountId: bank.id, rail: 'WIRE' },
    });
    assert.equal(burn.status, 201, burn.raw);
    await advance(platform, DONE_SECONDS);
    const { summary, items } = await explained(platform, burn.body.id);
    assert.equal(
      summary,
      `Coins worth 10.00 USD were burned. The provider reported that it pays 10.00 USD over WIRE to ${bank.id}.`,
    );
    assert.ok(items.some(({ title }) => title.endsWith('was put on hold for the burn.')));
  });

  it('operator.md §8.2: an operator gets the commands that end a wait, and a platform does not', async () => {
    const { platform, id } = await givenPaid('007');
    await advance(platform, 5);
    const shown = await explained(platform, id);
    assert.deepEqual(
      shown.waiting?.by.map(({ who, command }) => [who, command]),
      [['OPERATOR', undefined]],
    );
    const { runtime, platform: own } = await platform.work();
    const work = new Work(runtime, own, { kind: 'operator', id: 'grace' });
    const full = await work.read((tx) => explainTransaction(tx, SERVICE, id, 'OPERATOR'));
    const [assign] = full.waiting?.by ?? [];
    assert.match(
      assign?.command ?? '',
      /^corridor suspense resolve JournalEntry:[0-9a-f-]{36} --to <internal account> --reason "<why>"$/,
    );
    assert.match(full.summary, /100\.00 USD could not be paid back either, and waits for the operator\.$/);
    const slow = await givenPaid('003');
    const slowWork = await slow.platform.work();
    const waiting = await slowWork.read((tx) => explainTransaction(tx, SERVICE, slow.id, 'OPERATOR'));
    assert.deepEqual(
      waiting.waiting?.by.flatMap(({ who, command }) => (who === 'OPERATOR' ? [command] : [])),
      [
        `corridor payment settle ${slow.id} --reason "<why>"`,
        `corridor payment fail ${slow.id} --reason "<why>"`,
      ],
    );
  });

  it('operator.md §8.4: another platform’s transaction, an unknown one and anything else is 404', async () => {
    const { id } = await givenPaid();
    const other = await givenPlatform(world);
    for (const transactionId of [
      id,
      id.slice(12),
      `Transaction:${newUuid()}`,
      'nobody',
      `Customer:${newUuid()}`,
    ]) {
      const reply = await other.send('explainTransaction', { params: { transactionId } });
      assert.deepEqual([reply.status, reply.body.code], [404, 'TRANSACTION_NOT_FOUND'], transactionId);
    }
  });

  it('operator.md §8.4: keeps the newest 500 items, and says so', async () => {
    const { platform, id } = await givenPaid();
    assert.equal((await explained(platform, id)).isTruncated, false);
    const work = await platform.work();
    await work.write((tx) =>
      tx.sql`
        insert into webhook_attempts (platform_id, event_id, attempt, at, url, duration_ms, status)
        select e.platform_id, e.id, 1000 + n, now() + interval '1 year', '\\x01'::bytea, 5, 500
          from generate_series(1, 600) n,
               (select platform_id, id from events where platform_id = ${tx.platformId} and resource_id = ${id}
                 order by seq limit 1) e`.then(() => undefined),
    );
    const explanation = await explained(platform, id);
    assert.deepEqual([explanation.items.length, explanation.isTruncated], [500, true]);
    assert.ok(explanation.items.every(({ kind }) => kind === 'attempt'));
    assert.equal(explanation.items.at(-1)?.details.attempt, 1600);
    assert.match(explanation.summary, /set aside for the receiver/);
  });

  it('operator.md §8.4: after an erasure nothing of the customer is left, and the rest is explained', async () => {
    const { platform, payer, id } = await givenPaid('004');
    await advance(platform, 5);
    assert.equal((await explained(platform, id)).failure?.causedBy?.value, '004');
    const left = (await platform.call('listCustomerInternalAccounts', { query: { customerId: payer.id } }))
      .body;
    const usd = inCurrency(left.data, 'USD');
    const out = await givenOutside(platform, payer.id);
    const all = await quoted(platform, { from: usd.id, to: out, send: usd.balance.amount });
    await execute(platform, all.id);
    await advance(platform, 5);
    const deleted = await platform.call('deleteCustomerById', { params: { customerId: payer.id } });
    assert.equal(deleted.status, 200, deleted.raw);
    await (await platform.work()).write((tx) => eraseCustomer(tx, uuidOf(payer.id)));
    const explanation = await explained(platform, id);
    assert.equal(explanation.status, 'FAILED');
    assert.match(explanation.summary, /The payer got all of the money back/);
    assert.equal(explanation.failure?.reason, 'ACCOUNT_CANNOT_RECEIVE');
    assert.equal(explanation.failure.causedBy, undefined);
    assert.ok(!JSON.stringify(explanation).includes('"value":"004"'));
  });

  it('operator.md §8.1: without the request log, the audit log names who created and executed it', async () => {
    const { platform, id } = await givenPaid();
    await explained(platform, id);
    await world.database.query(sql`delete from request_logs where platform_id = ${platform.id}`);
    const explanation = await explained(platform, id);
    assert.deepEqual(titlesIn(explanation, 'request').toSorted(), [
      'A request performed createQuote.',
      'A request performed executeQuote.',
    ]);
    const started = explanation.items.find(({ details }) => details.to === 'PROCESSING');
    assert.match(started?.actor?.actorId ?? '', /^Token:/);
  });

  it('operator.md §8.4: an operator sees all lines, the name and the reason; the platform sees neither', async () => {
    const { platform, id } = await givenPaid('003');
    await world.app.worker.settle(platform.id);
    const { runtime, platform: own } = await platform.work();
    const work = new Work(runtime, own, { kind: 'operator', id: 'grace' });
    await work.write((tx) =>
      settleByHand(tx, SERVICE.transactionSources, {
        transactionId: uuidOf(id),
        action: 'settle',
        reason: 'case 4711',
      }),
    );
    const shown = JSON.stringify(await explained(platform, id));
    for (const hidden of ['grace', '4711', 'RAIL:', 'INFLIGHT:', 'FX:'])
      assert.ok(!shown.includes(hidden), hidden);
    const forOperator = await work.read((tx) => explainTransaction(tx, SERVICE, id, 'OPERATOR'));
    const full = JSON.stringify(forOperator);
    for (const visible of ['grace', '4711', 'RAIL:', 'INFLIGHT:', 'FX:'])
      assert.ok(full.includes(visible), visible);
  });

  it('operator.md §8.2: production offers no calls of the sandbox, and names no value', async () => {
    const live = await givenLive();
    const to = await givenExternalAccount(live.platform, 'EUR_ACCOUNT', { iban: 'DE35370400440532013002' });
    await live.activate('external_accounts');
    const quote = await quoted(live.platform, { from: live.usd, to: to.id, send: 10_000 });
    const open = await explained(live.platform, quote.id);
    assert.deepEqual(callsIn(open), [`POST /quotes/${quote.id}/execute`]);
    assert.equal((await execute(live.platform, quote.id)).status, 200);
    await world.app.worker.settle(live.platform.id);
    const explanation = await explained(live.platform, quote.transactionId);
    assert.ok(!JSON.stringify(explanation).includes('sandbox'));
    assert.ok(!JSON.stringify(explanation).includes('causedBy'));
    assert.deepEqual(
      explanation.waiting?.by.map(({ who }) => who),
      ['RAIL', 'OPERATOR', 'TOKEN'],
    );
    assert.ok(explanation.items.some(({ kind, details }) => kind === 'request' && details.method === 'POST'));
  });

  async function givenLive() {
    const platform = await givenPlatform(world, { environment: 'PRODUCTION' });
    await givenRates(world);
    const activate = async (table: 'internal_accounts' | 'external_accounts') => {
      const set = table === 'internal_accounts' ? sql`, provisioning = 'COMPLETED'` : sql``;
      const name = table === 'internal_accounts' ? sql`internal_accounts` : sql`external_accounts`;
      await world.database.query(
        sql`update ${name} set status = 'ACTIVE'${set} where platform_id = ${platform.id}`,
      );
    };
    await activate('internal_accounts');
    const account = inCurrency(await platformAccounts(platform), 'USD');
    await posts(platform, account, 'deposit', 100_000n);
    return { platform, usd: account.id, activate };
  }

  it('operator.md §8.1a: an execution stores at most 200 bytes more, and no more rows', async () => {
    const { platform, quote } = await givenPaid();
    const [row] = await world.database.query<{ payment: number; details: number }>(sql`
      select pg_column_size(t.daily_limit) as payment,
             pg_column_size(jsonb_build_object('sizeLimit', t.details -> 'sizeLimit')) as details
        from transactions t where t.platform_id = ${platform.id} and t.quote_id = ${uuidOf(quote.id)}`);
    assert.deepEqual(await rowsOfCommit(platform, uuidOf(quote.id)), ROWS_OF_EXECUTION);
    assert.equal(row?.payment, 8);
    assert.ok(row.details > 0 && row.details + row.payment <= 200, JSON.stringify(row));
    assert.equal((await limitsBytes()) <= 200, true);
  });

  /** The rows that the last commit to a payment wrote, by table. */
  async function rowsOfCommit(platform: TestPlatform, quoteId: string): Promise<Record<string, number>> {
    // Queues are shared by the events of a resource, and may be there already.
    const tables = await world.database.query<{ name: string }>(sql`
      select relname as name from pg_class
       where relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace
         and relname <> 'webhook_queues'
       order by 1`);
    const [commit] = await world.database.query<{ xid: string }>(sql`
      select xmin::text as xid from transactions where platform_id = ${platform.id} and quote_id = ${quoteId}`);
    const counts: Record<string, number> = {};
    for (const { name } of tables) {
      const [found] = await world.database.query<{ count: number }>(
        sql`select count(*)::int as count from ${rawSql(name)} where xmin::text = ${commit?.xid}`,
      );
      if (found && found.count > 0) counts[name] = found.count;
    }
    return counts;
  }

  /** The stored limits of an agent's policy, each of them as large as it can be. */
  async function limitsBytes(): Promise<number> {
    const { platform, ada, usd, bank } = await givenPrincipal(world);
    const most = Number.MAX_SAFE_INTEGER;
    const spendingLimits = {
      ...{ currency: 'USD', perTransactionLimit: most, dailyTransactionLimit: 1_000_000 },
      ...{ dailyLimit: most, monthlyLimit: most },
    };
    const agent = await givenConnectedAgent(platform, ada, { spendingLimits });
    const quote = await givenAgentQuote(platform, agent, { from: usd, to: bank, send: 5_000 });
    assert.equal((await executeAs(platform, agent, quote.id)).body.status, 'APPROVED');
    const [row] = await world.database.query<{ bytes: number }>(sql`
      select pg_column_size(limits) as bytes from agent_actions where platform_id = ${platform.id}`);
    assert.ok(row);
    return row.bytes;
  }

  it('operator.md §8.1: explains a deposit, a transfer between customers, and the receiver’s own row', async () => {
    const platform = await givenPlatform(world);
    const [ada, bea] = [await givenPayer(platform), await givenPayer(platform, 0)];
    await givenFunds(platform, bea.account('USD').id, 700);
    const list = async (customerId: string) =>
      (await platform.call('listTransactions', { query: { customerId } })).body.data;
    const [deposit] = await list(bea.id);
    const credited = await explained(platform, deposit?.id ?? '');
    assert.deepEqual(
      [credited.summary, movesIn(credited)],
      ['7.00 USD was credited to the receiver.', ['none → COMPLETED']],
    );
    world.clock.advance(1_000);
    const quote = await quoted(platform, {
      from: ada.account('USD').id,
      to: bea.account('USD').id,
      send: 500,
    });
    await execute(platform, quote.id);
    await advance(platform, 2);
    const [mirror] = await list(bea.id);
    const received = await explained(platform, mirror?.id ?? '');
    assert.deepEqual(
      received.related.filter(({ relation }) => relation === 'the payer’s transaction'),
      [{ id: quote.transactionId, relation: 'the payer’s transaction' }],
    );
    assert.deepEqual(movesIn(received), ['none → COMPLETED']);
    assert.ok(titlesIn(received, 'entry').some((title) => title.includes('5.00 USD was delivered')));
  });

  it('operator.md §8.2: an incoming payment that waits for the platform, and one that it rejects', async () => {
    const platform = await givenPlatform(world);
    const receiver = await platform.receive();
    receiver.answer(() => ({ status: 202 }));
    const ada = await givenPayer(platform, 0);
    const offered = await offer(platform, ada.id);
    await world.app.worker.settle(platform.id);
    const waiting = await explained(platform, offered);
    assert.match(waiting.summary, /has not decided whether to accept the payment/);
    assert.deepEqual(callsIn(waiting), [
      `POST /transactions/${offered}/approve`,
      `POST /transactions/${offered}/reject`,
    ]);
    await platform.send('rejectPendingPayment', { params: { transactionId: offered } });
    const rejected = await explained(platform, offered);
    assert.deepEqual(movesIn(rejected), ['none → PENDING', 'PENDING → REJECTED']);
    assert.equal(rejected.summary, 'Nothing has moved: the platform rejected the payment.');
  });

  async function offer(platform: TestPlatform, customerId: string): Promise<string> {
    const reply = await platform.send('sandboxReceive', {
      body: {
        senderUmaAddress: '$success.usd@sandbox.corridor.test',
        customerId,
        receivingCurrencyCode: 'USD',
        receivingCurrencyAmount: 1_000,
      },
    });
    assert.equal(reply.status, 200, reply.raw);
    return reply.body.id;
  }
});
