// lane: whole — runs commands against an installation

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  chmod,
  chown,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import type { CaseResult } from '#cli/connector/case-results.ts';
import { runCases } from '#cli/connector/check-files.ts';
import type { FilesTrial } from '#cli/connector/files-trial.ts';
import { refuseOtherUser } from '#cli/connector/live-folders.ts';
import { bucketPlace } from '#edge/providers/bank-files/bucket-place.ts';
import type { FilePlace } from '#edge/providers/bank-files/file-place.ts';
import { folderPlace } from '#edge/providers/bank-files/folder-place.ts';
import { sql } from '#foundation/database/sql.ts';
import { systemClock } from '#foundation/lib/clock.ts';
import { bankStatement } from '#tests/bank-files/bank-writes.ts';
import { NACHA_FILE } from '#tests/bank-files/files.ts';
import { BANK_IBAN, SEPA_PROFILE } from '#tests/given/bank-files.ts';
import { givenOperator } from '#tests/given/operators.ts';
import { setApprovals } from '#tests/given/proposals.ts';
import { command } from '#tests/harness/command-line.ts';
import type { World } from '#tests/harness/harness.ts';
import { skipWithout } from '#tests/harness/judges.ts';
import { operatorWorld } from '#tests/harness/operator-world.ts';
import { type S3StandIn, startS3StandIn } from '#tests/harness/s3-stand-in.ts';

const WITHOUT_SCHEMA = await skipWithout('xmllint');

/** A profile with every format, and with both kinds of orders that NACHA has. */
const PROFILE = {
  settlementAccounts: [
    ...SEPA_PROFILE.settlementAccounts,
    { id: 'yen', name: 'Corridor Payments', currency: 'JPY', zone: 'Asia/Tokyo', number: '1234567' },
    {
      ...{ id: 'ach', name: 'Corridor Payments', currency: 'USD', zone: 'America/New_York' },
      ...{ number: '000123456', routingNumber: '021000021', nacha: NACHA_FILE.originator },
    },
  ],
  rails: [
    ...SEPA_PROFILE.rails,
    {
      ...{ rail: 'BANK_TRANSFER', currency: 'JPY', kinds: ['PAYOUT'], settlementAccounts: ['yen'] },
      ...{ format: 'GENERIC', cutOffs: ['14:00'], characters: 'utf8' },
    },
    {
      ...{ rail: 'ACH', currency: 'USD', kinds: ['PAYOUT', 'COLLECTION'], settlementAccounts: ['ach'] },
      ...{ format: 'NACHA', cutOffs: ['16:00'] },
    },
  ],
};

const [FIRST_ACCOUNT] = SEPA_PROFILE.settlementAccounts;
const [, CLASSIC] = SEPA_PROFILE.rails;

