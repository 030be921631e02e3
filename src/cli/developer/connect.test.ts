import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { InvalidRequestError } from '@corridor/client';
import { explainCall } from '#cli/developer/connect.ts';

describe('a refused call, explained to the developer', () => {
  const renderHint = (code: 'WEBHOOK_ENDPOINT_NOT_SET' | 'INVALID_INPUT', details = {}) => {
    const error = new InvalidRequestError({ code, reason: 'No endpoint.', status: 400, details });
    return explainCall(error, { baseUrl: 'http://127.0.0.1:8080/svc/2025-10-13' }).more.join('\n');
  };

  it('platform.md §4.8.7, money.md §9.6: without an endpoint to ask, suggests a listener', () => {
    assert.match(
      renderHint('WEBHOOK_ENDPOINT_NOT_SET'),
      /webhookEndpoint\), or run\n {2}corridor listen --forward-to/,
    );
  });

  it('platform.md §4.6.2: a test needs an endpoint; a listener receives everything else', () => {
    const hint = renderHint('INVALID_INPUT', { cause: 'WEBHOOK_ENDPOINT_NOT_SET' });
    assert.match(hint, /PATCH \/config with webhookEndpoint\./);
    assert.match(hint, /"corridor listen --forward-to .*" delivers every event except this one\.$/);
  });

  it('names every bad field, and a single one only once', () => {
    const moreOf = (...fields: string[]) => {
      const errors = fields.map((field) => ({ field, message: 'is required' }));
      const reason = 'name: is required';
      const error = new InvalidRequestError({
        code: 'INVALID_INPUT',
        reason,
        status: 400,
        details: { errors },
      });
      return explainCall(error, { baseUrl: 'http://127.0.0.1:8080' }).more;
    };
    assert.deepEqual(moreOf('name', 'permissions'), ['  name: is required', '  permissions: is required']);
    assert.deepEqual(moreOf('name'), []);
    assert.deepEqual(moreOf('permissions'), ['  permissions: is required']);
  });

  it('other refusals have no hint about webhooks', () => {
    assert.equal(renderHint('INVALID_INPUT'), '');
  });
});
