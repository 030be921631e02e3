import type { ReadTx } from '#foundation/database/tx.ts';
import type { PostedEntry } from '#foundation/ledger/store.ts';
import type { OwnCurrencies } from '#foundation/lib/currencies.ts';
import type { PublicId, ResourceType } from '#foundation/lib/ids.ts';
import type { Cause, Way } from '#foundation/ports/explanations.ts';

/** The reader of an explanation. Operators see names, reasons and all lines of entries; platforms do not (operator.md §8.4). */
export type Audience = 'PLATFORM' | 'OPERATOR';

export const ITEM_KINDS = [
  'request',
  'decision',
  'transition',
  'entry',
  'order',
  'message',
  'job',
  'event',
  'attempt',
] as const;
export type ItemKind = (typeof ITEM_KINDS)[number];

export const ACTOR_KINDS = [
  'TOKEN',
  'AGENT',
  'CUSTOMER',
  'OPERATOR',
  'SERVICE',
  'RAIL',
  'PROVIDER',
  'NETWORK',
  'RECEIVER',
  'VISITOR',
] as const;

export interface ItemActor {
  readonly kind: (typeof ACTOR_KINDS)[number];
  /** The public id of a token or agent; for operators also the operator's name. */
  readonly actorId?: string | undefined;
}

export type ItemDetails = Readonly<Record<string, unknown>>;

/** One line of the timeline. */
export interface Item {
  readonly kind: ItemKind;
  /** Business time; undefined if only the real time is known. */
  readonly at?: Date | undefined;
  /** Real time; undefined if only the business time is known. */
  readonly recordedAt?: Date | undefined;
  readonly actor?: ItemActor | undefined;
  /** A sentence. */
  readonly title: string;
  /** The rule that decided it: `money.md §4.1`. */
  readonly rule?: string | undefined;
  readonly details?: ItemDetails | undefined;
  /** Details that only operators see. */
  readonly forOperators?: ItemDetails | undefined;
  /**
   * The actions of the audit log that may have caused a transition. The actor of the nearest such row is the transition's
   * actor.
   */
  readonly causes?: readonly string[] | undefined;
  /** The id of the request that caused it. */
  readonly requestId?: string | undefined;
  /** A business time before which it cannot have happened: an attempt comes after its event. */
  readonly notBefore?: Date | undefined;
}

/** A command of the operator, and what it does as a sentence. */
export interface OperatorCommand {
  readonly how: string;
  readonly command: string;
}

/** The party that can end a wait, and how. Operators see the commands as well. */
export interface WaitingWay extends Way {
  readonly who: ItemActor['kind'];
  readonly commands?: readonly OperatorCommand[] | undefined;
}

/** What an unfinished transaction waits for. */
export interface Waiting {
  /** A sentence: what has to happen. */
  readonly for: string;
  readonly since?: Date | undefined;
  /** When the wait ends at the latest. */
  readonly until?: Date | undefined;
  /** When the service asks the awaited party next. */
  readonly nextCheckAt?: Date | undefined;
  /** A sentence: what happens at `until`, or after the event. */
  readonly afterwards?: string | undefined;
  /** The party that can end the wait, and how. */
  readonly by: readonly WaitingWay[];
}

export interface Failure {
  /** The code that the API shows. */
  readonly reason: string;
  /** The same as a sentence. */
  readonly sentence: string;
  readonly rule: string;
  readonly causedBy?: Cause | undefined;
}

/** A job that a transaction scheduled. It is done once it is no longer in the queue. */
export interface KnownJob {
  readonly kind: string;
  readonly key: string;
  /** A phrase that completes "Job: …". */
  readonly title: string;
  /** When it was scheduled; undefined: it is mentioned only while it is due. */
  readonly scheduledAt?: Date | undefined;
}

/** Everything that a capability says about one of its transactions. The foundation adds its own records. */
export interface Explained {
  readonly id: PublicId;
  readonly type: string;
  readonly status: string;
  /** One or two sentences: where the money is, and why. */
  readonly summary: string;
  /** Phrases in its sentences that people wrote, such as a merchant's name. Operators over HTTP do not see them. */
  readonly written?: readonly string[] | undefined;
  readonly waiting?: Waiting | undefined;
  readonly failure?: Failure | undefined;
  readonly related: readonly { readonly id: PublicId; readonly relation: string }[];
  /** Its transitions, decisions, orders and messages. The entries are those of `ledgerId`, in their order. */
  items(entries: readonly PostedEntry[]): readonly Item[];
  /** The resources whose events, requests and audit rows belong to it. */
  readonly resources: readonly PublicId[];
  /** Further UUIDs by which requests about it are found: those in a token that a provider gave it. */
  readonly traces?: readonly string[] | undefined;
  /** The transaction under which its entries are posted. */
  readonly ledgerId?: string | undefined;
  /** The currencies of its entries that the platform does not have, such as a coin that is not enabled. */
  readonly currencies?: OwnCurrencies | undefined;
  readonly jobs: readonly KnownJob[];
  /** Business time of the last change: a later refused request explains why nothing has happened since. */
  readonly changedAt: Date;
  /** The rule behind each code with which requests about it are refused. */
  readonly refusals?: Readonly<Record<string, string>> | undefined;
  /** The codes of refusals whose check would pass now. */
  readonly passingNow?: readonly string[] | undefined;
}

/** What another capability adds to an explanation before the records are read. */
export interface Relatives {
  /** Resources whose events, requests and audit rows belong to the transaction, too. */
  readonly related: Explained['related'];
  /** A sentence: why the transaction waits. */
  readonly why?: string | undefined;
}

export type FindRelatives = (tx: ReadTx, explained: Explained) => Promise<Relatives | undefined>;

/** The id that a caller asked about; a bare UUID may be of any type. */
export interface AskedId {
  readonly type: ResourceType | undefined;
  readonly uuid: Id;
}

/** A capability whose transactions can be explained; named in its manifest. */
export interface Explainer {
  /** The types of public ids that it explains. */
  readonly types: readonly ResourceType[];
  /** Undefined if it has no such transaction. */
  explain(tx: ReadTx, asked: AskedId): Promise<Explained | undefined>;
}

/** The transaction whose records a trail reads. */
export interface Tracked {
  readonly explained: Explained;
  /** Requests that the audit log knows. */
  readonly requestIds: readonly string[];
  readonly audience: Audience;
  /** At most this many items, the newest. */
  readonly itemsMax: number;
}

/** Records that belong to any transaction: requests, events, what another capability decided about it. */
export type Trail = (tx: ReadTx, tracked: Tracked) => Promise<readonly Item[]>;
