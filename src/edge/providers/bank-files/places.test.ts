import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { FilePlace } from '#edge/providers/bank-files/file-place.ts';
import { openFilePlaces } from '#edge/providers/bank-files/open-places.ts';
import { purgeCopies } from '#edge/providers/bank-files/purge-copies.ts';
import { handClock } from '#tests/harness/hand-clock.ts';
import { type S3StandIn, startS3StandIn } from '#tests/harness/s3-stand-in.ts';

const KEYS = { accessKeyId: 'AKIATEST', secretAccessKey: 'a secret/with+signs=', region: 'eu-central-1' };

describe('places for files of banks', () => {
  const clock = handClock();
  let folder = '';
  let standIn: S3StandIn;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'corridor-places-'));
    standIn = await startS3StandIn(KEYS, () => clock.now());
  });
  after(async () => {
    await standIn.close();
    await rm(folder, { recursive: true });
  });

  const places: Record<string, (connector: string) => FilePlace> = {
    folder: (connector) => openFilePlaces({ folder }, clock)(connector),
    bucket: (connector) =>
      openFilePlaces(
        { bucket: { endpoint: standIn.url, bucket: 'files', prefix: 'live/', ...KEYS } },
        clock,
      )(connector),
  };

  for (const [name, open] of Object.entries(places)) {
    it(`bank-files.md §1.2: the ${name} keeps files by connector and area, and lists all of them`, async () => {
      const place = open('nordbank');
      const names = ['a.xml', 'b c+ä.xml', 'c', 'd.sealed', 'e'];
      for (const file of names) await place.put('archive', file, Buffer.from(file));
      await place.put('archive/read', 'other', Buffer.from('x'));
      assert.deepEqual((await place.list('archive')).toSorted(), names);
      assert.equal((await place.read('archive', 'b c+ä.xml', 100))?.toString(), 'b c+ä.xml');
      assert.equal(await place.read('archive', 'absent', 100), undefined);
      await place.remove('archive', 'c');
      await place.remove('archive', 'c');
      assert.equal((await place.list('archive')).length, 4);
      assert.deepEqual(await open('otherbank').list('archive'), []);
    });

    it(`bank-files.md §5.3: the ${name} destroys copies that are older than the retention, and nothing else`, async () => {
      const place = open('oldbank');
      const areas = ['archive', 'archive/read', 'quarantine', 'inbox'] as const;
      for (const area of areas) await place.put(area, 'copy', Buffer.from('x'));
      const soon = new Date(Date.now() + 60_000);
      assert.equal(await purgeCopies(place, new Date(0)), 0);
      assert.equal(await purgeCopies(place, new Date(Math.max(soon.getTime(), clock.now() + 60_000))), 3);
      const left = await Promise.all(areas.map((area) => place.list(area)));
      assert.deepEqual(left, [[], [], [], ['copy']]);
    });

    it(`bank-files.md §2.4: the ${name} shows a file in the outbox as a whole, and not in staging any more`, async () => {
      const place = open('nordbank');
      const bytes = Buffer.alloc(100_000, 'x');
      await place.put('staging', 'file', bytes);
      assert.deepEqual(await place.list('outbox'), []);
      await place.publish('file', bytes);
      assert.ok((await place.read('outbox', 'file', 200_000))?.equals(bytes));
      assert.deepEqual(await place.list('staging'), []);
    });
  }

  it('bank-files.md §2.5: after a crash a folder tells what happened, and a bucket asks a person if the file is gone', async () => {
    const disk = places.folder?.('crashed');
    const bucket = places.bucket?.('crashed');
    assert.ok(disk && bucket);
    const bytes = Buffer.from('first');
    await disk.put('staging', 'file', bytes);
    assert.equal(await disk.interrupted('file'), 'STAGED');
    await disk.publish('file', bytes);
    assert.equal(await disk.interrupted('file'), 'WRITTEN');
    await bucket.put('staging', 'file', bytes);
    assert.equal(await bucket.interrupted('file'), 'UNCLEAR');
    await bucket.publish('file', bytes);
    assert.equal(await bucket.interrupted('file'), 'WRITTEN');
    // Other content never replaces the content that is there.
    await bucket.publish('file', Buffer.from('second'));
    assert.equal((await bucket.read('outbox', 'file', 100))?.toString(), 'first');
  });
});
