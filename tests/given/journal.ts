import assert from 'node:assert/strict';
import { listUnreadPlatforms } from '#foundation/journal/chain-store.ts';
import { catchUp } from '#foundation/journal/follow.ts';
import { signAllHeads } from '#foundation/journal/heads.ts';
import { post } from '#foundation/ledger/post.ts';
import { NIL_ID, newUuid } from '#foundation/lib/ids.ts';
import { filler, givenLedger, move } from '#tests/given/ledger.ts';
import type { World } from '#tests/harness/harness.ts';
import type { EditedJournal } from '#tests/harness/journal-edits.ts';

/** Repeats until the platform's whole journal is read: any open transaction of the whole cluster delays it. */
export async function readJournal(
  { database }: Pick<World, 'database'>,
  platformId: PlatformId,
): Promise<void> {
  do await catchUp(database, platformId);
  while ((await listUnreadPlatforms(database.query, NIL_ID, 1_000)).includes(platformId));
}

/** Platforms whose journals were read and signed, each with gaps in its numbers, and with some entries after the heads. */
export async function givenJournals(
  world: World,
  count: number,
  random: () => number,
): Promise<EditedJournal[]> {
  const ledgers = await Promise.all(Array.from({ length: count }, () => givenLedger(world)));
  const journals: EditedJournal[] = [];
  for (const { work, avail, platformId } of ledgers) {
    const account = await avail(1_000n);
    for (let day = 0; day < DAYS; day++) {
      for (let i = 0; i < ENTRIES_OF_DAY; i++) {
        const isKept = random() < 0.8;
        await work
          .write(async (tx) => {
            const amount = BigInt(1 + Math.floor(random() * 5));
            post(tx, {
              kind: 'payment.executed',
              transactionId: newUuid(),
              lines: move(account, 'RAIL:SANDBOX:USD', amount),
            });
            await tx.flush();
            if (!isKept) throw UNDONE;
          })
          .catch((error: unknown) => assert.equal(error, UNDONE));
      }
      await readJournal(world, platformId);
      await signAllHeads(world.app.runtime);
      world.clock.advance(DAY_MS);
    }
    const seqs = await work.read(
      (tx) => tx.sql<{ seq: bigint }>`
      select seq from ledger_entries where platform_id = ${tx.platformId} order by seq`,
    );
    journals.push({ platformId, seqs: seqs.map(({ seq }) => seq) });
  }
  for (const { work } of ledgers) await work.write(async (tx) => post(tx, filler()));
  return journals;
}

const UNDONE = new Error('undone');
const DAYS = 3;
const ENTRIES_OF_DAY = 12;
const DAY_MS = 24 * 60 * 60 * 1_000;
