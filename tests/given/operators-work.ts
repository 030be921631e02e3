import assert from 'node:assert/strict';
import { SERVICE } from '#app/compose.ts';
import { openBreak } from '#capabilities/connectors/break-store.ts';
import { noteBreak } from '#capabilities/connectors/operator/care-for-break.ts';
import { addConnector } from '#capabilities/connectors/registry.ts';
import { findConnector } from '#capabilities/connectors/registry-store.ts';
import { inviteOperator } from '#capabilities/operators/manage.ts';
import { receiveStatement } from '#capabilities/reconciliation/receive-statement.ts';
import { reconcile } from '#capabilities/reconciliation/reconcile.ts';
import { LedgerProver } from '#foundation/books/ledger-prover.ts';
import { openProof } from '#foundation/books/proof-store.ts';
import type { Statement } from '#foundation/connector-protocol/bank-records.ts';
import { fetchingKeys } from '#foundation/database/fetching-keys.ts';
import { sql } from '#foundation/database/sql.ts';
import { signAllHeads } from '#foundation/journal/heads.ts';
import { newUuid, publicId } from '#foundation/lib/ids.ts';
import { INSTALLATION } from '#foundation/lib/platform.ts';
import { type BusySandbox, givenBusySandbox } from '#tests/given/busy-sandbox.ts';
import { EUR_ACCOUNTS } from '#tests/given/connectors.ts';
import { readJournal } from '#tests/given/journal.ts';
import { givenOperator, onInstallation, type TestOperator } from '#tests/given/operators.ts';
import { execute, givenOutside } from '#tests/given/payments.ts';
import { quoted } from '#tests/given/quotes.ts';
import { givenReview } from '#tests/given/reviews.ts';
import type { World } from '#tests/harness/harness.ts';

/** A busy platform, and what operators have to do with it. */
export interface OperatorsWork {
  readonly sandbox: BusySandbox;
  /** Has every role. */
  readonly operator: TestOperator;
  /** A payment to settle, proposed by another operator. */
  readonly proposal: string;
  /** A person who was invited and has not joined. */
  readonly invited: string;
  /** An entry of the ledger. */
  readonly entry: string;
  /** A break about a line of a bank, and the last day of its settlement account. */
  readonly lineBreak: string;
  readonly day: string;
}

/** Every text that a person writes contains `text`. Call it before the service listens, because passkeys name its address. */
export async function givenOperatorsWork(world: World, text: string): Promise<OperatorsWork> {
  await givenReview(await world.platform());
  const sandbox = await givenBusySandbox(world, text);
  const { platform, account: from } = sandbox;
  const [payer = assert.fail('no payer')] = sandbox.customers;
  const externalAccount = await givenOutside(platform, payer, '003');
  const operator = await givenOperator(world, EVERY_ROLE);
  const maker = await givenOperator(world, ['treasury']);
  const settle = world.app.operatorOperations.find(({ id }) => id === 'settlePayment');
  assert.ok(settle);
  const quote = await quoted(platform, { from, to: externalAccount, send: 10_000 });
  const executed = await execute(platform, quote.id);
  assert.equal(executed.status, 200, executed.raw);
  await world.app.worker.settle(platform.id);
  const { status, body, raw } = await maker.call(
    settle,
    { transactionId: quote.transactionId },
    { reason: text },
  );
  assert.equal(status, 202, raw);
  const invitation = { name: text, email: 'invited@example.com', roles: ['viewer'] as const };
  const parts = { consoleSettings: undefined, publicUrl: () => 'http://localhost' };
  const invited = await onInstallation(world, (tx) => inviteOperator(tx, invitation, parts));
  const breaks = await givenBreaks(world, text);
  await givenOrder(world, platform.id, text);
  return {
    ...breaks,
    ...{ sandbox, operator, proposal: body.id, invited: publicId('Operator', invited.operator.id) },
    entry: await givenBooks(world, platform.id as PlatformId),
  };
}

/** The books are read and signed, and verified once. Returns the newest entry. */
async function givenBooks(world: World, platformId: PlatformId): Promise<string> {
  await readJournal(world, platformId);
  const { runtime } = world.app;
  await signAllHeads(runtime, [platformId]);
  await onInstallation(world, (tx) => openProof(tx, 'ada@shell', new Date(runtime.clock.now())));
  await new LedgerProver(runtime, SERVICE.ledgerChecks).step(INSTALLATION.id);
  const [row] = await world.database.query<{ id: Id<'JournalEntry'> }>(
    sql`select id from ledger_entries where platform_id = ${platformId} order by seq desc limit 1`,
  );
  return publicId('JournalEntry', row?.id ?? assert.fail('no entry'));
}

