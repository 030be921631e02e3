// lane: whole — every scenario of the sandbox

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { rowsOf, SANDBOX_TABLES } from '#edge/sandbox/page/tables.ts';
import { UMA_DOMAIN_PLACEHOLDER } from '#edge/sandbox/rails/uma-table.ts';
import { TEST_DOMAINS, testWorld } from '#tests/harness/harness.ts';

describe('the page about the sandbox', () => {
  const world = testWorld();

  it('shows every row of every table, with the domain of this service', async () => {
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

  it('loads nothing; its one style and its one script are the allowed ones', async () => {
    const { headers, body } = await world.app.http.inject({ url: '/docs/sandbox' });
    const [, style = ''] = /<style>([\s\S]*)<\/style>/.exec(body) ?? [];
    const [, script = ''] = /<script>([\s\S]*)<\/script>/.exec(body) ?? [];
    const hashOf = (text: string) => createHash('sha256').update(text).digest('base64');
    assert.equal(
      headers['content-security-policy'],
      `default-src 'none'; style-src 'sha256-${hashOf(style)}'; script-src 'sha256-${hashOf(script)}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    );
    assert.ok(!/<script |<img|<link (?!rel="icon" href="data:)|style="/.test(body));
  });
});

/** The text of the markup. */
function textOf(markup: string): string {
  return markup
    .replace(/<style>[\s\S]*<\/style>/, '')
    .replace(/<\/?(code|b)\b[^>]*>/g, '')
    .replace(/&#(\d+);/g, (_whole, code: string) => String.fromCharCode(Number(code)));
}
