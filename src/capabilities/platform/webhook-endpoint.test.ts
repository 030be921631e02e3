import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkEndpoint, endpointPolicy } from '#capabilities/platform/webhook-endpoint.ts';

const anywhere = endpointPolicy('SANDBOX', 'any');
const publicly = endpointPolicy('PRODUCTION', 'any');

/** Addresses that no receiver can have, in many notations. */
const NOBODYS = [
  'https://168.63.129.16/',
  'https://168.63.129.16./',
  'https://2822734096/',
  'https://0xa83f8110/',
  'https://0250.077.0201.020/',
  'https://[::ffff:168.63.129.16]/',
  'https://[::168.63.129.16]/',
  'https://100.100.100.200/',
  'https://169.254.169.254/',
  'https://[fd00:ec2::254]/',
  'https://[::127.0.0.1]/',
  'https://[::7f00:1]/',
  'https://[::ffff:0:127.0.0.1]/',
  'https://[64:ff9b::127.0.0.1]/',
  'https://[64:ff9b:1::7f00:1]/',
  'https://[2002:7f00:1::]/',
  'https://[2001:0:7f00:1::1]/',
  'https://[fe80::1]/',
  'https://0.0.0.0/',
  'https://[::]/',
  'https://224.0.0.1/',
];

describe('webhook endpoint', () => {
  it('platform.md §3.2.3: production takes https names and public addresses', () => {
    for (const url of [
      'https://example.com/hooks',
      'https://example.com:8443/a?b=c',
      'https://93.184.216.34/',
      'https://[2606:2800:220:1::1]/hooks',
      'https://xn--bcher-kva.example/',
    ]) {
      assert.equal(checkEndpoint(url, publicly), undefined, url);
    }
  });

  it('platform.md §3.2.3: production refuses http and every non-public address in any notation', () => {
    for (const url of [
      'http://example.com/hooks',
      'https://localhost/',
      'https://localhost./',
      'https://api.localhost/',
      'https://printer.local/',
      'https://metadata.google.internal/',
      'https://intranet/',
      'https://127.0.0.1/',
      'https://2130706433/',
      'https://0x7f.1/',
      'https://0177.0.0.1/',
      'https://10.1.2.3/',
      'https://172.16.0.1/',
      'https://192.168.1.1/',
      'https://169.254.169.254/latest/meta-data',
      'https://100.64.0.1/',
      'https://0.0.0.0/',
      'https://224.0.0.1/',
      'https://255.255.255.255/',
      'https://[::1]/',
      'https://[::]/',
      'https://[::ffff:127.0.0.1]/',
      'https://[::ffff:10.0.0.1]/',
      'https://[fe80::1]/',
      'https://[fd00::1]/',
      'https://[64:ff9b::7f00:1]/',
      ...NOBODYS,
    ]) {
      assert.ok(checkEndpoint(url, publicly), url);
    }
  });

  it('platform.md §4.2.7: an address that no delivery connects to is refused, in the sandbox as well', () => {
    for (const url of NOBODYS) assert.ok(checkEndpoint(url, anywhere), url);
  });

  it('platform.md §3.2.3: a sandbox that is open to strangers accepts public addresses only, over http as well', () => {
    const strangers = endpointPolicy('SANDBOX', 'public');
    for (const url of ['http://example.com/', 'https://93.184.216.34/']) {
      assert.equal(checkEndpoint(url, strangers), undefined, url);
    }
    for (const url of [
      'http://localhost/',
      'http://127.0.0.1/',
      'http://[::1]/',
      'http://10.0.0.1/',
      ...NOBODYS,
    ]) {
      assert.ok(checkEndpoint(url, strangers), url);
    }
  });

  it('platform.md §3.2.3: the sandbox also takes http, loopback and private addresses', () => {
    for (const url of [
      'http://localhost:3000/h',
      'http://127.0.0.1:1/',
      'https://10.0.0.1/',
      'http://[::1]/',
    ]) {
      assert.equal(checkEndpoint(url, anywhere), undefined, url);
    }
  });

  it('platform.md §3.2.3: both refuse credentials, a fragment, another scheme, and a relative URL', () => {
    for (const url of [
      'https://user@example.com/',
      'https://user:secret@example.com/',
      'https://:secret@example.com/',
      'https://example.com/#part',
      'https://example.com/#',
      'ftp://example.com/',
      'file:///etc/passwd',
      'javascript:alert(1)',
      '/hooks',
      'example.com',
      '',
      'https://',
      'https://exa mple.com/',
      'https://example.com/\nhost: other',
      ' https://example.com/',
      'https://example.com/\u0001',
    ]) {
      assert.ok(checkEndpoint(url, anywhere), url);
      assert.ok(checkEndpoint(url, publicly), url);
    }
  });
});
