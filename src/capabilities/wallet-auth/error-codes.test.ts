import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { delegatedKeyOperations } from '#capabilities/cards/delegated-keys/routes.ts';
import { walletAuthOperations } from '#capabilities/wallet-auth/routes.ts';
import { codesOf } from '#foundation/http/declare/operation.ts';
import { CODES, type Code } from '#foundation/lib/refusals.ts';

describe('errors of wallets', () => {
  it('wallets.md §8: lists every code that an operation of wallets declares, under its status', async () => {
    const rules = await readFile(new URL('../../../docs/rules/wallets.md', import.meta.url), 'utf8');
    const section = rules.slice(rules.indexOf('## 8. Errors'), rules.indexOf('## 10.'));
    const listed = new Map<string, number>();
    for (const [, status, codes = ''] of section.matchAll(/^\| (\d{3}) \| ([^|]+) \|/gm)) {
      for (const [, code = ''] of codes.matchAll(/`([A-Z_]{5,})`/g)) listed.set(code, Number(status));
    }
    assert.ok(listed.size > 15);
    for (const [code, status] of listed) assert.equal(CODES[code as Code], status, code);
    const operations = [...walletAuthOperations({ passkeyOrigins: [] }), ...delegatedKeyOperations];
    const declared = new Set(
      operations.flatMap((operation) => [
        ...codesOf(operation),
        ...Object.values(operation.params ?? {}).flatMap((rule) => ('missing' in rule ? [rule.missing] : [])),
      ]),
    );
    assert.deepEqual(
      [...declared].filter((code) => !listed.has(code)),
      [],
    );
    assert.equal(declared.has('INVALID_SIGNATURE'), false);
  });
});
