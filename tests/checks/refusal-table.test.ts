import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { CODES, OPERATOR_CODES } from '#foundation/lib/refusals.ts';
import { readRefusals, writeRefusalModule } from '#tests/checks/refusal-table.ts';

/** Declared by the contract, and never sent (platform.md §10 names them below its tables). */
const NEVER_SENT =
  /^(CERT_CHAIN|UNRECOGNIZED_MANDATORY)_|^(INVALID_(PUBKEY_FORMAT|TIMESTAMP|NONCE)|MISSING_REQUIRED_UMA_PARAMETERS|PAYMENT_URL_NOT_FOUND|VELOCITY_LIMIT_EXCEEDED)$/;

describe('the refusals that the console explains', async () => {
  const rules = await readFile('docs/rules/platform.md', 'utf8');

  it('platform.md §10: every code that is sent is in a table', () => {
    const listed = new Set(readRefusals(rules).map(({ code }) => code));
    const sent = Object.keys(CODES).filter((code) => !NEVER_SENT.test(code) && !(code in OPERATOR_CODES));
    assert.deepEqual(
      sent.filter((code) => !listed.has(code)),
      [],
    );
  });

  it('the module of the console is what npm run console:refusals writes', async () => {
    const module = await readFile('packages/console/src/developer/requests/refusals.ts', 'utf8');
    assert.equal(module, writeRefusalModule(rules));
  });
});
