import { findBatch, wishResent } from '#capabilities/bank-files/batch-store.ts';
import {
  closeFile,
  findFilesConnector,
  insertFilesConnector,
  keepProfile,
  wishAdopted,
} from '#capabilities/bank-files/file-store.ts';
import { checkProfile, type Profile } from '#capabilities/bank-files/profile.ts';
import type { BatchRow } from '#capabilities/bank-files/row.ts';
import { openBytes } from '#capabilities/bank-files/write-batch.ts';
import { insertConnector, lockConnector, setUrl } from '#capabilities/connectors/registry-store.ts';
import { type ConnectorRow, FILES_URL, speaksFiles } from '#capabilities/connectors/row.ts';
import { audit } from '#foundation/audit/audit.ts';
import { changedValues } from '#foundation/audit/changed-values.ts';
import { NAME_PATTERN } from '#foundation/connector-protocol/values.ts';
import type { Run } from '#foundation/database/database.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { invalidFields, Refusal, refuse } from '#foundation/lib/refusals.ts';

/** Changes of operators to a connector by files, each with its audit row in the same commit. */

interface Change {
  readonly name: string;
  readonly reason: string;
}

const runOf =
  (tx: Tx): Run =>
  (piece) =>
    tx.query(piece);
const nowOf = ({ runtime }: Tx) => new Date(runtime.clock.now());

/** It has neither an address nor a secret. It takes orders once it has a profile. */
export async function addFilesConnector(tx: Tx, { name, reason }: Change): Promise<void> {
  if (!new RegExp(NAME_PATTERN).test(name))
    throw invalidFields([{ field: 'name', message: 'must have 1 to 32 characters of a–z, 0–9 and -' }]);
  const id = newUuid() as string;
  const connector = { id, name, url: FILES_URL, keyId: null, secret: null };
  if (!(await insertConnector(runOf(tx), connector, nowOf(tx))))
    refuse('CONFLICT', `There is a connector ${name}, or there was one: its name stays in the ledger.`);
  await insertFilesConnector(runOf(tx), id, newUuid(), nowOf(tx));
  audit(tx, { action: 'connector add', details: { connector: name, files: true, reason } });
}

/** bank-files.md §1.3: a profile is checked as a whole, and replaces the one before. */
export async function setProfile(
  tx: Tx,
  { name, reason, profile }: Change & { readonly profile: unknown },
): Promise<void> {
  const { id } = await lockFiles(tx, name);
  const problems = checkProfile(profile);
  if (problems.length > 0)
    throw invalidFields(problems.map(({ field, message }) => ({ field: `profile.${field}`, message })));
  const before = await findFilesConnector(runOf(tx), id);
  await keepProfile(runOf(tx), id, profile as Profile, nowOf(tx));
  // Its capabilities are read again at once.
  await setUrl(runOf(tx), id, FILES_URL, nowOf(tx));
  const changed = changedValues({ profile: before?.profile }, { profile });
  audit(tx, { action: 'connector set', details: { connector: name, profile: true, reason }, changed });
}

/** bank-files.md §2.7: the worker reads the archive, and resumes the connector. */
export async function adoptFiles(tx: Tx, { name, reason }: Change): Promise<void> {
  const { id, paused_because: cause } = await lockFiles(tx, name);
  if (cause !== 'FILES') refuse('CONFLICT', `${name} has not stopped because of its files.`);
  await wishAdopted(runOf(tx), id, nowOf(tx));
  audit(tx, { action: 'connector resume', details: { connector: name, adopt: true, reason } });
}

/** bank-files.md §2.8: the worker writes the same bytes under the same name. */
export async function resendFile(
  tx: Tx,
  { batch: id, reason }: { readonly batch: string; readonly reason: string },
): Promise<BatchRow> {
  const batch = await findBatch(runOf(tx), id);
  if (!batch) throw new Refusal('NOT_FOUND', 'There is no such batch.');
  if (batch.status === 'OPEN' || batch.status === 'SEALED')
    refuse('CONFLICT', 'The file of this batch was not written yet.');
  if (!(await openBytes(tx.runtime, batch)))
    refuse(
      'CONFLICT',
      'The content of the file was destroyed: it ended long ago, or names an erased customer.',
    );
  await wishResent(runOf(tx), batch, nowOf(tx));
  const connector = await findFilesConnector(runOf(tx), batch.connector_id);
  audit(tx, {
    action: 'connector file resend',
    details: { connector: connector?.name, file: batch.name, reason },
  });
  return batch;
}

/** Somebody has seen why a file was not taken. */
export async function closeQuarantined(
  tx: Tx,
  { file: id, reason }: { readonly file: string; readonly reason: string },
): Promise<void> {
  if (!(await closeFile(runOf(tx), id, nowOf(tx))))
    refuse('CONFLICT', 'There is no such file in quarantine.');
  audit(tx, { action: 'connector file close', details: { file: id, reason } });
}

async function lockFiles(tx: Tx, name: string): Promise<ConnectorRow> {
  const row = await lockConnector(runOf(tx), name);
  if (!row) throw new Refusal('NOT_FOUND', `There is no connector ${name}.`);
  if (!speaksFiles(row)) refuse('CONFLICT', `${name} is a connector over HTTP.`);
  return row;
}
