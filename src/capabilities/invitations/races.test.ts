// lane: whole — repeats races many times

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { eraseCustomer } from '#capabilities/customers/lifecycle/delete-customer.ts';
import { sql } from '#foundation/database/sql.ts';
import { givenCustomer } from '#tests/given/customers.ts';
import { advance } from '#tests/given/payments.ts';
import { type Answered, type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

const ROUNDS = 12;

/** Concurrent calls on one invitation, through two apps on one database, like two processes. */
describe('invitations: races', () => {
  const world = testWorld();
  /** The inviters' platform. */
  let theirs: TestPlatform;
  /** The two claiming platforms, one of them served by the other app. */
  let first: TestPlatform;
  let second: TestPlatform;

  before(async () => {
    theirs = await world.platform();
    first = await world.platform();
    second = await world.elsewhere(await world.platform());
  });

  async function invite(more: object = {}) {
    const inviter = await givenCustomer(theirs);
    const made = await theirs.send('createInvitation', { body: { inviterUma: inviter.umaAddress, ...more } });
    assert.equal(made.status, 201, made.raw);
    return { inviter, code: made.body.code, params: { invitationCode: made.body.code } };
  }

  const claim = (platform: TestPlatform, code: string, inviteeUma: string) =>
    platform.send('claimInvitation', { params: { invitationCode: code }, body: { inviteeUma } });

  const answerOf = ({ status, body }: Answered) => (status === 200 ? 'OK' : String(body.code));

  /** The invitation's status, and the events of the inviter's platform. */
  async function loadOutcome(code: string) {
    const { body } = await theirs.call('getInvitation', { params: { invitationCode: code } });
    const events = await world.database.query<{ platform_id: string }>(sql`
      select platform_id from events where resource_id = ${code}`);
    return { invitation: body, told: events.map(({ platform_id }) => platform_id) };
  }

  /** Either call may come first: the assertions hold both ways. */
  async function rounds(round: (number: number) => Promise<void>): Promise<void> {
    for (let number = 0; number < ROUNDS; number++) await round(number);
  }

  /** Sends both at once; the one that is sent first alternates between rounds. */
  async function atOnce<A, B>(
    number: number,
    one: () => Promise<A>,
    other: () => Promise<B>,
  ): Promise<[A, B]> {
    if (number % 2 === 0) return Promise.all([one(), other()]);
    const [b, a] = await Promise.all([other(), one()]);
    return [a, b];
  }

  it('platform.md §5.4: of parallel claims exactly one is 200, with one event', async () => {
    await rounds(async () => {
      const { code } = await invite();
      const claims = Array.from({ length: 6 }, (_, i) => ({
        platform: i % 2 === 0 ? first : second,
        address: `$racer${i}@elsewhere.example`,
      }));
      const replies = await Promise.all(
        claims.map(({ platform, address }) => claim(platform, code, address)),
      );
      const answers = replies.map(answerOf);
      assert.equal(answers.filter((answer) => answer === 'OK').length, 1, answers.join());
      assert.equal(answers.filter((answer) => answer === 'INVITATION_ALREADY_CLAIMED').length, 5);
      const { invitation, told } = await loadOutcome(code);
      const winner = claims[answers.indexOf('OK')]?.address;
      assert.deepEqual([invitation.status, invitation.inviteeUma], ['CLAIMED', winner]);
      for (const { status, body } of replies)
        if (status !== 200) assert.deepEqual(body.details, { status: 'CLAIMED', inviteeUma: winner });
      assert.deepEqual(told, [theirs.id]);
    });
  });

  it('platform.md §5.4: of a claim and a cancellation one wins, and the other is refused', async () => {
    await rounds(async (number) => {
      const { code, params } = await invite();
      const claiming = () => claim(second, code, '$grace@elsewhere.example');
      const cancelling = () => theirs.call('cancelInvitation', { params });
      const [claimed, cancelled] = await atOnce(number, claiming, cancelling);
      const { invitation, told } = await loadOutcome(code);
      const answers = [answerOf(claimed), answerOf(cancelled)].join();
      assert.ok(
        (answers === 'OK,INVITATION_ALREADY_CLAIMED' &&
          invitation.status === 'CLAIMED' &&
          told.length === 1) ||
          (answers === 'INVITATION_CANCELLED,OK' && invitation.status === 'CANCELLED' && told.length === 0),
        `${answers} ${invitation.status}`,
      );
    });
  });

  it('platform.md §5.4, §5.6: a claim at the moment of expiry either succeeds or finds it expired', async () => {
    await rounds(async () => {
      const { body: clock } = await theirs.call('getSandboxClock');
      const expiresAt = new Date(Date.parse(clock.now) + 1_000).toISOString();
      const { code } = await invite({ expiresAt });
      const [claimed] = await Promise.all([
        claim(second, code, '$grace@elsewhere.example'),
        advance(theirs, 1),
      ]);
      const { invitation, told } = await loadOutcome(code);
      if (answerOf(claimed) === 'OK') {
        assert.equal(invitation.status, 'CLAIMED');
        assert.ok(String(invitation.claimedAt) < expiresAt);
        assert.deepEqual(told, [theirs.id]);
      } else {
        assert.deepEqual([invitation.status, invitation.claimedAt, told], ['EXPIRED', undefined, []]);
        assert.deepEqual(claimed.body.details, { status: 'EXPIRED', expiresAt });
      }
    });
  });

  it('platform.md §5.6: a claim and the deletion of the inviter are serialized, and both end', async () => {
    await rounds(async (number) => {
      const { code, inviter } = await invite();
      const deletion = () => theirs.call('deleteCustomerById', { params: { customerId: inviter.id } });
      const claiming = () => claim(second, code, '$grace@elsewhere.example');
      const [claimed, deleted] = await atOnce(number, claiming, deletion);
      assert.equal(deleted.status, 200, deleted.raw);
      const { invitation, told } = await loadOutcome(code);
      const expected = claimed.status === 200 ? ['CLAIMED', 1] : ['CANCELLED', 0];
      assert.deepEqual([invitation.status, told.length], expected, claimed.raw);
      assert.match(answerOf(claimed), /^(OK|INVITATION_CANCELLED)$/);
    });
  });

  it('platform.md §5.6: an invitation created while its inviter is deleted is cancelled with them, or refused', async () => {
    const there = await world.elsewhere(theirs);
    await rounds(async () => {
      const inviter = await givenCustomer(theirs);
      const [made, deleted] = await Promise.all([
        there.send('createInvitation', { body: { inviterUma: inviter.umaAddress } }),
        theirs.call('deleteCustomerById', { params: { customerId: inviter.id } }),
      ]);
      assert.equal(deleted.status, 200, deleted.raw);
      if (made.status === 201)
        assert.equal((await loadOutcome(made.body.code)).invitation.status, 'CANCELLED');
      else assert.equal(made.body.code, 'INVALID_INPUT');
    });
  });

  it('platform.md §5.3: in production a claim for a customer who is being deleted is refused, or erased with the customer', async () => {
    const environment = 'PRODUCTION';
    const live = await world.platform({ environment, settings: { invitationsConfigured: true } });
    const ours = await world.platform({ environment });
    const there = await world.elsewhere(ours);
    const inviter = await givenCustomer(live);
    await rounds(async () => {
      const { body } = await live.call('createInvitation', { body: { inviterUma: inviter.umaAddress } });
      const invitee = await givenCustomer(ours);
      const [claimed, deleted] = await Promise.all([
        claim(there, body.code, invitee.umaAddress),
        ours.call('deleteCustomerById', { params: { customerId: invitee.id } }),
      ]);
      assert.equal(deleted.status, 200, deleted.raw);
      await (await ours.work()).write((tx) => eraseCustomer(tx, uuidOf(invitee.id)));
      const after = await live.call('getInvitation', { params: { invitationCode: body.code } });
      if (claimed.status === 200) assert.match(String(after.body.inviteeUma), /^\$erased-/);
      else assert.deepEqual([claimed.body.code, after.body.status], ['INVALID_INPUT', 'PENDING']);
    });
  });

  it('platform.md §5.4: customers claim each other’s invitations while all are deleted: no call deadlocks', async () => {
    await rounds(async () => {
      const people = await Promise.all(
        Array.from({ length: 4 }, async () => {
          const customer = await givenCustomer(theirs);
          const { body } = await theirs.call('createInvitation', {
            body: { inviterUma: customer.umaAddress },
          });
          return { customer, code: body.code };
        }),
      );
      const there = await world.elsewhere(theirs);
      const replies = await Promise.all(
        people.flatMap(({ customer, code }, i) => {
          const next = people[(i + 1) % people.length]?.customer.umaAddress ?? '';
          return [
            claim(there, code, next),
            theirs.call('deleteCustomerById', { params: { customerId: customer.id } }),
          ];
        }),
      );
      for (const { status, raw } of replies) assert.ok(status === 200 || status === 400, raw);
    });
  });
});
