import {
  type OperatorId,
  PROPOSALS,
  type ProposalStatus,
  type StoredProposal,
} from '#capabilities/proposals/row.ts';
import type { Changes } from '#foundation/database/tx.ts';
import { Draft } from '#foundation/machine/draft.ts';
import { Machine, type Rule } from '#foundation/machine/machine.ts';

/** The actor who decides, as the audit log names it; an operator also by id. */
export interface Decider {
  readonly by: string;
  readonly operator: OperatorId | null;
}

interface Approval extends Decider {
  readonly proof: object | null;
  readonly outcome: Buffer;
}

/** A report about a proposal (operator.md §5.6). All of them are commands. */
export type ProposalNotice =
  | { readonly kind: 'proposed' }
  /** Proposed at the command line in the name of an operator, who has to take it. */
  | { readonly kind: 'proposedFor' }
  | { readonly kind: 'taken' }
  | ({ readonly kind: 'approved'; readonly secret: Buffer | null } & Approval)
  | ({ readonly kind: 'failed' } & Approval)
  | { readonly kind: 'rejected'; readonly by: string; readonly outcome: Buffer }
  | { readonly kind: 'withdrawn'; readonly by: string }
  /** Another proposal for the same subject needs the place of this one, which has expired. */
  | { readonly kind: 'replaced'; readonly by: string };

type ProposalDraft = Draft<StoredProposal>;

/** How long a secret waits for the maker (operator.md §5.8). */
export const SECRET_MS = 24 * 60 * 60 * 1000;

const isNew = ({ version }: StoredProposal) => version === 0n;
const isUndecided = (row: StoredProposal) =>
  !isNew(row) && (row.status === 'PENDING' || row.status === 'UNCLAIMED');

/** Whether a proposal can still be decided. */
export function isOpen(row: StoredProposal, now: Date): boolean {
  return isUndecided(row) && row.expires_at > now;
}

/** The status that people see: a proposal expires without anything having to run. */
export function shownStatus(row: StoredProposal, now: Date): ProposalStatus {
  return isUndecided(row) && !isOpen(row, now) ? 'EXPIRED' : row.status;
}

/** Whether this decider may end it by performing it: a second operator, or nobody's name at all (`--break-glass`). */
function mayPerform(row: StoredProposal, { operator }: Decider, now: Date): boolean {
  if (!isOpen(row, now)) return false;
  return operator === null || (row.status === 'PENDING' && operator !== row.maker);
}

function decide(
  draft: ProposalDraft,
  status: ProposalStatus,
  by: string,
  more: Partial<StoredProposal> = {},
) {
  draft.set({ status, decided_at: draft.now, decided_by: by, ...more });
}

const RULES: readonly Rule<ProposalDraft, ProposalNotice, undefined>[] = [
  {
    notice: 'proposed',
    label: 'an operator proposes it',
    moves: { PROPOSAL: ['new → PENDING'] },
    when: isNew,
    does: (draft) => draft.set({ status: 'PENDING' }),
  },
  {
    notice: 'proposedFor',
    label: 'somebody proposes it at the command line, in the name of an operator',
    moves: { PROPOSAL: ['new → UNCLAIMED'] },
    when: isNew,
    does: (draft) => draft.set({ status: 'UNCLAIMED' }),
  },
  {
    notice: 'taken',
    label: 'that operator takes it as their own',
    moves: { PROPOSAL: ['UNCLAIMED → PENDING'] },
    when: (row, _notice, now) => row.status === 'UNCLAIMED' && isOpen(row, now),
    does: (draft) => draft.set({ status: 'PENDING' }),
  },
  {
    notice: 'approved',
    label: 'a second operator approves, and the operation is performed in the same commit',
    moves: { PROPOSAL: ['PENDING → APPROVED', 'UNCLAIMED → APPROVED'] },
    when: mayPerform,
    does(draft, { by, operator: checker, proof, outcome, secret }) {
      const secret_until = secret && new Date(draft.now.getTime() + SECRET_MS);
      const is_break_glass = checker === null;
      decide(draft, 'APPROVED', by, { checker, proof, is_break_glass, outcome, secret, secret_until });
    },
  },
  {
    notice: 'failed',
    label: 'a second operator approves, but the operation refuses',
    moves: { PROPOSAL: ['PENDING → FAILED', 'UNCLAIMED → FAILED'] },
    when: mayPerform,
    does: (draft, { by, operator: checker, proof, outcome }) =>
      decide(draft, 'FAILED', by, { checker, proof, is_break_glass: checker === null, outcome }),
  },
  {
    notice: 'rejected',
    label: 'another operator rejects it',
    moves: { PROPOSAL: ['PENDING → REJECTED', 'UNCLAIMED → REJECTED'] },
    when: (row, _notice, now) => isOpen(row, now),
    does: (draft, { by, outcome }) => decide(draft, 'REJECTED', by, { outcome }),
  },
  {
    notice: 'withdrawn',
    label: 'the maker withdraws it, or may not propose it any more',
    moves: { PROPOSAL: ['PENDING → WITHDRAWN', 'UNCLAIMED → WITHDRAWN'] },
    when: (row, _notice, now) => isOpen(row, now),
    does: (draft, { by }) => decide(draft, 'WITHDRAWN', by),
  },
  {
    notice: 'replaced',
    label: 'its time is over, and another proposal for the same subject takes its place',
    moves: { PROPOSAL: ['PENDING → EXPIRED', 'UNCLAIMED → EXPIRED'] },
    when: (row, _notice, now) => isUndecided(row) && !isOpen(row, now),
    does: (draft, { by }) => decide(draft, 'EXPIRED', by),
  },
];

export const PROPOSALS_MACHINE = new Machine<StoredProposal, ProposalDraft, ProposalNotice, undefined>({
  rules: RULES,
  newDraft: (row, now) => new Draft(row, now),
  statuses: (row) => ({ PROPOSAL: isNew(row) ? 'new' : row.status }),
  commands: RULES.map(({ notice }) => notice),
});

/** The proposal after a notice, which the commit writes. Times of proposals are real time. */
export function changeProposal(
  changes: Changes,
  row: StoredProposal,
  notice: ProposalNotice,
): StoredProposal {
  const now = realNow(changes);
  const { from, row: after } = PROPOSALS_MACHINE.require(row, notice, now, undefined);
  changes.collect(PROPOSALS.writer, { from, row: after });
  return after;
}

export function realNow({ runtime }: Pick<Changes, 'runtime'>): Date {
  return new Date(runtime.clock.now());
}
