import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type FilesCase, type FilesTrial, step } from '#cli/connector/files-trial.ts';
import { expectThat, Skip } from '#cli/connector/trial.ts';
import type { Area } from '#edge/providers/bank-files/file-place.ts';
import { listUnknownCopies, openNewestCopy } from '#edge/providers/bank-files/write-batches.ts';

/** Cases about the folders or the bucket. Each removes the probe that it wrote. */

const HOUR_MS = 60 * 60 * 1_000;
const PROBE = Buffer.from('A probe of corridor connector check. It holds nothing.\n');
const OTHER = Buffer.from('Another probe.\n');

/** A file with such a name is taken by no reader, and must be taken by no transport (bank-files.md §1.2). */
function probeName(): string {
  return `.corridor-check-${randomUUID()}.part`;
}

/** `..` begins the name under which a probe is still being written. */
const LEFTOVER = /^\.{1,2}corridor-check-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(\.part){1,2}$/;

/**
 * Removes probes of checks that were killed: those with the name and the bytes of a probe that are older than an hour. A
 * younger one may belong to a check that runs now.
 */
async function removeLeftovers({ place, clock }: FilesTrial, area: Area): Promise<readonly string[]> {
  const what = `remove probes of earlier checks from ${area}`;
  const removed = await step(what, 'they are gone', async () => {
    const old = await place.list(area, new Date(clock.now() - HOUR_MS));
    let count = 0;
    for (const name of old.filter((each) => LEFTOVER.test(each))) {
      const bytes = await place.read(area, name, PROBE.length);
      if (!bytes || ![PROBE, OTHER].some((probe) => probe.subarray(0, bytes.length).equals(bytes))) continue;
      await place.remove(area, name);
      count++;
    }
    return count;
  });
  return removed === 0
    ? []
    : [`${removed} ${removed === 1 ? 'probe' : 'probes'} of earlier checks removed from ${area}`];
}

/** Writes a probe, runs the steps, and removes the probe whatever happens. */
async function withProbe(
  { place }: FilesTrial,
  areas: readonly Area[],
  probe: (name: string) => Promise<void>,
): Promise<void> {
  const name = probeName();
  try {
    await probe(name);
  } finally {
    for (const area of areas) await place.remove(area, name).catch(() => undefined);
  }
}

async function expectProbe({ place }: FilesTrial, area: Area, name: string): Promise<void> {
  const what = `read the probe in ${area}`;
  const found = await step(what, 'the bytes that were written', () =>
    place.read(area, name, PROBE.length + 1),
  );
  expectThat(
    found?.equals(PROBE) === true,
    what,
    'the bytes that were written',
    found ? 'others' : 'nothing',
  );
}

async function expectRemoved({ place }: FilesTrial, area: Area, name: string): Promise<void> {
  const what = `remove the probe from ${area}`;
  await step(what, 'it is gone', () => place.remove(area, name));
  const left = await step(what, 'it is gone', () => place.read(area, name, 0));
  expectThat(left === undefined, what, 'it is gone', 'it is still there');
}

/** Fails if others on this machine can read or write files in the folder. They need the folders above it, too. */
async function expectPrivate({ folder }: FilesTrial, area: Area): Promise<void> {
  if (folder === undefined) return;
  const path = join(folder, area);
  const { mode } = await stat(path);
  if ((mode & 0o006) === 0 || !(await isReachable(path))) return;
  const may = (mode & 0o002) === 0 ? 'read' : 'write';
  expectThat(
    false,
    `the rights of ${path}`,
    'nobody but the service and your transport',
    `everyone may ${may}`,
  );
}

async function isReachable(path: string): Promise<boolean> {
  const { mode } = await stat(path);
  if ((mode & 0o001) === 0) return false;
  const parent = dirname(path);
  return parent === path || isReachable(parent);
}

async function tryOutbox(trial: FilesTrial): Promise<readonly string[]> {
  const isTried = trial.mayTryOutbox || !(await isInUse(trial));
  const notes = [...(await removeLeftovers(trial, 'staging')), ...(await removeLeftovers(trial, 'outbox'))];
  await withProbe(trial, ['staging', 'outbox'], async (name) => {
    await step('write a probe into staging', 'it is written', () => trial.place.put('staging', name, PROBE));
    await expectProbe(trial, 'staging', name);
    if (isTried) await publishProbe(trial, name);
    else await expectRemoved(trial, 'staging', name);
  });
  await expectPrivate(trial, 'outbox');
  if (isTried) return notes;
  await expectOneFileSystem(trial);
  const why =
    'the connector is in use: no probe went into outbox. If your transport ignores names that begin with a dot, give --outbox';
  throw new Skip([why, ...notes].join('; '));
}

/**
 * Returns whether a transport may take files from the outbox now. It may if the connector is stored and not paused. Any other
 * connector counts as in use once its outbox exists or, in a bucket, once a file was written: a transport may run for one that
 * is paused, too.
 */
