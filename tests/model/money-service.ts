import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { PaymentNotice } from '#capabilities/payments/machine/notice.ts';
import { receiveReports } from '#capabilities/payments/settlement/notices.ts';
import { fetchAccounts, inCurrency, platformAccounts } from '#tests/given/accounts.ts';
import { EUROPEAN, givenCustomer, PERSON } from '#tests/given/customers.ts';
import { buildAccountRequest } from '#tests/given/external-accounts.ts';
import { advance, givenOutside, givenPlatform, readTransaction } from '#tests/given/payments.ts';
import type { QuoteReply } from '#tests/given/quotes.ts';
import { askQuote, lookedUp } from '#tests/given/quotes.ts';
import { type Answered, TEST_DOMAINS, type TestPlatform, type World } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';
import type { Receiver } from '#tests/harness/receiver.ts';
import {
  answerChallenge,
  callSigned,
  type Login,
  newClientKey,
  requirePayload,
  signStamp,
} from '#tests/harness/wallet-client.ts';
import { killable } from '#tests/model/killable.ts';
import { AFTER_RACE, isWallet, keyOf, loginOf, type Payment, sentAmount } from '#tests/model/money-model.ts';
import { type ChallengeReply, ProofsService } from '#tests/model/proofs-service.ts';
import type {
  Addressed,
  Answer,
  Customer,
  DepositAccount,
  DrawnTerms,
  Inside,
  NoticeKind,
  ProviderChecks,
  Race,
  Realtime,
  RequestedFactor,
  StampKind,
  Step,
  Uma,
  Who,
} from '#tests/model/steps.ts';

export const CURRENCIES = ['USD', 'EUR', 'USDC', 'USDB'] as const;

/** The visible fields of one transaction. */
export interface PaymentReply {
  readonly id: string;
  readonly customerId: string;
  readonly type: string;
  readonly status: string;
  readonly failureReason?: string;
  readonly pendingReason?: string;
  readonly refund?: {
    readonly status: string;
    readonly reason: string;
    readonly amount: { readonly amount: number };
  };
  readonly sentAmount?: { readonly amount: number };
  readonly receivedAmount?: { readonly amount: number; readonly currency: { readonly code: string } };
}

type Reply = Answered<{ code: string }>;

export type Customers = Readonly<Record<Customer, string>>;

export interface ServiceParts {
  readonly platform: TestPlatform;
  readonly receiver: Receiver;
  readonly customers: Customers;
  /** Runs the work that is due now. */
  settle(): Promise<unknown>;
  /** Makes the service die during the next call; absent: no step needs it. */
  kill?(turns: number): void;
}

export async function givenCustomers(platform: TestPlatform): Promise<Customers> {
  const made = async (): Promise<string> => (await givenCustomer(platform, PERSON)).id;
  const [A, B, C] = [await made(), await made(), await made()];
  return { A, B, C, D: await givenVerified(platform), E: await givenVerified(platform) };
}

/** In an SCA region, with both contacts verified; over the API alone. */
async function givenVerified(platform: TestPlatform): Promise<string> {
  const { id } = await givenCustomer(platform, EUROPEAN);
  const params = { customerId: id };
  for (const word of ['Email', 'Phone'] as const) {
    await platform.call(`sendCustomer${word}Verification`, { params });
    const done = await platform.call(`confirmCustomer${word}Verification`, {
      params,
      body: { code: '123456' },
    });
    assert.equal(done.status, 200, done.raw);
  }
  return id;
}

/** The service, driven by the same steps as its model. */
export class MoneyService {
  /** By the model's number of the payment. */
  readonly quoteIds = new Map<number, string>();
  readonly transactionIds = new Map<number, string>();
  /** The last quote's reply. */
  lastQuote: QuoteReply | undefined;
  readonly receiver: Receiver;
  readonly platform: TestPlatform;
  readonly #settle: () => Promise<unknown>;
  readonly #kill: ((turns: number) => void) | undefined;
  #customers: Customers;
  /** The earlier customers C. */
  readonly #gone = new Set<string>();
  readonly #inside = new Map<string, string>();
  readonly #outside = new Map<string, Promise<string>>();
  readonly #replies = new Map<
    number,
    { readonly key: string; readonly raw: string; readonly factor?: RequestedFactor | undefined }
  >();
  readonly #answers = new Map<string, number>();
  readonly #deposits = new Map<Who, string>();
  /** The payloads that wallet owners sign, by the model's number of the payment, with the session. */
  readonly #payloads = new Map<number, string>();
  readonly #logins = new Map<Who, Login>();
  readonly #proofs: ProofsService;
  /** The last question to the customer, by the model's number of the payment. */
  readonly #challenges = new Map<number, ChallengeReply>();
  #accountNumbers = 50_000_000;
  #keys = 0;

