import assert from 'node:assert/strict';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { addFilesConnector, setProfile } from '#capabilities/bank-files/registry.ts';
import { setOwner } from '#capabilities/connectors/credits/set-owner.ts';
import { setRoute } from '#capabilities/connectors/operator/set-route.ts';
import { addConnector, closeBreak } from '#capabilities/connectors/registry.ts';
import { receiveDeposit } from '#capabilities/payments/incoming/receive-deposit.ts';
import { callFiles } from '#edge/providers/bank-files/files-connector.ts';
import { folderPlace } from '#edge/providers/bank-files/folder-place.ts';
import { BankFileWorker } from '#edge/providers/bank-files/worker.ts';
import { createConnectorClient } from '#edge/providers/connectors/client.ts';
import { ConnectorWorker } from '#edge/providers/connectors/worker.ts';
import { sql } from '#foundation/database/sql.ts';
import type { Runtime, Tx } from '#foundation/database/tx.ts';
import { Work } from '#foundation/database/work.ts';
import { systemClock } from '#foundation/lib/clock.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { INSTALLATION } from '#foundation/lib/platform.ts';
import { HOLDER } from '#tests/checks/external-account-examples.ts';
import { PAYOUT, SEPA_PROFILE } from '#tests/given/bank-files.ts';
import { ANY_ORDER } from '#tests/given/connected-payouts.ts';
import { createConnector, EUR_ACCOUNTS, type TestConnector } from '#tests/given/connectors.ts';
import { givenCustomer, PERSON } from '#tests/given/customers.ts';
import { givenExternalAccount } from '#tests/given/external-accounts.ts';
import { execute, fetchPayer, type Payer, readTransaction } from '#tests/given/payments.ts';
import type { PlantedValues } from '#tests/given/planted-person.ts';
import { quoted } from '#tests/given/quotes.ts';
import type { Attached } from '#tests/harness/embedded-service.ts';
import type { TestPlatform } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

const NAME = 'nordbank';
const DAY = '2026-03-02';
const PAUSE_MS = 50;

/** A platform of production, whose money goes through a connector with a bank. */
export interface LiveSoil {
  readonly live: TestPlatform;
  readonly attached: Attached;
  readonly bank: TestConnector;
  /** Has the connector's work done until this is so. */
  until(isSo: () => boolean | Promise<boolean>): Promise<void>;
}

/** A customer of production who was paid out through the bank. */
export interface LivePerson {
  readonly payer: Payer;
  readonly outside: string;
}

/** Makes a bank that opens accounts, checks names, carries out orders and gives statements. */
export async function givenBank(live: TestPlatform, attached: Attached): Promise<LiveSoil> {
  const bank = await createConnector(systemClock);
  bank.capabilities = {
    ...EUR_ACCOUNTS,
    ...{ statements: true, nameChecks: ['EUR_ACCOUNT'] },
    accounts: [{ currency: 'EUR', accountTypes: ['EUR_ACCOUNT'] }],
  };
  bank.opens = { state: 'OPEN', coordinates: { EUR_ACCOUNT: { iban: 'DE35370400440532013002' } } };
  bank.names = { status: 'MATCHED' };
  const change = <T>(steps: (tx: Tx) => Promise<T>) => onInstallation(attached.app.runtime, steps);
  const about = { name: NAME, reason: 'a test' };
  bank.secret = (await change((tx) => addConnector(tx, { ...about, url: bank.url }))).secret;
  await change((tx) => setRoute(tx, { ...about, number: 1, ...ANY_ORDER }));
  const soil = bankOf(live, attached, bank);
  await soil.until(async () => {
    const known = await attached.database.query(sql`select from connectors where capabilities is not null`);
    return known.length > 0;
  });
  await change((tx) => setOwner(tx, { ...about, settlementAccount: 'main', platformId: live.id }));
  return soil;
}

