import assert from 'node:assert/strict';
import { AGENT_ACTIONS } from '#capabilities/agents/actions/machine.ts';
import type { WaitingActionRow } from '#capabilities/agents/actions/row.ts';
import { Draft } from '#foundation/machine/draft.ts';
import { Machine } from '#foundation/machine/machine.ts';
import type { ActionsMachine } from '#tests/simulator/agents-memory.ts';

/** Faults in the machine of agents' actions, each named as a reviewer would describe it. */

const { description } = AGENT_ACTIONS;

type AnyRule = (typeof description.rules)[number];

function withDraft(
  Faulty: new (row: WaitingActionRow, now: Date) => Draft<WaitingActionRow>,
): ActionsMachine {
  return new Machine({ ...description, newDraft: (row, now) => new Faulty(row, now) });
}

/** The rule for this notice has another condition, or another effect. */
function withRule(notice: AnyRule['notice'], change: object): ActionsMachine {
  const faulty = description.rules.filter((rule) => rule.notice === notice);
  assert.equal(faulty.length, 1, `one rule for "${notice}"`);
  const rules = description.rules.map((rule) =>
    rule === faulty[0] ? ({ ...rule, ...change } as AnyRule) : rule,
  );
  return new Machine({ ...description, rules });
}

type ActionDraft = Draft<WaitingActionRow>;

export const AGENT_FAULTS: Readonly<Record<string, () => ActionsMachine>> = {
  'a request that the platform does not hear of': () =>
    withDraft(
      class extends Draft<WaitingActionRow> {
        override addEvent(): void {}
      },
    ),
  'a request that starts without its approval': () =>
    withRule('submitted', {
      does: (draft: ActionDraft, { transaction }: { transaction: { id: TransactionId } }) =>
        draft.set({ status: 'APPROVED', transaction_id: transaction.id }),
    }),
  'an action that started and waits all the same': () =>
    withRule('started', {
      does: (draft: ActionDraft, { transaction }: { transaction: { id: TransactionId } }) =>
        draft.set({ status: 'PENDING_APPROVAL', transaction_id: transaction.id }),
    }),
  'an action that forgets its transaction': () =>
    withRule('started', { does: (draft: ActionDraft) => draft.set({ status: 'APPROVED' }) }),
  'a rejection that approves': () =>
    withRule('rejected', { does: (draft: ActionDraft) => draft.set({ status: 'APPROVED' }) }),
  'an action of a deleted agent that stays open': () => withRule('ownerDeleted', { does: () => undefined }),
  'a failed approval that looks like a rejection': () =>
    withRule('approvalFailed', { does: (draft: ActionDraft) => draft.set({ status: 'REJECTED' }) }),
  'a failed action without its reason': () =>
    withRule('failed', { does: (draft: ActionDraft) => draft.set({ status: 'FAILED' }) }),
  'an approval that applies to no action': () => withRule('approved', { when: () => false }),
};