  private constructor({ platform, receiver, customers, settle, kill }: ServiceParts) {
    this.platform = platform;
    this.receiver = receiver;
    this.#customers = customers;
    this.#settle = settle;
    this.#kill = kill;
    this.#proofs = new ProofsService(platform, customers);
  }

  /** On an existing platform. */
  static async of(parts: ServiceParts): Promise<MoneyService> {
    const service = new MoneyService(parts);
    await service.#findAccounts();
    return service;
  }

  /** On a new platform of a test's world, with these terms. */
  static async open(
    world: World,
    { maxUsdCents, dailyUsdCents, configured, ...fees }: DrawnTerms,
  ): Promise<MoneyService> {
    const limits = { default: { maxUsdCents, dailyUsdCents } };
    const made = await givenPlatform(world, {
      currencies: CURRENCIES,
      settings: { fees, limits } as never,
    });
    const platform = killable(world, made);
    await configureFee(platform, configured);
    const receiver = await platform.receive();
    const service = await MoneyService.of({
      platform,
      receiver,
      customers: await givenCustomers(platform),
      settle: () => world.app.worker.settle(platform.id),
      kill: platform.killDuringNextCall,
    });
    receiver.answer(({ body }) => {
      const isQuestion = body.type === 'INCOMING_PAYMENT.PENDING';
      return { status: (isQuestion && service.#answers.get(String(body.data.id))) || 200 };
    });
    return service;
  }

  whoIs(customerId: string): Who {
    if (this.#gone.has(customerId)) return 'C';
    const known = Object.entries(this.#customers).find(([, id]) => id === customerId);
    return (known?.[0] as Customer | undefined) ?? 'P';
  }

  /** Does the step; the codes of the answers in alphabetical order. `n` is the number a new payment gets, `now` the model's time. */
  async apply(step: Step, target: Payment | undefined, n: number, now = 0): Promise<string[]> {
    switch (step.does) {
      case 'advance':
        if (step.seconds > 0) await advance(this.platform, step.seconds);
        else await this.settle();
        return ['OK'];
      case 'notice':
        await this.#report(this.#transactionId(target), step.kinds, step.how);
        return ['OK'];
      case 'stray':
        await this.#report(`Transaction:${randomUUID()}`, step.kinds, 'one by one');
        return ['OK'];
      case 'kill':
        this.#kill?.(step.after);
        return this.apply(step.during, target, n, now);
      case 'race':
        return codesOf(await this.#raceOf(step.between, target as Payment, now));
      default:
        return codesOf(await this.#call(step, target, n));
    }
  }

  settle(): Promise<unknown> {
    return this.#settle();
  }

  async accounts() {
    const { A, B, C, D, E } = this.#customers;
    const lists = [A, B, C, D, E].map((id) => fetchAccounts(this.platform, id));
    const [ofA = [], ofB = [], ofC = [], ofD = [], ofE = [], ofP = []] = await Promise.all([
      ...lists,
      platformAccounts(this.platform),
    ]);
    return { A: ofA, B: ofB, C: ofC, D: ofD, E: ofE, P: ofP };
  }

  /** All transactions, page by page. */
  async transactions(): Promise<PaymentReply[]> {
    const all: PaymentReply[] = [];
    for (let cursor: string | undefined; ; ) {
      const query = { limit: 40, ...(cursor !== undefined && { cursor }) };
      const { body, raw, status } = await this.platform.call('listTransactions', { query });
      assert.equal(status, 200, raw);
      all.push(...body.data);
      cursor = body.nextCursor;
      if (cursor === undefined) return all;
    }
  }

  async transaction(n: number): Promise<PaymentReply> {
    return readTransaction(this.platform, this.transactionIds.get(n) ?? '');
  }

  customerId(who: Customer): string {
    return this.#customers[who];
  }

  async quote(n: number): Promise<QuoteReply> {
    const params = { quoteId: this.quoteIds.get(n) ?? '' };
    return (await this.platform.call('getQuoteById', { params })).body;
  }

  async #call(
    step: Exclude<Step, { does: 'advance' | 'notice' | 'stray' | 'kill' | 'race' }>,
    target: Payment | undefined,
    n: number,
  ): Promise<Reply[]> {
    const transactionId = this.#transactionId(target);
    switch (step.does) {
      case 'fund': {
        const params = { accountId: this.insideId(step.to) };
        return [
          await this.platform.call('sandboxFundInternalAccount', { params, body: { amount: step.amount } }),
        ];
      }
      case 'quote':
        return [await this.#quote(step, n)];
      case 'execute':
        return this.#execute(step, target as Payment);
      case 'authorize':
        return this.#authorizeStep(step, target as Payment);
      case 'resend': {
        const params = { quoteId: this.quoteIds.get(target?.n ?? -1) ?? '' };
        const once = () => this.platform.call('resendQuoteScaCode', { params });
        return Promise.all(Array.from({ length: step.times }, once));
      }
      case 'scaLogIn':
        return this.#proofs.logIn(step);
      case 'passkey':
        return [await this.#proofs.changePasskey(step.who, step.change)];
      case 'record':
        return this.#proofs.record(step);
      case 'trust':
        return this.#proofs.changeTrust(await this.#accountId(step.in), step);
      case 'drop':
        return [await this.#drop(step.account)];
      case 'logIn':
        return [await this.#logIn(step.who)];
      case 'logOut':
        return [await this.#logOut(step.who)];
      case 'replay':
        return [await this.#replay((target as Payment).n)];
      case 'send':
        return [await this.#send(target as Payment, step.off)];
      case 'transferOut':
      case 'transferIn':
        return [await this.#transfer(step, n)];
      case 'cancel':
        return [await this.platform.call('cancelTransaction', { params: { transactionId } })];
      case 'receive':
        return [await this.#receive(step, n)];
      case 'deposit':
        return [await this.#deposit(step.who, step.at)];
      case 'remove':
        return [await this.#remove()];
      case 'confirm':
        return [await this.platform.call('confirmReceiptDelivery', { params: { transactionId } })];
      case 'decide': {
        const operation = step.decision === 'approve' ? 'approvePendingPayment' : 'rejectPendingPayment';
        return [await this.platform.call(operation, { params: { transactionId } })];
      }
    }
  }

  /** Reports like a bank: by the reference alone, whatever has happened since. */
  async #report(
    transactionId: string,
    kinds: readonly NoticeKind[],
    how: Extract<Step, { does: 'notice' }>['how'],
  ): Promise<void> {
    const work = await this.platform.work();
    const reference = uuidOf(transactionId);
    const all = kinds.map(
      (kind): PaymentNotice => (kind === 'payoutFailed' ? { kind, reason: 'ACCOUNT_INVALID' } : { kind }),
    );
    for (const notices of how === 'in one report' ? [all] : all.map((notice) => [notice])) {
      const once = () => work.write((tx) => receiveReports(tx, [{ reference, notices }]));
      await Promise.all(how === 'each twice at once' ? [once(), once()] : [once()]);
    }
  }

  async #raceOf(between: Race, payment: Payment, now: number): Promise<Reply[]> {
    if (between !== 'payment and deletion of its receiver') return [await this.#race(between, payment, now)];
    return Promise.all([this.#executeOnce(payment), this.#remove()]);
  }

  async #remove(): Promise<Reply> {
    const { C } = this.#customers;
    const reply = await this.platform.call('deleteCustomerById', { params: { customerId: C } });
    if (reply.status !== 200) return reply;
    this.#gone.add(C);
    this.#customers = { ...this.#customers, C: (await givenCustomer(this.platform, PERSON)).id };
    for (const key of this.#outside.keys()) if (key.startsWith('C:')) this.#outside.delete(key);
    this.#deposits.delete('C');
    await this.#findAccounts();
    return reply;
  }

  /** The answer to the caller that raced against an automatic step. */
  async #race(between: Race, payment: Payment, now: number): Promise<Reply> {
    const transactionId = this.#transactionId(payment);
    if (between === 'cancellation and delivery') {
      const [reply] = await Promise.all([
        this.platform.call('cancelTransaction', { params: { transactionId } }),
        this.#report(transactionId, ['delivered'], 'one by one'),
      ]);
      return reply;
    }
    const isAuthorized = between === 'expiry and authorization';
    const toExpiry = ((isAuthorized && payment.asked?.until) || payment.expiresAt) - now;
    if (toExpiry > 1) await advance(this.platform, toExpiry - 1);
    const pay = () =>
      payment.from.kind === 'REALTIME' ? this.#send(payment, 0) : this.#executeOnce(payment);
    const authorize = async () => (await this.#authorize(payment, 'right'))[0] as Reply;
    const [reply] = await Promise.all([isAuthorized ? authorize() : pay(), advance(this.platform, 1)]);
    await advance(this.platform, AFTER_RACE - 1);
    return reply;
  }

  #transactionId(payment: Payment | undefined): string {
    return this.transactionIds.get(payment?.n ?? -1) ?? '';
  }

  async #quote(step: Extract<Step, { does: 'quote' }>, n: number): Promise<Reply> {
    const { from, to, fee } = step;
    const isUma = to.kind === 'UMA' || to.kind === 'ADDRESSED';
    const address = isUma ? await this.#addressOf(to) : await this.#accountId(to);
    const override = fee && {
      platformFixedFee: { amount: fee.fixed, currency: 'USD' },
      platformVariableFeeBps: fee.bps,
    };
    const reply = await askQuote(this.platform, {
      from: from.kind === 'REALTIME' ? this.#realtime(from) : await this.#accountId(from),
      to: address,
      ...(step.side === 'SENDING' ? { send: step.amount } : { receive: step.amount }),
      more: {
        immediatelyExecute: step.atOnce,
        ...(step.factor && { scaFactor: step.factor }),
        ...(override && { platformFeeOverride: override }),
        ...(isUma && { lookupId: await lookedUp(this.platform, address) }),
        ...(to.kind === 'ADDRESSED' && {
          destination: { destinationType: 'UMA_ADDRESS', umaAddress: address, currency: to.currency },
        }),
      },
    });
    this.lastQuote = reply.body;
    if (reply.status >= 300) return reply;
    const isFundedLater = from.kind === 'REALTIME' && reply.body.status === 'PENDING_AUTHORIZATION';
    assert.equal(reply.status, isFundedLater ? 202 : 201, 'customers.md §7.41');
    this.quoteIds.set(n, reply.body.id);
    this.transactionIds.set(n, reply.body.transactionId);
    this.#noteChallenge(n, reply.body);
    if (isWallet(from)) this.#payloads.set(n, requirePayload(reply.body));
    return reply;
  }

  async #addressOf(to: Uma | Addressed): Promise<string> {
    if (to.kind === 'UMA') return sandboxAddress(to);
    const params = { customerId: this.#customers[to.who] };
    return (await this.platform.call('getCustomerById', { params })).body.umaAddress;
  }

  /** Each deposit account is a new one, which replaces the previous one. */
  async #deposit(who: Customer, at: DepositAccount | null): Promise<Reply> {
    const before = this.#deposits.get(who) ?? '';
    if (at === null) {
      this.#deposits.delete(who);
      const params = { externalAccountId: before };
      return before
        ? this.platform.call('deleteCustomerExternalAccountById', { params })
        : this.platform.call('listTransactions');
    }
    const number = `${++this.#accountNumbers}${at.suffix}`;
    const [type, fields] =
      at.currency === 'USD'
        ? ['USD_ACCOUNT', { accountNumber: number }]
        : ['EUR_ACCOUNT', { iban: `DE89${number.padStart(18, '3')}` }];
    const owner = { customerId: this.#customers[who], defaultUmaDepositAccount: true };
    const reply = await this.platform.call('createCustomerExternalAccount', {
      body: buildAccountRequest(type, fields, owner),
    });
    this.#deposits.set(who, reply.body.id);
    return reply;
  }

  async #execute(
    { how, stamp, factor }: Extract<Step, { does: 'execute' }>,
    payment: Payment,
  ): Promise<Reply[]> {
    if (stamp === 'of a new session' && isWallet(payment.from)) await this.#logIn(payment.from.who);
    const once = () => this.#executeOnce(payment, stamp, { factor });
    if (how === 'twice at once') return Promise.all([once(), once()]);
    if (how === 'once') return [await once()];
    const key = `key-${++this.#keys}`;
    const reply = await this.#executeOnce(payment, stamp, { key, factor });
    if (reply.status === 200) this.#replies.set(payment.n, { key, raw: reply.raw, factor });
    return [reply];
  }

  async #executeOnce(
    payment: Payment,
    stamp?: StampKind,
    { key, factor }: { key?: string; factor?: RequestedFactor | undefined } = {},
  ) {
    const params = { quoteId: this.quoteIds.get(payment.n) ?? '' };
    const text = await this.#stamp(payment, stamp);
    const headers = text === undefined ? {} : { 'svc-wallet-signature': text };
    const more = { ...(key !== undefined && { key }), ...(factor && { body: { scaFactor: factor } }) };
    const reply = await this.platform.call('executeQuote', { params, headers, ...more });
    if (reply.status === 200) this.#noteChallenge(payment.n, reply.body);
    return reply;
  }

  #noteChallenge(n: number, { scaChallenge }: Pick<QuoteReply, 'scaChallenge'>): void {
    if (scaChallenge) this.#challenges.set(n, scaChallenge);
  }

  async #authorizeStep(
    { logsIn, answer, times }: Extract<Step, { does: 'authorize' }>,
    payment: Payment,
  ): Promise<Reply[]> {
    if (logsIn && payment.owner !== 'P') await this.#proofs.logIn(loginOf(payment.owner));
    return this.#authorize(payment, answer, times);
  }

  /** Sends the same answer this many times at once. */
  async #authorize({ n, owner }: Payment, answer: Answer, times = 1): Promise<Reply[]> {
    const params = { quoteId: this.quoteIds.get(n) ?? '' };
    const body = this.#proofs.answer(owner, this.#challenges.get(n), answer);
    const once = () => this.platform.call('authorizeQuote', { params, body });
    const replies = await Promise.all(Array.from({ length: times }, once));
    for (const { status, body } of replies) if (status === 200) this.#noteChallenge(n, body);
    return replies;
  }

  async #drop(account: ProviderChecks): Promise<Reply> {
    const params = { externalAccountId: await this.#accountId(account) };
    const reply = await this.platform.call('deleteCustomerExternalAccountById', { params });
    if (reply.status < 300) this.#outside.delete(keyOf(account));
    return reply;
  }

  /** Quotes that need no stamp are sent the same ones. */
  async #stamp({ n, owner }: Payment, kind: StampKind = 'sandbox'): Promise<string | undefined> {
    const payload = this.#payloads.get(n) ?? '';
    const keyOfLogin = (who: Who) => this.#logins.get(who)?.key ?? newClientKey();
    switch (kind) {
      case 'missing':
        return undefined;
      case 'malformed':
        return 'no stamp';
      case 'of a new session':
      case 'of the last session':
        return signStamp(keyOfLogin(owner), payload);
      case 'of another owner':
        return signStamp(keyOfLogin(owner === 'A' ? 'B' : 'A'), payload);
      case 'over other bytes':
        return signStamp(keyOfLogin(owner), `${payload} `);
      case 'sandbox':
        return 'sandbox-valid-signature';
    }
  }

  /** Never interrupted: kills only test the payment. */
  async #logIn(who: Customer): Promise<Reply> {
    const query = { accountId: this.insideId({ kind: 'INSIDE', who, currency: 'USDB' }) };
    const { data } = (await this.platform.send('listAuthCredentials', { query })).body;
    const params = { id: data[0]?.id ?? '' };
    const challenge = await this.platform.send('challengeAuthCredential', { params });
    if (challenge.status !== 200) return challenge;
    const { otpEncryptionTargetBundle } = challenge.body as unknown as { otpEncryptionTargetBundle: string };
    this.#logins.set(who, await answerChallenge(this.platform, params.id, otpEncryptionTargetBundle));
    return challenge;
  }

  async #logOut(who: Customer): Promise<Reply> {
    const { session, key } = this.#logins.get(who) ?? { session: { id: '' }, key: newClientKey() };
    const call = { params: { id: session.id } };
    const first = await this.platform.send('revokeAuthSession', call);
    return first.status === 202 ? callSigned(this.platform, key, 'revokeAuthSession', call) : first;
  }

  async #replay(n: number): Promise<Reply> {
    const { key, raw, factor } = this.#replies.get(n) ?? { key: '', raw: '' };
    const params = { quoteId: this.quoteIds.get(n) ?? '' };
    const body = factor ? { body: { scaFactor: factor } } : {};
    const reply = await this.platform.call('executeQuote', { params, key, ...body });
    assert.equal(reply.raw, raw, 'money.md §2.12: byte for byte, whatever became of the payment');
    return reply;
  }

  #send(payment: Payment, off: number): Promise<Reply> {
    const amount = off === 0 ? undefined : Number(sentAmount(payment, off));
    return this.platform.call('sandboxSend', {
      body: {
        quoteId: this.quoteIds.get(payment.n),
        currencyCode: payment.currencies[0],
        ...(amount !== undefined && { currencyAmount: amount }),
      },
    });
  }

  async #transfer(step: Extract<Step, { does: 'transferOut' | 'transferIn' }>, n: number): Promise<Reply> {
    const operation = step.does === 'transferOut' ? 'createTransferOut' : 'createTransferIn';
    const body = {
      source: { accountId: await this.#accountId(step.from) },
      destination: { accountId: await this.#accountId(step.to) },
      ...(step.amount !== null && { amount: step.amount }),
    };
    const reply = await this.platform.call(operation, { body });
    if (reply.status === 201) this.transactionIds.set(n, reply.body.id);
    return reply;
  }

  async #receive(step: Extract<Step, { does: 'receive' }>, n: number): Promise<Reply> {
    const reply = await this.platform.call('sandboxReceive', {
      body: {
        senderUmaAddress: sandboxAddress(step),
        customerId: this.#customers[step.who],
        receivingCurrencyCode: step.currency,
        receivingCurrencyAmount: step.amount,
      },
    });
    if (reply.status !== 200) return reply;
    this.transactionIds.set(n, reply.body.id);
    this.#answers.set(reply.body.id, step.answer);
    await this.settle();
    this.#answers.delete(reply.body.id);
    return reply;
  }

  #realtime({ who, currency }: Realtime) {
    return {
      realtime: currency,
      customerId: this.#customers[who],
      ...(currency === 'USDC' && { network: 'SOLANA' }),
    };
  }

  async #accountId(party: Inside | ProviderChecks): Promise<string> {
    if (party.kind === 'INSIDE') return this.insideId(party);
    const { who, suffix, currency } = party;
    const key = keyOf(party);
    const owner = who === 'P' ? undefined : this.#customers[who];
    const type = currency === 'USD' ? 'USD_ACCOUNT' : 'EUR_ACCOUNT';
    const made = this.#outside.get(key) ?? givenOutside(this.platform, owner, suffix, type);
    this.#outside.set(key, made);
    return made;
  }

  insideId(account: Inside): string {
    const id = this.#inside.get(keyOf(account));
    assert.ok(id);
    return id;
  }

  async #findAccounts(): Promise<void> {
    for (const [who, accounts] of Object.entries(await this.accounts())) {
      for (const currency of CURRENCIES) {
        this.#inside.set(`${who}:${currency}`, inCurrency(accounts, currency).id);
      }
    }
  }
}

/** Nothing of both is no fee. */
async function configureFee(platform: TestPlatform, { bps, fixed }: DrawnTerms['configured']): Promise<void> {
  const fee = {
    feeType: 'CROSS_CURRENCY_TRANSACTION',
    sourceCurrency: 'USD',
    variableFeeBps: bps,
    fixedFee: { amount: fixed, currency: 'USD' },
  };
  const reply = await platform.call('updatePlatformConfig', { body: { feeConfigs: [fee] } });
  assert.equal(reply.status, 200, reply.raw);
}

function codesOf(replies: readonly Reply[]): string[] {
  return replies.map((reply) => (reply.status < 300 ? 'OK' : String(reply.body.code))).sort();
}

function sandboxAddress({ scenario }: Pick<Uma, 'scenario'>): string {
  return `$${scenario}@${TEST_DOMAINS.sandboxUmaDomain}`;
}
