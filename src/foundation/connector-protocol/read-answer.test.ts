import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkAccount, checkStatement } from '#foundation/connector-protocol/bank-records.ts';
import type { CallName } from '#foundation/connector-protocol/calls.ts';
import { answerMaxBytes, pathOf } from '#foundation/connector-protocol/calls.ts';
import { checkCapabilities } from '#foundation/connector-protocol/capabilities.ts';
import { checkEventPage } from '#foundation/connector-protocol/events.ts';
import { describe as describeFaults, readAnswer } from '#foundation/connector-protocol/read-answer.ts';
import { connectorHeaders, signAnswer } from '#foundation/connector-protocol/signing.ts';
import { isAmount } from '#foundation/connector-protocol/values.ts';
import { wireNames } from '#foundation/lib/wire-names.ts';

const NAMES = connectorHeaders(wireNames('Svc'));
const KEY = { id: 'ConnectorKey:0190a5d2-7a10-7c31-9f0e-1d2c3b4a5900', secret: Buffer.alloc(32, 1) };
const NOW = new Date('2026-03-02T10:05:00Z');
const REQUEST_ID = '5d0f6a52-6f6e-4b1c-8f43-0d6f0a4d7e11';
const ORDER = {
  reference: '0190a5d2-7a10-7c31-9f0e-1d2c3b4a5968',
  state: 'RECEIVED',
  at: '2026-03-02T10:05:00Z',
  amount: '12550',
  currency: 'EUR',
};
const ERROR = { code: 'UNKNOWN', reason: 'There is no such order.' };
const CAPABILITIES = {
  protocol: '1',
  test: true,
  pollSeconds: 5,
  inFlightMax: 10,
  ordersPerSecond: 10,
  statements: true,
  settlementAccounts: [{ id: 'main-eur', currency: 'EUR', label: 'Main', zone: 'Europe/Berlin' }],
  rails: [
    {
      rail: 'SEPA',
      currency: 'EUR',
      kinds: ['PAYOUT'],
      settlementAccounts: ['main-eur'],
      cancellable: true,
    },
  ],
};

