import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { changesBetween } from '#capabilities/verification/fingerprint.ts';
import { givenCompletePerson, givenDocument, submitted } from '#tests/given/packets.ts';
import { type SeatedOperator, seatedOperator } from '#tests/given/proposals.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

/** A name that the sandbox gives to a person to decide on. */
const REVIEWED = 'Ada Review';

describe('what a reviewer sees of a customer who comes back', () => {
  const world = testWorld();
  let platform: TestPlatform;
  let reviewer: SeatedOperator;

  before(async () => {
    platform = await world.platform({ environment: 'PRODUCTION' });
    reviewer = await seatedOperator(world, (await platform.work()).platform, ['compliance']);
  });

  async function packet(customerId: string) {
    const { status, body } = await reviewer.call('openReview', { id: uuidOf(customerId) });
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  }

  it('operator.md §4.3: the packet says what changed since the last submission, and who decided before and why', async () => {
    const customer = await givenCompletePerson(platform, REVIEWED);
    await submitted(platform, customer.id);
    const first = await packet(customer.id);
    assert.deepEqual([first.changes, first.decisions, first.environment], [null, [], 'PRODUCTION']);

    const asked = await reviewer.call(
      'requestChanges',
      { customerId: uuidOf(customer.id) },
      {
        reason: 'the passport has expired',
        problems: [{ type: 'EXPIRED_DOCUMENT', reason: 'Your passport has expired.' }],
      },
    );
    assert.equal(asked.status, 200, JSON.stringify(asked.body));
    const updated = await platform.call('updateCustomerById', {
      params: { customerId: customer.id },
      body: { customerType: 'INDIVIDUAL', nationality: 'FR' },
    });
    assert.equal(updated.status, 200, updated.raw);
    await givenDocument(platform, customer.id, 'NATIONAL_ID', { side: 'FRONT' });
    await submitted(platform, customer.id);

    const { changes, decisions, verifications } = await packet(customer.id);
    assert.deepEqual(changes.changed, ['person.nationality']);
    assert.deepEqual(changes.added, [`documents.NATIONAL_ID (FRONT) of ${customer.id}`]);
    assert.deepEqual(changes.removed, []);
    assert.equal(decisions.length, 1);
    const [{ decision, by, reason, problems }] = decisions;
    assert.deepEqual(
      [decision, by, reason, problems],
      ['CORRECTABLE', reviewer.name, 'the passport has expired', ['EXPIRED_DOCUMENT']],
    );
    assert.equal(verifications[1].errors[0].reason, 'Your passport has expired.');
    assert.ok(!('submitted' in verifications[0]));
  });

  it('operator.md §4.3: the packet names customers with the same contacts or name', async () => {
    const [one, other] = [
      await givenCompletePerson(platform, 'Grace Twin'),
      await givenCompletePerson(platform, 'Grace Twin'),
    ];
    const { possibleDuplicates } = await packet(one.id);
    const twin = possibleDuplicates.find(({ customer }: { customer: string }) => customer === other.id);
    assert.ok(twin?.shares.includes('name'));
  });

  it('compares submissions field by field', () => {
    assert.deepEqual(changesBetween({ a: '1', b: '2', c: '3' }, { a: '1', b: '9', d: '4' }), {
      changed: ['b'],
      added: ['d'],
      removed: ['c'],
    });
  });
});
