// lane: whole — many cases, which take seconds

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { checkNamed } from '#capabilities/cards/reveal/reveal-card.ts';
import { allowedFrameSources } from '#capabilities/cards/reveal/show-card.ts';
import { disablePlatform } from '#capabilities/platform/set-platform.ts';
import { productionLinks } from '#edge/providers/hosted-links.ts';
import { sql } from '#foundation/database/sql.ts';
import { DEFAULT_SETTINGS } from '#foundation/lib/platform.ts';
import { changedCard, detailsIn, givenCard, givenNewCard, readCard, revealed } from '#tests/given/cards.ts';
import { advance, fetchPayer, givenPayer, givenPlatform } from '#tests/given/payments.ts';
import { givenEuropean, givenScaSession } from '#tests/given/sca.ts';
import { auditLines } from '#tests/harness/audit-lines.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';
import { allRows, tableContents } from '#tests/harness/table-contents.ts';

const TOKEN = /^http:\/\/localhost\/cards\/reveal\?t=([A-Za-z0-9_-]{43})$/;
const ACTORS = ['token', 'agent', 'page', 'operator', 'worker'] as const;

describe('showing the number of a card', () => {
  const world = testWorld();

  const given = async (settings: NonNullable<Parameters<typeof givenPlatform>[1]>['settings'] = {}) => {
    const platform = await givenPlatform(world, { settings });
    const payer = await givenPayer(platform, 0);
    return { platform, payer, card: await givenCard(platform, payer) };
  };
  const load = async (url: string, options: { method?: 'GET' | 'HEAD' | 'POST'; from?: string } = {}) => {
    const { method = 'GET', from = '203.0.113.9' } = options;
    return world.app.http.inject({ method, url: url.replace('http://localhost', ''), remoteAddress: from });
  };
  const asked = async (platform: TestPlatform, id: string) => {
    const { status, body } = await platform.send('revealCard', { params: { id } });
    return [status, (body as { code?: string }).code];
  };
  const auditRows = async (platform: TestPlatform, action: string) =>
    (await auditLines(world, platform, action)).map(
      ({ actor_kind, actor_id, resource, remote_address, details, at }) => ({
        ...{ actor_kind, actor_id, resource, remote_address, details, at },
      }),
    );

  it('cards.md §5.1, §5.3: each call returns a new address of the page, valid for five minutes, and its expiry', async () => {
    const { platform, card } = await given();
    const { status, body } = await platform.call('revealCard', { params: { id: card.id } });
    assert.equal(status, 200);
    assert.deepEqual(Object.keys(body), ['panEmbedUrl', 'expiresAt']);
    assert.match(body.panEmbedUrl, TOKEN);
    const { body: clock } = await platform.call('getSandboxClock');
    assert.equal(Date.parse(body.expiresAt) - Date.parse(clock.now), 300_000);
    // The idempotency key is ignored, because the answer is stored nowhere.
    const key = 'again';
    const urls = new Set([body.panEmbedUrl]);
    for (const _again of [1, 2]) {
      const again = await platform.call('revealCard', { params: { id: card.id }, key });
      assert.equal(again.headers['idempotency-replayed'], undefined);
      urls.add(again.body.panEmbedUrl);
    }
    assert.equal(urls.size, 3);
  });

  it('cards.md §5.3: only the SHA-256 of the token is stored, with card, platform, actor and expiry, and nowhere else', async () => {
    const { platform, card } = await given();
    await platform.receive();
    const { body } = await platform.call('revealCard', { params: { id: card.id }, key: 'kept' });
    await load(body.panEmbedUrl);
    await load(`${body.panEmbedUrl}x`);
    await world.app.worker.settle(platform.id);
    const [, token = ''] = TOKEN.exec(body.panEmbedUrl) ?? [];
    const hash = createHash('sha256').update(token).digest();
    const rows = await world.database.query<Record<string, unknown>>(sql`
      select token_hash, card_id, actor, expires_at from card_reveals where platform_id = ${platform.id}`);
    const { body: tokens } = await platform.call('listTokens');
    assert.deepEqual(rows, [
      {
        token_hash: hash,
        card_id: uuidOf(card),
        actor: tokens.data[0]?.id,
        expires_at: new Date(body.expiresAt),
      },
    ]);
    const forms = [
      token,
      Buffer.from(token).toString('hex'),
      Buffer.from(token, 'base64url').toString('hex'),
    ];
    for (const form of forms) {
      const found = (await allRows(world.database)).filter(({ text }) => text.includes(form));
      assert.deepEqual(found, []);
      assert.ok(!world.logged.some((line) => line.includes(form)));
    }
    const requests = world.logged.filter((line) => line.includes('"method":"'));
    assert.ok(requests.length > 0);
    assert.ok(
      !requests.some((line) => line.includes('?') || line.includes('reveal?')),
      'cards.md §5.7: a query in the log',
    );
  });

  it('cards.md §5.2: unknown, malformed and foreign cards are 404 NOT_FOUND', async () => {
    const [{ card }, { platform }] = [await given(), await given()];
    for (const id of [card.id, uuidOf(card), 'Card:019542f5-b3e7-7d02-8000-0000000000ff', 'none']) {
      assert.deepEqual(await asked(platform, id), [404, 'NOT_FOUND'], id);
    }
  });

  it('cards.md §5.2: a card that is PROCESSING or CLOSED is 409 CONFLICT; a FROZEN one is shown', async () => {
    const { platform, payer, card } = await given();
    const waiting = await givenNewCard(platform, payer, { platformCardId: 'waits-001' });
    const rejected = await givenNewCard(platform, payer, { platformCardId: 'never-002' });
    await advance(platform, 1);
    for (const [{ id }, status] of [[waiting, 'PROCESSING'] as const, [rejected, 'CLOSED'] as const]) {
      assert.equal((await readCard(platform, id)).status, status);
      assert.deepEqual(await asked(platform, id), [409, 'CONFLICT']);
    }
    await changedCard(platform, card.id, { status: 'FROZEN' });
    const url = await revealed(platform, card);
    assert.equal((await load(url)).statusCode, 200);
    await changedCard(platform, card.id, { status: 'CLOSED' });
    assert.deepEqual(await asked(platform, card.id), [409, 'CONFLICT']);
  });

  it('cards.md §5.2, §1.12: without cards it is 501, before any other check', async () => {
    const { platform, card } = await given();
    const without = await givenPlatform(world, { settings: { cards: { enabled: false } } });
    const production = await world.platform({
      environment: 'PRODUCTION',
      settings: { cards: { enabled: true } },
    });
    for (const each of [without, production]) {
      assert.deepEqual(await asked(each, card.id), [501, 'NOT_IMPLEMENTED']);
    }
    assert.deepEqual((await asked(platform, card.id))[0], 200);
  });

  it('cards.md §5.2: requires MANAGE and an API token: no other caller can show the number', async () => {
    const { card } = await given();
    const reader = await world.platform({ permissions: ['VIEW', 'TRANSACT'] });
    assert.deepEqual(await asked(reader, card.id), [403, 'FORBIDDEN']);
    const refused = ACTORS.filter((kind) => checkNamed({ kind })?.code === 'FORBIDDEN');
    assert.deepEqual(refused, ['agent', 'page', 'operator', 'worker']);
  });

  it('cards.md §5.2: a customer in an SCA region has to be logged in, which is checked after the status of the card', async () => {
    const platform = await givenPlatform(world);
    const customer = await givenEuropean(platform);
    const card = await givenCard(platform, await fetchPayer(platform, customer));
    assert.deepEqual(await asked(platform, card.id), [409, 'SCA_SESSION_REQUIRED']);
    await givenScaSession(platform, customer);
    assert.equal((await load(await revealed(platform, card))).statusCode, 200);
    await changedCard(platform, card.id, { status: 'CLOSED' });
    assert.deepEqual(await asked(platform, card.id), [409, 'CONFLICT']);
  });

  it('cards.md §5.4: the page shows number, expiry and code in its documented elements, and needs only the token', async () => {
    const { platform, card } = await given();
    const reply = await load(await revealed(platform, card));
    assert.equal(reply.statusCode, 200);
    assert.equal(reply.headers['content-type'], 'text/html; charset=utf-8');
    const { pan, expiry, cvv } = detailsIn(reply.body);
    assert.match(pan, /^400000\d{10}$/);
    assert.equal(pan.slice(-4), card.last4);
    assert.equal(expiry, `${String(card.expMonth).padStart(2, '0')}/${String(card.expYear).slice(-2)}`);
    assert.match(cvv, /^\d{3}$/);
    for (const id of ['card', 'pan', 'expiry', 'cvv']) {
      assert.equal(reply.body.split(` id="${id}"`).length, 2, id);
    }
    assert.equal(reply.body.split('class="pan-separator"').length, 4);
    assert.doesNotMatch(
      reply.body.replace(/<link rel="icon" href="data:[^"]*">/, ''),
      /(src|href|action)=|<(img|link|form|iframe|script src)/,
    );
    assert.doesNotMatch(reply.body, new RegExp(`${card.id}|${platform.id}|${card.customerId}`));
  });

  it('cards.md §5.5: it can be loaded any number of times until the address expires, by the clock of the platform', async () => {
    const { platform, card } = await given();
    const url = await revealed(platform, card);
    const seen = new Set<string>();
    for (const seconds of [0, 60, 239]) {
      if (seconds > 0) await advance(platform, seconds);
      const { statusCode, body } = await load(url);
      assert.equal(statusCode, 200);
      seen.add(JSON.stringify(detailsIn(body)));
    }
    assert.equal(seen.size, 1);
    await advance(platform, 1);
    assert.equal((await load(url)).statusCode, 410);
  });

  it('cards.md §5.5: the page is told how long it may show the card', async () => {
    const { platform, card } = await given();
    const url = await revealed(platform, card);
    await advance(platform, 100);
    const [, leftMs] = /data-left-ms="(\d+)"/.exec((await load(url)).body) ?? [];
    assert.equal(leftMs, '200000');
  });

  it('cards.md §5.5: unknown, altered and expired addresses, and closed cards, are 410 with the same page, without card data', async () => {
    const { platform, payer, card } = await given();
    const url = await revealed(platform, card);
    const expired = await revealed(platform, card);
    await advance(platform, 300);
    const other = await givenCard(platform, payer);
    const closed = await revealed(platform, other);
    await changedCard(platform, other.id, { status: 'CLOSED' });
    const [, token = ''] = TOKEN.exec(url) ?? [];
    const at = (text: string) => `/cards/reveal?t=${text}`;
    const live = await revealed(platform, card);
    const [, liveToken = ''] = TOKEN.exec(live) ?? [];
    const flipped = [...liveToken].map(
      (letter, i) => `${liveToken.slice(0, i)}${letter === 'A' ? 'B' : 'A'}${liveToken.slice(i + 1)}`,
    );
    // The last letter has two unused bits: in base64 another letter means the same.
    const lastLetters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_']
      .map((letter) => liveToken.slice(0, -1) + letter)
      .filter((text) => text !== liveToken);
    const altered = [...flipped, ...lastLetters, `${liveToken}=`, ` ${liveToken}`, liveToken.toLowerCase()];
    const unknown = [at('A'.repeat(43)), at(''), at('x'), at('%00'), at('%FF'), '/cards/reveal'];
    const gone = [expired, closed, at(token), ...unknown, ...altered.map(at), `${live}&t=${liveToken}`];
    const bodies = new Set<string>();
    const headers = new Set<string>();
    for (const address of gone) {
      const reply = await load(address);
      assert.equal(reply.statusCode, 410, address);
      bodies.add(reply.body);
      const { date: _date, 'x-request-id': _id, ...rest } = reply.headers;
      headers.add(JSON.stringify(rest));
    }
    assert.equal(bodies.size, 1);
    assert.equal(headers.size, 1);
    const [body = ''] = bodies;
    assert.match(body, /<!doctype html>/);
    assert.doesNotMatch(body.slice(body.indexOf('<body>')), /\d\d|<script|id="card"/);
    assert.equal((await load(live)).statusCode, 200);
  });

  it('cards.md §5.5: an address of a disabled platform shows nothing', async () => {
    const { platform, card } = await given();
    const url = await revealed(platform, card);
    await disablePlatform(world.app.runtime, platform.id, { kind: 'operator', id: 'test' });
    assert.equal((await load(url)).statusCode, 410);
  });

  it('cards.md §5.4: other methods, HEAD included, get no page and leave no audit row', async () => {
    const { platform, card } = await given();
    const url = await revealed(platform, card);
    for (const method of ['HEAD', 'POST'] as const)
      assert.equal((await load(url, { method })).statusCode, 404);
    assert.deepEqual(await auditRows(platform, 'card number shown'), []);
  });

  it('cards.md §5.6: every answer of the page has its headers; style and script have a nonce', async () => {
    const { platform, card } = await given();
    const url = await revealed(platform, card);
    const nonces = new Set<string>();
    for (const address of [url, url, '/cards/reveal?t=none']) {
      const { headers, body, statusCode } = await load(address);
      assert.equal(headers['cache-control'], 'no-store');
      assert.equal(headers['referrer-policy'], 'no-referrer');
      assert.equal(headers['x-content-type-options'], 'nosniff');
      assert.equal(headers['x-robots-tag'], 'noindex');
      assert.equal(headers['x-frame-options'], undefined);
      assert.equal(headers['set-cookie'], undefined);
      const rest =
        "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors https: http://localhost:* http://127.0.0.1:*";
      if (statusCode === 410) {
        const [, source] = /style-src ('sha256-[^']+')/.exec(policyOf(headers)) ?? [];
        assert.equal(policyOf(headers), `default-src 'none'; style-src ${source}; ${rest}`);
        continue;
      }
      const [, nonce = ''] = /script-src 'nonce-([^']{20,})'/.exec(policyOf(headers)) ?? [];
      const sources = `style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'`;
      assert.equal(policyOf(headers), `default-src 'none'; ${sources}; ${rest}`);
      assert.equal(body.split(` nonce="${nonce}"`).length, 3);
      nonces.add(nonce);
    }
    assert.equal(nonces.size, 2);
  });

  it('cards.md §5.6: the platform’s own origins may frame it, in place of any https; in the sandbox local pages too', async () => {
    const frameOrigins = ['https://app.example.com', 'https://other.example:8443'];
    const { platform, card } = await given({ frameOrigins });
    const { headers } = await load(await revealed(platform, card));
    const named = 'frame-ancestors https://app.example.com https://other.example:8443';
    assert.ok(
      policyOf(headers).endsWith(`${named} http://localhost:* http://127.0.0.1:*`),
      policyOf(headers),
    );
    const settings = { ...DEFAULT_SETTINGS.PRODUCTION, frameOrigins };
    const production = { hostedLinks: productionLinks };
    assert.deepEqual(allowedFrameSources({ settings }, production), frameOrigins);
    assert.deepEqual(allowedFrameSources({ settings: DEFAULT_SETTINGS.PRODUCTION }, production), ['https:']);
  });

  it('cards.md §5.8: each new address and each load of the page leaves an audit row: actor, card, time, remote address', async () => {
    const { platform, card } = await given();
    const { body: tokens } = await platform.call('listTokens');
    const token = tokens.data[0]?.id ?? '';
    const url = await revealed(platform, card);
    for (const from of ['203.0.113.9', '2001:db8::7']) await load(url, { from });
    await load('/cards/reveal?t=none');
    const at = new Date(world.clock.now());
    const [asking, ...more] = await auditRows(platform, 'revealCard');
    assert.deepEqual(more, []);
    assert.deepEqual(
      [asking?.actor_kind, asking?.actor_id, asking?.details],
      ['token', uuidOf({ id: token }), { card: card.id }],
    );
    assert.ok(asking?.at instanceof Date && asking.remote_address !== null);
    const shown = {
      actor_kind: 'page',
      actor_id: 'reveal',
      resource: card.id,
      at,
      details: { askedForBy: token },
    };
    assert.deepEqual(await auditRows(platform, 'card number shown'), [
      { ...shown, remote_address: '203.0.113.9' },
      { ...shown, remote_address: '2001:db8::7' },
    ]);
  });

  it('cards.md §5.7: a load of the page writes its audit row and nothing else, so no security code is stored', async () => {
    const { platform, card } = await given();
    const url = await revealed(platform, card);
    const before = await tableContents(world.database, ['audit_log']);
    const { cvv } = detailsIn((await load(url)).body);
    assert.deepEqual(await tableContents(world.database, ['audit_log']), before);
    const [row] = await auditRows(platform, 'card number shown');
    assert.ok(row);
    const { at: _at, ...facts } = row;
    assert.doesNotMatch(JSON.stringify(facts), new RegExp(`(?<![0-9a-f.:-])${cvv}(?![0-9a-f.:-])`));
  });

  it('cards.md §5.7: the number is destroyed when the card is closed, and earlier addresses stop working', async () => {
    const { platform, card } = await given();
    const url = await revealed(platform, card);
    assert.equal((await load(url)).statusCode, 200);
    await changedCard(platform, card.id, { status: 'CLOSED' });
    const [row] = await world.database.query<{ pan: Buffer | null }>(sql`
      select pan from cards where platform_id = ${platform.id} and id = ${uuidOf(card)}`);
    assert.equal(row?.pan, null);
    assert.equal((await load(url)).statusCode, 410);
    assert.equal((await readCard(platform, card.id)).last4, card.last4);
  });

  it('cards.md §5.3: expired addresses are deleted', async () => {
    const { platform, card } = await given();
    await revealed(platform, card);
    const kept = async () =>
      (await world.database.query(sql`select 1 from card_reveals where platform_id = ${platform.id}`)).length;
    assert.equal(await kept(), 1);
    await advance(platform, 2 * 24 * 3_600);
    assert.equal(await kept(), 0);
  });
});

function policyOf(headers: Record<string, unknown>): string {
  return String(headers['content-security-policy']);
}
