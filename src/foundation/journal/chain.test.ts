import assert from 'node:assert/strict';
import { createPublicKey, verify } from 'node:crypto';
import { describe, it } from 'node:test';
import type { Run } from '#foundation/database/database.ts';
import { sql } from '#foundation/database/sql.ts';
import {
  type Attestation,
  attestJournals,
  compareJournals,
  parseAttestation,
} from '#foundation/journal/attestation.ts';
import { DERIVED_CHECKS } from '#foundation/journal/checks.ts';
import { hashEntry } from '#foundation/journal/entry-hash.ts';
import { listPublicKeys, rotateJournalKey, signAllHeads, signDueHeads } from '#foundation/journal/heads.ts';
import { type LedgerCheck, verifyLedger, violationsIn } from '#foundation/ledger/checks.ts';
import { post } from '#foundation/ledger/post.ts';
import { newUuid } from '#foundation/lib/ids.ts';
import { givenJournals, readJournal } from '#tests/given/journal.ts';
import { filler, givenLedger } from '#tests/given/ledger.ts';
import { findEdits } from '#tests/harness/edited-journals.ts';
import { testWorld } from '#tests/harness/harness.ts';
import { randomFrom } from '#tests/harness/journal-edits.ts';
import { seedOf } from '#tests/harness/seed.ts';
import { findingsAfter } from '#tests/harness/tampering.ts';

/** `npm run drill -- chain` makes 10,000. */
const EDITS = Number(process.env.CHAIN_EDITS ?? 150);
/** The journals are new after so many. */
const EDITS_OF_JOURNALS = 500;
const SEED = seedOf('CHAIN_SEED');

