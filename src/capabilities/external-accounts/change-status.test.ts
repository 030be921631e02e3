import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  changeExternalStatusByOperator,
  clearScreening,
  type ExternalStatusChange,
  flagScreeningHit,
  recordUsValidation,
  recordUsValidationByOperator,
  STATUS_CHANGE_NAMES,
} from '#capabilities/external-accounts/change-status.ts';
import { findExternalAccount } from '#capabilities/external-accounts/store.ts';
import { sql } from '#foundation/database/sql.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { Refusal } from '#foundation/lib/refusals.ts';
import { listAccountWebhooks } from '#tests/given/accounts.ts';
import { givenExternalAccount, readExternalAccount } from '#tests/given/external-accounts.ts';
import { withWritten } from '#tests/harness/audit-lines.ts';
import { testWorld } from '#tests/harness/harness.ts';
import { uuidOf } from '#tests/harness/public-ids.ts';

describe('the status of external accounts', () => {
  const world = testWorld();

  async function given(environment: 'SANDBOX' | 'PRODUCTION' = 'SANDBOX', name = 'EUR_ACCOUNT') {
    const platform = await world.platform({ environment });
    const account = await givenExternalAccount(platform, name);
    const accountId = uuidOf(account.id);
    const work = await platform.work();
    return {
      platform,
      account,
      accountId,
      work,
      read: () => readExternalAccount(platform, account.id),
      step: (step: ExternalStatusChange, reason?: string) =>
        work.write((tx) => changeExternalStatusByOperator(tx, step, { accountId, reason })),
      told: () => listAccountWebhooks(platform, 'EXTERNAL_ACCOUNT.'),
    };
  }

  const refuses = (attempt: Promise<unknown>, code: string) =>
    assert.rejects(attempt, (error) => error instanceof Refusal && error.code === code);

  it('accounts.md §3.5: each of the operator’s changes applies once, with one event that carries the account after it', async () => {
    const { account, read, step, told } = await given();
    const walk: [ExternalStatusChange, string][] = [
      ['disable', 'INACTIVE'],
      ['enable', 'ACTIVE'],
      ['screening hit', 'UNDER_REVIEW'],
      ['review clear', 'ACTIVE'],
      ['screening hit', 'UNDER_REVIEW'],
      ['review refuse', 'INACTIVE'],
    ];
    const seen = [];
    for (const [name, status] of walk) {
      world.clock.advance(1000);
      assert.equal((await step(name)).status, status);
      const now = await read();
      assert.equal(now.status, status);
      assert.equal(Date.parse(now.updatedAt), world.clock.now());
      seen.push(now);
    }
    assert.deepEqual(
      await told(),
      seen.map((data) => ({ type: 'EXTERNAL_ACCOUNT.STATUS_UPDATED', resourceId: account.id, data })),
    );
  });

  it('accounts.md §3.5: a change from any other status is refused, changes nothing and sends no event', async () => {
    const from: Record<ExternalStatusChange, string[]> = {
      'screening clear': ['PENDING'],
      'screening hit': ['PENDING', 'ACTIVE'],
      'review clear': ['UNDER_REVIEW'],
      'review refuse': ['UNDER_REVIEW'],
      disable: ['ACTIVE'],
      enable: ['INACTIVE'],
    };
    const { accountId, read, step, told } = await given();
    for (const status of [
      'PENDING',
      'ACTIVE',
      'PENDING_OWNERSHIP_VERIFICATION',
      'UNVERIFIED',
      'UNDER_REVIEW',
      'INACTIVE',
    ]) {
      for (const name of STATUS_CHANGE_NAMES.filter((candidate) => !from[candidate].includes(status))) {
        await world.database.query(
          sql`update external_accounts set status = ${status} where id = ${accountId}`,
        );
        await refuses(step(name), 'CONFLICT');
        assert.equal((await read()).status, status);
      }
    }
    assert.deepEqual(await told(), []);
  });

  it('accounts.md §1.2: missing, foreign and deleted accounts are not found by the operator either', async () => {
    const { platform, account, work, step } = await given();
    const unknown = { accountId: newUuid() };
    await refuses(
      work.write((tx) => changeExternalStatusByOperator(tx, 'disable', unknown)),
      'ACCOUNT_NOT_FOUND',
    );
    await refuses(
      work.write((tx) => recordUsValidationByOperator(tx, 'VALID', unknown)),
      'ACCOUNT_NOT_FOUND',
    );
    await platform.call('deleteCustomerExternalAccountById', { params: { externalAccountId: account.id } });
    await refuses(step('disable'), 'ACCOUNT_NOT_FOUND');
  });

  it('every change leaves an audit row with the operator and the reason', async () => {
    const { platform, account, step } = await given();
    await step('disable', 'case 4711');
    const rows = await world.database.query<{
      id: Id<'AuditRow'>;
      private: Buffer | null;
      actor_kind: string;
      action: string;
      details: unknown;
    }>(sql`
      select id, private, actor_kind, action, details from audit_log
       where platform_id = ${platform.id} and resource = ${account.id} and actor_kind = 'operator'`);
    assert.deepEqual(await withWritten(world.app.runtime, rows), [
      { actor_kind: 'operator', action: 'account disable', details: { reason: 'case 4711' } },
    ]);
  });

  it('accounts.md §3.5, §8: in production a bank account waits for screening; a repeated or late notice changes nothing', async () => {
    const { account, accountId, work, read, told, platform } = await given('PRODUCTION');
    assert.equal(account.status, 'PENDING');
    await world.app.worker.settle(platform.id);
    assert.equal((await read()).status, 'PENDING', 'there is no automatic screening: the operator reports');
    await work.write((tx) => clearScreening(tx, accountId));
    await work.write((tx) => clearScreening(tx, accountId));
    assert.equal((await read()).status, 'ACTIVE');
    await work.write((tx) => flagScreeningHit(tx, accountId));
    assert.equal((await read()).status, 'UNDER_REVIEW');
    await work.write((tx) => flagScreeningHit(tx, accountId));
    await work.write((tx) => clearScreening(tx, accountId));
    assert.equal((await read()).status, 'UNDER_REVIEW');
    assert.deepEqual(
      (await told()).map((event) => event.data.status),
      ['ACTIVE', 'UNDER_REVIEW'],
    );
  });

  it('accounts.md §3.5: if the operator and a notice race, each valid change is made once', async () => {
    const { accountId, work, told, step } = await given();
    const outcomes = await Promise.allSettled([step('disable'), step('disable'), step('disable')]);
    assert.equal(outcomes.filter((outcome) => outcome.status === 'fulfilled').length, 1);
    await work.write((tx) => flagScreeningHit(tx, accountId));
    assert.equal((await told()).length, 1);
  });

  it('accounts.md §4.7: in production validation starts pending; the first outcome counts, FAILED is final', async () => {
    const { accountId, work, account, told } = await given('PRODUCTION', 'USD_ACCOUNT');
    const state = async () => (await work.read((tx) => findExternalAccount(tx, accountId)))?.us_validation;
    assert.equal(await state(), 'PENDING');
    await work.write((tx) => recordUsValidationByOperator(tx, 'FAILED', { accountId, reason: 'R03' }));
    assert.equal(await state(), 'FAILED');
    assert.equal(await work.write((tx) => recordUsValidation(tx, accountId, 'VALID')), false);
    await refuses(
      work.write((tx) => recordUsValidationByOperator(tx, 'VALID', { accountId })),
      'CONFLICT',
    );
    assert.equal(await state(), 'FAILED');
    assert.equal(account.status, 'PENDING');
    assert.deepEqual(await told(), []);
  });
});
