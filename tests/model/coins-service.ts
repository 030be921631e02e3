import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { bookDeposit } from '#capabilities/payments/operator/book-deposit.ts';
import { sql } from '#foundation/database/sql.ts';
import { Refusal } from '#foundation/lib/refusals.ts';
import { supports } from '#tests/given/accounts.ts';
import { givenSparkWallet as givenPaidWallet } from '#tests/given/coins.ts';
import { askBurn, askMint, givenBank, givenSparkWallet, loadCoinBooks } from '#tests/given/mints.ts';
import { advance, givenPayer, givenPlatform, type Payer } from '#tests/given/payments.ts';
import { askQuote } from '#tests/given/quotes.ts';
import { type CoinReply, decideOn, givenCoin } from '#tests/given/stablecoins.ts';
import type { Answered as Reply, TestPlatform, World } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';
import { type Answered, CUT_OFF_MS } from '#tests/model/coins-model.ts';
import { BANKS, type Making, type Owner, type Step } from '#tests/model/coins-steps.ts';
import { killDuring } from '#tests/model/killable.ts';

/** The request, and the reply to it. */
interface Made {
  readonly wish: Making;
  readonly key: string;
  readonly id: string;
  readonly raw: string;
}

interface Cast {
  readonly platform: TestPlatform;
  readonly coin: CoinReply;
  readonly payers: Readonly<Record<Owner, Payer>>;
  /** External accounts by what they are for: the last digits of banks, wallets that coins go to. */
  readonly outside: ReadonlyMap<string, string>;
}

/** The service, driven by the same steps as its model. */
export class CoinsService {
  readonly platform: TestPlatform;
  /** Mints and burns that were made, in their order. */
  readonly made: Made[] = [];
  readonly #world: World;
  readonly #cast: Cast;

  private constructor(world: World, cast: Cast) {
    this.#world = world;
    this.#cast = cast;
    this.platform = cast.platform;
  }

  /** A new platform with an enabled coin, and two customers without money. */
  static async open(world: World): Promise<CoinsService> {
    const platform = await givenPlatform(world, { currencies: ['USD'] });
    const coin = await givenCoin(platform, { providerTokenIdentifier: 'acme', enabled: true });
    await supports(platform, ['USD', coin.symbol], 1_000_000_000_000);
    const payers = { A: await givenPayer(platform, 0), B: await givenPayer(platform, 0) };
    const outside = new Map<string, string>();
    for (const bank of BANKS) outside.set(bank, (await givenBank(platform, bank)).id);
    outside.set('wallet', (await givenSparkWallet(platform)).id);
    const customerId = payers.A.id;
    outside.set('paid', await givenPaidWallet(platform, { customerId }));
    outside.set('fails', await givenPaidWallet(platform, { customerId, suffix: '004' }));
    return new CoinsService(world, { platform, coin, payers, outside });
  }

  async now(): Promise<number> {
    return Date.parse((await this.platform.call('getSandboxClock')).body.now);
  }

  /** Real time passes, and with it the platform's. */
  async tick(ms: number): Promise<void> {
    this.#world.clock.advance(ms);
    await this.#world.app.worker.settle(this.platform.id);
  }

