import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readConfig } from '#app/config.ts';
import { findFilesConnector } from '#capabilities/bank-files/file-store.ts';
import { findConnector } from '#capabilities/connectors/registry-store.ts';
import { speaksFiles } from '#capabilities/connectors/row.ts';
import { type CaseResult, tryCase } from '#cli/connector/case-results.ts';
import { PLACE_CASES } from '#cli/connector/files-place-cases.ts';
import { PROFILE_CASES } from '#cli/connector/files-profile-cases.ts';
import type { FilesCase, FilesTrial, StoredConnector } from '#cli/connector/files-trial.ts';
import { listMissing, refuseLiveFolder, refuseOtherUser, removeEmpty } from '#cli/connector/live-folders.ts';
import { UsageError } from '#cli/failure.ts';
import { asOperator, type Operator } from '#cli/operator/shell/operator.ts';
import { openFilePlaces } from '#edge/providers/bank-files/open-places.ts';
import type { BankFilesSettings } from '#edge/providers/bank-files/settings.ts';
import { systemClock } from '#foundation/lib/clock.ts';

/** `corridor connector check <name>`: tests whether a connector by files can work (bank-files.md §9). */

export interface FilesCheckOptions {
  readonly profile?: string | undefined;
  readonly read?: string | undefined;
  readonly schema?: string | undefined;
  readonly samples?: string | undefined;
  /** Tries the outbox of a connector in use, too. */
  readonly outbox?: boolean | undefined;
  readonly only?: string | undefined;
  onResult?(result: CaseResult): void;
}

/** All cases, by their numbers. */
export const FILES_CASES: readonly FilesCase[] = [...PLACE_CASES, ...PROFILE_CASES].toSorted((a, b) =>
  a.name < b.name ? -1 : 1,
);

export async function checkFiles(name: string, options: FilesCheckOptions): Promise<CaseResult[]> {
  const settings = readConfig(process.env).providers.bankFiles;
  if (!settings) throw new UsageError('BANK_FILES is not set: it says where the files of connectors are');
  const given = options.profile === undefined ? undefined : parseProfile(await readBytes(options.profile));
  const received = options.read === undefined ? undefined : await readReceived(options.read);
  const { schema, samples, outbox: mayTryOutbox = false } = options;
  const place = placeOf(settings, name);
  await guardFolders(settings, place, samples);
  const shared = { ...place, clock: systemClock, received, schema, samples, mayTryOutbox };
  return leavingNoFolder(place.folder, () => {
    if (given !== undefined) return runCases({ ...shared, profile: given, stored: undefined }, options);
    return asOperator(async (operator) => {
      const { stored, profile } = await findStored(operator, name);
      return runCases({ ...shared, profile, stored }, options);
    });
  });
}

/** Refuses to run if that could harm folders in use, before anything is written. */
async function guardFolders(
  settings: BankFilesSettings,
  { folder }: Pick<FilesTrial, 'folder'>,
  samples: string | undefined,
): Promise<void> {
  if (!('folder' in settings) || folder === undefined) return;
  if (samples !== undefined) await refuseLiveFolder(samples, settings.folder);
  await refuseOtherUser({ bankFiles: settings.folder, folder });
}

/** Removes the folders that the check makes: the worker makes its own. */
async function leavingNoFolder<T>(folder: string | undefined, check: () => Promise<T>): Promise<T> {
  const missing = folder === undefined ? [] : await listMissing(folder);
  return check().finally(() => removeEmpty(missing));
}

function placeOf(settings: BankFilesSettings, name: string): Pick<FilesTrial, 'place' | 'folder'> {
  const folder = 'folder' in settings ? join(settings.folder, name) : undefined;
  return { place: openFilePlaces(settings, systemClock)(name), folder };
}

/** Tries the cases one after another. */
export async function runCases(
  trial: FilesTrial,
  { only, onResult }: Pick<FilesCheckOptions, 'only' | 'onResult'> = {},
): Promise<CaseResult[]> {
  const results: CaseResult[] = [];
  for (const each of FILES_CASES.filter(({ name }) => only === undefined || name === only)) {
    const result = await tryCase(each, () => each.run(trial));
    onResult?.(result);
    results.push(result);
  }
  return results;
}

async function findStored(
  { database: { query }, keys }: Operator,
  name: string,
): Promise<{ stored: StoredConnector; profile: unknown }> {
  const row = await findConnector(query, name);
  if (!row) throw new UsageError(`There is no connector ${name}: give its profile with --profile.`);
  const found = speaksFiles(row) ? await findFilesConnector(query, row.id) : undefined;
  if (!found) throw new UsageError(`${name} is a connector over HTTP: give its address and --secret-file.`);
  if (found.profile === null)
    throw new UsageError(`${name} has no profile yet: give one with --profile, or set it.`);
  const stored = {
    ...{ connector_id: row.id, pausedBecause: row.paused_because, query },
    vault: async () => (await keys()).vault,
  };
  return { stored, profile: found.profile };
}

async function readReceived(path: string): Promise<FilesTrial['received']> {
  return { name: path, bytes: await readBytes(path) };
}

async function readBytes(path: string): Promise<Buffer> {
  return readFile(path).catch((error: Error) => {
    throw new UsageError(`${path} cannot be read: ${error.message}`);
  });
}

function parseProfile(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch (error) {
    throw new UsageError(`The profile is not JSON: ${(error as Error).message}`);
  }
}
