import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { mayConnect, mayReachProvider } from '#foundation/outbound/addresses.ts';

const PUBLIC = ['8.8.8.8', '93.184.216.34', '2606:4700::1111', '::ffff:8.8.8.8'];
const OF_A_DEVELOPER = [
  '127.0.0.1',
  '127.9.9.9',
  '::1',
  '10.0.0.1',
  '172.16.5.5',
  '192.168.1.1',
  'fd00::1',
  '100.64.0.1',
];
const WRAPPED = ['::ffff:127.0.0.1', '::ffff:10.0.0.1', '::ffff:7f00:1'];
const NOBODYS = [
  '169.254.169.254',
  '::ffff:169.254.169.254',
  'fd00:ec2::254',
  '100.100.100.200',
  '168.63.129.16',
  'fe80::1',
  '0.0.0.0',
  '::',
  '224.0.0.1',
  '255.255.255.255',
  '240.0.0.1',
  '192.0.2.1',
  '198.18.0.1',
  'ff02::1',
  'fec0::1',
  '::127.0.0.1',
  '::7f00:1',
  '::8.8.8.8',
  '::ffff:a83f:8110',
  '::ffff:0:7f00:1',
  '64:ff9b::7f00:1',
  '64:ff9b::127.0.0.1',
  '64:ff9b:1::7f00:1',
  '2002:7f00:1::',
  '2001::1',
  '2001:db8::1',
  '4000::1',
  'not an address',
  '',
];

describe('addresses of receivers', () => {
  it('platform.md §4.2.7: production connects to public addresses only', () => {
    for (const address of PUBLIC) assert.ok(mayConnect(address, 'PRODUCTION'), address);
    for (const address of [...OF_A_DEVELOPER, ...WRAPPED, ...NOBODYS]) {
      assert.equal(mayConnect(address, 'PRODUCTION'), false, address);
    }
  });

  it('platform.md §3.2.3: the sandbox also reaches loopback and private networks, but no metadata service', () => {
    for (const address of [...PUBLIC, ...OF_A_DEVELOPER, ...WRAPPED]) {
      assert.ok(mayConnect(address, 'SANDBOX'), address);
    }
    for (const address of NOBODYS) assert.equal(mayConnect(address, 'SANDBOX'), false, address);
  });

  it('a provider that the operator configured may be in the operator’s own network; without encryption it must be', () => {
    for (const address of [...OF_A_DEVELOPER, ...WRAPPED]) {
      assert.ok(mayReachProvider(address, 'https:') && mayReachProvider(address, 'http:'), address);
    }
    for (const address of PUBLIC) {
      assert.ok(mayReachProvider(address, 'https:'), address);
      assert.equal(mayReachProvider(address, 'http:'), false, address);
    }
    for (const address of NOBODYS) {
      assert.equal(mayReachProvider(address, 'https:') || mayReachProvider(address, 'http:'), false, address);
    }
  });
});
