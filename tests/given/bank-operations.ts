import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { addFilesConnector, setProfile } from '#capabilities/bank-files/registry.ts';
import { bytesContext } from '#capabilities/bank-files/seal-batches.ts';
import { openBreak } from '#capabilities/connectors/break-store.ts';
import { setOwner } from '#capabilities/connectors/credits/set-owner.ts';
import { findConnector } from '#capabilities/connectors/registry-store.ts';
import type { ConnectorRow } from '#capabilities/connectors/row.ts';
import { proveDays } from '#capabilities/reconciliation/prove-days.ts';
import { receiveStatement } from '#capabilities/reconciliation/receive-statement.ts';
import { aboutTheirs } from '#capabilities/reconciliation/row.ts';
import type { Statement } from '#foundation/connector-protocol/bank-records.ts';
import { fetchingKeys } from '#foundation/database/fetching-keys.ts';
import { sql } from '#foundation/database/sql.ts';
import { newUuid, publicId } from '#foundation/lib/ids.ts';
import { INSTALLATION } from '#foundation/lib/platform.ts';
import { SEPA_PROFILE } from '#tests/given/bank-files.ts';
import { givenConnector } from '#tests/given/connector-operations.ts';
import { onInstallation } from '#tests/given/operators.ts';
import { givenPlatform } from '#tests/given/payments.ts';
import type { ArrangedOperation } from '#tests/given/second-operator.ts';
import type { World } from '#tests/harness/harness.ts';

/** Calls about files and lines of banks that need a second operator. No worker reads or writes a file. */

const newName = () => `files-${randomUUID().slice(0, 8)}`;

async function givenFilesConnector(world: World): Promise<ConnectorRow> {
  const about = { name: newName(), reason: 'test' };
  await onInstallation(world, (tx) => addFilesConnector(tx, about));
  await onInstallation(world, (tx) => setProfile(tx, { ...about, profile: SEPA_PROFILE }));
  return (await findConnector(world.database.query, about.name)) ?? assert.fail();
}

/** Its archive has files that the database does not know. */
async function stoppedByFiles(world: World) {
  const { id, name } = await givenFilesConnector(world);
  await world.database.query(sql`
    update connectors set paused_because = 'FILES', paused_at = now() where id = ${id}`);
  return { platform: INSTALLATION, params: { name } };
}

async function writtenFile(world: World) {
  const { id } = await givenFilesConnector(world);
  const batch = newUuid() as string;
  const bytes = world.app.runtime.vault.seal('<Document/>', bytesContext(batch));
  await world.database.query(sql`
    insert into bank_file_batches
      (connector_id, id, version, status, settlement_account, rail, kind, currency, format, seal_at, message_id,
       payment_information_id, name, bytes, content_hash, orders, total, created_at, updated_at, sealed_at, written_at)
    values (${id}, ${batch}, 1, 'WRITTEN', 'main', 'SEPA', 'PAYOUT', 'EUR', 'SEPA', now(), ${batch.slice(-12)}, 'payments',
            ${`${batch}.xml`}, ${bytes}, '', 0, 0, now(), now(), now(), now())`);
  return { platform: INSTALLATION, params: { batch } };
}

/** A settlement account with an owner, and a statement of today. */
async function givenStatement(world: World, statementOf: (day: string) => Statement) {
  const owner = await givenPlatform(world, { environment: 'PRODUCTION' });
  const { platform } = await owner.work();
  const connector = await givenConnector(world);
  const owned = { name: connector.name, settlementAccount: 'main', platformId: owner.id, reason: 'test' };
  await onInstallation(world, (tx) => setOwner(tx, owned));
  const { query } = world.database;
  const now = new Date(world.clock.now());
  const { runtime } = world.app;
  const statement = statementOf(now.toISOString().slice(0, 10));
  const outcome = await fetchingKeys(runtime.personKeys, INSTALLATION.id, () =>
    receiveStatement({ run: query, runtime, now }, connector, statement),
  );
  assert.equal(outcome, 'stored');
  return { platform, connector, now };
}

/** A charge of the bank that is in no books, and the break about it. */
async function chargedByBank(world: World) {
  const { query } = world.database;
  const { platform, connector, now } = await givenStatement(world, chargeOn);
  const [line] = await query<{ id: string }>(sql`
    select id from bank_lines where connector_id = ${connector.id}`);
  assert.ok(line);
  const breakId = newUuid() as string;
  const found = { kind: 'THEIRS_UNMATCHED' as const, what: 'The books do not have a line of the bank.' };
  const place = { connectorId: connector.id, platformId: platform.id, about: aboutTheirs(line) };
  await openBreak(query, { ...found, ...place, id: breakId, amount: -250n, currency: 'EUR' }, now);
  return { platform, connector, now, params: { breakId } };
}

/** The same line, and one of ours with the same amount that the bank names otherwise. */
async function chargedTwice(world: World) {
  const { platform, connector, now, params } = await chargedByBank(world);
  const entry = newUuid<'JournalEntry'>();
  await world.database.query(sql`
    insert into bank_ours
      (platform_id, seq, line_no, entry_id, connector_id, settlement_account, booked_on, expected_on, amount, currency,
       reference_hashes, is_new)
    values (${platform.id}, 1, 1, ${entry}, ${connector.id}, 'main', ${now}, ${now}, -250, 'EUR', '{}', false)`);
  return { platform, params, body: { lines: [publicId('JournalEntry', entry)] } };
}

/** A settlement account had money at the bank before its first statement. */
async function begunWithMoney(world: World) {
  const opening = (day: string): Statement => ({
    ...{ id: randomUUID(), settlementAccount: 'main', from: day, to: day, opening: '1000', closing: '1000' },
    lines: [],
  });
  const { platform, connector } = await givenStatement(world, opening);
  await proveDays(world.app.runtime);
  const body = { connector: connector.name, settlementAccount: 'main' };
  return { platform, params: { platformId: platform.id }, body };
}

function chargeOn(day: string): Statement {
  const line = { id: 'line-1', amount: '250', side: 'DEBIT', bookedOn: day, kind: 'CHARGE', references: [] };
  return {
    ...{ id: randomUUID(), settlementAccount: 'main', from: day, to: day, opening: '0', closing: '-250' },
    lines: [line],
  } as unknown as Statement;
}

export const ARRANGED_AT_BANKS: Readonly<Record<string, ArrangedOperation>> = {
  addFilesConnector: {
    arrange: async () => ({ platform: INSTALLATION, params: {}, body: { name: newName() } }),
    meanwhile: 'FAILED',
  },
  setFilesProfile: {
    async arrange(world) {
      const { name } = await givenFilesConnector(world);
      const body = { profile: JSON.stringify(SEPA_PROFILE) };
      return { platform: INSTALLATION, params: { name }, body };
    },
    meanwhile: 'APPROVED',
  },
  adoptBankFiles: { arrange: stoppedByFiles, meanwhile: 'APPROVED' },
  resendBankFile: { arrange: writtenFile, meanwhile: 'APPROVED' },
  bookBankLine: {
    async arrange(world) {
      const { platform, params } = await chargedByBank(world);
      return { platform, params, body: { as: 'CHARGE' } };
    },
    meanwhile: 'FAILED',
  },
  matchBreak: { arrange: chargedTwice, meanwhile: 'FAILED' },
  bookOpeningBalance: { arrange: begunWithMoney, meanwhile: 'FAILED' },
  bookBankDifference: {
    async arrange(world) {
      const { platform, params } = await chargedByBank(world);
      return { platform, params, body: { as: 'WRITE_OFF' } };
    },
    meanwhile: 'FAILED',
  },
};
