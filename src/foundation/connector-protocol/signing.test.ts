import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type ConnectorKey,
  connectorHeaders,
  keyLine,
  parseKeys,
  signAnswer,
  signRequest,
  verifyAnswer,
  verifyRequest,
} from '#foundation/connector-protocol/signing.ts';
import { wireNames } from '#foundation/lib/wire-names.ts';

const NAMES = connectorHeaders(wireNames('Svc'));
const KEY: ConnectorKey = {
  id: 'ConnectorKey:0190a5d2-7a10-7c31-9f0e-1d2c3b4a5900',
  secret: Buffer.alloc(32, 1),
};
const OTHER: ConnectorKey = {
  id: 'ConnectorKey:0190a5d2-7a10-7c31-9f0e-1d2c3b4a5901',
  secret: Buffer.alloc(32, 2),
};
const REQUEST = {
  method: 'PUT',
  path: '/orders/0190a5d2-7a10-7c31-9f0e-1d2c3b4a5968',
  requestId: '5d0f6a52-6f6e-4b1c-8f43-0d6f0a4d7e11',
  at: new Date('2026-03-02T10:05:00Z'),
  body: Buffer.from('{"kind":"PAYOUT"}'),
};
const ANSWER = {
  requestId: REQUEST.requestId,
  status: 201,
  store: 'store-1',
  at: new Date('2026-03-02T10:05:01Z'),
  body: Buffer.from('{"state":"RECEIVED"}'),
};

describe('signatures of connectors', () => {
  it('connectors.md §2.6: the vector of the specification', () => {
    assert.deepEqual(signRequest(KEY, REQUEST, NAMES), {
      'x-svc-request-id': REQUEST.requestId,
      'x-svc-signature-key-id': KEY.id,
      'x-svc-signature':
        '{"v":"2","t":"2026-03-02T10:05:00Z","s":"fiILXDP5x2ffqGr/Ej93z/n4EMN/mp/oH9N3F7GKWks="}',
    });
    assert.deepEqual(signAnswer(KEY, ANSWER, NAMES), {
      'x-svc-store': 'store-1',
      'x-svc-signature':
        '{"v":"2","t":"2026-03-02T10:05:01Z","s":"kLhebf1Dauhz4aPAQ23Qhb9xGROg/QRPf7hnF0CHECA="}',
    });
  });

  it('connectors.md §2.2, §2.4: a request with anything changed, or over five minutes off, is refused', () => {
    const headers = signRequest(KEY, REQUEST, NAMES);
    const verify = (changes: object = {}, now = REQUEST.at) =>
      verifyRequest([OTHER, KEY], { ...REQUEST, headers, ...changes }, NAMES, now);
    assert.equal(verify(), KEY);
    assert.equal(verify({}, minutesAfter(REQUEST.at, 5)), KEY);
    assert.equal(verify({}, minutesAfter(REQUEST.at, -5)), KEY);
    assert.equal(verify({}, minutesAfter(REQUEST.at, 5.1)), undefined);
    assert.equal(verify({}, minutesAfter(REQUEST.at, -5.1)), undefined);
    const changed = [
      { method: 'POST' },
      { path: `${REQUEST.path}?limit=1` },
      { body: Buffer.from('{"kind":"REFUND"}') },
      { headers: { ...headers, 'x-svc-request-id': '5d0f6a52-6f6e-4b1c-8f43-0d6f0a4d7e12' } },
      { headers: { ...headers, 'x-svc-request-id': 'not a UUID' } },
      { headers: { ...headers, 'x-svc-signature-key-id': OTHER.id } },
      { headers: { ...headers, 'x-svc-signature-key-id': undefined } },
      { headers: { ...headers, 'x-svc-signature': undefined } },
      { headers: { ...headers, 'x-svc-signature': headers['x-svc-signature']?.replace('"2"', '"1"') } },
      {
        headers: {
          ...headers,
          'x-svc-signature': headers['x-svc-signature']?.replace('10:05:00', '10:05:01'),
        },
      },
      { headers: { ...headers, 'x-svc-signature': headers['x-svc-signature']?.replace('=', '') } },
    ];
    for (const change of changed) assert.equal(verify(change), undefined, JSON.stringify(change));
  });

  it('a signed request is no nudge, and a nudge no request', () => {
    const nudge = signRequest(KEY, REQUEST, NAMES, 'nudge');
    assert.equal(verifyRequest([KEY], { ...REQUEST, headers: nudge }, NAMES, REQUEST.at), undefined);
    assert.equal(verifyRequest([KEY], { ...REQUEST, headers: nudge }, NAMES, REQUEST.at, 'nudge'), KEY);
  });

  it('connectors.md §2.3, §2.5: an answer counts with either secret, and with nothing changed', () => {
    const headers = signAnswer(OTHER, ANSWER, NAMES);
    const verify = (changes: object = {}, now = ANSWER.at) =>
      verifyAnswer([KEY, OTHER], { ...ANSWER, headers, ...changes }, NAMES, now);
    assert.deepEqual(verify(), { store: 'store-1' });
    const changed: [object, RegExp][] = [
      [{ status: 200 }, /wrong/],
      [{ requestId: KEY.id }, /wrong/],
      [{ body: Buffer.from('{}') }, /wrong/],
      [{ headers: { ...headers, 'x-svc-store': 'store-2' } }, /wrong/],
      [{ headers: { ...headers, 'x-svc-store': undefined } }, /has no x-svc-store/],
      [{ headers: { 'x-svc-store': 'store-1' } }, /has no x-svc-signature/],
      [{ headers: { ...headers, 'x-svc-signature': '{}' } }, /malformed/],
    ];
    for (const [change, problem] of changed) {
      const verified = verify(change);
      assert('problem' in verified, JSON.stringify(change));
      assert.match(verified.problem, problem);
    }
    assert('problem' in verify({}, minutesAfter(ANSWER.at, 6)));
    assert('problem' in verifyAnswer([KEY], { ...ANSWER, headers }, NAMES, ANSWER.at));
  });

  it('headers carry the service’s own name', () => {
    assert.deepEqual(connectorHeaders(wireNames('Acme')), {
      requestId: 'x-acme-request-id',
      keyId: 'x-acme-signature-key-id',
      signature: 'x-acme-signature',
      store: 'x-acme-store',
    });
  });

  it('a file of secrets has one key a line', () => {
    assert.deepEqual(parseKeys(`${keyLine(KEY)}\n\n${keyLine(OTHER)}\n`), [KEY, OTHER]);
    assert.equal(parseKeys(''), undefined);
    assert.equal(parseKeys(`${keyLine(KEY)} more`), undefined);
    assert.equal(parseKeys(`${KEY.id} c2hvcnQ=`), undefined);
    assert.equal(parseKeys(keyLine(KEY).replace('ConnectorKey', 'Key')), undefined);
  });
});

function minutesAfter(at: Date, minutes: number): Date {
  return new Date(at.getTime() + minutes * 60_000);
}
