import { CONNECTED } from '#capabilities/connectors/row.ts';
import {
  insertOurs,
  type KnownReferences,
  listNamed,
  listRailLines,
  listReferences,
  listUncopied,
  lockMark,
  moveMark,
  type NamedConnector,
  type NewOurs,
  type RailLine,
} from '#capabilities/reconciliation/ours-store.ts';
import { staleProofs } from '#capabilities/reconciliation/proof-store.ts';
import { hashReferences } from '#capabilities/reconciliation/references.ts';
import type { Run } from '#foundation/database/database.ts';
import { listPlatformsOf } from '#foundation/database/platforms.ts';
import type { Runtime } from '#foundation/database/tx.ts';

const ENTRIES_OF_STEP = 1_000;

type Parts = Pick<Runtime, 'database' | 'clock' | 'vault'>;

/** Copies our lines on the accounts of connectors out of the journals, behind their follower (bank-files.md §7.1). */
export async function copyOurs(parts: Parts): Promise<void> {
  const { database } = parts;
  const platforms = (await listPlatformsOf(database.query, CONNECTED)).map(({ id }) => id);
  for (const platformId of await listUncopied(database.query, platforms)) {
    let isMore = true;
    while (isMore) isMore = await database.transaction((run) => copyStep(parts, run, platformId));
  }
}

async function copyStep(parts: Parts, run: Run, platformId: PlatformId): Promise<boolean> {
  const after = await lockMark(run, platformId);
  if (after === undefined) return false;
  const read = await listRailLines(run, platformId, after, ENTRIES_OF_STEP);
  const last = read.at(-1);
  if (!last) return false;
  const lines = read.filter(({ line_no }) => line_no !== null);
  const known = await listReferences(run, platformId, {
    transactions: lines.flatMap(({ transaction_id }) => transaction_id ?? []),
    entries: lines.map(({ entry_id }) => entry_id),
  });
  const connectors = await listNamed(
    run,
    lines.map((line) => placeOf(line).name),
  );
  const ours = lines.flatMap((line) => oursOf(parts, line, { platformId, connectors, known }) ?? []);
  await insertOurs(run, ours);
  for (const account of ours) {
    const { booked_on: day, currency } = account;
    const now = new Date(parts.clock.now());
    await staleProofs(run, account, { from: day, currency, now });
  }
  await moveMark(run, platformId, last.seq);
  return true;
}

/** The connector and the settlement account that an account of the journal names. */
function placeOf({ account }: RailLine) {
  const [, , place = '', currency = ''] = account.split(':');
  const dot = place.indexOf('.');
  return { name: place.slice(0, dot), settlement_account: place.slice(dot + 1), currency };
}

interface Around {
  readonly platformId: PlatformId;
  readonly connectors: readonly NamedConnector[];
  readonly known: readonly KnownReferences[];
}

function oursOf(
  { vault }: Parts,
  line: RailLine,
  { platformId, connectors, known }: Around,
): NewOurs | undefined {
  const { name: named, settlement_account, currency } = placeOf(line);
  const connector = connectors.find(({ name }) => name === named);
  if (!connector) return undefined;
  const zone = connector.capabilities?.settlementAccounts.find(({ id }) => id === settlement_account)?.zone;
  const about = known.filter(
    (one) =>
      one.entry_id === line.entry_id ||
      (one.transaction_id !== null && one.transaction_id === line.transaction_id),
  );
  const opened_on = about.find((one) => one.opened_on !== null)?.opened_on;
  const booked_on = opened_on ?? dayIn(line.created_at, zone);
  const expected = about
    .flatMap(({ expected_at }) => (expected_at ? dayIn(expected_at, zone) : []))
    .toSorted()
    .at(-1);
  return {
    ...{ platform_id: platformId, seq: line.seq, line_no: line.line_no ?? 0, entry_id: line.entry_id },
    ...{ connector_id: connector.id, settlement_account, transaction_id: line.transaction_id },
    ...{ booked_on, expected_on: expected !== undefined && expected > booked_on ? expected : booked_on },
    ...{ amount: line.amount, currency },
    reference_hashes: hashReferences(vault, [
      ...about.flatMap(({ references }) => references),
      ...(line.transaction_id === null ? [] : [line.transaction_id]),
    ]),
  };
}

function dayIn(at: Date, zone = 'UTC'): string {
  return Temporal.Instant.fromEpochMilliseconds(at.getTime())
    .toZonedDateTimeISO(zone)
    .toPlainDate()
    .toString();
}