describe('the check of a connector by files', () => {
  let root = '';
  let folder = '';
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'corridor-check-'));
    folder = join(root, 'nordbank');
  });
  afterEach(() => rm(root, { recursive: true }));

  const given = (more: Partial<FilesTrial> = {}): FilesTrial => ({
    ...{ place: folderPlace(folder), folder, profile: PROFILE, clock: systemClock, stored: undefined },
    ...{ received: undefined, schema: undefined, samples: undefined, mayTryOutbox: false, ...more },
  });
  const namesOf = (results: readonly CaseResult[], wanted: CaseResult['result']) =>
    results.filter(({ result }) => result === wanted).map(({ name }) => name);

  /** Returns the message about the only case that fails. */
  async function failure(trial: FilesTrial, name: string): Promise<string> {
    const results = await runCases(trial);
    const [failed, ...others] = results.filter(({ result }) => result === 'FAIL');
    assert.deepEqual([failed?.name, others], [name, []]);
    return failed?.result === 'FAIL' ? failed.got : '';
  }

  const notesOf = async (trial: FilesTrial, only: string) => {
    const [result] = await runCases(trial, { only });
    assert.equal(result?.result, 'ok', JSON.stringify(result));
    return result?.result === 'ok' ? (result.notes ?? []) : [];
  };

  it('bank-files.md §9.1: folders and a profile that are right pass every case, and no probe is left', async () => {
    const results = await runCases(given());
    assert.deepEqual(namesOf(results, 'ok'), ['CF-1', 'CF-2', 'CF-3', 'CF-4', 'CF-6']);
    assert.deepEqual(namesOf(results, 'skip'), ['CF-5', 'CF-7', 'CF-8']);
    const left = await readdir(folder, { recursive: true, withFileTypes: true });
    assert.deepEqual(
      left.filter((entry) => entry.isFile()),
      [],
    );
  });

  it('bank-files.md §9.1: a bucket passes, too, unless its server replaces a file', async () => {
    const keys = { accessKeyId: 'AKIATEST', secretAccessKey: 'secret', region: 'eu-central-1' };
    const standIn: S3StandIn = await startS3StandIn(keys, () => systemClock.now());
    try {
      const settings = { endpoint: standIn.url, bucket: 'files', prefix: 'live/nordbank/', ...keys };
      const place = bucketPlace(settings, systemClock);
      assert.deepEqual(namesOf(await runCases(given({ place, folder: undefined })), 'FAIL'), []);
      assert.deepEqual([...standIn.objects.keys()], []);
      const careless: FilePlace = {
        ...place,
        async publish(name, bytes) {
          await place.remove('outbox', name);
          await place.publish(name, bytes);
        },
      };
      const replaced = await failure(given({ place: careless, folder: undefined }), 'CF-2');
      assert.match(replaced, /the first bytes were replaced/);
      const wrongKeys = bucketPlace({ ...settings, secretAccessKey: 'other' }, systemClock);
      const [refused] = await runCases(given({ place: wrongKeys, folder: undefined }), { only: 'CF-2' });
      assert.match(JSON.stringify(refused), /DOCUMENT_STORE_SECRET may not do this, or are wrong/);
    } finally {
      await standIn.close();
    }
  });

  it('bank-files.md §9.2: CF-1 names each fault of the profile, and the cut-offs of each rail', async () => {
    const faulty = { ...SEPA_PROFILE, rails: [{ ...CLASSIC, currency: 'USD', cutOffs: [] }] };
    const said = await failure(given({ profile: faulty }), 'CF-1');
    assert.match(said, /rails\.0\.currency must be EUR.*cutOffs is required/);
    const past = { ...SEPA_PROFILE, rails: [{ ...CLASSIC, holidays: ['2020-12-25'] }] };
    assert.match((await notesOf(given({ profile: past }), 'CF-1')).join(), /last holiday was 2020-12-25/);
    const days = Array.from({ length: 30 }, (_, day) =>
      new Date(systemClock.now() + day * 86_400_000).toISOString().slice(0, 10),
    );
    const closed = { ...SEPA_PROFILE, rails: [{ ...CLASSIC, holidays: days }] };
    assert.equal(await failure(given({ profile: closed }), 'CF-1'), 'none');
    const notes = await notesOf(given(), 'CF-1');
    assert.equal(notes.length, 3);
    assert.match(notes.join('\n'), /the rail ACH in USD: the next cut-off is at 16:00 on .*New_York/);
  });

  it('bank-files.md §9.3: CF-2 says why a file cannot get into the outbox', async () => {
    const place = folderPlace(folder);
    const broken = (code: string): FilePlace => ({
      ...place,
      publish: async () => {
        throw Object.assign(new Error(code), { code });
      },
    });
    const apart = await failure(given({ place: broken('EXDEV'), mayTryOutbox: true }), 'CF-2');
    assert.match(apart, /staging and outbox are on different file systems/);
    const denied = await failure(given({ place: broken('EACCES'), mayTryOutbox: true }), 'CF-2');
    assert.match(denied, /^the user .* may not do this$/);
    assert.deepEqual(await readdir(join(folder, 'staging')), []);
    await runCases(given());
    for (const path of [root, folder, join(folder, 'outbox')]) await chmod(path, 0o755);
    assert.equal(await failure(given(), 'CF-2'), 'everyone may read');
    await chmod(root, 0o700);
    assert.deepEqual(namesOf(await runCases(given()), 'FAIL'), []);
  });

  /** A connector of the database; the cases that ask the database are not tried. */
  const storedAs = (pausedBecause: string | null): FilesTrial['stored'] => ({
    ...{ connector_id: 'none', pausedBecause },
    query: async () => assert.fail('nothing is read'),
    vault: async () => assert.fail('nothing is opened'),
  });
  /** The areas into which the check published probes. */
  async function published(more: Partial<FilesTrial>) {
    const seen: string[] = [];
    const place = more.place ?? folderPlace(folder);
    const watched: FilePlace = {
      ...place,
      publish: async (name, bytes) => {
        seen.push(name);
        return place.publish(name, bytes);
      },
    };
    const [result] = await runCases(given({ ...more, place: watched }), { only: 'CF-2' });
    assert.equal(result?.result, seen.length > 0 ? 'ok' : 'skip', JSON.stringify(result));
    return { count: seen.length, why: result?.result === 'skip' ? result.why : undefined };
  }

  it('bank-files.md §9.3: no probe goes into the outbox of a connector in use, unless the operator wants it', async () => {
    assert.equal(
      (await published({ stored: storedAs('OPERATOR') })).count,
      1,
      'its outbox does not exist yet',
    );
    const { count, why } = await published({});
    assert.deepEqual(
      [count, /ignores names that begin with a dot, give --outbox/.test(why ?? '')],
      [0, true],
    );
    assert.equal((await published({ mayTryOutbox: true })).count, 1);
    assert.equal((await published({ stored: storedAs('OPERATOR') })).count, 0, 'a transport may run');
    assert.equal((await published({ stored: storedAs(null) })).count, 0);
    assert.equal((await published({ stored: storedAs(null), mayTryOutbox: true })).count, 1);
    const archived = { ...folderPlace(folder), list: async () => ['main-sepa-2026-03-02-1.sealed'] };
    assert.equal((await published({ place: archived, folder: undefined })).count, 0);
    await chmod(join(folder, 'outbox'), 0o755);
    for (const path of [root, folder]) await chmod(path, 0o755);
    assert.equal(await failure(given(), 'CF-2'), 'everyone may read');
  });

  it('bank-files.md §9.1: the check removes probes that earlier checks left, and nothing else', async () => {
    await runCases(given());
    const twoHoursAgo = new Date(systemClock.now() - 2 * 3_600_000);
    const probe = 'A probe of corridor connector check. It holds nothing.\n';
    const leave = async (area: string, name: string, content = probe, at = twoHoursAgo) => {
      const path = join(folder, area, name);
      await writeFile(path, content);
      await utimes(path, at, at);
    };
    const named = () => `.corridor-check-${randomUUID()}.part`;
    const fresh = named();
    const kept = [named(), `${named()}.xml`];
    for (const area of ['staging', 'outbox', 'inbox', 'archive', 'archive/read', 'quarantine'] as const) {
      await leave(area, named());
      await leave(area, `.${named()}.part`, probe.slice(0, 10));
      await leave(area, `.${named()}.part`, '');
    }
    await leave('outbox', kept[0] ?? '', 'An order.');
    await leave('outbox', kept[1] ?? '');
    await leave('outbox', fresh, probe, new Date(systemClock.now()));
    assert.deepEqual(await notesOf(given({ mayTryOutbox: true }), 'CF-2'), [
      '3 probes of earlier checks removed from staging',
      '3 probes of earlier checks removed from outbox',
    ]);
    assert.deepEqual(await notesOf(given(), 'CF-3'), ['3 probes of earlier checks removed from inbox']);
    assert.equal((await notesOf(given(), 'CF-4')).length, 3);
    const left = await readdir(folder, { recursive: true, withFileTypes: true });
    assert.deepEqual(
      left.flatMap((entry) => (entry.isFile() ? [entry.name] : [])).toSorted(),
      [...kept, fresh].toSorted(),
    );
  });

  it('bank-files.md §9.1: the check does not run as another user than the worker', async () => {
    const bankFiles = root;
    const other = (uid: number) => refuseOtherUser({ bankFiles, folder }, uid);
    // As in a volume of the superuser, whose group the worker belongs to.
    await refuseOtherUser({ bankFiles: '/', folder }, 4711);
    if (process.geteuid?.() === 0) await chown(root, 4712, 4712);
    const { uid } = await stat(root);
    await other(uid);
    await assert.rejects(other(uid + 1), /Run the check as the user of the worker: sudo -u/);
    await mkdir(folder);
    await other(uid);
    await assert.rejects(other(uid + 1), new RegExp(`belong to the user with the uid ${uid}, and you are`));
    if (process.geteuid?.() !== 0) return;
    await chown(folder, 4711, 4711);
    await other(4711);
    await assert.rejects(other(0), /belong to the user with the uid 4711/);
    await assert.rejects(other(uid), /uid 4711/);
  });

  it('bank-files.md §9.3: CF-3 fails if files wait or others may write, and names files that nobody renames', async () => {
    const inbox = join(folder, 'inbox');
    await mkdir(inbox, { recursive: true, mode: 0o700 });
    const twoHoursAgo = new Date(systemClock.now() - 2 * 3_600_000);
    const leave = async (name: string) => {
      await writeFile(join(inbox, name), 'x');
      await utimes(join(inbox, name), twoHoursAgo, twoHoursAgo);
    };
    await writeFile(join(inbox, 'new.xml'), 'x');
    await leave('statement.xml.part');
    assert.match((await notesOf(given(), 'CF-3')).join(), /^statement\.xml\.part is passed over/);
    await leave('statement.xml');
    assert.match(await failure(given(), 'CF-3'), /^statement\.xml waits \(1 in all\)/);
    await rm(join(inbox, 'statement.xml'));
    for (const path of [root, folder]) await chmod(path, 0o755);
    await chmod(inbox, 0o733);
    assert.equal(await failure(given(), 'CF-3'), 'everyone may write');
  });

  it('bank-files.md §9.3: CF-4 fails if a copy cannot be read back or removed', async () => {
    const place = folderPlace(folder);
    const keeping: FilePlace = {
      ...place,
      remove: async (area, name) => (area === 'quarantine' ? undefined : place.remove(area, name)),
    };
    assert.equal(await failure(given({ place: keeping }), 'CF-4'), 'it is still there');
    const cutting: FilePlace = {
      ...place,
      read: async (area, name, most) =>
        area === 'archive' ? Buffer.from('x') : place.read(area, name, most),
    };
    assert.equal(await failure(given({ place: cutting }), 'CF-4'), 'others');
  });

  it('bank-files.md §9.5: CF-6 fails if nothing is left of a holder’s name, or if a rail has no room for an amount', async () => {
    const named = (name: string) => ({
      ...SEPA_PROFILE,
      settlementAccounts: [{ ...FIRST_ACCOUNT, name }],
    });
    const said = await failure(given({ profile: named('株式会社') }), 'CF-6');
    assert.match(said, /the holder 株式会社 becomes \.* ?.*in basic characters/);
    const notes = await notesOf(given({ profile: named('Müller & Söhne') }), 'CF-6');
    assert.match(notes.join(), /4 files were written and read back.*no schema was given/);
  });

  it('bank-files.md §9.5: samples are kept for the bank, and a schema judges them', {
    skip: WITHOUT_SCHEMA,
  }, async () => {
    const unpack =
      'import sys, zipfile; open(sys.argv[2], "wb").write(zipfile.ZipFile(sys.argv[1]).read("pain.001.001.09.xsd"))';
    const schema = join(root, 'pain.001.xsd');
    execFileSync('python3', ['-c', unpack, '/usr/share/java/hbci4j-core.jar', schema]);
    const samples = join(root, 'samples');
    await mkdir(samples);
    const notes = await notesOf(given({ schema, samples }), 'CF-6');
    assert.match(notes.join(), /7 files were written.*5 of them are valid/);
    const kept = (await readdir(samples)).toSorted();
    assert.equal(kept.length, 7);
    assert.ok(kept.includes('ach-ach-collection-sample.txt'));
    assert.match(
      await readFile(join(samples, 'main-sepa-payout-sample.xml'), 'utf8'),
      /Sample, do not execute/,
    );
    // A sample that is there is not replaced.
    assert.match(await failure(given({ samples }), 'CF-6'), /EEXIST/);
    const other = join(root, 'other.xsd');
    await writeFile(
      other,
      '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:element name="Other"/></xs:schema>',
    );
    assert.match(await failure(given({ schema: other }), 'CF-6'), /No matching global declaration/);
  });

  it('bank-files.md §9.6: CF-7 says what the worker would read from a file of the bank, or why it would not take it', async () => {
    const statement = (iban: string, closing: string) =>
      Buffer.from(
        bankStatement({
          ...{ id: 'S-1', iban, day: '2026-03-02', opening: '100', closing },
          entries: [
            { amount: '900', side: 'CRDT', reference: 'B-1' },
            { amount: '50', side: 'CRDT' },
            { amount: '70', side: 'CRDT', status: 'PDNG', reference: 'B-2' },
          ],
        }),
      );
    const read = (bytes: Buffer) => given({ received: { name: 'statement.xml', bytes } });
    assert.deepEqual(await notesOf(read(statement(BANK_IBAN, '1050')), 'CF-7'), [
      'camt.053 of main: 2 booked lines, from 100 to 1050 in the smallest unit, 2 receipts, ' +
        '1 receipts without a reference of the bank, 1 entries that are not booked yet',
    ]);
    const unknown = await failure(read(statement('DE89370400440532013000', '1050')), 'CF-7');
    assert.match(unknown, /the profile does not name the account of the statement \(line \d+\)/);
    assert.match(await failure(read(statement(BANK_IBAN, '1')), 'CF-7'), /the statement is not right/);
    assert.match(await failure(read(statement(BANK_IBAN, '1050').subarray(0, 300)), 'CF-7'), /well-formed/);
  });
});