  /** The same for longer: everything that falls due on the way runs at its time, so that the order is known. */
  async #pass(ms: number): Promise<void> {
    const end = this.#world.clock.now() + ms;
    for (let left = ms; left > 0; left = end - this.#world.clock.now()) {
      const dueIn = await this.#nextDueIn();
      await this.tick(dueIn > 0 ? Math.min(dueIn, left) : left);
    }
  }

  async #nextDueIn(): Promise<number> {
    const [next] = await this.#world.database.query<{ due_at: Date | null }>(
      sql`select min(due_at) as due_at from jobs where platform_id = ${this.platform.id}`,
    );
    return next?.due_at ? next.due_at.getTime() - (await this.now()) : Number.POSITIVE_INFINITY;
  }

  async apply(step: Step, named: number | undefined): Promise<Answered> {
    switch (step.does) {
      case 'mint':
      case 'burn':
        return this.#make(step, randomUUID());
      case 'kill':
        return this.#makeCutOff(step.during, step.turns);
      case 'again':
        return this.#repeat(this.made[named ?? -1], step.isChanged);
      case 'fund': {
        const params = { accountId: this.#accountId('USD', 'A') };
        return answerTo(
          await this.platform.send('sandboxFundInternalAccount', { params, body: { amount: step.cents } }),
        );
      }
      case 'pay': {
        const [from, to] = [this.#accountId('ACME', 'A'), this.#accountId('ACME', 'B')];
        const more = { immediatelyExecute: true };
        return answerTo(await askQuote(this.platform, { from, to, send: step.units, more }));
      }
      case 'payOut':
        return this.#payOut(step.units, step.fails ? 'fails' : 'paid');
      case 'deposit':
        return this.#deposit(step.to, step.units);
      case 'disable':
      case 'enable':
        return awaitCode(decideOn(this.platform, this.#cast.coin, step.does));
      case 'advance':
        await advance(this.platform, step.seconds);
        return { answer: '200' };
    }
  }

  /** The process dies during the call. When the call must be over it is repeated, and again if it had no effect. */
  #makeCutOff(wish: Making, turns: number): Promise<Answered> {
    const key = randomUUID();
    let isFirst = true;
    return killDuring(this.#world, turns, async () => {
      if (isFirst) {
        isFirst = false;
        await this.#ask(wish, key);
        return { answer: 'the answer is lost' };
      }
      await this.#pass(CUT_OFF_MS);
      return this.#make(wish, key);
    });
  }

  async #make(wish: Making, key: string): Promise<Answered> {
    let reply = await this.#ask(wish, key);
    if (reply.raw.includes('ended before anything was stored')) reply = await this.#ask(wish, key);
    if (reply.status !== 201) return answerTo(reply);
    const { id, status, createdAt } = reply.body as { id: string; status: string; createdAt: string };
    this.made.push({ wish, key, id: uuidOf(id), raw: reply.raw });
    return { answer: `201 ${status}`, createdAt: Date.parse(createdAt) };
  }

  async #repeat(made: Made | undefined, isChanged: boolean): Promise<Answered> {
    if (!made) return { answer: 'nothing' };
    const { wish, key, raw } = made;
    const reply = await this.#ask(isChanged ? { ...wish, amount: wish.amount + 10_000n } : wish, key);
    if (reply.status !== 201) return answerTo(reply);
    assert.equal(reply.raw, raw, 'the first reply again');
    return { answer: `the same: 201 ${(reply.body as { status: string }).status}` };
  }

  #ask(wish: Making, key: string): Promise<Reply<unknown>> {
    const { coin, outside } = this.#cast;
    const body = { amount: String(wish.amount), description: `model ${wish.ending}` };
    if (wish.does === 'burn') {
      const destination = {
        type: 'EXTERNAL_ACCOUNT',
        externalAccountId: outside.get(wish.bank),
        rail: 'WIRE',
      };
      const source = {
        type: wish.source,
        ...(wish.source === 'SVC_INTERNAL_ACCOUNT' && { accountId: this.#accountId('ACME', 'A') }),
      };
      return askBurn(this.platform, coin, { ...body, source, destination }, { key });
    }
    const accountId = wish.to === 'wallet' ? outside.get('wallet') : this.#accountId('ACME', wish.to);
    return askMint(
      this.platform,
      coin,
      { ...body, fundingSource: this.#fundingSource(wish), destination: { accountId } },
      { key },
    );
  }

  #fundingSource({ source: type, bank }: Making): object {
    switch (type) {
      case 'ACH_DEBIT':
      case 'SAME_DAY_ACH_DEBIT':
        return { type, externalAccountId: this.#cast.outside.get(bank) };
      case 'SVC_INTERNAL_ACCOUNT':
        return { type, accountId: this.#accountId('USD', 'A') };
      case 'PROVIDER_INTERNAL_BALANCE':
        return { type, sourceTokenIdentifier: 'USDC', cryptoNetwork: 'SOLANA' };
      default:
        return { type };
    }
  }

  async #payOut(amount: number, wallet: 'paid' | 'fails'): Promise<Answered> {
    const body = {
      source: { accountId: this.#accountId('ACME', 'A') },
      destination: { accountId: this.#cast.outside.get(wallet) },
      amount,
    };
    return answerTo(await this.platform.send('createTransferOut', { body }));
  }

  async #deposit(to: Owner, units: number): Promise<Answered> {
    const wanted = {
      ...{
        accountId: uuidOf(this.#accountId('ACME', to)),
        amount: BigInt(units),
        currency: 'ACME',
        rail: 'SPARK',
      },
      ...{ sender: 'a wallet', bankReference: randomUUID(), reason: 'model' },
    };
    const work = await this.platform.work();
    return awaitCode(work.write((tx) => bookDeposit(tx, wanted)));
  }

  #accountId(currency: string, owner: Owner): string {
    return this.#cast.payers[owner].account(currency).id;
  }

  /** All visible fields of the operations, in the order of their creation. */
  async statuses(): Promise<string[]> {
    const rows = await this.#world.database.query<{
      id: string;
      status: string;
      failure_reason: string | null;
    }>(
      sql`select id, status, failure_reason from stablecoin_operations
           where platform_id = ${this.platform.id} and status <> 'REFUSED'`,
    );
    const byId = new Map(rows.map((row) => [row.id, row]));
    assert.equal(rows.length, this.made.length, 'as many operations as were made');
    return this.made.map(({ id }) => `${byId.get(id)?.status} ${byId.get(id)?.failure_reason ?? ''}`.trim());
  }

  /** Available and on hold in each account. */
  async balances(): Promise<Record<'USD' | Owner, readonly [bigint, bigint]>> {
    const ids = {
      USD: uuidOf(this.#accountId('USD', 'A')),
      A: uuidOf(this.#accountId('ACME', 'A')),
      B: uuidOf(this.#accountId('ACME', 'B')),
    };
    const names = Object.values(ids).flatMap((id) => [`AVAIL:${id}`, `HOLD:${id}`]);
    const rows = await this.#world.database.query<{ account: string; balance: bigint }>(sql`
      select account, balance from ledger_balances
       where platform_id = ${this.platform.id} and account = any(${names}::text[])`);
    const balanceOf = (name: string) => rows.find(({ account }) => account === name)?.balance ?? 0n;
    const both = (id: string) => [balanceOf(`AVAIL:${id}`), balanceOf(`HOLD:${id}`)] as const;
    return { USD: both(ids.USD), A: both(ids.A), B: both(ids.B) };
  }

  books() {
    return loadCoinBooks(this.platform, this.#cast.coin);
  }

  async enablement(): Promise<string> {
    const params = { stablecoinId: this.#cast.coin.id };
    return (await this.platform.call('getStablecoin', { params })).body.svcOperationsStatus;
  }

  /** The statuses that the API lists, over all pages. */
  async listed(): Promise<string[]> {
    const params = { stablecoinId: this.#cast.coin.id };
    const all: string[] = [];
    for (let cursor: string | undefined; ; ) {
      const query = { limit: 100, ...(cursor !== undefined && { cursor }) };
      const { body } = await this.platform.call('listStablecoinOperations', { params, query });
      all.push(...body.data.map(({ status, failureReason }) => `${status} ${failureReason ?? ''}`.trim()));
      cursor = body.nextCursor;
      if (cursor === undefined) return all;
    }
  }
}

function answerTo({ status, body }: Reply<unknown>): Answered {
  return { answer: `${status} ${(body as { code?: string }).code ?? ''}`.trim() };
}

/** The outcome of the operator's action. */
async function awaitCode(work: Promise<unknown>): Promise<Answered> {
  try {
    const result = await work;
    return { answer: result instanceof Refusal ? result.code : 'OK' };
  } catch (error) {
    if (error instanceof Refusal) return { answer: error.code };
    throw error;
  }
}
