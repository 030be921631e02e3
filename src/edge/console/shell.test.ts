import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { askConsole } from '#tests/given/console.ts';
import { testWorld } from '#tests/harness/harness.ts';

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "form-action 'self'; frame-ancestors 'none'; base-uri 'none'; require-trusted-types-for 'script'";

describe('the console’s pages', () => {
  const world = testWorld();

  it('operator.md §3.7: every address answers one page without inline code, under a strict policy', async () => {
    const pages = await Promise.all(
      ['/console', '/console/', '/console/sign-in', '/console/payments/Transaction:x'].map((url) =>
        askConsole(world, 'GET', url),
      ),
    );
    for (const { status, headers, raw } of pages) {
      assert.equal(status, 200, raw);
      assert.equal(headers['content-security-policy'], POLICY);
      assert.equal(headers['cache-control'], 'no-store');
      assert.equal(headers['x-content-type-options'], 'nosniff');
      assert.equal(headers['referrer-policy'], 'no-referrer');
      assert.equal(headers['cross-origin-opener-policy'], 'same-origin');
      assert.equal(headers['cross-origin-resource-policy'], 'same-origin');
      assert.match(String(headers['permissions-policy']), /camera=\(\)/);
      assert.match(String(headers['content-type']), /^text\/html/);
      assert.equal(raw, pages[0]?.raw);
    }
    const html = pages[0]?.raw ?? '';
    assert.doesNotMatch(
      html,
      /<style|<script(?! type="module" src="\/console\/assets\/[\w.-]+"><\/script>)| on\w+=/,
    );
  });

  it('operator.md §3.7: its files have the hash of their content in their names, and never change', async () => {
    const { raw } = await askConsole(world, 'GET', '/console');
    const names = [...raw.matchAll(/(?:src|href)="(\/console\/assets\/[^"]+)"/g)].map(
      ([, name = '']) => name,
    );
    assert.ok(names.some((name) => name.endsWith('.js')));
    assert.match(raw, /<link rel="modulepreload" href="\/console\/assets\/[^"]+\.js">/);
    for (const name of names) {
      const { status, headers } = await askConsole(world, 'GET', name);
      assert.equal(status, 200, name);
      assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable');
      assert.equal(headers['x-content-type-options'], 'nosniff');
      assert.match(String(headers['content-type']), /^text\/(javascript|css)/);
      const tag = String(headers.etag);
      assert.equal((await askConsole(world, 'GET', name, { headers: { 'if-none-match': tag } })).status, 304);
    }
  });

  it('operator.md §3.7: nothing else of the machine can be read as a file', async () => {
    for (const name of [
      'main.js',
      '../manifest.json',
      '..%2fmanifest.json',
      '%2e%2e/manifest.json',
      '..%2f..%2f..%2fpackage.json',
      '%2fetc%2fpasswd',
      '..\\manifest.json',
      'constructor',
      '__proto__',
      '',
    ]) {
      const { status, raw } = await askConsole(world, 'GET', `/console/assets/${name}`);
      assert.ok(status === 404 || raw.startsWith('<!doctype html>'), `${name} ${status}`);
      assert.doesNotMatch(raw, /"entry"|"version"|root:/);
    }
  });
});