async function isInUse({ stored, folder, place }: FilesTrial): Promise<boolean> {
  if (stored?.pausedBecause === null) return true;
  if (folder !== undefined) return existsSync(join(folder, 'outbox'));
  const written = await step('list outbox and archive', 'their files', async () => [
    ...(await place.list('outbox')),
    ...(await place.list('archive')),
  ]);
  return written.length > 0;
}

/** Checks what needs no probe: only a rename within one file system makes a file visible as a whole. */
async function expectOneFileSystem({ folder }: FilesTrial): Promise<void> {
  if (folder === undefined) return;
  const [staging, outbox] = await Promise.all(['staging', 'outbox'].map((area) => stat(join(folder, area))));
  const got = 'they are on different ones, so that no file can be moved between them as a whole';
  expectThat(staging?.dev === outbox?.dev, 'the file systems of staging and outbox', 'one', got);
}

async function publishProbe(trial: FilesTrial, name: string): Promise<void> {
  const { place, folder } = trial;
  await step('move the probe into outbox', 'it is there as a whole', () => place.publish(name, PROBE));
  await expectProbe(trial, 'outbox', name);
  if (folder === undefined) {
    const what = 'write other bytes under the same name, with If-None-Match: *';
    await step(what, 'a refusal', () => place.publish(name, OTHER));
    const found = await place.read('outbox', name, PROBE.length + 1);
    const got = 'the first bytes were replaced: the bank could get a file twice';
    expectThat(found?.equals(PROBE) === true, what, 'the first bytes stay', got);
  }
  await expectRemoved(trial, 'outbox', name);
}

async function tryInbox(trial: FilesTrial): Promise<readonly string[]> {
  const { place, clock } = trial;
  const notes = await removeLeftovers(trial, 'inbox');
  await withProbe(trial, ['inbox'], async (name) => {
    await step('write a probe into inbox', 'it is written', () => place.put('inbox', name, PROBE));
    const what = 'list inbox';
    const names = await step(what, 'the probe is listed', () => place.list('inbox'));
    expectThat(names.includes(name), what, 'the probe is listed', 'it is not listed');
    await expectProbe(trial, 'inbox', name);
    await expectRemoved(trial, 'inbox', name);
  });
  await expectPrivate(trial, 'inbox');
  const old = await place.list('inbox', new Date(clock.now() - HOUR_MS));
  const unfinished = old.filter((name) => /^\.|\.(part|tmp)$/i.test(name));
  const waiting = old.filter((name) => !unfinished.includes(name));
  const got = `${waiting[0]} waits (${waiting.length} in all): does a worker run with this BANK_FILES?`;
  expectThat(waiting.length === 0, 'files in inbox', 'none is older than an hour', got);
  if (unfinished.length === 0) return notes;
  return [
    ...notes,
    `${unfinished[0]} is passed over (${unfinished.length} in all): does your transport rename such files?`,
  ];
}

async function tryKept(trial: FilesTrial): Promise<readonly string[]> {
  const notes: string[] = [];
  for (const area of ['archive', 'archive/read', 'quarantine'] as const) {
    notes.push(...(await removeLeftovers(trial, area)));
    await withProbe(trial, [area], async (name) => {
      await step(`write a probe into ${area}`, 'it is written', () => trial.place.put(area, name, PROBE));
      await expectProbe(trial, area, name);
      await expectRemoved(trial, area, name);
    });
    await expectPrivate(trial, area);
  }
  return notes;
}

async function tryArchive({ place, stored }: FilesTrial): Promise<readonly string[]> {
  if (!stored) throw new Skip('only a profile was given');
  const { query, vault } = stored;
  const [unknown] = await listUnknownCopies({ query, connector: stored, place });
  const restored = `${unknown}: the database is older than the archive, or BANK_FILES is that of another installation`;
  expectThat(unknown === undefined, 'files in archive', 'the database knows all of them', restored);
  const opened = await vault();
  const what = 'open the newest copy in archive';
  const newest = await step(what, 'the keys of this installation open it', () =>
    openNewestCopy({ connector: stored, place }, opened),
  );
  return [newest === undefined ? 'no file was written yet' : `the newest is ${newest}`];
}

export const PLACE_CASES: readonly FilesCase[] = [
  { name: 'CF-2', tries: 'a file is staged, moved into outbox as a whole, read and removed', run: tryOutbox },
  {
    name: 'CF-3',
    tries: 'a file in inbox is listed, read and removed, and none waits for long',
    run: tryInbox,
  },
  { name: 'CF-4', tries: 'copies are written into archive and quarantine, read and removed', run: tryKept },
  { name: 'CF-5', tries: 'the database knows the files in archive, and its keys open them', run: tryArchive },
];
