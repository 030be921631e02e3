import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { CODES, isFinal, OPERATOR_CODES, Refusal } from '#foundation/lib/refusals.ts';
import { readSection } from '#tests/checks/rules.ts';

describe('refusals', () => {
  it('platform.md §10.1–10.5: the code table contains exactly the codes of the catalogue', async () => {
    const rules = await readFile('docs/rules/platform.md', 'utf8');
    const codes = Object.entries({ '10.1': 400, '10.2': 401, '10.3': 404, '10.4': 409, '10.5': 0 }).flatMap(
      ([section, status]) => codesIn(readSection(rules, section), status),
    );
    assert.deepEqual(
      codes.toSorted(([a], [b]) => (a < b ? -1 : 1)),
      Object.entries(CODES)
        .filter(([code]) => !(code in OPERATOR_CODES))
        .toSorted(([a], [b]) => (a < b ? -1 : 1)),
    );
  });

  it('platform.md §10.0.1: the body contains status, code, reason, the reason again as message, and details only if there are any', () => {
    assert.deepEqual(new Refusal('CONFLICT', 'Already there.').body(), {
      status: 409,
      code: 'CONFLICT',
      reason: 'Already there.',
      message: 'Already there.',
    });
    assert.deepEqual(new Refusal('CONFLICT', 'Already there.', { id: 'x' }).body().details, { id: 'x' });
  });

  it('platform.md §1.1.7: a 4xx is final, except three codes and a key still in use; a 5xx never is', () => {
    const mayHelp = Object.keys(CODES).filter((code) => !isFinal(new Refusal(code as 'CONFLICT', 'x')));
    assert.deepEqual(
      mayHelp.filter((code) => CODES[code as 'CONFLICT'] < 500),
      ['QUOTE_REQUEST_FAILED', 'REQUEST_TIMEOUT', 'RATE_LIMITED'],
    );
    assert.ok(Object.entries(CODES).every(([code, status]) => status < 500 || mayHelp.includes(code)));
    const inFlight = new Refusal('CONFLICT', 'x', undefined, { 'x-should-retry': 'true' });
    assert.equal(isFinal(inFlight), false);
  });
});

/** Reads the codes in the first column of a table, or in text; a status applies to the codes after it. */
function codesIn(section: string, status: number): [code: string, status: number][] {
  const names = section.replace(/^\|([^|]*)\|.*$/gm, '$1');
  let current = status;
  return [...names.matchAll(/\b(\d{3})\b|`([A-Z_]+)`/g)].flatMap(([, stated, code]) => {
    if (stated !== undefined) current = Number(stated);
    return code === undefined ? [] : [[code, current]];
  });
}
