import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { SERVICE } from '#app/compose.ts';
import { LedgerProver } from '#foundation/books/ledger-prover.ts';
import { leaseProof } from '#foundation/books/proof-store.ts';
import { sql } from '#foundation/database/sql.ts';
import { INSTALLATION } from '#foundation/lib/platform.ts';
import { readJournal } from '#tests/given/journal.ts';
import { givenPayer, givenPlatform } from '#tests/given/payments.ts';
import { type SeatedOperator, seatedOperator } from '#tests/given/proposals.ts';
import { type TestPlatform, testWorld } from '#tests/harness/harness.ts';

/** Longer than a process may be silent. */
const SILENCE_MS = 61_000;

describe('verifications of the ledger over HTTP', () => {
  const world = testWorld();
  let platform: TestPlatform;
  let finance: SeatedOperator;

  before(async () => {
    platform = await givenPlatform(world);
    await givenPayer(platform);
    await readJournal(world, platform.id as PlatformId);
    finance = await seatedOperator(world, (await platform.work()).platform, ['finance']);
  });

  async function start() {
    const { status, body } = await finance.call('proveLedger', {}, { reason: 'the auditors ask' });
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  }

  async function newest() {
    const { status, body } = await finance.call('listLedgerProofs', {});
    assert.equal(status, 200, JSON.stringify(body));
    return body.data[0];
  }

  const prover = () => new LedgerProver(world.app.runtime, SERVICE.ledgerChecks);

  it('money.md §13.9: a worker runs every check, and says what each one proves and examined', async () => {
    const asked = await start();
    assert.deepEqual([asked.status, asked.findings, asked.place], ['WAITING', [], 0]);
    const joined = await start();
    assert.equal(joined.number, asked.number);
    assert.deepEqual(await prover().duePlatforms(), [INSTALLATION.id]);
    const both = await Promise.all([prover().step(INSTALLATION.id), prover().step(INSTALLATION.id)]);
    assert.deepEqual(both.map(({ done }) => done).toSorted(), [0, 1]);

    const { checks } = (await finance.call('listLedgerChecks', {})).body;
    const proof = await newest();
    assert.deepEqual([proof.number, proof.status, proof.checks], [asked.number, 'HOLDS', checks.length]);
    assert.deepEqual(
      proof.findings.map(({ place, proves, rule }: object & Record<string, unknown>) => ({
        place,
        proves,
        rule,
      })),
      checks,
    );
    assert.ok(proof.findings.some(({ examined }: { examined: string }) => BigInt(examined) > 0n));
    assert.ok(proof.madeBy.startsWith('Operator:') && proof.begunAt && proof.finishedAt);
    assert.deepEqual(await prover().duePlatforms(), []);
  });

  it('money.md §13.9: a process that dies leaves its verification to another one, and the third is the last', async () => {
    const { number } = await start();
    for (let died = 0; died < 3; died++) {
      // A process that is killed while it runs a check leaves its lease behind.
      const now = world.clock.now();
      assert.ok(await leaseProof(world.database, new Date(now), new Date(now + SILENCE_MS)));
      assert.deepEqual(await prover().duePlatforms(), []);
      assert.equal((await prover().step(INSTALLATION.id)).done, 0);
      assert.equal((await newest()).status, 'RUNNING');
      world.clock.advance(SILENCE_MS);
    }
    assert.equal((await prover().step(INSTALLATION.id)).done, 1);
    const proof = await newest();
    assert.deepEqual([proof.number, proof.status], [number, 'STOPPED']);
    assert.match(proof.trouble, /stopped 3 times/);
    assert.notEqual((await start()).number, number);
    await prover().step(INSTALLATION.id);
    assert.equal((await newest()).status, 'HOLDS');
  });

  it('money.md §13.9: an entry that was changed behind the service is named', async () => {
    const change = (amount: bigint) =>
      world.database.transaction(async (run) => {
        await run(sql`set local session_replication_role = replica`);
        await run(sql`
          update ledger_entries set amounts[1] = amounts[1] + ${amount}::bigint
           where platform_id = ${platform.id} and seq = (select min(seq) from ledger_entries where platform_id = ${platform.id})`);
      });
    await change(53n);
    await start();
    await prover().step(INSTALLATION.id);
    const proof = await newest();
    await change(-53n);
    assert.equal(proof.status, 'BROKEN');
    const broken = proof.findings.filter(({ violations }: { violations: string[] }) => violations.length > 0);
    assert.ok(broken.some(({ rule }: { rule: string }) => rule === 'money.md §12.1'));
    assert.ok(
      broken.every(({ violations }: { violations: string[] }) => violations[0]?.includes(platform.id)),
    );
  });
});
