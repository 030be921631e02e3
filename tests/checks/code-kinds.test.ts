import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { CODE_KINDS, RECOVERY_CODES } from '#foundation/lib/code-kinds.ts';
import { DEFAULT_SETTINGS } from '#foundation/lib/platform.ts';

const { CONTACT_EMAIL, CONTACT_PHONE, WALLET, CARD, SCA, RECOVERY, DEVICE, CONSOLE, OPERATOR, INVITATION } =
  CODE_KINDS;
const WORDS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
const ORDINALS = ['', 'first', 'second', 'third', 'fourth', 'fifth', 'sixth'];

const seconds = (ms: number) => ms / 1_000;
const minutes = (ms: number) => seconds(ms) / 60;
const hours = (ms: number) => minutes(ms) / 60;

/** Asserts that a document of the rules has these sentences, which contain numbers of the table. */
async function assertSays(document: string, sentences: readonly string[]): Promise<void> {
  const text = (await readFile(`docs/rules/${document}`, 'utf8')).replace(/\s+/g, ' ');
  for (const sentence of sentences) assert.ok(text.includes(sentence), `${document}: ${sentence}`);
}

/** The rules name the numbers of one-time secrets, and the code has them in one table. */
describe('the numbers of one-time secrets', () => {
  it('customers.md §3.2: contact codes', async () => {
    assert.equal(CONTACT_PHONE, CONTACT_EMAIL);
    const { form, wrongTriesMax, limits, lifeMs } = CONTACT_EMAIL;
    await assertSays('customers.md', [
      `Production: ${form.length} random digits, void after ${wrongTriesMax} wrong tries;`,
      `sending again within ${seconds(limits.pause.withinMs)} seconds is 429`,
      `a code is valid for ${minutes(lifeMs)} minutes.`,
    ]);
  });

  it('wallets.md §1, platform.md §3.3: codes of wallets', async () => {
    const { form, lifeMs, wrongTriesMax, limits } = WALLET;
    const { challenges, sends, failures, failuresOfDay } = limits;
    await assertSays('wallets.md', [
      `by default ${seconds(lifeMs)} s and ${form.length} digits`,
      `| ${wrongTriesMax}; the ${ORDINALS[wrongTriesMax]} voids the issuance |`,
      `${challenges.max} in any ${seconds(challenges.withinMs)} s; in production also ${sends.max} OTP messages in any ${hours(sends.withinMs)} h`,
      `${failures.max} in any ${seconds(failures.withinMs)} s, which a success clears; ${failuresOfDay.max} in any ${hours(failuresOfDay.withinMs)} h`,
    ]);
    const { sessionSeconds, requestSeconds } = DEFAULT_SETTINGS.PRODUCTION.wallets;
    await assertSays('platform.md', [
      `the numbers of wallets.md §1: ${sessionSeconds}, ${requestSeconds}, ${wrongTriesMax}, ${challenges.max}, ${sends.max} (sandbox off, \`0\`), ${failures.max} and ${failuresOfDay.max} |`,
    ]);
  });

  it('cards.md §10.3, §10.4: codes for adding a card to a phone', async () => {
    const { form, lifeMs, wrongTriesMax, limits } = CARD;
    await assertSays('cards.md', [
      `A code has ${form.length} digits and is valid for ${minutes(lifeMs)} minutes and for ${wrongTriesMax} tries.`,
      `are ${seconds(limits.pause.withinMs)} s apart`,
      `at most \`cards.codesPerDay\` on one UTC day (${limits.sends.max} by default;`,
    ]);
  });

  it('customers.md §7.7, §7.7a, §7.11, §7.12: codes of challenges', async () => {
    const { form, lifeMs, wrongTriesMax, limits } = SCA;
    assert.equal(form.length, 6, 'as in the sandbox (customers.md §7.2)');
    assert.ok(limits.resends.withinMs >= lifeMs, 'all resends of a challenge count');
    await assertSays('customers.md', [
      `\`expiresAt\`, ${minutes(lifeMs)} minutes ahead; TOTP with`,
      `A challenge is valid for ${minutes(lifeMs)} minutes; for a real-time payment`,
      `less than ${seconds(limits.pause.withinMs)} s apart, or more than ${limits.sends.max} of them in ${hours(limits.sends.withinMs)} h, are 429`,
      `more than ${limits.calls.max} calls with a live session in ${seconds(limits.calls.withinMs)} s on one challenge`,
      `The ${ORDINALS[wrongTriesMax]} wrong proof voids the challenge.`,
      `Less than ${seconds(limits.pause.withinMs)} s after the last resend, and after the ${ORDINALS[limits.resends.max]}, it is 429`,
    ]);
  });

  it('customers.md §7.5, agents.md §2.11, §2.14, platform.md §5.2: long codes', async () => {
    assert.equal(RECOVERY.form.length, 'XXXXXXXXXXXX'.length);
    await assertSays('customers.md', [
      `answers with ${RECOVERY_CODES} recovery codes of the form \`XXXX-XXXX-XXXX\``,
    ]);
    const { form, lifeMs, limits } = DEVICE;
    const bits = form.length * Math.log2(form.alphabet.length);
    for (const letter of '0O1I') assert.ok(!form.alphabet.includes(letter), letter);
    await assertSays('agents.md', [
      `letters and digits without 0, O, 1 and I (${bits} bits)`,
      `Valid for ${hours(lifeMs)} h.`,
      `After ${limits.failures.max} failures from an address`,
      `After ${limits.tries.max} failures every redemption from the address is 429.`,
      `After ${limits.failures.max} failures of a code`,
    ]);
    assert.deepEqual([limits.failures.withinMs, limits.tries.withinMs], [60_000, 60_000], 'within a minute');
    await assertSays('platform.md', [
      `\`code\` is ${WORDS[INVITATION.form.length]} random lower-case characters of Crockford's base32`,
    ]);
  });

  it('operator.md §3.5, §9.1: addresses of the console', async () => {
    const { form, lifeMs, limits } = CONSOLE;
    assert.equal(Math.floor(form.length * Math.log2(form.alphabet.length)), 258, '256 bits, rounded up');
    assert.deepEqual(limits.tries, limits.failures);
    await assertSays('operator.md', [
      `within ${minutes(lifeMs)} minutes of real time`,
      `After ${limits.failures.max} failed sign-ins from one network address within ${minutes(limits.failures.withinMs)} minutes`,
    ]);
  });

  it('operator.md §1.2, §3.5: the addresses of operators', async () => {
    const { form, lifeMs, limits } = OPERATOR;
    assert.equal(form, CONSOLE.form);
    assert.equal(limits.tries.max, CONSOLE.limits.failures.max);
    await assertSays('operator.md', [
      `The address works once, for ${hours(lifeMs)} hours.`,
      `after ${limits.failures.max} failed sign-ins with the passkeys of one operator within ${minutes(limits.failures.withinMs)} minutes`,
    ]);
  });

  it('platform.md §3.3: the settings of production have these numbers by default', () => {
    const { wallets, cards, sca } = DEFAULT_SETTINGS.PRODUCTION;
    assert.deepEqual(
      [wallets.wrongCodes, wallets.challengesPerMinute, wallets.codesPerDay],
      [WALLET.wrongTriesMax, WALLET.limits.challenges.max, WALLET.limits.sends.max],
    );
    assert.deepEqual(
      [cards.codesPerDay, sca.codePauseSeconds * 1_000, sca.codesPerDay],
      [CARD.limits.sends.max, SCA.limits.pause.withinMs, SCA.limits.sends.max],
    );
  });
});
