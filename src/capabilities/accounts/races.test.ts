// lane: whole — repeats races many times

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { freezeAccount, unfreezeAccount } from '#capabilities/accounts/change-status.ts';
import { addSwiftCollection } from '#capabilities/accounts/provision-account.ts';
import { recordDeposit } from '#capabilities/payments/incoming/record-deposit.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { parseId } from '#foundation/lib/ids.ts';
import { holdOpen, untilBlocked } from '#tests/given/blocked.ts';
import { givenPayer, givenPlatform } from '#tests/given/payments.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';
import type { Receiver } from '#tests/harness/receiver.ts';

const SWIFT = {
  country: 'DE',
  swiftCode: 'SBOXDEFF',
  bankName: 'Sandbox Bank',
  iban: 'DE89370400440532013000',
};

describe('internal accounts that change while money moves', () => {
  const world = testWorld();
  let platform: TestPlatform;
  let receiver: Receiver;

  before(async () => {
    platform = await givenPlatform(world);
    receiver = await platform.receive();
  });

  const CHANGES: readonly {
    readonly name: string;
    readonly isFrozen?: boolean;
    change(tx: Tx, accountId: AccountId): Promise<unknown>;
  }[] = [
    { name: 'frozen', change: (tx, accountId) => freezeAccount(tx, { accountId }) },
    { name: 'unfrozen', isFrozen: true, change: (tx, accountId) => unfreezeAccount(tx, { accountId }) },
    {
      name: 'given another funding instruction',
      change: (tx, accountId) => addSwiftCollection(tx, { accountId, coordinates: SWIFT }),
    },
  ];

  for (const { name, isFrozen, change } of CHANGES) {
    it(`platform.md §4.1.1: the last event of an account that is ${name} during a deposit shows its final state`, async () => {
      const payer = await givenPayer(platform, 500);
      const account = payer.account('USD');
      const [accountId, customerId] = [uuidOf(account), parseId('Customer', payer.id) ?? null];
      const work = await platform.work();
      if (isFrozen) await work.write((tx) => freezeAccount(tx, { accountId }));
      const letGo = await holdOpen(platform, (tx) => change(tx, accountId));
      const depositing = work.write((tx) =>
        recordDeposit(tx, {
          account: { id: accountId, currency: 'USD', customerId },
          amount: 70n,
          rail: 'ACH',
        }),
      );
      await untilBlocked(world.databaseUrl, 1, depositing);
      await letGo();
      await depositing;
      await world.app.worker.settle(platform.id);
      const told = receiver.received.map(({ body }) => body.data).filter(({ id }) => id === account.id);
      const reply = await platform.call('listCustomerInternalAccounts', { query: { customerId: payer.id } });
      const now = reply.body.data.find(({ id }) => id === account.id);
      assert.equal(now?.balance.amount, 570);
      assert.deepEqual(told.at(-1), now);
    });
  }
});