describe('answers of connectors', () => {
  it('connectors.md §5.1: a signed answer is read', () => {
    assert.deepEqual(read('putOrder', 201, ORDER), {
      kind: 'answer',
      status: 201,
      store: 'store-1',
      body: ORDER,
    });
    assert.equal(read('getOrder', 200, { ...ORDER, more: true }).kind, 'answer');
  });

  it('connectors.md §5.1: each refusal of each call', () => {
    const statuses = [400, 401, 404, 409, 410];
    const refusals = (name: CallName) =>
      statuses.filter((status) => read(name, status, ERROR).kind === 'refusal');
    assert.deepEqual(refusals('putOrder'), [400, 401, 409]);
    assert.deepEqual(refusals('getOrder'), [400, 401, 404]);
    assert.deepEqual(refusals('cancelOrder'), [400, 401]);
    assert.deepEqual(refusals('listEvents'), [400, 401, 410]);
  });

  it('connectors.md §5.1: 429 and 503 say when to come back, within bounds', () => {
    const after = (seconds: string) => {
      const answer = read('putOrder', 503, ERROR, { 'retry-after': seconds });
      return answer.kind === 'refusal' ? answer.retryAfter : answer.kind;
    };
    assert.equal(after('30'), 30);
    assert.equal(after('0'), 1);
    assert.equal(after('9999'), 600);
    assert.equal(after('soon'), 'silence');
    assert.equal(read('putOrder', 429, ERROR).kind, 'silence');
  });

  it('connectors.md §5.1: everything that is not understood is silence, and says why', () => {
    const { state: _state, ...without } = ORDER;
    const { amount: _amount, ...early } = ORDER;
    assert.equal(read('cancelOrder', 200, { ...early, state: 'CANCELLED' }).kind, 'answer');
    const cases: [string, ReturnType<typeof read>, RegExp][] = [
      ['a missing field', read('getOrder', 200, without), /state is required/],
      ['no amount', read('getOrder', 200, early), /amount is required/],
      ['an unknown state', read('getOrder', 200, { ...ORDER, state: 'GONE' }), /state must be one of/],
      [
        'an amount as a number',
        read('getOrder', 200, { ...ORDER, amount: 12550 }),
        /amount must be a string/,
      ],
      ['another status', read('getOrder', 302, ORDER), /no answer with status 302/],
      ['a status of another call', read('getOrder', 201, ORDER), /no answer with status 201/],
      ['not JSON', read('getOrder', 200, '<html>'), /not a JSON object/],
      ['an error without a code', read('getOrder', 404, {}), /code is required/],
      ['no signature', readAnswer('getOrder', raw(404, ERROR, {}), reading), /has no x-svc-store/],
    ];
    for (const [name, answer, why] of cases) {
      assert(answer.kind === 'silence', name);
      assert.match(answer.why, why);
    }
  });

  it('connectors.md §9.5: a sentence about a fault names only known members, and no key that the connector chose', () => {
    const faults = (coordinates: object) =>
      describeFaults(checkAccount({ accountId: 'a', state: 'OPEN', coordinates }));
    for (const text of [
      faults({ 'Grace Hopper': { 'of Arlington': 7 } }),
      faults({ USD_ACCOUNT: { 'Grace Hopper': { lives: 'in Arlington' } } }),
    ]) {
      assert.match(String(text), /^coordinates must be /);
      assert.doesNotMatch(String(text), /Grace|Arlington/);
    }
  });

  it('connectors.md §1.2: amounts', () => {
    for (const good of ['1', '12550', '9007199254740991']) assert(isAmount(good), good);
    for (const bad of ['0', '01', '-1', '1.5', '', '9007199254740992', '1e3', '١'])
      assert(!isAmount(bad), bad);
  });

  it('connectors.md §3.2: inconsistent capabilities are refused', () => {
    assert.deepEqual(checkCapabilities(CAPABILITIES), []);
    const [account] = CAPABILITIES.settlementAccounts;
    const [rail] = CAPABILITIES.rails;
    const bad: [object, string][] = [
      [{ protocol: '2' }, 'protocol'],
      [{ pollSeconds: 0 }, 'pollSeconds'],
      [{ settlementAccounts: [account, account] }, 'settlementAccounts'],
      [{ settlementAccounts: [{ ...account, zone: 'Mars/Olympus' }] }, 'settlementAccounts.0.zone'],
      [{ settlementAccounts: [{ ...account, id: 'Main' }] }, 'settlementAccounts.0.id'],
      [{ rails: [{ ...rail, settlementAccounts: ['other'] }] }, 'rails.0.settlementAccounts'],
      [{ rails: [{ ...rail, currency: 'USD' }] }, 'rails.0.settlementAccounts'],
      [{ rails: [{ ...rail, rail: 'PIGEON' }] }, 'rails.0.rail'],
      [{ rails: [{ ...rail, min: '5', max: '4' }] }, 'rails.0.min'],
      [{ rails: [{ ...rail, needs: ['originator.shoeSize'] }] }, 'rails.0.needs.0'],
      [{ rails: [rail, rail] }, 'rails'],
    ];
    for (const [change, field] of bad) {
      const problems = checkCapabilities({ ...CAPABILITIES, ...change });
      assert.equal(problems[0]?.field, field, JSON.stringify(change));
    }
  });

  it('connectors.md §6.2: known events are checked, unknown types are kept', () => {
    const page = (event: object) => ({ events: [event], next: 'c1', more: false });
    const at = ORDER.at;
    assert.deepEqual(checkEventPage(page({ id: 'e1', type: 'ORDER', ...ORDER })), []);
    assert.deepEqual(checkEventPage(page({ id: 'e1', type: 'WEATHER', at })), []);
    assert.equal(checkEventPage(page({ id: 'e1', type: 'CREDIT', at }))[0]?.field, 'events.0.creditId');
    assert.equal(checkEventPage(page({ type: 'WEATHER', at }))[0]?.field, 'events.0.id');
    assert.equal(checkEventPage({ events: [], next: 'c'.repeat(513), more: false })[0]?.field, 'next');
  });

  it('connectors.md §7.1: an open account has coordinates', () => {
    assert.deepEqual(checkAccount({ accountId: 'a', state: 'PENDING' }), []);
    assert.equal(checkAccount({ accountId: 'a', state: 'OPEN' })[0]?.field, 'coordinates');
  });

  it('connectors.md §7.3: opening plus lines is closing', () => {
    const line = {
      id: '1',
      bookedOn: '2026-03-02',
      side: 'DEBIT',
      amount: '30',
      kind: 'PAYMENT',
      references: [],
    };
    const statement = {
      ...{ id: 's1', settlementAccount: 'main-eur', from: '2026-03-02', to: '2026-03-02' },
      ...{ opening: '10', closing: '-20', lines: [line] },
    };
    assert.deepEqual(checkStatement(statement), []);
    assert.match(checkStatement({ ...statement, closing: '40' })[0]?.message ?? '', /must be -20/);
    assert.equal(checkStatement({ ...statement, to: '2026-03-01' })[0]?.field, 'to');
  });

  it('a path names its parameters and its query', () => {
    assert.equal(pathOf('cancelOrder', { reference: 'a/b' }), '/orders/a%2Fb/cancel');
    assert.equal(pathOf('listEvents', {}, { after: undefined, limit: '5' }), '/events?limit=5');
  });

  it('connectors.md §3.4: lists that are too long are refused, and not read entry by entry', () => {
    const [account] = CAPABILITIES.settlementAccounts;
    const [rail] = CAPABILITIES.rails;
    const accounts = (count: number) =>
      Array.from({ length: count }, (_, n) => ({ ...account, id: n === 0 ? account?.id : `account-${n}` }));
    const rails = (count: number) => Array.from({ length: count }, () => ({ ...rail, kinds: ['no kind'] }));
    const faults = (change: object) =>
      checkCapabilities({ ...CAPABILITIES, ...change }).map(({ field }) => field);
    assert.deepEqual(faults({ settlementAccounts: accounts(200) }), []);
    assert.deepEqual(faults({ settlementAccounts: accounts(201) }), ['settlementAccounts']);
    assert.deepEqual(faults({ rails: rails(1_001) }), ['rails']);
    assert.equal(faults({ rails: rails(1_000) }).length, 1, 'one fault is enough');
  });

  it('connectors.md §1.2, §3.4: an answer about capabilities is shorter than others', () => {
    assert.equal(answerMaxBytes('getCapabilities'), 256 * 1024);
    assert.equal(answerMaxBytes('getStatement'), 4 * 1024 * 1024);
  });
});

const reading = { keys: [KEY], requestId: REQUEST_ID, names: NAMES, now: NOW };

function read(name: CallName, status: number, body: unknown, headers: Record<string, string> = {}) {
  return readAnswer(name, raw(status, body, headers, true), reading);
}

function raw(status: number, value: unknown, headers: Record<string, string>, isSigned = false) {
  const body = Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
  const signed = isSigned
    ? signAnswer(KEY, { requestId: REQUEST_ID, status, store: 'store-1', body, at: NOW }, NAMES)
    : {};
  return { status, body, headers: { ...headers, ...signed } };
}
