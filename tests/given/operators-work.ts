import assert from 'node:assert/strict';
import { inviteOperator } from '#capabilities/operators/manage.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { givenOperator, onInstallation, type TestOperator } from '#tests/given/operators.ts';
import { execute, givenOutside, givenPayer, givenPlatform } from '#tests/given/payments.ts';
import { quoted } from '#tests/given/quotes.ts';
import type { TestPlatform, World } from '#tests/harness/harness.ts';

/** A platform with a payment, and what operators have to do with it. */
export interface OperatorsWork {
  readonly platform: TestPlatform;
  /** Has every role. */
  readonly operator: TestOperator;
  readonly customer: string;
  readonly account: string;
  readonly externalAccount: string;
  /** An open payment. */
  readonly payment: string;
  /** A payment to settle, proposed by another operator. */
  readonly proposal: string;
  /** A person who was invited and has not joined. */
  readonly invited: string;
}

/** Every text that a person writes contains `text`. Call it before the service listens, because passkeys name its address. */
export async function givenOperatorsWork(world: World, text: string): Promise<OperatorsWork> {
  const platform = await givenPlatform(world);
  const payer = await givenPayer(platform, 100_000, { platformCustomerId: text });
  const externalAccount = await givenOutside(platform, payer.id, '003');
  const operator = await givenOperator(world, EVERY_ROLE);
  const maker = await givenOperator(world, ['treasury']);
  const settle = world.app.operatorOperations.find(({ id }) => id === 'settlePayment');
  assert.ok(settle);
  const pay = async () => {
    const from = payer.account('USD').id;
    const quote = await quoted(platform, { from, to: externalAccount, send: 10_000 });
    const { status, raw } = await execute(platform, quote.id);
    assert.equal(status, 200, raw);
    return quote.transactionId;
  };
  const [payment, proposed] = [await pay(), await pay()];
  await world.app.worker.settle(platform.id);
  const { status, body, raw } = await maker.call(settle, { transactionId: proposed }, { reason: text });
  assert.equal(status, 202, raw);
  const invitation = { name: text, email: 'invited@example.com', roles: ['viewer'] as const };
  const parts = { consoleSettings: undefined, publicUrl: () => 'http://localhost' };
  const invited = await onInstallation(world, (tx) => inviteOperator(tx, invitation, parts));
  return {
    ...{ platform, operator, payment, externalAccount },
    ...{ customer: payer.id, account: payer.account('USD').id },
    ...{ proposal: body.id, invited: publicId('Operator', invited.operator.id) },
  };
}

const EVERY_ROLE = ['viewer', 'support', 'compliance', 'finance', 'treasury', 'admin'] as const;
