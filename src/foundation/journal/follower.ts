import type { Runtime } from '#foundation/database/tx.ts';
import { RoundSource } from '#foundation/jobs/round-source.ts';
import { listUnreadPlatforms, loadLastDrawn } from '#foundation/journal/chain-store.ts';
import { followJournal } from '#foundation/journal/follow.ts';
import { signDueHeads } from '#foundation/journal/heads.ts';
import { NIL_ID } from '#foundation/lib/ids.ts';

/** How often a worker checks whether there are new entries. */
const LOOK_EVERY_MS = 1_000;
/** How often it checks whether heads of chains have to be signed. */
const SIGN_EVERY_MS = 60_000;
/** How long an entry that committed late may wait on a service where nothing else is posted. */
const READ_AGAIN_EVERY_MS = 30_000;
const PLATFORMS_AT_ONCE = 200;

/** Called with the platform whose journal could not be read, if it was one. */
type OnError = (error: unknown, platformId: PlatformId | undefined) => void;

/**
 * Reads the journals of all platforms behind the postings (decision 0041). It belongs to no platform and follows no clock
 * that can be moved. Each round takes one step of every platform that has new entries, so that a large journal delays no
 * other one.
 */
export class JournalFollower extends RoundSource {
  readonly name = 'journal';
  readonly callsOutside = false;
  readonly #runtime: Pick<Runtime, 'database' | 'vault' | 'clock'>;
  readonly #onError: OnError;
  #signAt = 0;
  #readAgainAt = 0;
  /** The last number drawn at a moment when every entry had been read. */
  #readUpTo: bigint | undefined;

  constructor(runtime: Pick<Runtime, 'database' | 'vault' | 'clock'>, onError: OnError = () => undefined) {
    super(LOOK_EVERY_MS, (error) => onError(error, undefined));
    this.#runtime = runtime;
    this.#onError = onError;
  }

  protected override async look(): Promise<void> {
    const { database } = this.#runtime;
    const drawn = await loadLastDrawn(database.query);
    // An entry that drew its number before this look may commit after it, and then nobody draws another.
    if (drawn !== this.#readUpTo || performance.now() >= this.#readAgainAt) {
      this.#readAgainAt = performance.now() + READ_AGAIN_EVERY_MS;
      let isUnread = false;
      while (!this.isDraining) {
        const { unread, read } = await this.#readRound();
        isUnread = unread > 0;
        if (read === 0) break;
      }
      this.#readUpTo = isUnread ? undefined : drawn;
    }
    if (performance.now() < this.#signAt || this.isDraining) return;
    this.#signAt = performance.now() + SIGN_EVERY_MS;
    await signDueHeads(this.#runtime);
  }

  /** Takes one step of each platform with unread entries. One platform's failure does not stop the others. */
  async #readRound(): Promise<{ unread: number; read: number }> {
    const { database } = this.#runtime;
    const total = { unread: 0, read: 0 };
    for (let after: PlatformId = NIL_ID; ; ) {
      const platforms = await listUnreadPlatforms(database.query, after, PLATFORMS_AT_ONCE);
      for (const platformId of platforms) {
        if (this.isDraining) return total;
        const read = await followJournal(database, platformId).catch((error: unknown) =>
          this.#onError(error, platformId),
        );
        total.unread++;
        total.read += read ?? 0;
      }
      const last = platforms.at(-1);
      if (last === undefined || platforms.length < PLATFORMS_AT_ONCE) break;
      after = last;
    }
    this.count(total.read);
    return total;
  }
}
