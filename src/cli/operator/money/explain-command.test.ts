import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { givenPayer } from '#tests/given/payments.ts';
import { quoted } from '#tests/given/quotes.ts';
import type { TestPlatform } from '#tests/harness/harness.ts';
import { operatorWorld } from '#tests/harness/operator-world.ts';

describe('corridor payment explain', () => {
  const world = operatorWorld();
  let platform: TestPlatform;
  before(async () => {
    ({ platform } = world);
    await world.run('platform', 'set', `Platform:${platform.id}`, 'isRegulatedFinancialInstitution=true');
  });

  it('operator.md §8.1: prints the answer first, then what it waits for, then the timeline', async () => {
    const [ada, bea] = [await givenPayer(platform, 1_000), await givenPayer(platform, 0)];
    const quote = await quoted(platform, {
      from: ada.account('USD').id,
      to: bea.account('USD').id,
      send: 5_000,
    });
    const warnings: string[] = [];
    const hear = ({ message }: Error) => warnings.push(message);
    process.on('warning', hear);
    const { stdout, stderr } = await world.hear('payment', 'explain', quote.transactionId);
    process.off('warning', hear);
    assert.match(stderr, /^Platform: [^\n]+\n$/);
    assert.deepEqual(warnings, []);
    const lines = stdout.split('\n');
    assert.match(lines[1] ?? '', /^The platform’s clock shows \d{4}-\S+Z\.$/);
    assert.deepEqual(lines.toSpliced(1, 1).slice(0, 5), [
      `OUTGOING PENDING  ${quote.transactionId}`,
      '',
      'Nothing has moved: the quote has not been executed.',
      '',
      'Waiting: The payer’s account is short by 40.00 USD: it has 10.00 USD, and the quote needs 50.00 USD. Once it is funded, the platform has to execute the quote.',
    ]);
    assert.ok(lines.includes('  The platform: Execute the quote.'));
    assert.ok(lines.includes(`    POST /quotes/${quote.id}/execute`));
    assert.ok(lines.some((line) => line.startsWith('  You, in the sandbox: Move the sandbox’s clock to ')));
    assert.ok(lines.includes(`Quote: ${quote.id}`));
    assert.ok(!lines.some((line) => /\[(TOKEN|SERVICE|RECEIVER)\]/.test(line)), 'actors are words');
    assert.ok(
      lines.some((line) =>
        /transition {2}The quote and its transaction were created.*\(money\.md §4\.1\)/.test(line),
      ),
    );
    const byQuote = JSON.parse(await world.run('payment', 'explain', quote.id, '--json'));
    assert.equal(byQuote.id, quote.transactionId);
    const bare = JSON.parse(await world.run('payment', 'explain', quote.transactionId.slice(12), '--json'));
    assert.equal(bare.id, quote.transactionId);
    const mistyped = `Quote:${quote.transactionId.slice(12)}`;
    assert.equal(
      JSON.parse(await world.run('payment', 'explain', mistyped, '--json')).id,
      quote.transactionId,
    );
    const audited = await world.run('audit', 'list', '--resource', quote.transactionId);
    assert.match(audited, /payment explain/);
  });

  it('operator.md §8.4: refuses a malformed id and an unknown one', async () => {
    await world.assertRefused([
      [['payment', 'explain', 'nobody'], 2, /must be an id such as Transaction:<uuid>/],
      [['payment', 'explain', 'Card:0190a5d2-0000-7000-8000-000000000001'], 2, /must be an id/],
    ]);
    const missing = await world.attempt(
      'payment',
      'explain',
      'Transaction:0190a5d2-0000-7000-8000-000000000001',
    );
    assert.equal(missing.code, 1);
  });
});
