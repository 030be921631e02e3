import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { openBrowser } from '#tests/browser.ts';
import { testWorld } from '#tests/harness.ts';

/** Long enough for the busiest machine: only a page that never comes fails. */
const PATIENCE_MS = 300_000;

describe('the reference page in a browser', () => {
  const world = testWorld();

  it('works under its own policy, asks nobody but us and gives the browser no reason to complain', {
    timeout: PATIENCE_MS,
  }, async (t) => {
    const browser = await openBrowser();
    if (!browser) return t.skip('this machine has no browser');
    t.after(() => browser.close());
    await world.app.http.listen({ host: '127.0.0.1', port: 0 });
    const { port } = world.app.http.server.address() as AddressInfo;
    const origin = `http://127.0.0.1:${port}`;
    const page = await browser.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    const complaints: string[] = [];
    const asked = new Set<string>();
    page.on('console', (line) => {
      if (['error', 'warning'].includes(line.type())) complaints.push(`${line.type()} ${line.text()}`);
    });
    page.on('pageerror', (error) => void complaints.push(error.message));
    page.on('request', (request) => {
      if (!/^(data|blob):/.test(request.url())) asked.add(new URL(request.url()).origin);
    });
    const opened = await page.goto(`${origin}/docs/`);
    assert.match(
      opened?.headers()['content-security-policy'] ?? '',
      /^default-src 'none'; script-src 'self' 'sha256-/,
    );
    await page.getByRole('heading', { name: 'Corridor' }).first().waitFor();
    await page.getByText('Change the configuration').first().click();
    await page.getByRole('heading', { name: 'Change the configuration' }).first().waitFor();
    assert.deepEqual(complaints, []);
    assert.deepEqual([...asked], [origin]);
  });
});
