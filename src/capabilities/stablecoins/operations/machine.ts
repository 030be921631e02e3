import { FOLLOW_OPERATION } from '#capabilities/stablecoins/follow.ts';
import {
  burnEntries,
  holdEntries,
  mintEntries,
  type Receiver,
  releaseEntries,
} from '#capabilities/stablecoins/operations/postings.ts';
import {
  burnsFromOutside,
  isOpen,
  type OperationRow,
  type OperationStatus,
} from '#capabilities/stablecoins/operations/row.ts';
import type { Entry } from '#foundation/ledger/entries.ts';
import { Draft } from '#foundation/machine/draft.ts';
import { Machine, type Rule } from '#foundation/machine/machine.ts';
import type { FailureReason, ProviderNotice } from '#foundation/ports/stablecoins.ts';

/** A report about a mint or burn, by the provider or by the service itself. */
export type OperationNotice =
  | ProviderNotice
  /** It is stored, before it is submitted to the provider. */
  | { readonly kind: 'created' }
  /** The provider did not accept it when it was submitted (stablecoins.md §6.3). */
  | { readonly kind: 'refused' }
  /** It was unknown whether it was submitted, and the provider never got it (stablecoins.md §5.68). */
  | { readonly kind: 'lost' };

/** The facts that the next step depends on besides the operation itself. */
export interface OperationFacts {
  /**
   * For a burn of coins outside: whether they exist, besides coins that other burns have already been given
   * (stablecoins.md §7.1).
   */
  readonly isCovered: boolean;
  /** The internal account that a mint credits. */
  readonly receiver: Receiver | undefined;
}

/** The interval of polling for an operation whose outcome is unknown (stablecoins.md §6.2). */
export const RECONCILE_MS = 60_000;
/** How long the service polls for it (stablecoins.md §6.2). */
export const GIVE_UP_MS = 15 * 60_000;

export class OperationDraft extends Draft<OperationRow> {
  /** Records what the provider reported. */
  learn({ providerStatus, funding }: ProviderNotice): void {
    const instructions = funding && {
      funding_instructions: funding.instructions,
      expires_at: funding.expiresAt,
    };
    this.set({ provider_status: providerStatus, ...instructions });
  }

  proceed(status: OperationStatus, notice: ProviderNotice): void {
    this.learn(notice);
    this.reach(status);
    this.askAgain(notice);
  }

  reach(status: OperationStatus): void {
    this.set({ status, steps: { ...this.row.steps, [status]: this.now.toISOString() } });
  }

  /** Schedules the next poll for when the provider wants it, but no later than the operation expires. */
  askAgain({ askAgainAfterMs }: Pick<ProviderNotice, 'askAgainAfterMs'>): void {
    const { id, status, expires_at: expiresAt } = this.row;
    const expiresInMs =
      status === 'PENDING_FUNDING' && expiresAt ? expiresAt.getTime() - this.now.getTime() : undefined;
    const waits = [askAgainAfterMs, expiresInMs].filter((ms) => ms !== undefined);
    this.cancel(FOLLOW_OPERATION, id);
    if (waits.length > 0) this.schedule(FOLLOW_OPERATION, id, { afterMs: Math.max(Math.min(...waits), 0) });
  }

  /**
   * Releases the hold, unless other entries are given. Deletes the details of people's accounts, and stops polling the
   * provider.
   */
  end(status: OperationStatus, entries: readonly Entry[] = releaseEntries(this.row)): void {
    this.reach(status);
    this.set({ instruments: null });
    for (const entry of entries) this.addEntry(entry);
    this.cancel(FOLLOW_OPERATION, this.row.id);
  }

  fail(reason: FailureReason = 'PROVIDER_TRANSFER_FAILED'): void {
    this.set({ failure_reason: reason });
    this.end('FAILED');
  }
}

type OperationRule = Rule<OperationDraft, OperationNotice, OperationFacts>;

const isNew = ({ version }: OperationRow) => version === 0n;
const isStored = (row: OperationRow) => !isNew(row) && isOpen(row);
const isCreated = (row: OperationRow) => !isNew(row) && row.status === 'CREATED';
const isUnfunded = (row: OperationRow) => isCreated(row) || row.status === 'PENDING_FUNDING';

const UNFUNDED = ['CREATED', 'PENDING_FUNDING'] as const;
const FUNDED = ['PENDING_PROVIDER', 'PROCESSING'] as const;
const movesTo = <To extends OperationStatus>(to: To, from: readonly OperationStatus[]) =>
  from.map((status) => `${status} → ${to}` as const);

/**
 * stablecoins.md §5.61–5.68. The service polls the provider, so an operation may pass through steps that no notice
 * showed.
 */
