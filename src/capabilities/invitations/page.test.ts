import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { disablePlatform } from '#capabilities/platform/set-platform.ts';
import { BUSINESS, givenCustomer, PERSON } from '#tests/given/customers.ts';
import { advance } from '#tests/given/payments.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

describe('the page of an invitation', () => {
  const world = testWorld();

  async function invite(platform: TestPlatform, more: object = {}) {
    const { umaAddress } = await givenCustomer(platform);
    const made = await platform.send('createInvitation', { body: { inviterUma: umaAddress, ...more } });
    assert.equal(made.status, 201, made.raw);
    return made.body;
  }

  const open = async (url: string) => {
    const { pathname } = new URL(url, 'http://localhost');
    const { statusCode, headers, body } = await world.app.http.inject({ method: 'GET', url: pathname });
    return { status: statusCode, headers, body, text: textOf(body) };
  };

  /** The visible text of the page. */
  const textOf = (body: string) =>
    body
      .slice(body.indexOf('<body>'))
      .replace(/<[^>]*>/g, '')
      .replace(/&#(\d+);/g, (_whole, code: string) => String.fromCharCode(Number(code)))
      .replace(/\s+/g, ' ');

  it('platform.md §5.2a: it shows the inviter, the first name, the amount, the expiry and what to do', async () => {
    const platform = await world.platform();
    const expiresAt = new Date(world.clock.now() + 86_400_000).toISOString();
    const { code, url, inviterUma } = await invite(platform, {
      firstName: 'Grace',
      amountToSend: 1_250,
      expiresAt,
    });
    const { status, text } = await open(url);
    assert.equal(status, 200);
    for (const part of [
      'Hello Grace,',
      'Ada L., a customer of Test platform, invites you to UMA',
      `Their UMA address is ${inviterUma}.`,
      'Open an account with Test platform, or with another provider',
      'Ada L. then learns your address',
      'They want to send you 12.50 USD once you have accepted.',
      `Give your provider this code: ${code}`,
      `valid until ${expiresAt.slice(0, 10)}, ${expiresAt.slice(11, 16)} UTC`,
      'moves no money',
    ])
      assert.ok(text.includes(part), `${part}: ${text}`);
  });

  /** The page of an invitation by this customer. */
  const loadPage = async (platform: TestPlatform, customer: Parameters<typeof givenCustomer>[1]) => {
    const { umaAddress } = await givenCustomer(platform, customer);
    const made = await platform.call('createInvitation', { body: { inviterUma: umaAddress } });
    return open(made.body.url);
  };

  it('platform.md §5.2b: a person is shown by first name and initial, a business by its trade name', async () => {
    const platform = await world.platform();
    for (const [fullName, shown] of [
      ['Ada Byron King Lovelace', 'Ada L., a customer'],
      ['José Álvarez', 'José Á., a customer'],
      ['Suharto', 'Suharto, a customer'],
      ['Ada 𝔏ovelace', 'Ada 𝔏., a customer'],
    ] as const) {
      const { body, text } = await loadPage(platform, { ...PERSON, fullName });
      assert.ok(text.includes(shown), `${shown}: ${text}`);
      assert.doesNotMatch(body, /Lovelace|Byron|lvarez|ovelace/);
    }
    assert.ok(
      (await loadPage(platform, BUSINESS)).text.includes(`${BUSINESS.businessInfo.legalName}, a customer of`),
    );
    const trading = { ...BUSINESS, businessInfo: { ...BUSINESS.businessInfo, doingBusinessAs: 'Engines' } };
    const { text } = await loadPage(platform, trading);
    assert.ok(text.includes('Engines, a customer of'), text);
    assert.ok(!text.includes(BUSINESS.businessInfo.legalName), text);
  });

  it('platform.md §5.2b: a customer without a name is shown as a customer of the platform', async () => {
    const { text } = await loadPage(await world.platform(), { customerType: 'INDIVIDUAL' });
    assert.match(text, /A customer of Test platform invites you to UMA/);
    assert.match(text, /The customer who invited you then learns your address/);
    assert.doesNotMatch(text, /undefined|null/);
  });

  it('platform.md §5.2b: the platform is shown by the name in its messages, with its own domain', async () => {
    const platform = await world.platform();
    const change = { embeddedWalletConfig: { appName: 'Acme <Pay>' }, umaDomain: 'pay.acme.example' };
    assert.equal((await platform.send('updatePlatformConfig', { body: change })).status, 200);
    const { body, text } = await loadPage(platform, PERSON);
    assert.ok(text.includes('a customer of Acme <Pay>, invites'), text);
    assert.ok(text.includes('Open an account with Acme <Pay> (pay.acme.example), or'), text);
    assert.doesNotMatch(body, /<Pay>|Test platform/);
  });

  it('platform.md §5.2b, customers.md §2.3: a changed name is shown in its current form', async () => {
    const platform = await world.platform();
    const { id, umaAddress } = await givenCustomer(platform);
    const made = await platform.call('createInvitation', { body: { inviterUma: umaAddress } });
    const body = { customerType: 'INDIVIDUAL', fullName: 'Augusta King' };
    assert.equal(
      (await platform.send('updateCustomerById', { params: { customerId: id }, body })).status,
      200,
    );
    assert.match((await open(made.body.url)).text, /Augusta K\., a customer/);
  });

  it('platform.md §5.2a: fields that were not given are not mentioned', async () => {
    const { text } = await open((await invite(await world.platform())).url);
    assert.doesNotMatch(text, /Hello|want to send|valid until|undefined|null/);
    assert.match(text, /does not expire/);
  });

  it('platform.md §5.2a: it runs no script, loads nothing, and is not framed, cached, indexed or sent as a referrer', async () => {
    const { url } = await invite(await world.platform());
    for (const address of [url, '/i/0000000000']) {
      const { headers, body } = await open(address);
      assert.match(String(headers['content-type']), /^text\/html; charset=utf-8$/);
      assert.match(
        String(headers['content-security-policy']),
        /^default-src 'none'; style-src 'sha256-[^']+'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
      );
      assert.deepEqual(
        [
          headers['x-frame-options'],
          headers['referrer-policy'],
          headers['cache-control'],
          headers['x-robots-tag'],
        ],
        ['DENY', 'no-referrer', 'no-store', 'noindex'],
      );
      assert.doesNotMatch(
        body.replace(/<link rel="icon" href="data:[^"]*">/, ''),
        /<(script|form|img|iframe|link|a)\b/,
      );
    }
  });

  it('platform.md §5.2a: a name is always shown as text', async () => {
    const firstName = `"><script>alert(1)</script>&amp;'\``;
    const { url } = await invite(await world.platform(), { firstName });
    const { body, text } = await open(url);
    assert.ok(text.includes(`Hello ${firstName},`));
    assert.doesNotMatch(body, /<script/);
  });

  it('platform.md §5.2a: an ended invitation shows its end, but no name, amount or claimant', async () => {
    const platform = await world.platform();
    const more = { firstName: 'Grace', amountToSend: 1_250 };
    const expiresAt = new Date(world.clock.now() + 60_000).toISOString();
    const [claimed, cancelled, expired] = [
      await invite(platform, more),
      await invite(platform, more),
      await invite(platform, { ...more, expiresAt }),
    ];
    const body = { inviteeUma: '$hopper@elsewhere.example' };
    await platform.call('claimInvitation', { params: { invitationCode: claimed.code }, body });
    await platform.call('cancelInvitation', { params: { invitationCode: cancelled.code } });
    await advance(platform, 60);
    for (const [{ url, inviterUma }, heading] of [
      [claimed, 'This invitation was accepted'],
      [cancelled, 'This invitation was withdrawn'],
      [expired, 'This invitation has expired'],
    ] as const) {
      const { status, text } = await open(url);
      assert.equal(status, 200);
      assert.ok(text.includes(heading), text);
      assert.ok(text.includes(`a customer of Test platform, with the UMA address ${inviterUma}.`), text);
      assert.doesNotMatch(text, /Grace|Ada|12\.50|hopper|What happens next/);
    }
  });

  it('platform.md §5.2a: an unknown code, or one of a disabled platform, gets a page that says so', async () => {
    const platform = await world.platform();
    const { url } = await invite(platform);
    await disablePlatform(world.app.runtime, platform.id, { kind: 'operator', id: 'test' });
    const pages = [];
    for (const address of [url, '/i/0000000000', '/i/x', '/i/%25', `/i/${'9'.repeat(2_000)}`]) {
      const { status, body, text } = await open(address);
      assert.equal(status, 404, address);
      assert.match(text, /This invitation does not exist/);
      pages.push(body);
    }
    assert.equal(new Set(pages).size, 1);
  });

  it('customers.md §2.4.26e: a restored invitation shows nothing of an inviter whose key was destroyed', async () => {
    const platform = await world.platform();
    const { id, umaAddress } = await givenCustomer(platform);
    const body = { inviterUma: umaAddress, firstName: 'Grace', amountToSend: 1_250 };
    const made = await platform.call('createInvitation', { body });
    await world.app.runtime.personKeys.erase(platform.id, [uuidOf(id)]);
    const { status, text } = await open(made.body.url);
    assert.equal(status, 200, text);
    assert.ok(text.includes('A customer of Test platform invites you to UMA'), text);
    for (const gone of ['Ada', 'Grace', umaAddress]) assert.ok(!text.includes(gone), text);
  });

  it('platform.md §5.2a: invitations of both environments have a page', async () => {
    const live = await world.platform({
      environment: 'PRODUCTION',
      settings: { invitationsConfigured: true },
    });
    const { umaAddress } = await givenCustomer(live, PERSON);
    const made = await live.call('createInvitation', { body: { inviterUma: umaAddress } });
    assert.match((await open(made.body.url)).text, /You are invited/);
  });
});