/** A connector whose bank booked a line that fits nothing in the books, and reported a contradiction. */
async function givenBreaks(world: World, text: string): Promise<Pick<OperatorsWork, 'lineBreak' | 'day'>> {
  const { runtime } = world.app;
  const { query } = world.database;
  const about = { name: 'nordbank', reason: 'for the test' };
  await onInstallation(world, (tx) => addConnector(tx, { ...about, url: 'http://127.0.0.1:9' }));
  await query(sql`update connectors set capabilities = ${EUR_ACCOUNTS}::jsonb where name = ${about.name}`);
  const connector = (await findConnector(query, about.name)) ?? assert.fail('no connector');
  const now = new Date(world.clock.now());
  const what = 'The connector reports SETTLED after FAILED.';
  const found = { kind: 'CONTRADICTION' as const, what, about: newUuid(), platformId: null };
  const amount = { amount: 10_000n, currency: 'EUR' };
  await openBreak(query, { ...found, ...amount, id: newUuid(), connectorId: connector.id }, now);
  const day = now.toISOString().slice(0, 10);
  const head = { id: text.slice(0, 100), settlementAccount: 'main', from: day, to: day };
  const line = { id: text.slice(0, 100), bookedOn: day, side: 'CREDIT', amount: '500', kind: 'PAYMENT' };
  const counterparty = { name: text };
  const statement = {
    ...{ ...head, opening: '0', closing: '500' },
    lines: [{ ...line, references: [text], counterparty, remittance: text }],
  } as unknown as Statement;
  await fetchingKeys(runtime.personKeys, INSTALLATION.id, () =>
    world.database.transaction((run) => receiveStatement({ run, runtime, now }, connector, statement)),
  );
  await reconcile(runtime);
  const [row] = await query<{ id: string }>(sql`
    select id from connector_breaks where kind = 'THEIRS_UNMATCHED' order by opened_at desc limit 1`);
  const id = row?.id ?? assert.fail('no break');
  await onInstallation(world, (tx) =>
    noteBreak(tx, { breakId: id, note: text.slice(0, 500), reason: 'for the test' }),
  );
  return { lineBreak: publicId('Break', id), day };
}

/** An order at the connector of the breaks, and the event that ended it. */
async function givenOrder({ database, clock }: World, platformId: string, text: string): Promise<void> {
  const now = new Date(clock.now());
  await database.query(sql`
    with payment as (
      select t.id, c.id as connector_id from transactions t cross join connectors c
       where t.platform_id = ${platformId} and c.name = 'nordbank' order by t.id limit 1),
    ordered as (
      insert into connector_orders (platform_id, id, reference, transaction_id, kind, status, connector_id, amount, currency,
                                    state, reason, bank_reference, created_at, asked_at, ended_at)
      select ${platformId}, ${newUuid()}, ${newUuid()}, id, 'PAYOUT', 'ENDED', connector_id, 1000, 'EUR', 'FAILED',
             'ACCOUNT_INVALID', ${text.slice(0, 100)}, ${now}, ${now}, ${now}
        from payment returning id, connector_id)
    insert into connector_events (connector_id, store, event_id, type, at, about, content_hash, received_at, applied_at)
    select connector_id, 'store-1', ${text.slice(0, 100)}, 'ORDER', ${now}, id, '', ${now}, ${now} from ordered`);
}

const EVERY_ROLE = ['viewer', 'support', 'compliance', 'finance', 'treasury', 'admin'] as const;

/** The lists of records whose path differs from that of their screen. */
const LISTS: Readonly<Record<string, string>> = { accounts: 'internal-accounts', events: 'webhooks' };

const KINDS_FILE = new URL('../../packages/console/src/operator/records/kinds.ts', import.meta.url).href;
const { KINDS } = (await import(KINDS_FILE)) as {
  KINDS: Readonly<Record<string, { columns: readonly string[] }>>;
};

/** The address of a screen, with the id of something that it shows: the newest record of its list, if nothing else is named. */
export async function operatorAddress(
  path: string,
  { proposal, invited, entry, lineBreak, day, operator, sandbox }: OperatorsWork,
): Promise<string> {
  const platform = `Platform:${sandbox.platform.id}`;
  const account = new URLSearchParams({ platform, account: 'RAIL:SANDBOX:USD', currency: 'USD' });
  const named: Readonly<Record<string, string>> = {
    'proposals/:id': `proposals/${proposal}`,
    'people/:id': `people/${invited}`,
    // Nobody is locked, but this one has factors.
    'sca/:id': `sca/${sandbox.customers[2]}`,
    'work/:kind': 'work/proposals',
    ledger: `ledger?platform=${platform}`,
    'ledger/accounts': `ledger/accounts?platform=${platform}&kind=RAIL`,
    'ledger/lines': `ledger/lines?${account}`,
    'ledger/entries/:id': `ledger/entries/${entry}`,
    proof: `proof?platform=${platform}`,
    'connectors/:id': 'connectors/nordbank',
    'breaks/:id': `breaks/${lineBreak}`,
    'reconciliation/:account': 'reconciliation/nordbank.main',
    'reconciliation/:account/:day': `reconciliation/nordbank.main/${day}`,
    statements: `statements?account=${sandbox.account}&from=${day}&to=${day}`,
  };
  const [, , , ...rest] = path.split('/');
  const own = named[rest.join('/')];
  if (own !== undefined) return `/console/operator/${own}`;
  if (!path.includes(':')) return path;
  const [kind = ''] = rest;
  const list = `/console/api/${LISTS[kind] ?? kind}?environment=SANDBOX&limit=1`;
  const id = (await operator.ask('GET', list)).body.data?.[0]?.[KINDS[kind]?.columns[0] ?? 'id'];
  assert.ok(typeof id === 'string', `name something that ${path} shows`);
  return path.replace(':id', id);
}
