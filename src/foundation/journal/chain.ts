import type { Run } from '#foundation/database/database.ts';
import {
  type Link,
  listEntries,
  listLinks,
  type PlatformMark,
  type Span,
  type StoredEnd,
} from '#foundation/journal/chain-store.ts';
import { CHAIN_START, type ChainedEntry, hashEntry } from '#foundation/journal/entry-hash.ts';
import { listHeads } from '#foundation/journal/heads-store.ts';

/** The first place where a journal is not what its chain says. */
export type ChainFault = { readonly platformId: PlatformId; readonly seq: bigint } & (
  | { readonly what: 'CHANGED' | 'REMOVED' | 'INSERTED' }
  /** The chain was computed again over other entries: somewhere after one number and up to `seq`. */
  | { readonly what: 'REWRITTEN'; readonly after: bigint }
);

/** An end of the chain that is known for certain. */
export type KnownHead = PlatformMark;

export interface ChainPlan {
  readonly platformId: PlatformId;
  /** The last number that is compared. */
  readonly upTo: bigint;
  /** The links of a span, complete up to `linkedUpTo`. */
  links(span: Span): Promise<readonly Link[]> | readonly Link[];
  readonly linkedUpTo: bigint;
  /** The known ends of the chain in a span, in its order. */
  heads(span: Span): Promise<readonly KnownHead[]> | readonly KnownHead[];
}

/**
 * The chain as the database has it. A head beyond the mark proves that the chain was longer, so the comparison goes on to
 * there.
 */
export function storedChain(run: Run, { mark, lastHead }: StoredEnd): ChainPlan {
  const { platformId, seq } = mark;
  return {
    platformId,
    upTo: lastHead > seq ? lastHead : seq,
    linkedUpTo: seq,
    links: (span) => listLinks(run, platformId, span),
    async heads({ after, upTo }) {
      const heads: KnownHead[] = await listHeads(run, platformId, { after, upTo });
      return mark.seq > after && mark.seq <= upTo ? [...heads, mark].toSorted(bySeq) : heads;
    },
  };
}

function bySeq(a: KnownHead, b: KnownHead): number {
  return a.seq < b.seq ? -1 : a.seq > b.seq ? 1 : 0;
}

export interface ChainResult {
  readonly entryCount: bigint;
  readonly fault: ChainFault | undefined;
}

const PAGE = 2_000;

/**
 * Computes the hash of every entry again, and compares it with its link and with the known heads. The first difference is
 * the first entry that was changed, removed or inserted, because the hashes of all later entries depend on it.
 */
export async function walkChain(run: Run, plan: ChainPlan): Promise<ChainResult> {
  const walk = new ChainWalk(plan);
  for (let after = 0n; after < plan.upTo && !walk.fault; ) {
    const entries = await listEntries(run, plan.platformId, { after, upTo: plan.upTo }, PAGE);
    const upTo = entries.length < PAGE ? plan.upTo : BigInt(entries.at(-1)?.seq ?? plan.upTo);
    const span = { after, upTo };
    walk.compare(entries, await plan.links(span), await plan.heads(span));
    after = upTo;
  }
  walk.end();
  return { entryCount: walk.entryCount, fault: walk.fault };
}

class ChainWalk {
  readonly #plan: ChainPlan;
  /** Known heads that were not compared yet. */
  readonly #heads: KnownHead[] = [];
  #hash = CHAIN_START;
  /** The number of the last known head that agreed. */
  #agreed = 0n;
  /** The number of the last entry that was compared. */
  #last = 0n;
  entryCount = 0n;
  fault: ChainFault | undefined;

  constructor(plan: ChainPlan) {
    this.#plan = plan;
  }

  /** Takes the next entries, the next links and the known heads among them, each in the order of their numbers. */
  compare(entries: readonly ChainedEntry[], links: readonly Link[], heads: readonly KnownHead[]): void {
    this.#heads.push(...heads);
    let next = 0;
    for (const entry of entries) {
      this.#compareEntry(entry, links[next]);
      if (this.fault) return;
      if (BigInt(entry.seq) <= this.#plan.linkedUpTo) next++;
    }
    const missing = links[next];
    if (missing) this.#find('REMOVED', BigInt(missing.seq));
  }

  #compareEntry(entry: ChainedEntry, link: Link | undefined): void {
    const seq = BigInt(entry.seq);
    if (link && BigInt(link.seq) < seq) this.#find('REMOVED', BigInt(link.seq));
    this.#passHeads(seq - 1n);
    this.#hash = hashEntry(this.#plan.platformId, entry, this.#hash);
    this.entryCount++;
    this.#last = seq;
    if (seq > this.#plan.linkedUpTo) return;
    if (link?.seq !== entry.seq) this.#find('INSERTED', seq);
    else if (!this.#hash.startsWith(link.hash)) this.#find('CHANGED', seq);
  }

  end(): void {
    this.#passHeads(this.#plan.upTo);
  }

  /** Compares the known heads up to this number. */
  #passHeads(upTo: bigint): void {
    for (let head = this.#heads[0]; head && head.seq <= upTo && !this.fault; head = this.#heads[0]) {
      this.#heads.shift();
      // Beyond the links, no link has shown yet that the entry of a head is missing.
      if (head.seq > this.#plan.linkedUpTo && head.seq !== this.#last) this.#find('REMOVED', head.seq);
      else if (head.hash === this.#hash && head.entryCount === this.entryCount) this.#agreed = head.seq;
      else this.#find('REWRITTEN', head.seq);
    }
  }

  #find(what: ChainFault['what'], seq: bigint): void {
    const { platformId } = this.#plan;
    this.fault ??=
      what === 'REWRITTEN' ? { what, platformId, seq, after: this.#agreed } : { what, platformId, seq };
  }
}

/** Says in one sentence what is wrong. */
export function describeFault(fault: ChainFault): string {
  const entry = `entry ${fault.seq} of platform ${fault.platformId}`;
  switch (fault.what) {
    case 'CHANGED':
      return `${entry} is not as it was posted`;
    case 'REMOVED':
      return `${entry} is missing`;
    case 'INSERTED':
      return `${entry} was not posted by the service`;
    case 'REWRITTEN':
      return `${entry} is preceded by other entries than at first: the first difference is after entry ${fault.after}`;
  }
}
