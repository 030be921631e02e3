import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import pg from 'pg';
import { explain, OperatorError, UsageError } from '#cli/failure.ts';
import { invalidFields } from '#lib/refusals.ts';

describe('what the operator is told', () => {
  const databaseError = (code: string, message: string) =>
    Object.assign(new pg.DatabaseError(message, message.length, 'error'), { code });

  it('decision 0005: a command that was written wrongly exits with 2, one that cannot be done with 1', () => {
    assert.deepEqual(explain(new UsageError('no')), { lines: ['no'], code: 2 });
    assert.deepEqual(explain(new OperatorError('no')), { lines: ['no'], code: 1 });
  });

  it('decision 0005: a database that cannot be used is one clear line', () => {
    const refused = databaseError('28P01', 'password authentication failed for user "a"');
    assert.deepEqual(explain(refused).lines, [
      'The database cannot be used: password authentication failed for user "a".',
    ]);
    assert.match(explain(databaseError('3D000', 'no x')).lines[0] ?? '', /^The database cannot be used/);
    assert.match(explain(databaseError('42P01', 'no table')).lines[0] ?? '', /corridor migrate/);
    assert.match(explain(databaseError('42501', 'permission denied')).lines[0] ?? '', /has too few rights/);
    const unreachable = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    assert.deepEqual(explain(unreachable).lines, ['The database cannot be reached (ECONNREFUSED).']);
    for (const message of ['timeout expired', 'Connection terminated due to connection timeout']) {
      assert.deepEqual(explain(new Error(message)).lines, [`The database cannot be reached: ${message}.`]);
    }
    const standby = databaseError('25006', 'cannot execute INSERT in a read-only transaction');
    assert.deepEqual(explain(standby).lines, [
      'The database takes no writes (cannot execute INSERT in a read-only transaction).',
    ]);
  });

  it('decision 0005: a certificate that is not trusted, or not there, is one line that says where it is named', () => {
    const untrusted = Object.assign(new Error('unable to verify the first certificate'), {
      code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    });
    assert.deepEqual(explain(untrusted).lines, [
      'The database cannot be trusted: unable to verify the first certificate; name its authority with sslrootcert in DATABASE_URL.',
    ]);
    const another = Object.assign(new Error('Hostname/IP does not match'), {
      code: 'ERR_TLS_CERT_ALTNAME_INVALID',
    });
    assert.match(explain(another).lines[0] ?? '', /^The database cannot be trusted: Hostname/);
    const missing = Object.assign(new Error("ENOENT: no such file or directory, open '/ca.crt'"), {
      code: 'ENOENT',
      syscall: 'open',
    });
    assert.deepEqual(explain(missing).lines, [
      "A file cannot be read: ENOENT: no such file or directory, open '/ca.crt'.",
    ]);
  });

  it('platform.md §3.3: every bad field has a line of its own', () => {
    const refusal = invalidFields([
      { field: 'a', message: 'is bad' },
      { field: 'b', message: 'is worse' },
    ]);
    assert.deepEqual(explain(refusal).lines, ['a: is bad', 'b: is worse']);
    const whole = invalidFields([{ field: '', message: 'must be an object' }]);
    assert.deepEqual(explain(whole).lines, ['the value must be an object']);
  });
});
