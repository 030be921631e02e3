// lane: browser — drives a real browser

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { givenPlatform } from '#tests/given/payments.ts';
import { quoted } from '#tests/given/quotes.ts';
import { authorize, givenScaPayer } from '#tests/given/waiting.ts';
import { addVirtualAuthenticator, closePages, NO_BROWSER, openBrowser } from '#tests/harness/browser.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';

/** Long enough for the busiest machine. */
const PATIENCE_MS = 300_000;

type Json = Record<string, unknown>;

describe('a passkey in a real browser', () => {
  const world = testWorld();
  let shop: Server;
  let origin: string;
  let platform: TestPlatform;
  let browser: Browser | undefined;

  before(async () => {
    browser = await openBrowser();
    shop = createServer((_, reply) =>
      reply.setHeader('content-type', 'text/html').end('<title>Shop</title>'),
    );
    await once(shop.listen(0, 'localhost'), 'listening');
    origin = `http://localhost:${(shop.address() as AddressInfo).port}`;
    platform = await givenPlatform(world, { settings: { sca: { origins: [origin] } } as never });
  });
  after(async () => {
    await closePages(browser);
    shop.close();
  });

  it('customers.md §7.2, §7.5, §7.10, §7.23: is enrolled, logs in and authorizes a payment', {
    timeout: PATIENCE_MS,
  }, async (t) => {
    if (!browser) return t.skip(NO_BROWSER);
    const page = await (await browser.newContext()).newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    await addVirtualAuthenticator(page);
    await page.goto(origin);
    const payer = await givenScaPayer(platform, 1_000_000, false);
    const query = { customerId: payer.id };

    const enrolment = await platform.call('startScaFactorEnrollment', { query, body: { type: 'PASSKEY' } });
    const { options, allowedOrigins } = enrolment.body as unknown as {
      options: Json;
      allowedOrigins: string[];
    };
    assert.deepEqual(allowedOrigins, [origin]);
    const credential = await create(page, options);
    const confirmed = await platform.call('confirmScaFactorEnrollment', {
      query,
      body: { type: 'PASSKEY', origin, credential },
    });
    assert.equal(confirmed.status, 200, confirmed.raw);

    const login = await platform.call('startScaLogin', { query, body: { factor: 'PASSKEY' } });
    const loggedIn = await platform.call('completeScaLogin', {
      query,
      body: {
        factor: 'PASSKEY',
        endUserIpAddress: '203.0.113.7',
        passkeyAssertion: await get(page, login.body.passkeyOptions as Json),
        origin,
      },
    });
    assert.equal(loggedIn.status, 200, loggedIn.raw);

    const quote = await quoted(platform, { from: payer.usd, to: payer.bank, more: { scaFactor: 'PASSKEY' } });
    const waiting = await platform.call('executeQuote', { params: { quoteId: quote.id } });
    const answer = await get(page, waiting.body.scaChallenge?.passkeyAssertionOptions as Json);
    const authorized = await authorize(platform, quote.id, { passkeyAssertion: answer, origin });
    assert.deepEqual([authorized.status, authorized.body.status], [200, 'PROCESSING'], authorized.raw);
    const again = await authorize(platform, quote.id, { passkeyAssertion: answer, origin });
    assert.equal(again.status, 409, 'an answer counts once');
  });
});

/** Does what a platform's page would do, without a library. */
function create(page: Page, options: Json): Promise<Json> {
  return page.evaluate(async (options) => {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options as never);
    const credential = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential;
    return credential.toJSON() as unknown as Json;
  }, options);
}

function get(page: Page, options: Json): Promise<Json> {
  return page.evaluate(async (options) => {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options as never);
    const credential = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential;
    return credential.toJSON() as unknown as Json;
  }, options);
}
