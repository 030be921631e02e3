import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { rowsOf, SANDBOX_TABLES } from '#sandbox/tables.ts';
import { UMA_DOMAIN_PLACEHOLDER } from '#sandbox/uma-table.ts';
import { accessibilityFaults, openBrowser } from '#tests/browser.ts';
import { TEST_DOMAINS, testWorld } from '#tests/harness.ts';

/** Long enough for the busiest machine: only a page that never comes fails. */
const PATIENCE_MS = 300_000;

describe('the page about the sandbox', () => {
  const world = testWorld();

  it('shows every row of every table, with the domain that this service has', async () => {
    const { statusCode, body } = await world.app.http.inject({ url: '/docs/sandbox' });
    assert.equal(statusCode, 200);
    const text = textOf(body);
    for (const table of SANDBOX_TABLES) {
      assert.ok(body.includes(`id="${table.id}"`), table.id);
      for (const { value, example, effect, shows } of rowsOf(table)) {
        const whole = example.replace(UMA_DOMAIN_PLACEHOLDER, TEST_DOMAINS.sandboxUmaDomain);
        const shown = Object.entries(shows).map(([path, what]) => `${path}: ${what}`);
        for (const piece of [value, whole, effect.replaceAll('`', ''), ...shown]) {
          assert.ok(text.includes(piece), `${table.id}, ${value}: ${piece}`);
        }
      }
    }
    assert.ok(!text.includes(UMA_DOMAIN_PLACEHOLDER));
  });

  it('loads nothing and runs nothing; its one style is the allowed one', async () => {
    const { headers, body } = await world.app.http.inject({ url: '/docs/sandbox' });
    const [, style = ''] = /<style>([\s\S]*)<\/style>/.exec(body) ?? [];
    const hash = createHash('sha256').update(style).digest('base64');
    assert.equal(
      headers['content-security-policy'],
      `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    );
    assert.ok(!/<script|<img|<link|style="/.test(body));
  });

  it('can be used without a mouse and by a screen reader, and leads to the reference and back', {
    timeout: PATIENCE_MS,
  }, async (t) => {
    const browser = await openBrowser();
    if (!browser) return t.skip('this machine has no browser');
    t.after(() => browser.close());
    await world.app.http.listen({ host: '127.0.0.1', port: 0 });
    const { port } = world.app.http.server.address() as AddressInfo;
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    page.setDefaultTimeout(PATIENCE_MS);
    await page.goto(`http://127.0.0.1:${port}/docs/sandbox`);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      assert.deepEqual(await accessibilityFaults(page), [], colorScheme);
    }
    await page.getByRole('link', { name: 'Paying a UMA address' }).click();
    assert.match(page.url(), /#uma-receivers$/);
    await page.getByText('DE35370400440532013002').first().click();
    assert.equal(await page.evaluate('getSelection().toString()'), 'DE35370400440532013002');
    const operation = page.getByRole('link', { name: 'Fund an internal account' });
    await operation.first().click();
    await page.getByRole('heading', { name: 'Fund an internal account' }).first().waitFor();
    await page.getByRole('link', { name: 'these values' }).first().click();
    await page.getByRole('heading', { name: 'What the sandbox can be made to do' }).waitFor();
  });
});

/** What a reader sees of the markup. */
function textOf(markup: string): string {
  return markup
    .replace(/<style>[\s\S]*<\/style>/, '')
    .replace(/<\/?(code|b)\b[^>]*>/g, '')
    .replace(/&#(\d+);/g, (_whole, code: string) => String.fromCharCode(Number(code)));
}
