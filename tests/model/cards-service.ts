import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { freezeAccount, unfreezeAccount } from '#capabilities/accounts/change-status.ts';
import type { NetworkNotice, NoticeAnswer } from '#capabilities/cards/machine/notice.ts';
import { receiveNotice } from '#capabilities/cards/notices/receive-notice.ts';
import { receiveReports } from '#capabilities/payments/settlement/notices.ts';
import { sql } from '#foundation/database/sql.ts';
import { Work } from '#foundation/database/work.ts';
import { NIL_ID } from '#foundation/lib/ids.ts';
import { Refusal } from '#foundation/lib/refusals.ts';
import { fetchAccounts, inCurrency } from '#tests/given/accounts.ts';
import { givenCardPlatform } from '#tests/given/cards.ts';
import { givenDelegatedKey } from '#tests/given/delegated-keys.ts';
import { advance, givenOutside, givenPayer, type Payer } from '#tests/given/payments.ts';
import { type SimulatedKind, simulate } from '#tests/given/purchases.ts';
import type { TestPlatform, World } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';
import {
  type Act,
  fundedUnits,
  type Message,
  type Simulation,
  type Terms,
} from '#tests/model/cards-model.ts';
import type { Change, Currency } from '#tests/model/cards-steps.ts';
import { killDuring } from '#tests/model/killable.ts';

/** The service's answer, with the token of a simulator's reply. */
export interface Answered {
  readonly answer: string;
  readonly token?: string | undefined;
}

/** The visible fields of a card transaction; amounts as text, for a quick comparison. */
export interface CardTransactionSnapshot {
  readonly token: string;
  readonly id: string;
  readonly card: number;
  readonly account: Currency;
  readonly direction: string;
  readonly status: string;
  readonly authorized: string;
  readonly settled: string | null;
  readonly hold: string;
  readonly receivable: string;
  readonly reason: string | null;
  readonly original: string | null;
  readonly at: number;
  readonly expires_at: number | null;
  /** Its sums in the ledger. */
  readonly owed: string;
}

/** The service, driven by the same acts as its model. */
export class CardsService {
  readonly platform: TestPlatform;
  readonly told = new Map<string, string[]>();
  readonly #world: World;
  readonly #terms: Terms;
  readonly #payer: Payer;
  readonly #outside: string;
  readonly #cards: string[] = [];
  readonly #pulls: TransactionId[] = [];
  readonly #keys = new Map<string, string>();
  #lastSeq = 0n;

  private constructor(world: World, terms: Terms, platform: TestPlatform, payer: Payer, outside: string) {
    this.#world = world;
    this.#terms = terms;
    this.platform = platform;
    this.#payer = payer;
    this.#outside = outside;
  }

  /** A new platform, with one customer without money. */
  static async open(world: World, terms: Terms): Promise<CardsService> {
    const uncoveredMax = terms.uncoveredMax === null ? null : Number(terms.uncoveredMax);
    const platform = await givenCardPlatform(world, {
      // The longest there is: nothing here may depend on the speed of the machine.
      settings: { cards: { uncoveredMax, decisionMs: 60_000 } } as never,
    });
    const payer = await givenPayer(platform, 0);
    const outside = await givenOutside(platform, payer.id, '115', 'USD_ACCOUNT');
    return new CardsService(world, terms, platform, payer, outside);
  }

