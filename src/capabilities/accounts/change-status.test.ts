import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  closeAccount,
  freezeAccount,
  type OperatorAction,
  unfreezeAccount,
} from '#capabilities/accounts/change-status.ts';
import { addSwiftCollection, retryProvisioning } from '#capabilities/accounts/provision-account.ts';
import type { AccountRow } from '#capabilities/accounts/store.ts';
import { sql } from '#foundation/database/sql.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { Refusal } from '#foundation/lib/refusals.ts';
import { fetchAccounts, inCurrency, listAccountWebhooks, platformAccounts } from '#tests/given/accounts.ts';
import { givenCustomer } from '#tests/given/customers.ts';
import { withWritten } from '#tests/harness/audit-lines.ts';
import { testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

type UseCase = (tx: Tx, action: OperatorAction) => Promise<AccountRow>;

const SWIFT = {
  country: 'DE',
  swiftCode: 'SBOXDEFF',
  bankName: 'Sandbox Bank',
  iban: 'DE89370400440532013000',
};

describe('the operator and internal accounts', () => {
  const world = testWorld();

  async function given() {
    const platform = await world.platform();
    const customer = await givenCustomer(platform);
    const account = inCurrency(await fetchAccounts(platform, customer.id), 'USD');
    const read = async () => {
      const found = (await fetchAccounts(platform, customer.id)).find(({ id }) => id === account.id);
      assert.ok(found);
      return found;
    };
    const work = await platform.work();
    const act = (useCase: UseCase, reason?: string) =>
      work.write((tx) => useCase(tx, { accountId: uuidOf(account), reason }));
    return { platform, account, read, act };
  }

  const conflicts = (attempt: Promise<unknown>) =>
    assert.rejects(attempt, (error) => error instanceof Refusal && error.code === 'CONFLICT');

  it('accounts.md §2.2: freeze, unfreeze, freeze again and close each emit one event with the account after it', async () => {
    const { platform, account, read, act } = await given();
    const seen = [];
    for (const [useCase, status] of [
      [freezeAccount, 'FROZEN'],
      [unfreezeAccount, 'ACTIVE'],
      [freezeAccount, 'FROZEN'],
      [closeAccount, 'CLOSED'],
    ] as const) {
      world.clock.advance(1000);
      assert.equal((await act(useCase)).status, status);
      const now = await read();
      assert.equal(now.status, status);
      assert.equal(Date.parse(now.updatedAt), world.clock.now());
      seen.push(now);
    }
    assert.deepEqual(
      await listAccountWebhooks(platform),
      seen.map((data) => ({ type: 'INTERNAL_ACCOUNT.STATUS_UPDATED', resourceId: account.id, data })),
    );
  });

  it('accounts.md §2.2: a step from any other status is refused, changes nothing and emits no event', async () => {
    const { platform, read, act } = await given();
    await conflicts(act(unfreezeAccount));
    await conflicts(act(retryProvisioning));
    await act(freezeAccount);
    await conflicts(act(freezeAccount));
    await conflicts(act(retryProvisioning));
    await act(closeAccount);
    for (const useCase of [freezeAccount, unfreezeAccount, closeAccount, retryProvisioning])
      await conflicts(act(useCase));
    assert.equal((await read()).status, 'CLOSED');
    assert.equal((await listAccountWebhooks(platform)).length, 2);
  });

  it('accounts.md §2.2: of ten equal concurrent steps one is applied', async () => {
    for (const useCase of [freezeAccount, closeAccount]) {
      const { platform, act } = await given();
      const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => act(useCase)));
      assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1);
      assert.equal((await listAccountWebhooks(platform)).length, 1);
    }
  });

  it('accounts.md §2.2: concurrent freezing and closing run in one of the two orders, with an event for each step', async () => {
    const { platform, read, act } = await given();
    await Promise.allSettled([act(freezeAccount), act(closeAccount)]);
    assert.equal((await read()).status, 'CLOSED');
    const told = (await listAccountWebhooks(platform)).map(({ data }) => data.status);
    assert.ok(['CLOSED', 'FROZEN,CLOSED'].includes(told.join()), told.join());
  });

  it('accounts.md §1.2: an unknown account and one of another platform are the same 404', async () => {
    const { account } = await given();
    const stranger = await (await world.platform()).work();
    const answers = [];
    for (const accountId of [newUuid(), uuidOf(account)]) {
      for (const useCase of [freezeAccount, unfreezeAccount, closeAccount, retryProvisioning]) {
        const error = await stranger
          .write((tx) => useCase(tx, { accountId }))
          .catch((caught: unknown) => caught);
        assert.ok(error instanceof Refusal);
        answers.push(JSON.stringify(error.body()));
      }
    }
    assert.equal(new Set(answers).size, 1);
    assert.match(answers[0] ?? '', /ACCOUNT_NOT_FOUND/);
  });

  it('decision 0018: every step is audited in its commit, with actor and reason; a refused one is not', async () => {
    const { platform, account, act } = await given();
    await act(freezeAccount, 'case 4711');
    await conflicts(act(freezeAccount, 'again'));
    await act(unfreezeAccount);
    const rows = await world.database.query<{
      id: Id<'AuditRow'>;
      private: Buffer | null;
      action: string;
      details: unknown;
      actor_kind: string;
    }>(sql`
      select id, private, action, details, actor_kind from audit_log
       where platform_id = ${platform.id} and resource = ${account.id} order by id`);
    assert.deepEqual(await withWritten(world.app.runtime, rows), [
      { action: 'account freeze', details: { reason: 'case 4711' }, actor_kind: 'operator' },
      { action: 'account unfreeze', details: {}, actor_kind: 'operator' },
    ]);
  });

  it('accounts.md §2.4: a SWIFT collection account is appended with the holder’s name and no reference, with an event', async () => {
    const { platform, account, read, act } = await given();
    await act((tx, action) =>
      addSwiftCollection(tx, { ...action, coordinates: { ...SWIFT, extra: 'dropped' } }),
    );
    const now = await read();
    assert.deepEqual(now.fundingPaymentInstructions, [
      ...account.fundingPaymentInstructions,
      {
        isPlatformAccount: false,
        accountOrWalletInfo: {
          accountType: 'SWIFT_ACCOUNT',
          ...SWIFT,
          accountHolderName: 'Svc FBO Ada Lovelace',
          paymentRails: ['SWIFT'],
        },
      },
    ]);
    assert.deepEqual(await listAccountWebhooks(platform), [
      { type: 'INTERNAL_ACCOUNT.FUNDING_INSTRUCTIONS_UPDATED', resourceId: account.id, data: now },
    ]);
  });

  it('accounts.md §2.4: coordinates are stable: a second SWIFT account is refused, even concurrently', async () => {
    const { read, act } = await given();
    const swift = () => act((tx, action) => addSwiftCollection(tx, { ...action, coordinates: SWIFT }));
    const outcomes = await Promise.allSettled([swift(), swift(), swift()]);
    assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1);
    await conflicts(swift());
    assert.equal((await read()).fundingPaymentInstructions.length, 3);
  });

  it('accounts.md §2.4: SWIFT coordinates that violate the schema of replies are refused by name', async () => {
    const { read, act } = await given();
    const fields = async (coordinates: Record<string, string>) => {
      const error = await act((tx, action) => addSwiftCollection(tx, { ...action, coordinates })).catch(
        (caught: unknown) => caught,
      );
      assert.ok(error instanceof Refusal, String(error));
      assert.equal(error.code, 'INVALID_INPUT');
      return (error.details as { errors: { field: string }[] }).errors.map(({ field }) => field);
    };
    const { iban: _iban, ...without } = SWIFT;
    assert.deepEqual(await fields(without), ['accountNumber']);
    assert.deepEqual(await fields({ ...SWIFT, swiftCode: 'x', country: 'Germany' }), [
      'accountOrWalletInfo.country',
      'accountOrWalletInfo.swiftCode',
    ]);
    assert.equal((await read()).fundingPaymentInstructions.length, 2);
  });

  it('accounts.md §2.4: neither a digital nor a closed account can receive money by SWIFT', async () => {
    const { platform, act } = await given();
    const work = await platform.work();
    const usdc = inCurrency(await platformAccounts(platform), 'USDC');
    await conflicts(
      work.write((tx) => addSwiftCollection(tx, { accountId: uuidOf(usdc), coordinates: SWIFT })),
    );
    await act(closeAccount);
    await conflicts(act((tx, action) => addSwiftCollection(tx, { ...action, coordinates: SWIFT })));
  });
});