const RULES: readonly OperationRule[] = [
  {
    notice: 'created',
    // money.md §11.L26.
    label: 'stored with its hold, before it is submitted',
    moves: { OPERATION: ['new → CREATED'] },
    when: isNew,
    does(draft) {
      for (const entry of holdEntries(draft.row)) draft.addEntry(entry);
      draft.askAgain({ askAgainAfterMs: RECONCILE_MS });
    },
  },
  {
    notice: 'awaitingFunding',
    // stablecoins.md §5.61.
    label: 'accepted: money or coins have to arrive',
    moves: { OPERATION: ['CREATED → PENDING_FUNDING'] },
    when: isCreated,
    does: (draft, notice) => draft.proceed('PENDING_FUNDING', notice),
  },
  {
    notice: 'awaitingFunding',
    // stablecoins.md §5.64.
    label: 'the money or the coins did not arrive in time',
    moves: { OPERATION: ['PENDING_FUNDING → EXPIRED'] },
    when: (row, notice, now) => row.status === 'PENDING_FUNDING' && isOverdue(row, notice, now),
    does: (draft, notice) => expired(draft, notice),
  },
  {
    notice: 'awaitingProvider',
    // stablecoins.md §5.62, §5.63.
    label: 'accepted, or funded; failed if the coins of a burn are gone',
    moves: { OPERATION: [...movesTo('PENDING_PROVIDER', UNFUNDED), ...movesTo('FAILED', UNFUNDED)] },
    when: isUnfunded,
    does: (draft, notice, facts) =>
      isFunded(draft, notice, facts) && draft.proceed('PENDING_PROVIDER', notice),
  },
  {
    notice: 'processing',
    // stablecoins.md §5.65.
    label: 'the provider starts; failed if the coins of a burn are gone',
    moves: {
      OPERATION: [
        ...movesTo('PROCESSING', [...UNFUNDED, 'PENDING_PROVIDER']),
        ...movesTo('FAILED', UNFUNDED),
      ],
    },
    when: (row) => isUnfunded(row) || row.status === 'PENDING_PROVIDER',
    does: (draft, notice, facts) => isFunded(draft, notice, facts) && draft.proceed('PROCESSING', notice),
  },
  {
    notice: 'completed',
    // stablecoins.md §5.66.
    label: 'the provider is done; failed if the coins of a burn are gone',
    moves: { OPERATION: [...movesTo('COMPLETED', [...UNFUNDED, ...FUNDED]), ...movesTo('FAILED', UNFUNDED)] },
    when: isStored,
    does: (draft, notice, facts) =>
      isFunded(draft, notice, facts) && draft.end('COMPLETED', outcomeEntries(draft.row, facts)),
  },
  {
    notice: 'failed',
    // stablecoins.md §5.67.
    label: 'the provider fails it or cancels it',
    moves: { OPERATION: movesTo('FAILED', [...UNFUNDED, ...FUNDED]) },
    when: isStored,
    does(draft, notice) {
      draft.learn(notice);
      draft.fail(notice.reason);
    },
  },
  {
    notice: 'expired',
    // stablecoins.md §5.64; after funds have arrived it does not expire.
    label: 'its time is over at the provider',
    moves: { OPERATION: movesTo('EXPIRED', UNFUNDED) },
    when: isUnfunded,
    does: (draft, notice) => expired(draft, notice),
  },
  {
    notice: 'refused',
    label: 'the provider does not accept it',
    moves: { OPERATION: ['CREATED → REFUSED'] },
    when: isCreated,
    does: (draft) => draft.end('REFUSED'),
  },
  {
    notice: 'lost',
    label: 'the provider never received it',
    moves: { OPERATION: ['CREATED → FAILED'] },
    when: isCreated,
    does: (draft) => draft.fail(),
  },
  ...(['awaitingFunding', 'awaitingProvider', 'processing', 'expired'] as const).map(
    (notice): OperationRule => ({
      notice,
      label: 'nothing new: the provider is asked again later',
      moves: {},
      when: isStored,
      does: (draft: OperationDraft, again: ProviderNotice) => draft.askAgain(again),
    }),
  ),
];

export const MINTS_AND_BURNS = new Machine<OperationRow, OperationDraft, OperationNotice, OperationFacts>({
  rules: RULES,
  newDraft: (row, now) => new OperationDraft(row, now),
  statuses: (row) => ({ OPERATION: isNew(row) ? 'new' : row.status }),
  commands: ['created'],
});

function isOverdue(row: OperationRow, { funding }: ProviderNotice, now: Date): boolean {
  const expiresAt = funding?.expiresAt ?? row.expires_at;
  return expiresAt !== null && expiresAt.getTime() <= now.getTime();
}

function expired(draft: OperationDraft, notice: ProviderNotice): void {
  draft.learn(notice);
  draft.end('EXPIRED');
}

/** stablecoins.md §7.1: if the coins of a burn are no longer outside when they should arrive, it fails instead. */
function isFunded(draft: OperationDraft, notice: ProviderNotice, { isCovered }: OperationFacts): boolean {
  draft.learn(notice);
  if (isCovered || !isUnfunded(draft.row) || !burnsFromOutside(draft.row)) return true;
  draft.fail('FUNDING_REJECTED');
  return false;
}

function outcomeEntries(row: OperationRow, { receiver }: OperationFacts): Entry[] {
  return row.operation_type === 'MINT' ? mintEntries(row, receiver) : burnEntries(row);
}
