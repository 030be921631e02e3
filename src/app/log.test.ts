import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import pg from 'pg';
import { createLog } from '#app/log.ts';

describe('log', () => {
  const written = (step: (log: ReturnType<typeof createLog>) => void): string => {
    const lines: string[] = [];
    step(createLog('info', { write: (line) => void lines.push(line) }));
    return lines.join('');
  };

  it('decision 0002: authorization headers, secrets and bodies are redacted', () => {
    const line = written((log) =>
      log.info(
        {
          authorization: 'Basic aGlkZGVu',
          req: { headers: { authorization: 'Basic aGlkZGVu', cookie: 'hidden' } },
          settings: { clientSecret: 'hidden', password: 'hidden' },
          body: { name: 'hidden' },
          pan: 'hidden',
          card: { pan: 'hidden', securityCode: 'hidden' },
          requestId: 'seen',
        },
        'request',
      ),
    );
    assert.doesNotMatch(line, /hidden|aGlkZGVu/);
    assert.equal(JSON.parse(line).requestId, 'seen');
  });

  it('decision 0002: values that PostgreSQL quotes in its errors are not logged', () => {
    const error = new pg.DatabaseError('invalid input syntax for type uuid: "hidden"', 1, 'error');
    Object.assign(error, {
      code: '22P02',
      detail: 'Key (email)=(hidden) exists',
      constraint: 'customers_email',
    });
    const line = written((log) => log.error({ err: error }, 'request failed'));
    assert.doesNotMatch(line, /hidden/);
    const { err } = JSON.parse(line);
    assert.equal(err.code, '22P02');
    assert.equal(err.constraint, 'customers_email');
    assert.match(err.stack, /log\.test/);
  });

  it('decision 0002: an error is logged without the extra fields it carries', () => {
    const error = Object.assign(new Error('it failed'), { request: { body: 'hidden' }, code: 'ECONNRESET' });
    const line = written((log) => log.error({ err: error }, 'failed'));
    assert.doesNotMatch(line, /hidden/);
    assert.equal(JSON.parse(line).err.message, 'it failed');
    assert.equal(JSON.parse(line).err.code, 'ECONNRESET');
  });
});
