// lane: whole — many cases, which take seconds

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eraseCustomer } from '#capabilities/customers/lifecycle/delete-customer.ts';
import { insertInvitation } from '#capabilities/invitations/store.ts';
import { disablePlatform } from '#capabilities/platform/set-platform.ts';
import { sql } from '#foundation/database/sql.ts';
import { supports } from '#tests/given/accounts.ts';
import { BUSINESS, fieldsOf, givenCustomer, PERSON } from '#tests/given/customers.ts';
import { advance } from '#tests/given/payments.ts';
import type { Call } from '#tests/harness/api-types.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';
import { allRows, formsOf, tableContents } from '#tests/harness/table-contents.ts';

const STRANGER = '$grace@elsewhere.example';
const INVITING = { settings: { invitationsConfigured: true } };
const WEEK_SECONDS = 7 * 86_400;

describe('invitations (platform.md §5)', () => {
  const world = testWorld();

  const live = () => world.platform({ environment: 'PRODUCTION', ...INVITING });

  const inSeconds = (seconds: number) => new Date(world.clock.now() + seconds * 1_000).toISOString();

  const create = (platform: TestPlatform, body: object, call: Call = {}) =>
    platform.send('createInvitation', { body, ...call });

  const get = (platform: TestPlatform, code: string) =>
    platform.send('getInvitation', { params: { invitationCode: code } });

  const claim = (platform: TestPlatform, code: string, inviteeUma = STRANGER, call: Call = {}) =>
    platform.send('claimInvitation', { params: { invitationCode: code }, body: { inviteeUma }, ...call });

  const cancel = (platform: TestPlatform, code: string) =>
    platform.send('cancelInvitation', { params: { invitationCode: code } });

  async function invite(platform: TestPlatform, more: object = {}) {
    const inviter = await givenCustomer(platform);
    const made = await create(platform, { inviterUma: inviter.umaAddress, ...more });
    assert.equal(made.status, 201, made.raw);
    return { inviter, ...made.body };
  }

  const answerOf = ({ status, body }: { status: number; body: { code: string; details?: object } }) => [
    status,
    body.code,
  ];

  async function told(platform: TestPlatform): Promise<{ type: string; resource_id: string }[]> {
    return world.database.query(sql`
      select type, resource_id from events where platform_id = ${platform.id} and type like 'INVITATION.%' order by seq`);
  }

  describe('creating', () => {
    it('platform.md §5.2: the reply has all given fields, a code and the URL of a page', async () => {
      const platform = await world.platform();
      const expiresAt = inSeconds(WEEK_SECONDS);
      const { inviter, ...made } = await invite(platform, {
        firstName: 'Grace',
        amountToSend: 1_250,
        expiresAt: expiresAt.replace('Z', '+00:00'),
      });
      assert.match(made.code, /^[0-9a-hjkmnp-tv-z]{10}$/);
      assert.deepEqual(made, {
        code: made.code,
        createdAt: new Date(world.clock.now()).toISOString(),
        url: `http://localhost/i/${made.code}`,
        expiresAt,
        inviterUma: inviter.umaAddress,
        status: 'PENDING',
        firstName: 'Grace',
        amountToSend: {
          amount: 1_250,
          currency: { code: 'USD', name: 'US dollar', symbol: '$', decimals: 2 },
        },
      });
      assert.deepEqual((await get(platform, made.code)).body, made);
      assert.deepEqual(await told(platform), []);
    });

    it('platform.md §5.1: an invitation without expiresAt never expires', async () => {
      const platform = await world.platform();
      const { code, expiresAt } = await invite(platform);
      assert.equal(expiresAt, undefined);
      await advance(platform, 30 * 86_400);
      assert.equal((await get(platform, code)).body.status, 'PENDING');
      assert.equal((await claim(platform, code)).status, 200);
    });

    it('platform.md §5.2: the amount is in the first currency of the inviter, else in dollars', async () => {
      const platform = await world.platform();
      await supports(platform, ['USD', 'MXN', 'JPY']);
      for (const [currencies, expected] of [
        [['MXN', 'USD'], 'MXN'],
        [['JPY', 'MXN'], 'JPY'],
      ] as const) {
        const inviter = await givenCustomer(platform, { ...PERSON, currencies: [...currencies] });
        const made = await create(platform, { inviterUma: inviter.umaAddress, amountToSend: 500 });
        assert.deepEqual(
          [made.body.amountToSend?.amount, made.body.amountToSend?.currency.code],
          [500, expected],
        );
      }
      await supports(platform, []);
      const { amountToSend } = await invite(platform, { amountToSend: 500 });
      assert.equal(amountToSend?.currency.code, 'USD');
    });

    it('platform.md §5.2: each invitation gets a new random code, unique in the service', async () => {
      const platforms = [await world.platform(), await live()];
      const codes = new Set<string>();
      for (const platform of platforms) {
        const { inviter, code } = await invite(platform);
        codes.add(code);
        for (let i = 0; i < 20; i++)
          codes.add((await create(platform, { inviterUma: inviter.umaAddress })).body.code);
      }
      assert.equal(codes.size, 42);
      const [taken] = codes;
      const [, other] = platforms;
      assert.ok(taken && other);
      const inviter = await givenCustomer(other, BUSINESS);
      const again = await (await other.work()).write((tx) =>
        insertInvitation(tx, {
          code: taken,
          customer_id: uuidOf(inviter.id),
          inviter_uma: inviter.umaAddress,
          first_name: null,
          amount: null,
          currency: null,
          expires_at: null,
        }),
      );
      assert.equal(again, undefined);
    });

    it('platform.md §5.1: refusals, and their order', async () => {
      const platform = await world.platform();
      const other = await world.platform();
      const stranger = await givenCustomer(other);
      const gone = await givenCustomer(platform);
      await platform.call('deleteCustomerById', { params: { customerId: gone.id } });
      const { umaAddress: inviterUma } = await givenCustomer(platform);
      const past = inSeconds(-1);
      const now = inSeconds(0);
      const refusals: [body: object, code: string, fields: string[]][] = [
        [{}, 'INVALID_INPUT', ['inviterUma']],
        [
          { inviterUma: 7, firstName: '', expiresAt: 'soon' },
          'INVALID_INPUT',
          ['inviterUma', 'firstName', 'expiresAt'],
        ],
        [{ inviterUma: 'ada', amountToSend: 0 }, 'INVALID_AMOUNT', ['amountToSend']],
        [{ inviterUma, amountToSend: -1 }, 'INVALID_AMOUNT', ['amountToSend']],
        [{ inviterUma, amountToSend: 1.5 }, 'INVALID_INPUT', ['amountToSend']],
        [{ inviterUma, amountToSend: 2 ** 53 }, 'INVALID_INPUT', ['amountToSend']],
        [{ inviterUma: 'ada@example.com' }, 'INVALID_UMA_ADDRESS', ['inviterUma']],
        [{ inviterUma: 'ada', expiresAt: past }, 'INVALID_UMA_ADDRESS', ['inviterUma', 'expiresAt']],
        [{ inviterUma, expiresAt: past }, 'INVALID_INPUT', ['expiresAt']],
        [{ inviterUma, expiresAt: now }, 'INVALID_INPUT', ['expiresAt']],
        [{ inviterUma: '$nobody@uma.corridor.test', expiresAt: past }, 'INVALID_INPUT', ['expiresAt']],
        [{ inviterUma: '$nobody@uma.corridor.test' }, 'INVALID_INPUT', ['inviterUma']],
        [{ inviterUma: stranger.umaAddress }, 'INVALID_INPUT', ['inviterUma']],
        [{ inviterUma: gone.umaAddress }, 'INVALID_INPUT', ['inviterUma']],
      ];
      for (const [body, code, fields] of refusals) {
        const reply = await create(platform, body);
        assert.deepEqual(answerOf(reply), [400, code], `${JSON.stringify(body)} ${reply.raw}`);
        assert.deepEqual(fieldsOf(reply.body), fields, JSON.stringify(body));
      }
    });

    it('platform.md §5.1: without the operator’s setting none can be created, but others’ can be claimed', async () => {
      const plain = await world.platform({ environment: 'PRODUCTION' });
      const { umaAddress: inviterUma } = await givenCustomer(plain);
      const unknown = await create(plain, { inviterUma: '$nobody@uma.corridor.test' });
      assert.deepEqual(answerOf(unknown), [400, 'INVALID_INPUT'], 'the customer is checked first');
      const refused = await create(plain, { inviterUma });
      assert.deepEqual(answerOf(refused), [400, 'INVITATIONS_NOT_CONFIGURED']);
      const { code } = await invite(await live());
      assert.equal((await get(plain, code)).body.status, 'PENDING');
      assert.equal((await claim(plain, code, inviterUma)).status, 200);
      const off = await world.platform({ settings: { invitationsConfigured: false } });
      const sandboxed = await create(off, { inviterUma: (await givenCustomer(off)).umaAddress });
      assert.deepEqual(answerOf(sandboxed), [400, 'INVITATIONS_NOT_CONFIGURED']);
    });

    it('platform.md §5.6: firstName is one line of up to 100 characters, stored unchanged', async () => {
      const platform = await world.platform();
      const { umaAddress: inviterUma } = await givenCustomer(platform);
      for (const firstName of [
        'G',
        'é'.repeat(100),
        '😀'.repeat(100),
        ' Mary Ann ',
        '<b>Bob</b>',
        'نرگس‌جان',
      ]) {
        const made = await create(platform, { inviterUma, firstName });
        assert.deepEqual([made.status, made.body.firstName], [201, firstName]);
      }
      for (const firstName of ['', ' ', 'x'.repeat(101), 'Grace\nHopper', 'Grace\u0007', '\u0085', 5]) {
        const refused = await create(platform, { inviterUma, firstName });
        assert.deepEqual(
          [answerOf(refused), fieldsOf(refused.body)],
          [[400, 'INVALID_INPUT'], ['firstName']],
          JSON.stringify(firstName),
        );
      }
      assert.equal((await create(platform, { inviterUma, firstName: null })).body.firstName, undefined);
    });

    it('platform.md §5.5: addresses are accepted in any case, and compared and shown in lower case', async () => {
      const platform = await world.platform();
      const longest = `$${'u'.repeat(63)}@elsewhere.example`;
      const inviter = await givenCustomer(platform, { ...PERSON, umaAddress: '$Ada@UMA.corridor.test' });
      const made = await create(platform, { inviterUma: '$ADA@uma.Corridor.test' });
      assert.equal(made.body.inviterUma, inviter.umaAddress);
      assert.equal(inviter.umaAddress, '$ada@uma.corridor.test');
      const self = await claim(platform, made.body.code, '$aDa@uma.corridor.TEST');
      assert.deepEqual(answerOf(self), [400, 'SELF_PAYMENT']);
      for (const bad of [
        '',
        'ada',
        '$@x.example',
        '$a b@x.example',
        longest.replace('$', '$u'),
        '$a@-x.example',
      ]) {
        const refused = await claim(platform, made.body.code, bad);
        assert.deepEqual(answerOf(refused), [400, 'INVALID_UMA_ADDRESS'], bad);
        assert.deepEqual(fieldsOf(refused.body), ['inviteeUma']);
      }
      const claimed = await claim(platform, made.body.code, longest.toUpperCase());
      assert.equal(claimed.body.inviteeUma, longest);
    });

    it('platform.md §2.3: a repeated key returns the same invitation', async () => {
      const platform = await world.platform();
      const { umaAddress: inviterUma } = await givenCustomer(platform);
      const [first, second] = await Promise.all(
        [1, 2].map(() => create(platform, { inviterUma }, { key: 'k' })),
      );
      assert.deepEqual([first?.status, first?.body], [201, second?.body]);
    });
  });

  describe('claiming', () => {
    it('platform.md §5.3, §5: another platform of the environment reads and claims it; only the inviter’s platform gets the event', async () => {
      for (const make of [() => world.platform(), live]) {
        const [theirs, ours, third] = [await make(), await make(), await make()];
        const { code, inviter, ...made } = await invite(theirs, { firstName: 'Grace', amountToSend: 1_000 });
        const { umaAddress } = await givenCustomer(ours);
        const before = await get(ours, code);
        assert.deepEqual(before.body, { code, ...made });
        const claimed = await claim(ours, code, umaAddress);
        assert.equal(claimed.status, 200, claimed.raw);
        const expected = {
          ...before.body,
          status: 'CLAIMED',
          claimedAt: new Date(world.clock.now()).toISOString(),
          inviteeUma: umaAddress,
        };
        assert.deepEqual(claimed.body, expected);
        for (const platform of [theirs, ours, third])
          assert.deepEqual((await get(platform, code)).body, expected);
        assert.deepEqual(await told(theirs), [{ type: 'INVITATION.CLAIMED', resource_id: code }]);
        assert.deepEqual([await told(ours), await told(third)], [[], []]);
      }
    });

    it('platform.md §4.3: INVITATION.CLAIMED contains the invitation as GET returns it', async () => {
      const [theirs, ours] = [await world.platform(), await world.platform()];
      const [heard, unheard] = [await theirs.receive(), await ours.receive()];
      const { code } = await invite(theirs, { firstName: 'Grace', amountToSend: 1_000 });
      const { body } = await claim(ours, code);
      for (const { id } of [theirs, ours]) await world.app.worker.settle(id);
      const about = (receiver: typeof heard) =>
        receiver.received
          .map((delivery) => delivery.body)
          .filter(({ type }) => type === 'INVITATION.CLAIMED');
      assert.deepEqual(
        about(heard).map(({ data }) => data),
        [body],
      );
      assert.deepEqual(about(unheard), []);
    });

    it('platform.md §5.2: a claim moves no money', async () => {
      const platform = await world.platform();
      const { code } = await invite(platform, { amountToSend: 1_000 });
      await claim(platform, code);
      const rows = await world.database.query(sql`
        select id from transactions where platform_id = ${platform.id}
        union all select id from ledger_entries where platform_id = ${platform.id}`);
      assert.deepEqual(rows, []);
    });

    it('platform.md §5.3: the audit log records a claim under the claiming platform', async () => {
      const [theirs, ours] = [await world.platform(), await world.platform()];
      const { code } = await invite(theirs);
      await claim(ours, code);
      const rows = await world.database.query(sql`
        select platform_id, resource from audit_log where action = 'claimInvitation' and resource like ${`%${code}%`}`);
      assert.deepEqual(rows, [{ platform_id: ours.id, resource: `invitation ${code}` }]);
    });

    it('platform.md §5.3: production accepts only an own customer’s address, the sandbox any address', async () => {
      const [theirs, ours, third] = [await live(), await live(), await live()];
      const { code } = await invite(theirs);
      const elsewhere = await givenCustomer(third);
      const gone = await givenCustomer(ours);
      await ours.call('deleteCustomerById', { params: { customerId: gone.id } });
      for (const address of [STRANGER, elsewhere.umaAddress, gone.umaAddress]) {
        const refused = await claim(ours, code, address);
        assert.deepEqual(answerOf(refused), [400, 'INVALID_INPUT']);
        assert.deepEqual(fieldsOf(refused.body), ['inviteeUma']);
      }
      assert.equal((await get(theirs, code)).body.status, 'PENDING');
      assert.equal((await claim(third, code, elsewhere.umaAddress)).status, 200);
      const sandbox = await world.platform();
      const { code: tried } = await invite(sandbox);
      assert.equal((await claim(await world.platform(), tried, elsewhere.umaAddress)).status, 200);
    });

    it('platform.md §5.3, §1.1.3: sandbox and production are separate; a code of the other environment is unknown', async () => {
      for (const [theirs, ours] of [
        [await world.platform(), await live()],
        [await live(), await world.platform()],
      ] as const) {
        const { code } = await invite(theirs);
        const { umaAddress } = await givenCustomer(ours);
        const stored = await tableContents(world.database, []);
        for (const send of [get, cancel, (p: TestPlatform, c: string) => claim(p, c, umaAddress)]) {
          const answers = [];
          for (const unknown of [
            code,
            '0000000000',
            'x',
            `${code}0`,
            code.toUpperCase(),
            '%',
            'é'.repeat(10),
          ]) {
            const reply = await send(ours, unknown);
            assert.deepEqual(answerOf(reply), [404, 'INVITATION_NOT_FOUND'], unknown);
            answers.push(reply.raw);
          }
          assert.equal(new Set(answers).size, 1);
        }
        assert.deepEqual(await tableContents(world.database, []), stored);
      }
    });

    it('platform.md §5.3: a disabled platform’s invitations are not found', async () => {
      const [theirs, ours] = [await world.platform(), await world.platform()];
      const { code } = await invite(theirs);
      await disablePlatform(world.app.runtime, theirs.id, { kind: 'operator', id: 'test' });
      for (const reply of [await get(ours, code), await claim(ours, code)])
        assert.deepEqual(answerOf(reply), [404, 'INVITATION_NOT_FOUND']);
    });

    it('platform.md §5.4: the inviter cannot claim, with the old or the new address', async () => {
      const platform = await world.platform();
      const { code, inviter } = await invite(platform);
      const before = await claim(platform, code, inviter.umaAddress);
      assert.deepEqual(answerOf(before), [400, 'SELF_PAYMENT']);
      const umaAddress = '$new.name@uma.corridor.test';
      const changed = await platform.send('updateCustomerById', {
        params: { customerId: inviter.id },
        body: { customerType: 'INDIVIDUAL', umaAddress },
      });
      assert.equal(changed.status, 200, changed.raw);
      for (const address of [inviter.umaAddress, umaAddress])
        assert.deepEqual(answerOf(await claim(platform, code, address)), [400, 'SELF_PAYMENT']);
      const foreign = await claim(await world.platform(), code, inviter.umaAddress);
      assert.deepEqual(answerOf(foreign), [400, 'SELF_PAYMENT']);
      assert.equal((await get(platform, code)).body.inviterUma, inviter.umaAddress);
    });

    it('platform.md §5.4: checks run in order: fields, code, invitee, status', async () => {
      const platform = await live();
      const { code, inviter } = await invite(platform);
      assert.deepEqual(answerOf(await claim(platform, 'nobody', 'ada')), [400, 'INVALID_UMA_ADDRESS']);
      assert.deepEqual(answerOf(await claim(platform, 'nobody')), [404, 'INVITATION_NOT_FOUND']);
      await cancel(platform, code);
      assert.deepEqual(answerOf(await claim(platform, code, inviter.umaAddress)), [400, 'SELF_PAYMENT']);
      assert.deepEqual(answerOf(await claim(platform, code)), [400, 'INVALID_INPUT']);
      const { umaAddress } = await givenCustomer(platform);
      assert.deepEqual(answerOf(await claim(platform, code, umaAddress)), [400, 'INVITATION_CANCELLED']);
    });

    /** A code as a person might write it down. */
    const spellingsOf = (code: string) => [
      code.toUpperCase(),
      `${code.slice(0, 5)}-${code.slice(5)}`,
      ` ${code.slice(0, 3)} ${code.slice(3, 6)} ${code.slice(6).toUpperCase()}`,
      code.replaceAll('1', 'l').replaceAll('0', 'O'),
      code.replaceAll('1', 'I').replaceAll('0', 'o'),
    ];

    it('platform.md §5.2: a code is accepted in capitals, with dashes and spaces, and with I, L and O for 1 and 0', async () => {
      const [theirs, ours] = [await world.platform(), await world.platform()];
      const { code, url } = await invite(theirs);
      const shown = (await get(ours, code)).raw;
      for (const spelled of spellingsOf(code)) {
        assert.equal((await get(ours, spelled)).raw, shown, spelled);
        const path = new URL(url).pathname.replace(code, encodeURIComponent(spelled));
        assert.equal((await world.app.http.inject({ method: 'GET', url: path })).statusCode, 200, spelled);
      }
      const claimed = await claim(ours, `${code.slice(0, 4)}-${code.slice(4).toUpperCase()}`);
      assert.deepEqual([claimed.status, claimed.body.code], [200, code]);
      const { code: unwanted } = await invite(theirs);
      const cancelled = await cancel(theirs, unwanted.toUpperCase());
      assert.deepEqual([cancelled.status, cancelled.body.status], [200, 'CANCELLED']);
      for (const unknown of [`${code}-1`, code.slice(1), `${code.slice(0, 9)}u`, '-'.repeat(2_000)])
        assert.deepEqual(answerOf(await get(ours, unknown)), [404, 'INVITATION_NOT_FOUND'], unknown);
    });

    it('platform.md §2.3, §5.2: a claim repeated with its key and another spelling of the code is the same call', async () => {
      const [theirs, ours] = [await world.platform(), await world.platform()];
      const { code } = await invite(theirs);
      const first = await claim(ours, code, STRANGER, { key: 'once' });
      const again = await claim(ours, code.toUpperCase(), STRANGER, { key: 'once' });
      assert.deepEqual([again.status, again.raw], [200, first.raw]);
      assert.equal(again.headers['idempotency-replayed'], 'true');
    });

    it('platform.md §2.3: a claim repeated with its key gets the first reply', async () => {
      const [theirs, ours] = [await world.platform(), await world.platform()];
      const { code } = await invite(theirs);
      const first = await claim(ours, code, STRANGER, { key: 'once' });
      const again = await claim(ours, code, STRANGER, { key: 'once' });
      assert.deepEqual([again.status, again.raw], [200, first.raw]);
      assert.equal(again.headers['idempotency-replayed'], 'true');
      assert.equal((await told(theirs)).length, 1);
    });
  });

  describe('ending', () => {
    it('platform.md §5.4: once claimed, cancelled or expired it can be neither claimed nor cancelled, and the refusal says why', async () => {
      const platform = await world.platform();
      const other = await world.platform();
      const claimed = await invite(platform);
      await claim(other, claimed.code);
      const cancelled = await invite(platform);
      assert.equal((await cancel(platform, cancelled.code)).body.status, 'CANCELLED');
      const expired = await invite(platform, { expiresAt: inSeconds(60) });
      await advance(platform, 60);
      const expected = [
        [claimed.code, 'INVITATION_ALREADY_CLAIMED', { status: 'CLAIMED', inviteeUma: STRANGER }],
        [cancelled.code, 'INVITATION_CANCELLED', { status: 'CANCELLED' }],
        [expired.code, 'INVALID_INPUT', { status: 'EXPIRED', expiresAt: expired.expiresAt }],
      ] as const;
      for (const [code, reason, details] of expected) {
        const before = (await get(platform, code)).raw;
        for (const reply of [
          await claim(platform, code, '$late@elsewhere.example'),
          await claim(other, code, '$late@elsewhere.example'),
          await cancel(platform, code),
        ]) {
          assert.deepEqual(answerOf(reply), [400, reason]);
          assert.deepEqual(reply.body.details, details);
        }
        assert.equal((await get(platform, code)).raw, before);
      }
      assert.equal((await told(platform)).length, 1);
    });

    it('platform.md §5.3: only the platform that created it can cancel it, in any status', async () => {
      const [theirs, ours] = [await world.platform(), await world.platform()];
      const { code } = await invite(theirs);
      assert.deepEqual(answerOf(await cancel(ours, code)), [403, 'FORBIDDEN']);
      assert.equal((await get(theirs, code)).body.status, 'PENDING');
      await claim(ours, code);
      assert.deepEqual(answerOf(await cancel(ours, code)), [403, 'FORBIDDEN']);
    });

    it('platform.md §5.6: only the clock of the inviter’s platform counts', async () => {
      const [theirs, ours] = [await world.platform(), await world.platform()];
      const { code, expiresAt } = await invite(theirs, { expiresAt: inSeconds(3_600) });
      await advance(ours, 2 * 3_600);
      assert.equal((await get(ours, code)).body.status, 'PENDING');
      const { code: next } = await invite(theirs, { expiresAt });
      await advance(theirs, 3_599);
      const claimed = await claim(ours, next);
      assert.equal(claimed.body.claimedAt, inSeconds(3_599));
      await advance(theirs, 1);
      for (const platform of [theirs, ours]) assert.equal((await get(platform, code)).body.status, 'EXPIRED');
      assert.equal((await get(ours, next)).body.status, 'CLAIMED');
      assert.deepEqual(answerOf(await claim(ours, code)), [400, 'INVALID_INPUT']);
    });

    it('platform.md §5.6, customers.md §2.4.26: deleting the inviter cancels pending invitations only', async () => {
      const [platform, other] = [await world.platform(), await world.platform()];
      const { inviter, ...pending } = await invite(platform, { expiresAt: inSeconds(WEEK_SECONDS) });
      const again = async (more: object = {}) =>
        (await create(platform, { inviterUma: inviter.umaAddress, ...more })).body.code;
      const [open, claimed, expired] = [
        await again(),
        await again(),
        await again({ expiresAt: inSeconds(1) }),
      ];
      const unrelated = await invite(platform);
      await claim(other, claimed);
      await advance(platform, 2);
      const deleted = await platform.call('deleteCustomerById', { params: { customerId: inviter.id } });
      assert.equal(deleted.status, 200, deleted.raw);
      const statuses = [];
      for (const code of [pending.code, open, claimed, expired, unrelated.code])
        statuses.push((await get(other, code)).body.status);
      assert.deepEqual(statuses, ['CANCELLED', 'CANCELLED', 'CLAIMED', 'EXPIRED', 'PENDING']);
      assert.deepEqual(answerOf(await claim(other, open)), [400, 'INVITATION_CANCELLED']);
    });

    it('customers.md §2.4.26a: an erased inviter leaves no address or name behind', async () => {
      const [theirs, ours] = [await world.platform(), await world.platform()];
      const { inviter, code } = await invite(theirs, { firstName: 'Planted Name' });
      await claim(ours, code);
      await erase(theirs, inviter.id);
      const { body } = await get(ours, code);
      assert.deepEqual(
        [body.inviterUma, body.firstName, body.inviteeUma],
        [`$erased-${uuidOf(inviter.id)}@uma.corridor.test`, undefined, STRANGER],
      );
      await assertNowhere(['Planted Name', inviter.umaAddress]);
    });

    it('customers.md §2.4.26a: an erased invitee is also erased from other platforms’ invitations', async () => {
      const [theirs, ours] = [await world.platform(), await world.platform()];
      const invitee = await givenCustomer(ours);
      const { inviter, code } = await invite(theirs, { firstName: 'Planted Friend' });
      const kept = await invite(theirs, { firstName: 'Another' });
      await claim(ours, code, invitee.umaAddress);
      await claim(ours, kept.code, (await givenCustomer(ours)).umaAddress);
      await erase(ours, invitee.id);
      const { body } = await get(theirs, code);
      assert.deepEqual(
        [body.inviterUma, body.firstName, body.inviteeUma],
        [inviter.umaAddress, undefined, `$erased-${uuidOf(invitee.id)}@uma.corridor.test`],
      );
      assert.equal((await get(theirs, kept.code)).body.firstName, 'Another');
      await assertNowhere(['Planted Friend', invitee.umaAddress]);
    });

    async function erase(platform: TestPlatform, customerId: string): Promise<void> {
      const deleted = await platform.call('deleteCustomerById', { params: { customerId } });
      assert.equal(deleted.status, 200, deleted.raw);
      await (await platform.work()).write((tx) => eraseCustomer(tx, uuidOf(customerId)));
    }

    async function assertNowhere(secrets: readonly string[]): Promise<void> {
      const rows = await allRows(world.database);
      for (const secret of secrets) {
        const found = rows.filter(({ text }) => formsOf(secret).some((form) => text.includes(form)));
        assert.deepEqual(found, [], secret);
      }
      const logged = world.logged.filter((line) => secrets.some((secret) => line.includes(secret)));
      assert.deepEqual(logged, []);
    }
  });

  describe('listing', () => {
    it('platform.md §5.7: own invitations, newest first, by inviter and by the status at present', async () => {
      const [platform, other] = [await world.platform(), await world.platform()];
      const list = async (query: object = {}, by = platform) => {
        const reply = await by.send('listInvitations', { query: { ...query } });
        assert.equal(reply.status, 200, reply.raw);
        return reply.body;
      };
      const codes = async (query: object = {}, by = platform) =>
        (await list(query, by)).data.map(({ code }: { code: string }) => code);
      const expiring = await invite(platform, { expiresAt: inSeconds(60) });
      const [claimed, cancelled, open] = [
        await invite(platform),
        await invite(platform),
        await invite(platform),
      ];
      assert.equal((await claim(other, claimed.code)).status, 200);
      assert.equal((await cancel(platform, cancelled.code)).status, 200);

      assert.equal((await codes({ status: 'PENDING' })).includes(expiring.code), true);
      await advance(platform, 60);
      assert.deepEqual(await codes({ status: 'PENDING' }), [open.code]);
      assert.deepEqual(await codes({ status: 'EXPIRED' }), [expiring.code]);
      assert.deepEqual(await codes({ status: 'CLAIMED' }), [claimed.code]);
      assert.deepEqual(await codes({ status: 'CANCELLED' }), [cancelled.code]);
      assert.deepEqual(await codes({ customerId: open.inviter.id }), [open.code]);
      assert.deepEqual(await codes({}, other), [], 'not even the one that it claimed');

      // All of them were created at one moment, or nearly so: a walk meets each once.
      const walked: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await list({ limit: 1, ...(cursor && { cursor }) });
        assert.equal(page.totalCount, 4);
        walked.push(...page.data.map(({ code }: { code: string }) => code));
        cursor = page.nextCursor;
      } while (cursor);
      const all = [expiring, claimed, cancelled, open].map(({ code }) => code);
      assert.deepEqual(walked.toSorted(), all.toSorted());
      const { body: one } = await get(platform, expiring.code);
      assert.deepEqual((await list({ status: 'EXPIRED' })).data, [one]);
      assert.equal((await platform.send('listInvitations', { query: { status: 'OPEN' } })).status, 400);
    });
  });
});
