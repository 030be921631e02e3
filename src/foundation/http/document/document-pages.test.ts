// lane: whole — many cases, which take seconds

import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import Fastify from 'fastify';
import { registerDocumentPages } from '#foundation/http/document/document-pages.ts';
import { renderMarkdown } from '#foundation/http/document/markdown.ts';
import { DOCUMENTS, readRules } from '#tests/checks/rules.ts';
import { testWorld } from '#tests/harness/harness.ts';

describe('guides and other documents as pages', () => {
  const world = testWorld();
  const get = (url: string) => world.app.http.inject({ method: 'GET', url });

  it('the index links to every guide and says what each is for', async () => {
    const { statusCode, body } = await get('/docs/guides');
    assert.equal(statusCode, 200);
    for await (const path of glob('docs/guides/*.md')) {
      const url = `/${path.replace(/\.md$/, '')}`;
      const [, title = '', summary = ''] =
        new RegExp(`<dt><a href="${url}">([^<]+)</a></dt><dd>([^<]+)</dd>`).exec(body) ?? [];
      assert.ok(title !== '' && /\.$/.test(summary), `${url}: ${title}: ${summary}`);
    }
  });

  it('every link of every page has a target and the heading that it names, and the pages link to one another', async () => {
    const pages = new Map<string, string>();
    const anchors: [from: string, to: string][] = [];
    const waiting = ['/docs/guides', '/docs/sandbox'];
    for (let url = waiting.pop(); url !== undefined; url = waiting.pop()) {
      if (pages.has(url)) continue;
      const { statusCode, headers, body } = await get(url);
      assert.ok(statusCode === 200 || statusCode === 302, `${url}: ${statusCode}`);
      const isOurs = String(headers['content-type']).startsWith('text/html') && url !== '/docs/';
      pages.set(url, isOurs ? body : '');
      for (const [, href = ''] of isOurs ? body.matchAll(/<(?:a href|img src)="([^"]*)"/g) : []) {
        if (/^https?:/.test(href)) continue;
        const [path = '', anchor] = href.split('#');
        if (path !== '') waiting.push(path);
        if (anchor !== undefined && !path.startsWith('/docs/#') && path !== '/docs/')
          anchors.push([url, `${path === '' ? url : path}#${anchor}`]);
      }
    }
    assert.ok(pages.has('/docs/') && pages.has('/docs/sandbox') && pages.has('/docs/rules/platform'));
    const lost = anchors.filter(([, to]) => {
      const [path = '', anchor = ''] = to.split('#');
      return !pages.get(path)?.includes(`id="${anchor}"`);
    });
    assert.deepEqual(lost, []);
  });

  it('a page loads nothing, runs one script of ours and is sent compressed; markup in a document stays text', async () => {
    const { headers, body } = await get('/docs/guides/wallets');
    assert.match(
      String(headers['content-security-policy']),
      /^default-src 'none'; style-src 'sha256-[^']+'; script-src 'sha256-[^']+'; img-src 'self' data:;/,
    );
    assert.equal(body.split('<script>').length, 2);
    assert.ok(!/<script |<img|<link (?!rel="icon" href="data:)|style="/.test(body));
    const packed = await world.app.http.inject({
      url: '/docs/guides/wallets',
      headers: { 'accept-encoding': 'br' },
    });
    assert.equal(packed.headers['content-encoding'], 'br');
    const { text } = renderMarkdown('<b onclick="x()">a</b> [x](javascript:x()) ![p](q)', () => undefined);
    assert.ok(!/<b|javascript|<img/.test(text), text);
  });

  it('shows the pictures of the guides, and each says what it shows', async () => {
    for (const guide of ['first-payment', 'cards', 'webhooks', 'agents']) {
      const { body } = await get(`/docs/guides/${guide}`);
      const [, src = '', alt = ''] = /<img src="([^"]+)" alt="([^"]+)"/.exec(body) ?? [];
      assert.ok(alt.length > 40, `${guide}: ${alt}`);
      const { statusCode, headers, rawPayload } = await get(src);
      assert.deepEqual([statusCode, headers['content-type']], [200, 'image/webp'], src);
      assert.equal(rawPayload.subarray(8, 12).toString(), 'WEBP');
    }
  });

  it('every rule can be linked to by its number, also one that was inserted later or is a row of a table', async () => {
    for (const document of DOCUMENTS) {
      const { body } = await get(`/docs/rules/${document.replace('.md', '')}`);
      const anchors = [...body.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id);
      assert.equal(new Set(anchors).size, anchors.length, `${document}: an anchor is unique`);
      const text = await readFile(new URL(`../../../../docs/rules/${document}`, import.meta.url), 'utf8');
      const numbers = readRules(document, text).map(({ key }) => key.slice(document.length + 2));
      assert.deepEqual(
        numbers.filter((number) => !anchors.includes(number)),
        [],
        document,
      );
    }
  });

  it('redirects a browser from / to the guides, and still answers a program with 404', async () => {
    const asked = (accept?: string) =>
      world.app.http.inject({ method: 'GET', url: '/', headers: accept === undefined ? {} : { accept } });
    const browser = await asked('text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8');
    assert.deepEqual([browser.statusCode, browser.headers.location], [302, '/docs/guides']);
    for (const accept of [undefined, '*/*', 'application/json']) {
      const program = await asked(accept);
      assert.deepEqual([program.statusCode, program.json().status], [404, 404]);
    }
  });

  it('names the address that it is served from, under the service’s own name', async () => {
    const app = Fastify();
    const parts = { publicUrl: () => 'https://pay.example', basePath: '/acme/2025-10-13' };
    registerDocumentPages(app, parts);
    const { body } = await app.inject('/docs/guides/first-payment');
    assert.match(body, /export CORRIDOR_URL=https:\/\/pay\.example\/acme\/2025-10-13 /);
    const { body: readme } = await app.inject('/docs/readme');
    assert.match(readme, /https:\/\/pay\.example\/docs/);
    assert.ok(![body, readme].some((text) => text.includes('127.0.0.1:8080')));
    await app.close();
  });

  it('platform.md §1.1.1: a path that is no document is 404, however it is spelled', async () => {
    for (const path of [
      'guides/none',
      '../package.json',
      'guides/..%2f..%2fpackage',
      'openapi',
      'guides/wallets.md',
    ])
      assert.equal((await get(`/docs/${path}`)).statusCode, 404, path);
  });
});
