import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import Fastify from 'fastify';
import { SAMPLE_TERMS } from '#capabilities/customers/terms/sample-terms.ts';
import { currentTerms, registerTermsPage } from '#capabilities/customers/terms/terms.ts';
import { testWorld } from '#tests/harness/harness.ts';

describe('end-user terms', () => {
  const world = testWorld();

  it('customers.md §2.1.16, §1.2: the version in force is at a path that is not a customer id, and we serve its page', async () => {
    const platform = await world.platform();
    const { status, body } = await platform.call('getEndUserTerms');
    assert.equal(status, 200);
    assert.equal(body.version, 'V1');
    const { pathname } = new URL(body.url);
    assert.equal(pathname, '/terms/V1');
    const page = await world.app.http.inject({ url: pathname });
    assert.equal(page.statusCode, 200);
    assert.match(String(page.headers['content-type']), /^text\/html/);
    assert.match(page.body, /<h1>End-user terms<\/h1>/);
    assert.equal((await platform.call('getEndUserTerms', { as: 'nobody' })).status, 401);
  });

  it('customers.md §2.1.16: the last version published is in force, and every earlier one stays readable', async () => {
    const later = {
      ...SAMPLE_TERMS[0],
      version: 'V2/b',
      title: 'Terms & "more" <b>',
    } as (typeof SAMPLE_TERMS)[0];
    const terms = [...SAMPLE_TERMS, later];
    assert.equal(currentTerms(terms).version, 'V2/b');
    const app = Fastify();
    registerTermsPage(app, terms);
    assert.equal((await app.inject({ url: '/terms/V1' })).statusCode, 200);
    const page = await app.inject({ url: '/terms/V2%2Fb' });
    assert.equal(page.statusCode, 200);
    assert.ok(page.body.includes('Terms &#38; &#34;more&#34; &#60;b&#62;') && !page.body.includes('<b>'));
    await app.close();
  });

  it('the page loads nothing, runs no script, cannot be framed, and has only the allowed style', async () => {
    const page = await world.app.http.inject({ url: '/terms/V1' });
    const policy = String(page.headers['content-security-policy']);
    const style = /<style>([\s\S]*)<\/style>/.exec(page.body)?.[1] ?? '';
    const hash = createHash('sha256').update(style).digest('base64');
    assert.equal(
      policy,
      `default-src 'none'; style-src 'sha256-${hash}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    );
    assert.ok(!/<script|<link (?!rel="icon" href="data:)|<img|https?:|style="/.test(page.body));
    assert.match(page.body, /<html lang="en">/);
    assert.match(page.body, /name="viewport"/);
  });

  it('an unknown version is a page that says so', async () => {
    const page = await world.app.http.inject({ url: '/terms/V99' });
    assert.equal(page.statusCode, 404);
    assert.match(String(page.headers['content-type']), /^text\/html/);
    assert.ok(!page.body.includes('V99'));
  });
});
