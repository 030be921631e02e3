import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { localTime, nextCutOff } from '#capabilities/bank-files/calendar.ts';
import { findWorkDue } from '#capabilities/bank-files/file-store.ts';
import { judgeFile } from '#capabilities/bank-files/judge-file.ts';
import { checkProfile, isInstant, type Profile, type RailProfile } from '#capabilities/bank-files/profile.ts';
import { faultsOf, listUses, type SampleFile, writeSample } from '#capabilities/bank-files/sample-file.ts';
import { listOwners } from '#capabilities/connectors/credit-store.ts';
import { listRoutes } from '#capabilities/connectors/registry-store.ts';
import { type FilesCase, type FilesTrial, soundProfile } from '#cli/connector/files-trial.ts';
import { expectThat, Failure, Skip } from '#cli/connector/trial.ts';
import { FileFault } from '#foundation/bank-formats/file-fault.ts';

/** Cases about the profile, and about the files that the service writes and reads by it. */

const DAY_MS = 24 * 60 * 60 * 1_000;
/** Longer than the longest holidays of banks. */
const CUT_OFF_WITHIN_DAYS = 14;

async function tryProfile({ profile, clock }: FilesTrial): Promise<readonly string[]> {
  const problems = checkProfile(profile).map(({ field, message }) => `${field} ${message}`);
  expectThat(problems.length === 0, 'the profile', 'it is right', problems.join('; '));
  const { rails, settlementAccounts } = profile as Profile;
  return rails
    .filter((rail) => !isInstant(rail))
    .map((rail) => {
      const zone = settlementAccounts.find(({ id }) => id === rail.settlementAccounts[0])?.zone ?? 'UTC';
      return describeCutOff(rail, zone, new Date(clock.now()));
    });
}

function describeCutOff(rail: RailProfile, zone: string, now: Date): string {
  const about = `the rail ${rail.rail} in ${rail.currency}`;
  const cutOff = nextCutOffWithin(rail, zone, now);
  const wanted = `one within ${CUT_OFF_WITHIN_DAYS} days`;
  if (!cutOff) throw new Failure(`the cut-offs of ${about}`, wanted, 'none');
  const { day, time } = localTime(cutOff, zone);
  const last = rail.holidays?.toSorted().at(-1) ?? day;
  const passed =
    last < localTime(now, zone).day ? `, and its last holiday was ${last}: are some missing?` : '';
  return `${about}: the next cut-off is at ${time} on ${day} (${zone})${passed}`;
}

function nextCutOffWithin(rail: RailProfile, zone: string, now: Date): Date | undefined {
  try {
    const { at } = nextCutOff(rail, zone, now);
    return at.getTime() - now.getTime() <= CUT_OFF_WITHIN_DAYS * DAY_MS ? at : undefined;
  } catch {
    return undefined;
  }
}

async function trySamples(trial: FilesTrial): Promise<readonly string[]> {
  const profile = soundProfile(trial);
  const samples = listUses(profile).map((use) => {
    const { account, rail, kind } = use;
    const what = `write a ${kind} over ${rail.rail} from ${account.id}`;
    const sample = writeSample(profile, use, new Date(trial.clock.now()));
    if (typeof sample === 'string') throw new Failure(what, 'a file', sample);
    const faults = faultsOf(sample);
    expectThat(faults.length === 0, `${what}, and read it back`, 'the same', faults.join('; '));
    return sample;
  });
  if (samples.length === 0) throw new Skip('the profile has no rail');
  const notes = [`${samples.length} files were written and read back`, await judgeBySchema(trial, samples)];
  if (trial.samples !== undefined) notes.push(await keepSamples(trial.samples, samples));
  return notes;
}

function nameOf({ name, rail }: SampleFile): string {
  return `${name}.${rail.format === 'NACHA' ? 'txt' : 'xml'}`;
}

async function keepSamples(folder: string, samples: readonly SampleFile[]): Promise<string> {
  for (const sample of samples) {
    await writeFile(join(folder, nameOf(sample)), sample.bytes, { flag: 'wx' }).catch((error: Error) => {
      throw new Failure(`keep ${nameOf(sample)} in ${folder}`, 'a new file', error.message);
    });
  }
  return `the check wrote them into ${folder}. Send them only to a test environment of your bank`;
}

async function judgeBySchema({ schema }: FilesTrial, samples: readonly SampleFile[]): Promise<string> {
  const files = samples.filter(({ rail }) => rail.format !== 'NACHA');
  if (schema === undefined || files.length === 0)
    return 'no schema was given to validate them: give --schema pain.001.001.09.xsd';
  const folder = await mkdtemp(join(tmpdir(), 'corridor-samples-'));
  try {
    for (const sample of files) {
      const path = join(folder, nameOf(sample));
      await writeFile(path, sample.bytes);
      await promisify(execFile)('xmllint', ['--noout', '--nonet', '--schema', schema, path]).catch(
        (error: NodeJS.ErrnoException & { stderr?: string }) => {
          const got = error.code === 'ENOENT' ? 'xmllint is not installed' : (error.stderr ?? error.message);
          throw new Failure(`validate ${nameOf(sample)} against ${schema}`, 'it is valid', got.trim());
        },
      );
    }
  } finally {
    await rm(folder, { recursive: true });
  }
  return `${files.length} of them are valid against ${schema}`;
}

async function tryReceived(trial: FilesTrial): Promise<readonly string[]> {
  const { received } = trial;
  if (!received) throw new Skip('give --read with a file of the bank');
  try {
    return judgeFile(soundProfile(trial), received.bytes);
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    const line = error.line === undefined ? '' : ` (line ${error.line})`;
    throw new Failure(`read ${received.name}`, 'the worker takes it', `${error.message}${line}`);
  }
}

const OVERDUE_MS = 5 * 60 * 1_000;

async function tryStored(trial: FilesTrial): Promise<readonly string[]> {
  const { stored, clock } = trial;
  if (!stored) throw new Skip('only a profile was given');
  const { connector_id: id, query, pausedBecause } = stored;
  const { rails, settlementAccounts } = soundProfile(trial);
  expectThat(pausedBecause === null, 'the state', 'it is not paused', `it is paused: ${pausedBecause}`);
  const due = await findWorkDue(query, id);
  const isLate = due !== undefined && clock.now() - due.getTime() > OVERDUE_MS;
  const away = `no worker has looked since ${due?.toISOString()}: does a worker run with BANK_FILES?`;
  expectThat(!isLate, 'the worker', 'it looks at the files every few seconds', away);
  const routes = (await listRoutes(query)).filter(({ connector_id }) => connector_id === id);
  const noOrders = 'none: it gets no orders until corridor connector route set';
  expectThat(rails.length === 0 || routes.length > 0, 'its routes', 'at least one', noOrders);
  const owned = new Set((await listOwners(query, id)).map(({ settlement_account }) => settlement_account));
  const without = settlementAccounts.map((account) => account.id).filter((each) => !owned.has(each));
  if (without.length === 0) return [];
  return [`${without.join(', ')} has no owner: its receipts wait until corridor connector owner names one`];
}

export const PROFILE_CASES: readonly FilesCase[] = [
  { name: 'CF-1', tries: 'the profile is right, and its rails have cut-offs', run: tryProfile },
  {
    name: 'CF-6',
    tries: 'for each account, rail and kind of order, a file is written and read back',
    run: trySamples,
  },
  { name: 'CF-7', tries: 'a file of the bank is read', run: tryReceived },
  { name: 'CF-8', tries: 'a worker looks at the files, and a route leads to the connector', run: tryStored },
];