  async apply(act: Act): Promise<Answered> {
    if (act.does !== 'kill') return this.#apply(act);
    const key = randomUUID();
    return killDuring(this.#world, act.turns, () => this.#apply(act.during, key));
  }

  settle(): Promise<void> {
    return this.#world.app.worker.settle(this.platform.id);
  }

  #apply(act: Act, key?: string): Promise<Answered> {
    switch (act.does) {
      case 'message':
        return this.#receive(act.message);
      case 'simulate':
        return this.#simulate(act.call, key);
      case 'patch':
        return this.#patch(act.card, act.change);
      case 'fund':
        return this.#reply('sandboxFundInternalAccount', {
          params: { accountId: this.#accountId(act.account) },
          body: { amount: Number(fundedUnits(act.account, act.cents, act.odd)) },
        });
      case 'withdraw':
        return this.#transfer('createTransferOut', this.#accountId('USD'), this.#outside, act.cents);
      case 'pull':
        return this.#pull(act.cents);
      case 'claw':
        return this.#claw(this.#pulls[act.pull] ?? NIL_ID);
      case 'freeze':
      case 'unfreeze':
        return this.#changeAccount(act.does, act.account);
      case 'key':
        return this.#changeKey(this.#cards[act.card] ?? '', act.change);
      case 'issue':
        return this.#issue(act.account, act.months);
      case 'advance':
        return done(advance(this.platform, act.seconds));
      case 'settle':
        return done(this.settle());
      case 'kill':
        return this.apply(act);
    }
  }

  async #receive({ card, type: kind, ...message }: Message): Promise<Answered> {
    const sent = { kind, ...message, cardId: this.#cards[card] } as NetworkNotice;
    return { answer: answerText(await receiveNotice(await this.#network(), sent)) };
  }

  /** The environment of a processor's adapter: the issuer states whether it approves uncovered purchases. */
  async #network(): Promise<Work> {
    const { runtime, platform, actor } = await this.platform.work();
    const { approvesUncovered } = this.#terms;
    const ports: typeof runtime.ports = (environment) => {
      const own = runtime.ports(environment);
      return { ...own, cards: { ...own.cards, approvesUncovered } };
    };
    return new Work({ ...runtime, ports }, platform, actor);
  }

  async #simulate({ kind, card, amount, merchant, parent }: Simulation, key?: string): Promise<Answered> {
    const id = `Card:${this.#cards[card]}`;
    const body = {
      ...(amount !== undefined && { amount: Number(amount) }),
      ...(merchant && { merchant }),
      ...(merchant && amount !== undefined && { currency: { code: 'USD' } }),
      ...(parent !== undefined && { cardTransactionId: await this.#idOf(parent) }),
    };
    const reply = await simulate(this.platform, id, kind as SimulatedKind, body, key);
    return reply.status === 202
      ? { answer: 'OK', token: reply.body.issuerTransactionToken }
      : { answer: reply.body.code };
  }

  async #idOf(token: string): Promise<string> {
    const [row] = await this.#query<{ id: string }>(
      sql`select id from card_transactions where platform_id = ${this.platform.id} and token = ${token}`,
    );
    return `Transaction:${row?.id ?? randomUUID()}`;
  }

  #patch(card: number, { fundingSource, ...change }: Change): Promise<Answered> {
    const source = fundingSource && { fundingSource: this.#accountId(fundingSource) };
    return this.#reply('updateCardById', {
      params: { id: this.#cards[card] ?? '' },
      body: { ...change, ...source },
    });
  }

  async #reply(operation: string, call: object): Promise<Answered> {
    const { status, body } = await this.platform.send(operation, call);
    return { answer: status < 300 ? 'OK' : String((body as { code?: string }).code) };
  }

  async #transfer(operation: string, from: string, to: string, amount: number): Promise<Answered> {
    const body = { source: { accountId: from }, destination: { accountId: to }, amount };
    return this.#reply(operation, { body });
  }

  /** Money that a bank sends, and may take back. */
  async #pull(amount: number): Promise<Answered> {
    const body = {
      source: { accountId: this.#outside },
      destination: { accountId: this.#accountId('USD') },
      amount,
    };
    const reply = await this.platform.send('createTransferIn', { body });
    assert.equal(reply.status, 201, reply.raw);
    this.#pulls.push(uuidOf((reply.body as { id: string }).id));
    return done(advance(this.platform, 2));
  }

  async #claw(reference: TransactionId): Promise<Answered> {
    const work = await this.platform.work();
    const notices = [{ kind: 'collectionReversed' } as const];
    return done(work.write((tx) => receiveReports(tx, [{ reference, notices }])));
  }

  async #changeAccount(change: 'freeze' | 'unfreeze', account: Currency): Promise<Answered> {
    const action = { accountId: uuidOf(this.#accountId(account)), reason: 'model' };
    const work = await this.platform.work();
    try {
      await work.write((tx) => (change === 'freeze' ? freezeAccount : unfreezeAccount)(tx, action));
      return { answer: 'OK' };
    } catch (error) {
      if (error instanceof Refusal) return { answer: error.code };
      throw error;
    }
  }

  async #changeKey(cardId: string, change: 'grant' | 'revoke'): Promise<Answered> {
    if (change === 'grant') {
      const internalAccountId = this.#accountId('USDB');
      const body = { cardId: `Card:${cardId}`, internalAccountId, nickname: 'model' };
      this.#keys.set(cardId, (await givenDelegatedKey(this.platform, body)).id);
      return { answer: 'OK' };
    }
    return this.#reply('revokeDelegatedKey', { params: { id: this.#keys.get(cardId) ?? '' } });
  }

  /** `months` is how long the card is good for; the sandbox prints three years on every card. */
  async #issue(account: Currency, months: number): Promise<Answered> {
    const body = { customerId: this.#payer.id, form: 'VIRTUAL', fundingSource: this.#accountId(account) };
    const made = await this.platform.send('createCard', { body });
    if (made.status !== 201) return { answer: String((made.body as { code?: string }).code) };
    const id = uuidOf(made.body.id);
    this.#cards.push(id);
    await advance(this.platform, 1);
    await this.#query(sql`
      update cards c
         set exp_month = extract(month from ends.at), exp_year = extract(year from ends.at)
        from (select make_date(exp_year - 3, exp_month, 1) + make_interval(months => ${months}) as at
                from cards where platform_id = ${this.platform.id} and id = ${id}) ends
       where c.platform_id = ${this.platform.id} and c.id = ${id}`);
    return { answer: 'OK' };
  }

  #accountId(currency: Currency): string {
    return this.#payer.account(currency).id;
  }

  get #query() {
    return this.#world.database.query;
  }

  /** All card transactions, below the API: a fraction of the calls that would show the same. */
  async rows(): Promise<CardTransactionSnapshot[]> {
    const rows = await this.#query<
      Omit<CardTransactionSnapshot, 'card' | 'account'> & { card_id: string; currency: Currency }
    >(sql`
      select t.token, t.id, t.card_id, t.account_currency as currency, t.direction, t.status,
             t.authorized_amount::text as authorized, t.settled_amount::text as settled, t.hold::text as hold,
             t.receivable::text as receivable, t.declined_reason as reason, o.token as original,
             extract(epoch from t.created_at)::float8 * 1000 as at,
             extract(epoch from t.hold_expires_at)::float8 * 1000 as expires_at, coalesce(b.balance, 0)::text as owed
        from card_transactions t
        left join card_transactions o on o.platform_id = t.platform_id and o.id = t.original_id
        left join ledger_balances b
          on b.platform_id = t.platform_id and b.account = 'RECEIVABLE:' || t.id || ':' || t.account_currency
       where t.platform_id = ${this.platform.id}`);
    return rows.map(({ card_id, currency, ...row }) => ({
      ...row,
      card: this.#cards.indexOf(card_id),
      account: currency,
    }));
  }

  /** Available and on hold, by currency. */
  async balances(): Promise<Record<Currency, readonly [bigint, bigint]>> {
    const names = (['USD', 'USDB'] as const).flatMap((currency) => {
      const id = uuidOf(this.#accountId(currency));
      return [`AVAIL:${id}`, `HOLD:${id}`];
    });
    const rows = await this.#query<{ account: string; balance: bigint }>(sql`
      select account, balance from ledger_balances
       where platform_id = ${this.platform.id} and account = any(${names}::text[])`);
    const [a = 0n, b = 0n, c = 0n, d = 0n] = names.map(
      (name) => rows.find(({ account }) => account === name)?.balance,
    );
    return { USD: [a, b], USDB: [c, d] };
  }

  /** The event types of each resource, without the part before the dot. */
  async hear(): Promise<void> {
    const rows = await this.#query<{ seq: bigint; resource_id: string; type: string }>(sql`
      select seq, resource_id, type from events
       where platform_id = ${this.platform.id} and seq > ${this.#lastSeq}
         and (type like 'CARD_TRANSACTION.%' or type = 'INTERNAL_ACCOUNT.BALANCE_UPDATED') order by seq`);
    for (const { seq, resource_id, type } of rows) {
      const list = this.told.get(resource_id) ?? [];
      list.push(type.slice(type.indexOf('.') + 1));
      this.told.set(resource_id, list);
      this.#lastSeq = seq;
    }
  }

  toldOfAccount(currency: Currency): number {
    return this.told.get(this.#accountId(currency))?.length ?? 0;
  }

  /** The number of pending messages, the number of those without effect, and the debt to the network. */
  async rest(): Promise<{ waiting: number; withoutEffect: number; network: Record<Currency, bigint> }> {
    const [row] = await this.#query<{
      waiting: number;
      without_effect: number;
      usd: bigint;
      usdb: bigint;
    }>(sql`
      select (select count(*)::int from card_messages where platform_id = p.id and due_at is not null) as waiting,
             (select count(*)::int from audit_log
               where platform_id = p.id and action = 'card message without effect') as without_effect,
             coalesce((select sum(case l.side when 'CREDIT' then l.amount else -l.amount end) from ledger_lines l
                        where l.platform_id = p.id and l.account = 'RAIL:CARD:USD'), 0)::bigint as usd,
             coalesce((select sum(case l.side when 'CREDIT' then l.amount else -l.amount end) from ledger_lines l
                        where l.platform_id = p.id and l.account = 'RAIL:CARD:USDB'), 0)::bigint as usdb
        from platforms p where p.id = ${this.platform.id}`);
    assert.ok(row);
    const { waiting, without_effect: withoutEffect, usd: USD, usdb: USDB } = row;
    return { waiting, withoutEffect, network: { USD, USDB } };
  }

  /** Balance and total balance as the API shows them. */
  async shownBalances(): Promise<Record<Currency, readonly number[]>> {
    const accounts = await fetchAccounts(this.platform, this.#payer.id);
    const shown = (currency: Currency) => {
      const { balance, totalBalance } = inCurrency(accounts, currency);
      return [balance.amount, totalBalance.amount];
    };
    return { USD: shown('USD'), USDB: shown('USDB') };
  }

  /** The cards' transactions as the API lists them, page by page. */
  async listed() {
    const all: { issuerTransactionToken: string; status: string; settledAmount?: { amount: number } }[] = [];
    for (let cursor: string | undefined; ; ) {
      const query = { type: 'CARD', limit: 100, ...(cursor !== undefined && { cursor }) };
      const { body, raw, status } = await this.platform.send('listTransactions', { query });
      assert.equal(status, 200, raw);
      all.push(...(body.data as unknown as typeof all));
      cursor = body.nextCursor;
      if (cursor === undefined) return all;
    }
  }
}

async function done(work: Promise<unknown>): Promise<Answered> {
  await work;
  return { answer: 'OK' };
}

function answerText(answer: NoticeAnswer): string {
  if ('isApplied' in answer) return answer.isApplied ? 'APPLIED' : 'NOTHING';
  return answer.isApproved ? 'APPROVED' : `DECLINED ${answer.reason}`;
}
