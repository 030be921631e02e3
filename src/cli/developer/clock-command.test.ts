// lane: whole — many cases, which take seconds

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { givenOutside, givenPayer, givenPlatform, givenQuote } from '#tests/given/payments.ts';
import { command } from '#tests/harness/command-line.ts';
import { freePort } from '#tests/harness/corridor-process.ts';
import { develop, shellEnvironment, tryToDevelop } from '#tests/harness/developer-world.ts';
import { testWorld } from '#tests/harness/harness.ts';

describe('corridor clock', () => {
  const world = testWorld();

  it('platform.md §1.5.2: shows and moves the time of the platform', async () => {
    const platform = await world.platform();
    const moved = JSON.parse(await develop(world, platform, 'clock', 'advance', '1h30M', '--json'));
    assert.equal(moved.offsetSeconds, 5_400);
    assert.deepEqual(JSON.parse(await develop(world, platform, 'clock', 'show', '--json')), moved);
    assert.equal(
      await develop(world, platform, 'clock', 'advance', '1d1s'),
      `now                 ${new Date(world.clock.now() + 91_801_000).toISOString()}\nahead of real time  1d1h30m1s\n`,
    );
  });

  it('platform.md §1.5.5, §1.5.7: prints what is due, and moves to it', async () => {
    const platform = await givenPlatform(world);
    assert.equal(await develop(world, platform, 'clock', 'due'), 'Nothing is due.\n');
    const payer = await givenPayer(platform);
    const to = await givenOutside(platform, payer.id);
    const quote = await givenQuote(world, platform, { from: payer.account('USD').id, to });
    assert.match(
      await develop(world, platform, 'clock', 'due'),
      new RegExp(
        `^due at +what happens +id\\n\\S+ +${quote.id} expires, unless it is executed first\\. +DueItem:`,
        'i',
      ),
    );
    const [due] = JSON.parse(await develop(world, platform, 'clock', 'due', '--json'));
    const moved = JSON.parse(await develop(world, platform, 'clock', 'advance', '--until', 'next', '--json'));
    assert.deepEqual([moved.now, moved.reached], [due.dueAt, due]);
    const { code, stderr } = await tryToDevelop(world, platform, 'clock', 'advance', '--until', due.id);
    assert.equal(code, 1);
    assert.match(stderr, /^corridor: 404 NOT_FOUND: No item with this id is due\./);
    for (const words of [[], ['5m', '--until', 'next']]) {
      const refused = await tryToDevelop(world, platform, 'clock', 'advance', ...words);
      assert.equal(refused.code, 2);
      assert.match(refused.stderr, /Give either a duration, such as 5m, or --until\./);
    }
  });

  it('refuses an invalid duration before it calls the server', async () => {
    for (const words of ['5', 'm', '5m1h', '0s', '']) {
      const { code, stderr } = await command(['clock', 'advance', '--', words], {});
      assert.equal(code, 2, words);
      assert.match(stderr, /^corridor: .*It must be a duration such as 90s, 5m, 1h30m or 3d\..*\n$/);
    }
  });

  it('platform.md §1.5.2: says that time only goes forward, and does not take a minus for an option', async () => {
    for (const words of [['-5m'], ['--', '-5m'], ['-1h30m', '--json']]) {
      const { code, stderr } = await command(['clock', 'advance', ...words], {});
      assert.equal(code, 2, stderr);
      assert.match(
        stderr,
        /^corridor: <duration> '-\w+' is invalid\. Time only goes forward: say how far ahead, such as 5m\..*\n$/,
      );
    }
    const { code, stderr } = await command(['clock', 'advance', '5m', '--fast'], {});
    assert.equal(code, 2);
    assert.match(stderr, /^corridor: too many arguments .*--fast.*\n$/);
  });

  it('platform.md §1.5.2: says once, in its own words, how far it can be moved', async () => {
    const { code, stderr } = await command(['clock', 'advance', '365d1s'], {});
    assert.equal(code, 2);
    assert.match(
      stderr,
      /^corridor: <duration> '365d1s' is invalid\. It can be moved by at most 365d at a time\. \(see .*\)\n$/,
    );
    const year = await command(['clock', 'advance', '365d'], {});
    assert.match(year.stderr, /CORRIDOR_URL is not set/, 'a year is well-formed');
  });

  it('explains a refusal of the server: code, reason and request, each once', async () => {
    const platform = await world.platform();
    const { code, stderr } = await tryToDevelop(
      world,
      platform,
      'events',
      'list',
      '--since',
      '2026-03-02',
      '--until',
      '2026-03-01',
    );
    assert.equal(code, 1);
    assert.match(
      stderr,
      /^corridor: 400 INVALID_INPUT: createdAfter: must not be later than createdBefore \(request [0-9a-f-]{36}\)\n$/,
    );
    const production = await world.platform({ environment: 'PRODUCTION' });
    const refused = await tryToDevelop(world, production, 'clock', 'show');
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /^corridor: 403 .*sandbox/i);
  });

  it('needs a server and credentials, and says how to give them', async () => {
    const platform = await world.platform();
    const shell = await shellEnvironment(world, platform);
    const { CORRIDOR_URL = '', CORRIDOR_AUTH = '' } = shell;
    const secret = CORRIDOR_AUTH.split(':')[1] ?? '';
    const cases = [
      [{}, 2, /CORRIDOR_URL is not set: paste the line/],
      [{ CORRIDOR_URL }, 2, /CORRIDOR_AUTH is not set/],
      [{ CORRIDOR_URL, CORRIDOR_AUTH: secret }, 2, /must be <token id>:<client secret>/],
      [{ CORRIDOR_URL: 'http://pay.example', CORRIDOR_AUTH }, 2, /https URL/],
      [
        { CORRIDOR_URL, CORRIDOR_AUTH: `nobody:${secret}` },
        1,
        /401 UNAUTHORIZED.*\n.*must be the id and the secret/,
      ],
      [{ CORRIDOR_URL: `${CORRIDOR_URL}/other`, CORRIDOR_AUTH }, 1, /404.*\n.*address of the API/],
      [
        { CORRIDOR_URL: CORRIDOR_URL.replace('http:', 'https:'), CORRIDOR_AUTH },
        1,
        /answers, but not over TLS.*http:\?/,
      ],
      [{ CORRIDOR_URL: `${CORRIDOR_URL}?x=1`, CORRIDOR_AUTH }, 2, /no credentials, query or fragment/],
      [
        { CORRIDOR_URL: `http://127.0.0.1:${await freePort()}`, CORRIDOR_AUTH },
        1,
        /does not answer \(ECONNREFUSED\): start it with "npm start"/,
      ],
    ] as const;
    for (const [environment, code, why] of cases) {
      const done = await command(['clock', 'show'], environment);
      assert.match(done.stderr, why);
      assert.equal(done.code, code);
      assert.doesNotMatch(done.stderr + done.stdout, new RegExp(secret));
    }
    const given = await command(['clock', 'show', '--url', `${CORRIDOR_URL}/`, '--auth', CORRIDOR_AUTH], {});
    assert.equal(given.code, 0, given.stderr);
  });
});
