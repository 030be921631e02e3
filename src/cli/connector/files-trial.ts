import { userInfo } from 'node:os';
import { checkProfile, type Profile } from '#capabilities/bank-files/profile.ts';
import { Failure, Skip } from '#cli/connector/trial.ts';
import type { FilePlace } from '#edge/providers/bank-files/file-place.ts';
import type { PersonVault } from '#foundation/crypto/vault.ts';
import type { Run } from '#foundation/database/database.ts';
import type { Clock } from '#foundation/lib/clock.ts';

/** The things that a case of a connector by files works with. */
export interface FilesTrial {
  readonly place: FilePlace;
  /** The folder of the connector; absent: its files are in a bucket. */
  readonly folder: string | undefined;
  /** The given profile, or that of the connector; not checked yet. */
  readonly profile: unknown;
  readonly clock: Clock;
  /** The connector in the database; absent: only a profile was given. */
  readonly stored: StoredConnector | undefined;
  /** A file of the bank, to be read as the worker would. */
  readonly received: { readonly name: string; readonly bytes: Uint8Array } | undefined;
  /** The path of a schema for files of pain.001. */
  readonly schema: string | undefined;
  /** Where samples are kept. */
  readonly samples: string | undefined;
  /** The operator says that a probe may go into the outbox of a connector in use. */
  readonly mayTryOutbox: boolean;
}

export interface StoredConnector {
  readonly connector_id: string;
  readonly pausedBecause: string | null;
  readonly query: Run;
  vault(): Promise<Pick<PersonVault, 'openText'>>;
}

/** A case of `corridor connector check` for a connector by files (bank-files.md §9). It returns notes for people. */
export interface FilesCase {
  readonly name: string;
  readonly tries: string;
  run(trial: FilesTrial): Promise<readonly string[]>;
}

/** Returns the profile, or skips the case if the profile has faults. */
export function soundProfile({ profile }: FilesTrial): Profile {
  if (checkProfile(profile).length > 0) throw new Skip('the profile is not right');
  return profile as Profile;
}

/** Does one step at the place of files. It translates an error of the system into words that say what to do. */
export async function step<T>(what: string, expected: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof Failure || error instanceof Skip) throw error;
    throw new Failure(what, expected, wordsFor(error as NodeJS.ErrnoException));
  }
}

const WORDS: Readonly<Record<string, string>> = {
  EACCES: 'may not do this',
  EPERM: 'may not do this',
  EROFS: 'may not do this, because the file system can only be read',
};

const CAUSES: Readonly<Record<string, string>> = {
  EXDEV:
    'staging and outbox are on different file systems, so that no file can be moved between them as a whole',
  ENOSPC: 'the file system is full',
  ENOTDIR: 'a part of the path is a file, not a folder',
  ENOENT: 'a folder is missing',
  ECONNREFUSED: 'nothing answers at DOCUMENT_STORE_ENDPOINT',
  ENOTFOUND: 'the name in DOCUMENT_STORE_ENDPOINT is not known',
};

/** What the statuses of an S3 server mean for a case. */
const STATUSES: Readonly<Record<string, string>> = {
  403: 'DOCUMENT_STORE_KEY_ID and DOCUMENT_STORE_SECRET may not do this, or are wrong',
  404: 'there is no such bucket',
};

function wordsFor({ code = '', message, path }: NodeJS.ErrnoException): string {
  const where = path === undefined ? '' : ` (${path})`;
  const denied = WORDS[code];
  if (denied !== undefined) return `the user ${userInfo().username} ${denied}${where}`;
  const cause = CAUSES[code];
  if (cause !== undefined) return cause + where;
  const meaning = STATUSES[/answered [A-Z]+ with (\d{3})$/.exec(message)?.[1] ?? ''];
  return meaning === undefined ? message : `${meaning}: ${message}`;
}
