/** A small bank in SQLite, and what its connector (connector.mjs) does with it. Replace it by calls of your bank. */
import { createHash, randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { isDeepStrictEqual } from 'node:util';

const ACCOUNTS = { 'main-eur': 'EUR', 'main-usd': 'USD' };
const RAILS = { SEPA: 'main-eur', ACH: 'main-usd' };
const PARTIES = { PAYOUT: ['originator', 'beneficiary'], COLLECTION: ['creditor', 'debtor'], REFUND: [] };
const MOVES = {
  RECEIVED: ['HELD', 'SENT', 'SETTLED', 'FAILED', 'CANCELLED'],
  HELD: ['SENT', 'SETTLED', 'FAILED', 'CANCELLED'],
  SENT: ['HELD', 'SETTLED', 'FAILED'],
  SETTLED: ['RETURNED'],
};
const AMOUNT_MAX = 100_000_000;

export const CAPABILITIES = {
  ...{ protocol: '1', test: true, pollSeconds: 5, inFlightMax: 20, ordersPerSecond: 50, statements: true },
  settlementAccounts: Object.entries(ACCOUNTS).map(([id, currency]) => ({
    id,
    currency,
    label: `Main ${currency}`,
    zone: 'UTC',
  })),
  rails: Object.entries(RAILS).map(([rail, id]) => ({
    ...{ rail, currency: ACCOUNTS[id], kinds: Object.keys(PARTIES), min: '1', max: String(AMOUNT_MAX) },
    ...{ settlementAccounts: [id], cancellable: true },
  })),
  accounts: Object.values(ACCOUNTS).map((currency) => ({ currency, accountTypes: [`${currency}_ACCOUNT`] })),
  nameChecks: Object.values(ACCOUNTS).map((currency) => `${currency}_ACCOUNT`),
};

const db = new DatabaseSync(process.env.DATABASE ?? 'bank.sqlite');
db.exec(`
  pragma journal_mode = wal; pragma synchronous = full;
  create table if not exists things (kind text, id text, body text, answer text, primary key (kind, id));
  create table if not exists events (seq integer primary key, event text);
  create table if not exists lines (seq integer primary key, account text, day text, side text, amount int, kind text, of text);
  create table if not exists store (id text);
`);
const get = (sql, ...values) => db.prepare(sql).get(...values);
const all = (sql, ...values) => db.prepare(sql).all(...values);
const run = (sql, ...values) => db.prepare(sql).run(...values);

/** Committed, and on the disk, before it returns; undone if `work` refuses. */
export function transaction(work) {
  db.exec('begin immediate');
  try {
    const result = work();
    db.exec('commit');
    return result;
  } catch (error) {
    db.exec('rollback');
    throw error;
  }
}

// A new bank is a new store. Its accounts have moved some money, so that there are statements.
transaction(() => {
  if (get('select 1 from store')) return;
  run('insert into store values (?)', randomUUID());
  const old = [
    ['CREDIT', 5_000_000, 'OTHER', 3],
    ['DEBIT', 450, 'CHARGE', 2],
    ['CREDIT', 12, 'INTEREST', 1],
  ];
  for (const id of Object.keys(ACCOUNTS)) {
    for (const [side, amount, kind, ago] of old) {
      run(
        "insert into lines values (null, ?, date('now', ?), ?, ?, ?, 'opening')",
        id,
        `-${ago} days`,
        side,
        amount,
        kind,
      );
    }
  }
});
export const STORE = get('select id from store').id;

export class Refusal extends Error {
  constructor(status, reason) {
    super(reason);
    this.status = status;
  }
}

export function need(condition, status, reason) {
  if (!condition) throw new Refusal(status, reason);
}

const now = () => new Date().toISOString();
const today = () => now().slice(0, 10);

function find(kind, id) {
  const row = get('select body, answer from things where kind = ? and id = ?', kind, String(id));
  return row && { body: JSON.parse(row.body), answer: JSON.parse(row.answer) };
}

function save(kind, id, body, answer) {
  run(
    'insert or replace into things values (?, ?, ?, ?)',
    kind,
    id,
    JSON.stringify(body),
    JSON.stringify(answer),
  );
  return answer;
}

/** The same body again gives what is known, without another effect. */
function once(kind, id, body, make) {
  const known = find(kind, id);
  need(
    !known || known.body === null || isDeepStrictEqual(known.body, body),
    409,
    'this is known with another body',
  );
  return known ? [200, known.answer] : [201, save(kind, id, body, make())];
}

function emit(event) {
  run('insert into events values (null, ?)', JSON.stringify({ at: now(), ...event, id: randomUUID() }));
}

function book(account, side, amount, kind, of) {
  run('insert into lines values (null, ?, ?, ?, ?, ?, ?)', account, today(), side, Number(amount), kind, of);
}

function checkMoney({ amount, settlementAccount: account, currency, rail }) {
  const isAmount =
    typeof amount === 'string' && /^[1-9][0-9]{0,8}$/.test(amount) && Number(amount) <= AMOUNT_MAX;
  need(isAmount, 400, 'an amount is a string of digits, up to the maximum');
  need(
    Object.hasOwn(ACCOUNTS, account) && ACCOUNTS[account] === currency,
    400,
    'unknown settlement account or currency',
  );
  need(
    Object.hasOwn(RAILS, rail) && RAILS[rail] === account,
    400,
    'unknown rail, or one of another settlement account',
  );
}

function checkOrder(body) {
  checkMoney(body);
  const parties = Object.hasOwn(PARTIES, body.kind) ? PARTIES[body.kind] : undefined;
  const isComplete = parties?.every((party) => body[party] !== null && typeof body[party] === 'object');
  need(isComplete, 400, 'unknown kind, or no party');
  if (body.kind === 'REFUND')
    need(find('credit', body.of) ?? find('order', body.of), 400, 'nothing came in under `of`');
}

export function putOrder(id, body) {
  if (!find('order', id)) checkOrder(body);
  return once('order', id, body, () => {
    const order = {
      reference: id,
      state: 'RECEIVED',
      at: now(),
      amount: body.amount,
      currency: body.currency,
    };
    emit({ ...order, type: 'ORDER' });
    return order;
  });
}

function move(id, state, reason) {
  const { body, answer } = find('order', id);
  const order = { ...answer, state, at: now(), ...(reason && { reason }) };
  if (state === 'SETTLED' || state === 'RETURNED') {
    const comesIn = (body.kind === 'COLLECTION') === (state === 'SETTLED');
    book(
      body.settlementAccount,
      comesIn ? 'CREDIT' : 'DEBIT',
      body.amount,
      state === 'SETTLED' ? 'PAYMENT' : 'RETURN',
      id,
    );
  }
  emit({ ...order, type: 'ORDER' });
  return save('order', id, body, order);
}

export function cancel(id) {
  const order = find('order', id)?.answer;
  // A `PUT` that comes later finds this, and does nothing.
  if (!order) return save('order', id, null, { reference: id, state: 'CANCELLED', at: now() });
  return ['RECEIVED', 'HELD'].includes(order.state) ? move(id, 'CANCELLED') : order;
}

export function play({ reference, state, reason }) {
  const order = find('order', reference);
  need(order?.body, 404, 'there is no such order');
  need(
    MOVES[order.answer.state]?.includes(state),
    409,
    `an order that is ${order.answer.state} cannot do this`,
  );
  return move(reference, state, reason);
}

export function credit(body) {
  checkMoney(body);
  need(typeof body.creditId === 'string', 400, 'a credit needs a creditId');
  return once('credit', body.creditId, body, () => {
    book(body.settlementAccount, 'CREDIT', body.amount, 'PAYMENT', body.creditId);
    emit({ ...body, type: 'CREDIT' });
    return body;
  })[1];
}

export function putAccount(id, body) {
  const { currency } = body;
  const isKnown = CAPABILITIES.accounts.some((kind) =>
    isDeepStrictEqual(kind, { currency, accountTypes: body.accountTypes }),
  );
  need(isKnown, 400, 'no such accounts here');
  const accountNumber = String(createHash('sha256').update(id).digest().readUIntBE(0, 6)).slice(0, 10);
  const coordinates = { [`${currency}_ACCOUNT`]: { accountNumber } };
  return once('account', id, body, () => ({ accountId: id, state: 'OPEN', coordinates }));
}

export function show(kind, id) {
  const known = find(kind, id);
  need(known, 404, `there is no such ${kind}`);
  return known.answer;
}

export function closeAccount(id) {
  const account = { ...show('account', id), state: 'CLOSED' };
  return save('account', id, find('account', id).body, account);
}

export function checkName(body) {
  need(
    CAPABILITIES.nameChecks.includes(body.accountType) && typeof body.name === 'string',
    400,
    'cannot check this',
  );
  const status = /wrong/i.test(body.name) ? 'NOT_MATCHED' : 'MATCHED';
  return once('name check', String(body.reference), body, () => ({ reference: body.reference, status }))[1];
}

export const lastEvent = () => get('select coalesce(max(seq), 0) as last from events').last;

export function listEvents(after, limit) {
  const last = lastEvent();
  need(/^(0|[1-9][0-9]{0,14})$/.test(after) && Number(after) <= last, 410, 'this cursor is unknown');
  need(/^[1-9][0-9]{0,2}$/.test(limit) && Number(limit) <= 500, 400, 'limit is 1 to 500');
  const rows = all(
    'select seq, event from events where seq > ? order by seq limit ?',
    Number(after),
    Number(limit),
  );
  const end = rows.at(-1)?.seq ?? Number(after);
  return { events: rows.map(({ event }) => JSON.parse(event)), next: String(end), more: end < last };
}

export function statement(account, date) {
  const isThere = Object.hasOwn(ACCOUNTS, account) && /^\d{4}-\d\d-\d\d$/.test(date) && date < today();
  need(isThere, 404, 'there is no such statement yet');
  const sum =
    "select coalesce(sum(case side when 'CREDIT' then amount else -amount end), 0) as sum from lines where account = ? and day";
  const balance = (until) => String(get(`${sum} ${until} ?`, account, date).sum);
  const lines = all('select * from lines where account = ? and day = ?', account, date).map(
    ({ seq, side, amount, kind, of }) => ({
      ...{ id: String(seq), bookedOn: date, side, amount: String(amount), kind, references: [of] },
    }),
  );
  const days = { id: `${account}-${date}`, settlementAccount: account, from: date, to: date };
  return { ...days, opening: balance('<'), closing: balance('<='), lines };
}
