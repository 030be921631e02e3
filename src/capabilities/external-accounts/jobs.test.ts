import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createExternalAccount } from '#capabilities/external-accounts/create-external-account.ts';
import { externalAccountJobs } from '#capabilities/external-accounts/jobs.ts';
import { findExternalAccount } from '#capabilities/external-accounts/store.ts';
import { Work } from '#foundation/database/work.ts';
import type { CallHandler } from '#foundation/jobs/handlers.ts';
import type { ScreenedAccount } from '#foundation/ports/account-screening.ts';
import type { NameCheckRequest } from '#foundation/ports/name-check.ts';
import type { Ports } from '#foundation/ports/ports.ts';
import { listAccountWebhooks } from '#tests/given/accounts.ts';
import { buildAccountRequest, readExternalAccount } from '#tests/given/external-accounts.ts';
import { testWorld } from '#tests/harness/harness.ts';

/** Providers like those of production: they are called after the account was stored. */
describe('provider calls about a new account', () => {
  const world = testWorld();

  async function given(adapters: Partial<Ports>, name = 'EUR_ACCOUNT') {
    const platform = await world.platform({ environment: 'PRODUCTION' });
    const plain = await platform.work();
    const ports: Ports = { ...world.app.runtime.ports('PRODUCTION'), ...adapters };
    const work = new Work({ ...world.app.runtime, ports: () => ports }, plain.platform, plain.actor);
    const row = await work.write((tx) =>
      createExternalAccount(tx, undefined, buildAccountRequest(name) as never, []),
    );
    const read = () => readExternalAccount(platform, row.id);
    /** Runs the job of this kind like the worker: the call first, then its effect. */
    const run = async (kind: string) => {
      const [job] = await work.read(
        (tx) => tx.sql<{ id: bigint; kind: string; payload: unknown }>`
        select id, kind, payload from jobs where platform_id = ${tx.platformId} and kind = ${kind}`,
      );
      assert.ok(job, `no job ${kind}`);
      const handler = externalAccountJobs[kind] as CallHandler;
      const effect = await handler.call(work, { ...job, key: null, dueAt: new Date(), attempts: 0 });
      await work.write(effect);
    };
    const kinds = async () =>
      (
        await work.read(
          (tx) => tx.sql<{ kind: string }>`
          select kind from jobs where platform_id = ${tx.platformId} and kind like 'external-accounts.%' order by kind`,
        )
      ).map((job) => job.kind);
    return { platform, row, read, run, kinds, work };
  }

  it('accounts.md §3.5: a clear screening makes the account active, and a hit puts it under review', async () => {
    for (const [outcome, status] of [
      ['CLEAR', 'ACTIVE'],
      ['HIT', 'UNDER_REVIEW'],
      [undefined, 'PENDING'],
    ] as const) {
      const seen: ScreenedAccount[] = [];
      const { row, read, run, platform } = await given({
        accountScreening: {
          atCreate: () => 'ASK',
          screen: async (account) => {
            seen.push(account);
            return outcome;
          },
        },
      });
      assert.equal((await read()).status, 'PENDING');
      await run('external-accounts.screen');
      assert.equal((await read()).status, status);
      assert.deepEqual(
        seen.map(({ reference, accountType, currency }) => ({ reference, accountType, currency })),
        [{ reference: `ExternalAccount:${row.id}`, accountType: 'EUR_ACCOUNT', currency: 'EUR' }],
      );
      assert.equal(seen[0]?.fields.iban, 'DE89370400440532013000');
      const told = await listAccountWebhooks(platform, 'EXTERNAL_ACCOUNT.');
      assert.equal(told.length, status === 'PENDING' ? 0 : 1);
    }
  });

  it('accounts.md §4.6: a name check that takes time is PENDING and answers later, without an event', async () => {
    const seen: NameCheckRequest[] = [];
    const { read, run, platform } = await given({
      nameCheck: {
        atCreate: async () => 'ASK',
        check: async (request) => {
          seen.push(request);
          return { status: 'PARTIAL_MATCH', fullName: 'A Lovelace' };
        },
      },
    });
    const first = await read();
    assert.equal(first.beneficiaryVerificationStatus, 'PENDING');
    assert.equal(first.beneficiaryVerifiedData, undefined);
    world.clock.advance(1000);
    await run('external-accounts.check-name');
    const later = await read();
    assert.equal(later.beneficiaryVerificationStatus, 'PARTIAL_MATCH');
    assert.deepEqual(later.beneficiaryVerifiedData, { fullName: 'A Lovelace' });
    assert.deepEqual(later.accountInfo, first.accountInfo);
    assert.equal(later.status, first.status);
    assert.equal(seen[0]?.name, 'Ada Lovelace');
    assert.equal(seen[0]?.identifier, 'DE89370400440532013000');
    assert.deepEqual(await listAccountWebhooks(platform, 'EXTERNAL_ACCOUNT.'), []);
  });

  it('accounts.md §4.7: a provider that validates US accounts settles the hidden state', async () => {
    const { row, run, work } = await given(
      {
        usAccounts: {
          isTestRoutingNumber: () => false,
          atCreate: () => ({ state: 'PENDING', next: 'ASK' }),
          validate: async () => 'FAILED',
        },
      },
      'USD_ACCOUNT',
    );
    await run('external-accounts.validate-us');
    assert.equal((await work.read((tx) => findExternalAccount(tx, row.id)))?.us_validation, 'FAILED');
  });

  it('no provider is called for immediate answers, or about a deleted account', async () => {
    const known = await given({ accountScreening: { atCreate: () => 'CLEAR', screen: async () => 'HIT' } });
    assert.equal((await known.read()).status, 'ACTIVE');
    assert.deepEqual(await known.kinds(), []);
    const { platform, row, run } = await given({
      accountScreening: {
        atCreate: () => 'ASK',
        screen: () => assert.fail('no provider is called about a deleted account'),
      },
    });
    await platform.call('deletePlatformExternalAccountById', { params: { externalAccountId: row.id } });
    await run('external-accounts.screen');
  });

  it('accounts.md §4.6, §4.8: an account that the provider refuses is not stored', async () => {
    const refusing = {
      atCreate: async () => 'REFUSED' as const,
      check: async () => ({ status: 'MATCHED' as const }),
    };
    await assert.rejects(given({ nameCheck: refusing }), { code: 'INVALID_BANK_ACCOUNT' });
  });
});