function onInstallation<T>(runtime: Runtime, steps: (tx: Tx) => Promise<T>): Promise<T> {
  return new Work(runtime, INSTALLATION, { kind: 'operator', id: 'ada@shell' }).write(steps);
}

/** The bank as another process of the service works with it. */
export function bankOf(live: TestPlatform, attached: Attached, bank: TestConnector): LiveSoil {
  const { runtime } = attached.app;
  const failures: unknown[] = [];
  const worker = new ConnectorWorker({
    ...{ runtime, client: createConnectorClient(runtime) },
    onFailure: (error) => failures.push(error),
  });
  return {
    ...{ live, attached, bank },
    async until(isSo) {
      while (!(await isSo())) {
        // Otherwise the events would be read every five seconds.
        await attached.database.query(
          sql`update connectors set events_due_at = now() - interval '1 second' where reader is null`,
        );
        await worker.round();
        assert.deepEqual(failures, []);
        // The service's own processes do the rest.
        await pause(PAUSE_MS);
      }
    },
  };
}

export async function givenLivePerson(
  soil: LiveSoil,
  { texts, numbers }: PlantedValues,
): Promise<LivePerson> {
  const { live, attached } = soil;
  const { database } = attached;
  const made = await givenCustomer(live, {
    ...PERSON,
    ...{ fullName: texts.liveName, email: texts.liveEmail, platformCustomerId: texts.liveReference },
    address: { ...PERSON.address, line1: texts.street, city: texts.city },
    currencies: ['EUR'],
  });
  const opened = sql`
    select from internal_accounts
     where platform_id = ${live.id} and customer_id = ${uuidOf(made.id)} and currency = 'EUR' and status = 'ACTIVE'`;
  await soil.until(async () => (await database.query(opened)).length > 0);
  const payer = await fetchPayer(live, made);
  const beneficiary = { ...HOLDER, fullName: texts.liveHolder, email: texts.liveEmail };
  const fields = { iban: numbers.liveIban, beneficiary };
  const outside = await givenExternalAccount(live, 'EUR_ACCOUNT', fields, { customerId: payer.id });
  // An operator checks and activates the account.
  await database.query(sql`update external_accounts set status = 'ACTIVE' where platform_id = ${live.id}`);
  const arrival = {
    ...{ accountId: uuidOf<'InternalAccount'>(payer.account('EUR').id as never), amount: 5_000n },
    ...{ currency: 'EUR', rail: 'SEPA', providerReference: newUuid() },
    ...{ reference: texts.liveDeposit, originator: { accountHolderName: texts.liveSender } },
  };
  await (await live.work()).write((tx) => receiveDeposit(tx, arrival));
  const person = { payer, outside: outside.id };
  await payOut(soil, person, { send: 2_000, state: 'SETTLED' });
  const failed = await payOut(soil, person, {
    send: 1_000,
    state: 'FAILED',
    more: { reason: 'ACCOUNT_INVALID' },
  });
  await givenBreak(soil, failed, texts.breakReason);
  return person;
}

/** The bank takes a failure back, and an operator writes why that does no harm. */
async function givenBreak(
  { bank, attached, until }: LiveSoil,
  reference: TransactionId,
  reason: string,
): Promise<void> {
  bank.play(reference, 'SETTLED');
  const { database, app } = attached;
  const open = () =>
    database.query<{ id: string }>(sql`
      select b.id from connector_breaks b join connector_orders o on o.platform_id = b.platform_id and o.id = b.order_id
       where o.reference = ${reference} and b.resolved_at is null`);
  await until(async () => (await open()).length > 0);
  const [found] = await open();
  await onInstallation(app.runtime, (tx) => closeBreak(tx, { id: found?.id ?? '', reason }));
}

interface PayOut {
  readonly send: number;
  readonly state: 'SETTLED' | 'FAILED';
  readonly more?: Record<string, unknown>;
}

