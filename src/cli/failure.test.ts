import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import pg from 'pg';
import { explain, OperatorError, UsageError } from '#cli/failure.ts';
import { invalidFields } from '#foundation/lib/refusals.ts';

describe('failures explained to the operator', () => {
  const databaseError = (code: string, message: string) =>
    Object.assign(new pg.DatabaseError(message, message.length, 'error'), { code });

  it('decision 0005: an invalid command line exits with 2, a failed command with 1', async () => {
    assert.deepEqual(await explain(new UsageError('no')), { lines: ['no'], code: 2 });
    assert.deepEqual(await explain(new OperatorError('no')), { lines: ['no'], code: 1 });
  });

  it('decision 0005: a database that cannot be used is one clear line', async () => {
    const refused = databaseError('28P01', 'password authentication failed for user "a"');
    assert.deepEqual((await explain(refused)).lines, [
      'The database cannot be used: password authentication failed for user "a".',
    ]);
    assert.match(
      (await explain(databaseError('3D000', 'no x'))).lines[0] ?? '',
      /^The database cannot be used/,
    );
    assert.match((await explain(databaseError('42P01', 'no table'))).lines[0] ?? '', /corridor migrate/);
    assert.match(
      (await explain(databaseError('42501', 'permission denied'))).lines[0] ?? '',
      /has too few rights/,
    );
    const unreachable = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    assert.deepEqual((await explain(unreachable)).lines, ['The database cannot be reached (ECONNREFUSED).']);
    for (const message of ['timeout expired', 'Connection terminated due to connection timeout']) {
      assert.deepEqual((await explain(new Error(message))).lines, [
        `The database cannot be reached: ${message}.`,
      ]);
    }
    const standby = databaseError('25006', 'cannot execute INSERT in a read-only transaction');
    assert.deepEqual((await explain(standby)).lines, [
      'The database takes no writes (cannot execute INSERT in a read-only transaction).',
    ]);
  });

  it('decision 0005: an untrusted or missing certificate is one line that names the setting', async () => {
    const untrusted = Object.assign(new Error('unable to verify the first certificate'), {
      code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    });
    assert.deepEqual((await explain(untrusted)).lines, [
      'The database cannot be trusted: unable to verify the first certificate; name its authority with sslrootcert in DATABASE_URL.',
    ]);
    const another = Object.assign(new Error('Hostname/IP does not match'), {
      code: 'ERR_TLS_CERT_ALTNAME_INVALID',
    });
    assert.match((await explain(another)).lines[0] ?? '', /^The database cannot be trusted: Hostname/);
    const missing = Object.assign(new Error("ENOENT: no such file or directory, open '/ca.crt'"), {
      code: 'ENOENT',
      syscall: 'open',
    });
    assert.deepEqual((await explain(missing)).lines, [
      "A file cannot be used: ENOENT: no such file or directory, open '/ca.crt'.",
    ]);
  });

  it('decision 0032: distinguishes an unusable file from an unusable database', async () => {
    const linesFor = async (failing: Promise<unknown>) =>
      (
        await explain(
          await failing.then(
            () => assert.fail('it worked'),
            (error) => error,
          ),
        )
      ).lines;
    assert.deepEqual(await linesFor(mkdir('/dev/null/x')), [
      "A file cannot be used: ENOTDIR: not a directory, mkdir '/dev/null/x'.",
    ]);
    assert.deepEqual(await linesFor(writeFile('/dev/full', 'x')), [
      'A file cannot be used: ENOSPC: no space left on device, write.',
    ]);
    const socket = connect('/dev/null/socket');
    assert.deepEqual(await linesFor(once(socket, 'connect')), ['The database cannot be reached (ENOTDIR).']);
  });

  it('platform.md §3.3: every bad field has a line of its own', async () => {
    const refusal = invalidFields([
      { field: 'a', message: 'is bad' },
      { field: 'b', message: 'is worse' },
    ]);
    assert.deepEqual((await explain(refusal)).lines, ['a: is bad', 'b: is worse']);
    const whole = invalidFields([{ field: '', message: 'must be an object' }]);
    assert.deepEqual((await explain(whole)).lines, ['the value must be an object']);
  });
});
