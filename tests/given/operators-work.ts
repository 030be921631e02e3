import assert from 'node:assert/strict';
import { inviteOperator } from '#capabilities/operators/manage.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { type BusySandbox, givenBusySandbox } from '#tests/given/busy-sandbox.ts';
import { givenOperator, onInstallation, type TestOperator } from '#tests/given/operators.ts';
import { execute, givenOutside } from '#tests/given/payments.ts';
import { quoted } from '#tests/given/quotes.ts';
import type { World } from '#tests/harness/harness.ts';

/** A busy platform, and what operators have to do with it. */
export interface OperatorsWork {
  readonly sandbox: BusySandbox;
  /** Has every role. */
  readonly operator: TestOperator;
  /** A payment to settle, proposed by another operator. */
  readonly proposal: string;
  /** A person who was invited and has not joined. */
  readonly invited: string;
}

/** Every text that a person writes contains `text`. Call it before the service listens, because passkeys name its address. */
export async function givenOperatorsWork(world: World, text: string): Promise<OperatorsWork> {
  const sandbox = await givenBusySandbox(world, text);
  const { platform, account: from } = sandbox;
  const [payer = assert.fail('no payer')] = sandbox.customers;
  const externalAccount = await givenOutside(platform, payer, '003');
  const operator = await givenOperator(world, EVERY_ROLE);
  const maker = await givenOperator(world, ['treasury']);
  const settle = world.app.operatorOperations.find(({ id }) => id === 'settlePayment');
  assert.ok(settle);
  const quote = await quoted(platform, { from, to: externalAccount, send: 10_000 });
  const executed = await execute(platform, quote.id);
  assert.equal(executed.status, 200, executed.raw);
  await world.app.worker.settle(platform.id);
  const { status, body, raw } = await maker.call(
    settle,
    { transactionId: quote.transactionId },
    { reason: text },
  );
  assert.equal(status, 202, raw);
  const invitation = { name: text, email: 'invited@example.com', roles: ['viewer'] as const };
  const parts = { consoleSettings: undefined, publicUrl: () => 'http://localhost' };
  const invited = await onInstallation(world, (tx) => inviteOperator(tx, invitation, parts));
  return { sandbox, operator, proposal: body.id, invited: publicId('Operator', invited.operator.id) };
}

const EVERY_ROLE = ['viewer', 'support', 'compliance', 'finance', 'treasury', 'admin'] as const;