/** Pays to the person's account outside, and waits for what the bank says. */
export async function payOut(
  soil: LiveSoil,
  { payer, outside }: LivePerson,
  { send, state, more = {} }: PayOut,
): Promise<TransactionId> {
  const { live, bank } = soil;
  const quote = await quoted(live, { from: payer.account('EUR').id, to: outside, send });
  const done = await execute(live, quote.id);
  assert.equal(done.status, 200, done.raw);
  const reference = uuidOf<'Transaction'>(quote.transactionId as never);
  await soil.until(() => bank.orders.has(reference));
  bank.play(reference, state, more);
  const wanted = state === 'SETTLED' ? 'COMPLETED' : 'FAILED';
  await soil.until(async () => (await readTransaction(live, quote.transactionId)).status === wanted);
  return reference;
}

/** Money from somebody whom nobody knows, and a statement that names people. */
export async function givenStrangersAtBank(
  { bank, attached, until }: LiveSoil,
  { texts }: PlantedValues,
): Promise<void> {
  const { database } = attached;
  const now = new Date().toISOString();
  const creditId = newUuid();
  bank.list({
    ...{ id: newUuid(), type: 'CREDIT', at: now, creditId, settlementAccount: 'main', amount: '700' },
    ...{
      currency: 'EUR',
      rail: 'SEPA',
      remittance: texts.creditText,
      originator: { name: texts.creditPayer },
    },
  });
  const before = bank.statements.size;
  const day = new Date(Date.parse(DAY) + 86_400_000 * before).toISOString().slice(0, 10);
  const id = `statement-${day}`;
  bank.statements.set(`main ${day}`, {
    ...{ id, settlementAccount: 'main', from: day, to: day },
    ...{ opening: `${1_234 * before}`, closing: `${1_234 * (before + 1)}` },
    lines: [
      {
        ...{ id: '1', bookedOn: day, kind: 'PAYMENT', side: 'CREDIT', amount: '1234' },
        ...{ references: [texts.lineReference], remittance: texts.lineText },
        counterparty: { name: texts.lineParty },
      },
    ],
  });
  bank.list({ id: newUuid(), type: 'STATEMENT', at: now, settlementAccount: 'main', date: day });
  const applied = sql`select from bank_statements where statement_id = ${id}`;
  const credited = sql`select from connector_credits where credit_id = ${creditId}`;
  await until(
    async () => (await database.query(applied)).length + (await database.query(credited)).length === 2,
  );
}

/** A file for another bank, which pays somebody whom no platform knows. */
export async function givenFileForBank(
  { app: { runtime }, database }: Attached,
  folder: string,
  { texts }: PlantedValues,
): Promise<void> {
  const about = { name: 'filebank', reason: 'a test' };
  await onInstallation(runtime, (tx) => addFilesConnector(tx, about));
  await onInstallation(runtime, (tx) => setProfile(tx, { ...about, profile: SEPA_PROFILE }));
  const [row] = await database.query<{ id: string }>(
    sql`select id from connectors where name = ${about.name}`,
  );
  const beneficiary = { ...PAYOUT.beneficiary, name: texts.fileReceiver };
  const order = { ...PAYOUT, rail: 'SEPA_INSTANT', amount: '100', beneficiary };
  const answer = await callFiles(runtime, row?.id ?? '', 'putOrder', {
    parameters: { reference: newUuid() },
    body: JSON.stringify({ ...order, requestedAt: new Date().toISOString() }),
  });
  assert.equal(answer.kind, 'answer', JSON.stringify(answer));
  const failures: unknown[] = [];
  const worker = new BankFileWorker({
    ...{ runtime, places: (name) => folderPlace(join(folder, name)) },
    ...{ onFailure: (error) => failures.push(error), onAlarm: (reason) => failures.push(reason) },
  });
  const written = sql`select from bank_file_batches where status = 'WRITTEN'`;
  while ((await database.query(written)).length === 0) {
    await worker.round();
    assert.deepEqual(failures, []);
  }
}
