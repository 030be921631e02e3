/** Where files lie that go to a bank and come from it (bank-files.md §1.2). */

export const AREAS = ['staging', 'outbox', 'inbox', 'archive', 'archive/read', 'quarantine'] as const;
export type Area = (typeof AREAS)[number];

/** The state of a file that a crash interrupted: it waits in `staging`, was made visible, or is unknown. */
export type Interrupted = 'STAGED' | 'WRITTEN' | 'UNCLEAR';

/** The files of one connector. */
export interface FilePlace {
  /** Names of files, the first that came first; with `before` only those that were last changed before this time. */
  list(area: Area, before?: Date): Promise<string[]>;
  /** Undefined if there is none; a longer file is cut off behind this many bytes. */
  read(area: Area, name: string, bytesMax: number): Promise<Buffer | undefined>;
  /** Complete on the disk before this returns, and never seen half. */
  put(area: Exclude<Area, 'outbox'>, name: string, bytes: Buffer): Promise<void>;
  remove(area: Area, name: string): Promise<void>;
  /** Makes a staged file visible in `outbox`, as a whole. */
  publish(name: string, bytes: Buffer): Promise<void>;
  interrupted(name: string): Promise<Interrupted>;
}

/** The places of all connectors, each by the connector's name. */
export type FilePlaces = (connector: string) => FilePlace;
