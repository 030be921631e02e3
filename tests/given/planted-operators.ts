import assert from 'node:assert/strict';
import { updateCustomerStatus } from '#capabilities/customers/store.ts';
import { decideReview } from '#capabilities/verification/review.ts';
import { systemClock } from '#foundation/lib/clock.ts';
import type { PlantedPerson } from '#tests/given/planted-person.ts';
import { type SeatedOperator, seatedOperator } from '#tests/given/proposals.ts';
import type { Attached } from '#tests/harness/embedded-service.ts';
import type { TestPlatform, World } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

const ROLES = ['support', 'compliance', 'finance', 'treasury', 'admin'] as const;

/** Two operators of the platform's resources. */
export async function givenSeated(
  { app, database }: Attached,
  platform: TestPlatform,
): Promise<readonly [SeatedOperator, SeatedOperator]> {
  const world = { app, database, clock: systemClock } as unknown as World;
  const { platform: place } = await platform.work();
  return [await seatedOperator(world, place, ROLES), await seatedOperator(world, place, ROLES)];
}

/** Everything that operators write about a person: reasons, notes and decisions. */
export async function givenWritten(
  platform: TestPlatform,
  [one, other]: readonly [SeatedOperator, SeatedOperator],
  { values: { texts }, payer, businessId }: PlantedPerson,
): Promise<void> {
  const ask = async (by: SeatedOperator, operation: string, params: Record<string, string>, body: object) => {
    const reply = await by.call(operation, params, { ...body });
    assert.ok(reply.status < 300, `${operation}: ${JSON.stringify(reply.body)}`);
    return reply.body;
  };
  const field = { field: 'email', reason: texts.disclosureReason };
  await ask(one, 'discloseCustomersField', { id: uuidOf(payer.id) }, field);
  // It is empty, so it could be closed.
  const accountId = uuidOf(payer.account('EUR').id);
  const proposal = await ask(one, 'closeAccount', { accountId }, { reason: texts.proposalReason });
  const decided = { proposalId: uuidOf(String(proposal.id)) };
  await ask(other, 'rejectProposal', decided, { reason: texts.proposalRejection });
  await noteReview(platform, texts.problem, businessId, async () => {
    const asked = { kind: 'reviews', limit: 100, environment: 'SANDBOX' };
    const { data } = await ask(one, 'listWorkItems', {}, asked);
    const item = data.find(({ subject }: { subject: string }) => subject === businessId)?.id;
    assert.ok(item, 'the review waits');
    await ask(one, 'takeWork', {}, { item });
    await ask(one, 'noteWork', {}, { item, note: texts.workNote });
  });
}

/** Runs steps while the customer is under review, and then decides as before. */
async function noteReview(platform: TestPlatform, reason: string, id: string, steps: () => Promise<void>) {
  const work = await platform.work();
  const customerId = uuidOf<'Customer'>(id as never);
  await work.write((tx) => updateCustomerStatus(tx, customerId, 'PENDING'));
  await steps();
  const problems = [{ type: 'EXPIRED_DOCUMENT', reason } as const];
  await work.write((tx) => decideReview(tx, customerId, { kind: 'CORRECTABLE', problems }, reason));
}
