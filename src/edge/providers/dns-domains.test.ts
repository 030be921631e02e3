import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { dnsDomains } from '#edge/providers/dns-domains.ts';

const PLATFORM = '0190a5d2-7c1e-7b3a-9f00-3c4d5e6f7a8b' as Id<never>;

describe('domains that DNS proves', () => {
  const asked: string[] = [];
  const found = (answer: string[][] | string) =>
    dnsDomains(async (name) => {
      asked.push(name);
      if (typeof answer === 'string') throw Object.assign(new Error(answer), { code: answer });
      return answer;
    }).findProof('pay.acme.example', PLATFORM);

  it('platform.md §3.2.2a: a TXT record with the platform’s id proves it, also in pieces and among other records', async () => {
    assert.equal(await found([[`Platform:${PLATFORM}`]]), 'PROVEN');
    assert.equal(await found([['v=spf1 -all'], ['Platform:', PLATFORM]]), 'PROVEN');
    assert.deepEqual([...new Set(asked)], ['_uma-platform.pay.acme.example']);
  });

  it('platform.md §3.2.2a: another platform’s record, no record and unreachable DNS prove nothing', async () => {
    for (const other of [[], [['']], [[PLATFORM]], [['Platform:0190a5d2-7c1e-7b3a-9f00-3c4d5e6f7a8c']]])
      assert.equal(await found(other), 'MISSING');
    for (const code of ['ENOTFOUND', 'ENODATA']) assert.equal(await found(code), 'MISSING');
    for (const code of ['ETIMEOUT', 'ESERVFAIL', 'ECONNREFUSED'])
      assert.equal(await found(code), 'UNREACHABLE');
  });
});
