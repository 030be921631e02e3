import type { BatchRow } from '#capabilities/bank-files/row.ts';
import { Draft } from '#foundation/machine/draft.ts';
import { Machine, type Rule } from '#foundation/machine/machine.ts';

/** How a batch of orders changes (bank-files.md §2.1). Pure. */
export type BatchNotice =
  | { readonly kind: 'opened' }
  /** Its cut-off has come: its orders and bytes are fixed. */
  | {
      readonly kind: 'sealed';
      readonly facts: Pick<
        BatchRow,
        | 'message_id'
        | 'payment_information_id'
        | 'name'
        | 'content_hash'
        | 'orders'
        | 'total'
        | 'execution_day'
        | 'modifier'
      >;
    }
  /** Its bytes are in `staging`, and may be seen by the bank from now on. */
  | { readonly kind: 'staged' }
  | { readonly kind: 'written' }
  /** The bank's word about the file. */
  | { readonly kind: 'answered'; readonly verdict: Verdict }
  | { readonly kind: 'allEnded' };

export type Verdict = 'ACCEPTED' | 'PARTLY' | 'REJECTED';

type BatchDraft = Draft<BatchRow>;

const is =
  (...statuses: readonly BatchRow['status'][]) =>
  ({ status, version }: BatchRow) =>
    version > 0n && statuses.includes(status);
const AT_THE_BANK = ['WRITTEN', 'ACCEPTED', 'PARTLY', 'REJECTED'] as const;

const RULES: readonly Rule<BatchDraft, BatchNotice, undefined>[] = [
  {
    notice: 'opened',
    label: 'an order waits for the next cut-off',
    moves: { BATCH: ['new → OPEN'] },
    when: ({ version }) => version === 0n,
    does: (draft) => draft.set({ status: 'OPEN' }),
  },
  {
    notice: 'sealed',
    label: 'the cut-off comes: the orders and the bytes of the file are fixed',
    moves: { BATCH: ['OPEN → SEALED'] },
    when: is('OPEN'),
    does: (draft, { facts }) => draft.set({ ...facts, status: 'SEALED', sealed_at: draft.now }),
  },
  {
    notice: 'staged',
    label: 'the file is complete on the disk, and is about to be renamed',
    moves: { BATCH: ['SEALED → WRITING'] },
    when: is('SEALED'),
    does: (draft) => draft.set({ status: 'WRITING' }),
  },
  {
    notice: 'written',
    label: 'the file is in the outbox',
    moves: { BATCH: ['WRITING → WRITTEN'] },
    when: is('WRITING'),
    does: (draft) => draft.set({ status: 'WRITTEN', written_at: draft.now }),
  },
  {
    notice: 'answered',
    label: 'the bank says which orders of the file it accepts',
    moves: {
      BATCH: AT_THE_BANK.flatMap((from) =>
        (['ACCEPTED', 'PARTLY', 'REJECTED'] as const)
          .filter((to) => to !== from)
          .map((to): `${string} → ${string}` => `${from} → ${to}`),
      ),
    },
    when: (row, { verdict }) => is(...AT_THE_BANK)(row) && row.status !== verdict,
    does: (draft, { verdict }) => draft.set({ status: verdict }),
  },
  {
    notice: 'allEnded',
    label: 'all its orders have ended',
    moves: { BATCH: AT_THE_BANK.map((from): `${string} → ${string}` => `${from} → ENDED`) },
    when: is(...AT_THE_BANK),
    does: (draft) => draft.set({ status: 'ENDED', ended_at: draft.now }),
  },
];

export const BATCHES = new Machine<BatchRow, BatchDraft, BatchNotice, undefined>({
  rules: RULES,
  newDraft: (row, now) => new Draft(row, now),
  statuses: ({ version, status }) => ({ BATCH: version === 0n ? 'new' : status }),
});
