import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import pg from 'pg';
import { explain, OperatorError, UsageError } from '#cli/failure.ts';
import { invalidFields } from '#lib/refusals.ts';

describe('what the operator is told', () => {
  const databaseError = (code: string, message: string) =>
    Object.assign(new pg.DatabaseError(message, message.length, 'error'), { code });

  it('architecture §7: a command that was written wrongly exits with 2, one that cannot be done with 1', () => {
    assert.deepEqual(explain(new UsageError('no')), { lines: ['no'], code: 2 });
    assert.deepEqual(explain(new OperatorError('no')), { lines: ['no'], code: 1 });
  });

  it('architecture §7: a database that cannot be used is one clear line', () => {
    const refused = databaseError('28P01', 'password authentication failed for user "a"');
    assert.deepEqual(explain(refused).lines, [
      'The database cannot be used: password authentication failed for user "a".',
    ]);
    assert.match(explain(databaseError('3D000', 'no x')).lines[0] ?? '', /^The database cannot be used/);
    assert.match(explain(databaseError('42P01', 'no table')).lines[0] ?? '', /corridor migrate/);
    assert.match(explain(databaseError('42501', 'permission denied')).lines[0] ?? '', /has too few rights/);
    const unreachable = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    assert.deepEqual(explain(unreachable).lines, ['The database cannot be reached (ECONNREFUSED).']);
  });

  it('§3.3: every bad field has a line of its own', () => {
    const refusal = invalidFields([
      { field: 'a', message: 'is bad' },
      { field: 'b', message: 'is worse' },
    ]);
    assert.deepEqual(explain(refusal).lines, ['a: is bad', 'b: is worse']);
    const whole = invalidFields([{ field: '', message: 'must be an object' }]);
    assert.deepEqual(explain(whole).lines, ['the value must be an object']);
  });
});