describe('corridor connector check of a connector by files', () => {
  const world = operatorWorld();
  let folder = '';
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'corridor-check-'));
    (world.environment as Record<string, string>).BANK_FILES = folder;
    const joined = world as unknown as World;
    await givenOperator(joined);
    await setApprovals(joined, { approvals: 'off' });
    await writeFile(join(folder, 'profile.json'), JSON.stringify(SEPA_PROFILE));
  });
  after(() => rm(folder, { recursive: true }));

  const REASON = ['--reason', 'test'];
  const profile = () => ['--profile', join(folder, 'profile.json')];
  const check = async (...words: string[]) => {
    const { stdout, code } = await world.attempt('connector', 'check', ...words, '--json');
    const { cases, ...counts } = JSON.parse(stdout);
    const failed = cases.find(({ result }: CaseResult) => result === 'FAIL');
    return { ...counts, code, failed: failed && `${failed.name}: ${failed.got}` };
  };

  it('bank-files.md §9.1, §9.4, §9.7: it finds a connector that has no worker, no route, or a foreign archive', async () => {
    await world.run('connector', 'add', 'nordbank', '--files', ...REASON);
    await world.run('connector', 'set', 'nordbank', ...profile(), ...REASON);
    assert.match(
      (await check('nordbank')).failed,
      /CF-8: none: it gets no orders until corridor connector route set/,
    );
    await world.run('connector', 'route', 'set', 'nordbank', '10', ...REASON);
    const whole = await check('nordbank');
    // CF-2 does not write into the outbox of a connector in use, and CF-7 was given no file of the bank.
    assert.deepEqual([whole.code, whole.failed, whole.passed, whole.skipped], [0, undefined, 6, 2]);
    const probed = await check('nordbank', '--outbox');
    assert.deepEqual([probed.failed, probed.passed, probed.skipped], [undefined, 7, 1]);
    assert.deepEqual(await readdir(folder), ['profile.json'], 'the folders that the check made are gone');
    const text = await world.run('connector', 'check', 'nordbank');
    assert.match(text, /^ok {4}CF-8 .*\n {8}main has no owner: its receipts wait/m);
    await world.database.query(sql`update bank_file_connectors set work_due_at = now() - interval '1 hour'`);
    const { failed, code } = await check('nordbank', '--only', 'cf-8');
    assert.match(failed, /CF-8: no worker has looked since/);
    assert.equal(code, 1);
    await mkdir(join(folder, 'nordbank', 'archive'), { recursive: true });
    await writeFile(join(folder, 'nordbank', 'archive', 'main-sepa-2026-03-02-1.sealed'), 'x');
    assert.match(
      (await check('nordbank', '--only', 'CF-5')).failed,
      /CF-5: main-sepa-2026-03-02-1: the database is older/,
    );
    await rm(join(folder, 'nordbank', 'archive', 'main-sepa-2026-03-02-1.sealed'));
    await world.run('connector', 'pause', 'nordbank', ...REASON);
    assert.match((await check('nordbank', '--only', 'CF-8')).failed, /it is paused: OPERATOR/);
  });

  it('bank-files.md §9.1: a profile is checked before it is set, without a database; what cannot run ends with 2', async () => {
    const alone = await command(['connector', 'check', 'southbank', ...profile()], { BANK_FILES: folder });
    assert.equal(alone.code, 0, alone.stderr);
    assert.match(alone.stdout, /5 passed, 0 failed, 3 skipped/);
    const nowhere = await command(['connector', 'check', 'southbank', ...profile()], {});
    assert.deepEqual([nowhere.code, /BANK_FILES is not set/.test(nowhere.stderr)], [2, true]);
    const bad = join(folder, 'bad.json');
    await writeFile(bad, '{');
    await world.assertRefused([
      [['connector', 'check', 'absent'], 2, /There is no connector absent: give its profile/],
      [['connector', 'check', 'southbank', '--profile', bad], 2, /The profile is not JSON/],
      [['connector', 'check', 'southbank', '--profile', join(folder, 'none')], 2, /cannot be read/],
      [['connector', 'check', 'southbank', ...profile(), '--only', 'CK-1'], 2, /there is no case CK-1/],
      [['connector', 'check', 'southbank', '--secret-file', bad], 2, /--secret-file is not for .* by files/],
      [['connector', 'check', 'http://127.0.0.1:1', ...profile()], 2, /--profile is not for .* over HTTP/],
      [['connector', 'check', 'http://127.0.0.1:1'], 2, /--secret-file is required/],
      [['connector', 'check', 'South Bank'], 2, /neither an address nor a name/],
      [['connector', 'check', 'http://127.0.0.1:1', '--outbox'], 2, /--outbox is not for .* over HTTP/],
    ]);
  });

  it('bank-files.md §9.5: samples are never written below BANK_FILES, whatever path leads there', async (t) => {
    const apart = await mkdtemp(join(tmpdir(), 'corridor-samples-'));
    t.after(() => rm(apart, { recursive: true }));
    const outbox = join(folder, 'eastbank', 'outbox');
    await mkdir(join(apart, 'mounted'));
    await mkdir(join(folder, 'eastbank'));
    t.after(() => rm(join(folder, 'eastbank'), { recursive: true }));
    await symlink(folder, join(apart, 'to-folder'));
    await symlink(outbox, join(apart, 'to-nothing-yet'));
    await symlink(join(apart, 'mounted'), outbox);
    const wrong = [
      ...[folder, outbox, join(folder, 'new', 'folder'), join(outbox, 'x')],
      ...[join(apart, '..', folder.slice(tmpdir().length), 'eastbank')],
      ...[
        'to-folder',
        'to-folder/eastbank/inbox',
        'to-folder/new',
        'to-nothing-yet',
        'mounted',
        'mounted/new',
      ].map((path) => join(apart, path)),
    ];
    for (const samples of wrong)
      await world.assertRefused([
        [['connector', 'check', 'southbank', ...profile(), '--samples', samples], 2, /is below BANK_FILES/],
      ]);
    assert.deepEqual(await readdir(join(apart, 'mounted')), []);
    // A folder whose name only begins like BANK_FILES is another one.
    await mkdir(`${folder}-samples`);
    t.after(() => rm(`${folder}-samples`, { recursive: true }));
    const kept = await check('southbank', ...profile(), '--samples', `${folder}-samples`);
    assert.deepEqual([kept.code, kept.failed], [0, undefined]);
    assert.equal((await readdir(`${folder}-samples`)).length, 4);
  });
});