describe('the chain of the journal', () => {
  const world = testWorld({ journalIsChecked: false });

  it('money.md §13.6: the hash of an entry is that of its RFC 8785 JSON with the hash before it', () => {
    const entry = {
      ...{ seq: '7', id: 'i', transactionId: null, reversesSeq: null, ordinal: '0', kind: 'k', step: 's' },
      ...{ createdAt: 'c', recordedAt: 'r', accounts: ['A:1', 'B:USD'], currencies: ['USD', 'USD'] },
      ...{ amounts: ['5', '-5'], accountNos: ['1', null], balances: ['0', null] },
    };
    // Computed by another program (Python's json and hashlib).
    assert.equal(hashEntry('p', entry, 'b'), EXPECTED_HASH);
  });

  for (let made = 0; made < EDITS; made += EDITS_OF_JOURNALS) {
    const edits = Math.min(EDITS_OF_JOURNALS, EDITS - made);
    it(`money.md §13.6, §13.8: of ${edits} random edits before a kept head each is found by its first entry, none falsely (${made} before)`, async (t) => {
      t.diagnostic(`CHAIN_SEED=${SEED}`);
      const random = randomFrom(SEED + made);
      const journals = await givenJournals(world, 2, random);
      const platforms = journals.map(({ platformId }) => platformId);
      const attest = (hasEntries: boolean) => attestJournals(world.app.runtime, { platforms, hasEntries });
      const [heads, entries] = [await attest(false), await attest(true)];
      const counts = await findEdits({ database: world.database, journals, heads, entries, edits, random });
      t.diagnostic([...counts].map(([what, count]) => `${count} ${what}`).join('; '));
      assert.equal(
        [...counts.values()].reduce((a, b) => a + b),
        edits,
      );
      assert.ok(counts.size >= Math.min(8, edits / 4), [...counts].join('; '));
    });
  }

  it('money.md §13.7: a platform whose journal grows gets one signed head an hour, which anybody can verify', async () => {
    const { work, platformId } = await givenLedger(world);
    const grow = async () => {
      await work.write(async (tx) => post(tx, filler()));
      await readJournal(world, platformId);
      await signDueHeads(world.app.runtime);
    };
    const heads = async () => (await headsOf(platformId)).map(({ entries }) => entries);
    await grow();
    await grow();
    assert.deepEqual(await heads(), ['1'], 'the last head is younger than an hour');
    world.clock.advance(HOUR_MS + 1);
    await signDueHeads(world.app.runtime);
    assert.deepEqual(await heads(), ['1', '2']);
    world.clock.advance(HOUR_MS + 1);
    await signDueHeads(world.app.runtime);
    assert.deepEqual(await heads(), ['1', '2'], 'nothing was added since');
    const [head] = await headsOf(platformId);
    const [key] = (await listPublicKeys(world.database)).filter(({ id }) => id === head?.keyId);
    assert.ok(head && key);
    // As a stranger verifies it, who knows the public key and the form of the text.
    const text = JSON.stringify({
      entries: head.entries,
      form: 'corridor-journal-head-1',
      hash: head.hash,
      keyId: String(head.keyId),
      madeAt: head.madeAt.toISOString(),
      platformId,
      seq: head.seq,
    });
    const publicKey = createPublicKey(key.publicKey);
    assert.ok(verify(null, Buffer.from(text), publicKey, Buffer.from(head.signature, 'base64url')));
  });

  it('money.md §13.7: a new key signs from then on, and the heads of earlier keys stay valid', async () => {
    const { work, platformId } = await givenLedger(world);
    const attest = () => attestJournals(world.app.runtime, { platforms: [platformId], hasEntries: false });
    await work.write(async (tx) => post(tx, filler()));
    await readJournal(world, platformId);
    const old = await attest();
    const added = await rotateJournalKey(world.app.runtime);
    world.clock.advance(24 * HOUR_MS);
    await work.write(async (tx) => post(tx, filler()));
    await readJournal(world, platformId);
    const both = await attest();
    const [first, second] = both.platforms[0]?.heads ?? [];
    assert.ok(first && second && second.keyId === added.id && first.keyId < added.id);
    assert.deepEqual([await violations(old), await violations(both)], [[], []]);
    await assert.rejects(world.database.query(sql`delete from journal_keys`), /never removed/);
    await assert.rejects(world.database.query(sql`delete from journal_heads`), /append-only/);
    await assert.rejects(world.database.query(sql`update journal_chain set hash = ''`), /append-only/);
  });

  it('money.md §13.7: processes that sign together agree on the first key and on each head', async () => {
    const { work, platformId } = await givenLedger(world);
    await work.write(async (tx) => post(tx, filler()));
    await readJournal(world, platformId);
    await Promise.all(Array.from({ length: 6 }, () => signAllHeads(world.app.runtime)));
    assert.equal((await headsOf(platformId)).length, 1);
    assert.deepEqual(violationsIn(await verifyLedger(world.database.query, DERIVED_CHECKS)), []);
  });

  it('money.md §13.8: a journal that was cut off, forged signatures and foreign files are found', async () => {
    const { work, platformId } = await givenLedger(world);
    for (let i = 0; i < 3; i++) await work.write(async (tx) => post(tx, filler()));
    await readJournal(world, platformId);
    const attest = (hasEntries: boolean) =>
      attestJournals(world.app.runtime, { platforms: [platformId], hasEntries });
    const [heads, entries] = [await attest(false), await attest(true)];
    const last = BigInt(heads.platforms[0]?.heads.at(-1)?.seq ?? 0);
    const cut = [
      sql`delete from ledger_entries where platform_id = ${platformId} and seq = ${last}`,
      sql`delete from journal_chain where platform_id = ${platformId} and seq = ${last}`,
      sql`delete from journal_heads where platform_id = ${platformId}`,
      sql`update journal_marks m set seq = c.seq, entry_count = 2, hash = c.hash from journal_chain c
           where c.platform_id = m.platform_id and c.seq = (select max(seq) from ledger_entries where platform_id = ${platformId})`,
    ];
    const comparing = (attestation: Attestation): LedgerCheck => ({
      name: 'comparison',
      rule: 'money.md §13.8',
      run: async (run) => ({ examined: 1n, violations: await violationsOf(run, attestation) }),
    });
    const found = (attestation: Attestation) =>
      findingsAfter(world.database, cut, [...DERIVED_CHECKS, comparing(attestation)]);
    // The lines of the entry are still there; if they were cut off as well, only the files would tell.
    const [byHeads, byEntries] = [await found(heads), await found(entries)];
    assert.match(byHeads.at(-1) ?? '', new RegExp(`entry ${last} .* is missing`));
    assert.match(byEntries.at(-1) ?? '', new RegExp(`entry ${last} .* is missing`));

    const forged = {
      ...heads,
      platforms: heads.platforms.map((one) => ({
        ...one,
        heads: one.heads.map((head) => ({ ...head, signature: 'AAAA' })),
      })),
    };
    assert.match((await violations(forged)).join(), /not signed by its key/);
    const foreign = { ...heads, keys: heads.keys.map((key) => ({ ...key, publicKey: 'another' })) };
    assert.match((await violations(foreign)).join(), /is not this service's/);
    const gone = {
      ...heads,
      platforms: heads.platforms.map((one) => ({ ...one, platform: `Platform:${newUuid()}` })),
    };
    assert.match((await violations(gone)).join(), /is missing/);
  });

  it('money.md §13.6: a head beyond the end of the chain shows that entries were cut off', async () => {
    const { work, platformId } = await givenLedger(world);
    for (let i = 0; i < 3; i++) await work.write(async (tx) => post(tx, filler()));
    await readJournal(world, platformId);
    await signAllHeads(world.app.runtime, [platformId]);
    const last = BigInt((await headsOf(platformId)).at(-1)?.seq ?? 0);
    const ofPlatform = sql`platform_id = ${platformId} and seq = ${last}`;
    const cut = [
      sql`delete from account_lines where ${ofPlatform}`,
      sql`delete from ledger_entries where ${ofPlatform}`,
      sql`delete from journal_chain where ${ofPlatform}`,
      sql`update journal_marks m set seq = c.seq, entry_count = 2, hash = c.hash from journal_chain c
           where c.platform_id = m.platform_id and c.seq = (select max(seq) from ledger_entries where platform_id = ${platformId})`,
    ];
    const isMissing = new RegExp(`entry ${last} of platform ${platformId} is missing`);
    assert.match((await findingsAfter(world.database, cut, DERIVED_CHECKS)).join(), isMissing);
    const whole = [
      sql`delete from account_lines where platform_id = ${platformId}`,
      sql`delete from ledger_entries where platform_id = ${platformId}`,
      sql`delete from journal_chain where platform_id = ${platformId}`,
      sql`delete from journal_marks where platform_id = ${platformId}`,
    ];
    assert.match((await findingsAfter(world.database, whole, DERIVED_CHECKS)).join(), isMissing);
  });

  it('money.md §13.7: an attestation of one platform signs the heads of no other', async () => {
    const [one, other] = [await givenLedger(world), await givenLedger(world)];
    for (const { work, platformId } of [one, other]) {
      await work.write(async (tx) => post(tx, filler()));
      await readJournal(world, platformId);
    }
    await attestJournals(world.app.runtime, { platforms: [one.platformId], hasEntries: false });
    const counts = [(await headsOf(one.platformId)).length, (await headsOf(other.platformId)).length];
    assert.deepEqual(counts, [1, 0]);
  });

  it('money.md §13.8: text that is no attestation is refused', async () => {
    const { work, platformId } = await givenLedger(world);
    await work.write(async (tx) => post(tx, filler()));
    await readJournal(world, platformId);
    const made = await attestJournals(world.app.runtime, { platforms: [platformId], hasEntries: true });
    assert.deepEqual(parseAttestation(JSON.stringify(made)), made);
    const [own] = made.platforms;
    const [head] = own?.heads ?? [];
    const changed = (platform: object) => ({ ...made, platforms: [{ ...own, ...platform }] });
    for (const wrong of [
      ...['', '{', '[]', 'null', '"text"', {}],
      { ...made, form: 'other' },
      { ...made, keys: [{}] },
      { ...made, platforms: {} },
      changed({ platform: platformId }),
      changed({ heads: [] }),
      changed({ heads: [{ ...head, hash: '' }] }),
      changed({ heads: [{ ...head, seq: '-1' }] }),
      changed({ entries: [] }),
      changed({ entries: [...(own?.entries ?? []), '9:0123456789abcdef'] }),
      changed({ entries: [1] }),
    ]) {
      const text = typeof wrong === 'string' ? wrong : JSON.stringify(wrong);
      assert.equal(parseAttestation(text), undefined, text);
    }
  });

  async function headsOf(platformId: PlatformId) {
    return world.database.query<{
      seq: string;
      entries: string;
      hash: string;
      madeAt: Date;
      keyId: number;
      signature: string;
    }>(sql`
      select seq::text, entry_count::text as entries, encode(hash, 'hex') as hash, made_at as "madeAt",
             key_id as "keyId", signature
        from journal_heads where platform_id = ${platformId} order by seq`);
  }

  function violations(attestation: Attestation): Promise<string[]> {
    return violationsOf(world.database.query, attestation);
  }
});

async function violationsOf(run: Run, attestation: Attestation): Promise<string[]> {
  return (await compareJournals(run, attestation)).flatMap((compared) => compared.violations);
}

const HOUR_MS = 60 * 60 * 1_000;
const EXPECTED_HASH = 'f12f964f74611891834d200d2895f2e85ba12b1f4bc354c44e00ffbb335e9b69';
