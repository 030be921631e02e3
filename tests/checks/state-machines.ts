import { STATUS_CHANGES as INTERNAL } from '#capabilities/accounts/rules.ts';
import { CARD_STATUS_CHANGES } from '#capabilities/cards/card-row.ts';
import { CARD_TRANSACTIONS_MACHINE } from '#capabilities/cards/machine/table.ts';
import { EXTERNAL_STATUS_CHANGES as EXTERNAL } from '#capabilities/external-accounts/change-status.ts';
import { PAYMENTS } from '#capabilities/payments/machine/table.ts';
import { RESET_CHANGES as RESETS } from '#capabilities/sca/factors/reset-factor.ts';
import { ENABLEMENT_STEPS } from '#capabilities/stablecoins/coins/enablement.ts';
import { ISSUANCE_STEPS } from '#capabilities/stablecoins/issuance.ts';
import { LINK_CHANGES } from '#capabilities/stablecoins/links/change-link.ts';
import type { Moves } from '#foundation/machine/machine.ts';

/** docs/state-machines.md: machines with a table in the code are drawn from it, the rest by hand. */
export function drawStateMachines(): string {
  return `# State machines

Written by \`npm run state-machines\`; a test compares. Machines that are tables in the code are drawn from them.

## Outgoing payments

Rules: \`money.md §4\`. From \`src/capabilities/payments/machine/\`: an arrow bears the notices that can lead along it; what each
means is in the table [below](#what-each-notice-does). A quote's status follows its transaction's.

${diagram([
  edge('[*]', 'PENDING', 'quote or transfer created'),
  ...machineEdges('OUTGOING'),
  edge('EXPIRED', '[*]'),
  edge('FAILED', '[*]'),
])}

\`COMPLETED\` is final too, unless the receiver's bank returns the money. \`COMPLETED\` with a refund that is \`COMPLETED\` is
a payment that was cancelled and paid back.

## Incoming payments

${diagram([
  edge('[*]', 'PENDING', 'UMA payment offered, transfer in, pull quote'),
  edge('[*]', 'COMPLETED', 'deposit, or mirror of a delivery'),
  ...machineEdges('INCOMING'),
  edge('EXPIRED', '[*]'),
  edge('REJECTED', '[*]'),
  edge('FAILED', '[*]'),
])}

## Refunds

The refund object of either, beside the payment's own status. The transition that starts it schedules a job; the worker
orders the refund from the rail, and the rail's notice ends it. What cannot be paid waits in \`SUSPENSE\` for the operator.

${diagram(machineEdges('REFUND').map((line) => line.replace('none -->', '[*] -->')))}

## What each notice does

The first rule that fits counts; a notice that fits none changes nothing: it is late, repeated or not ours.

| PaymentNotice | What happens | Statuses |
|---|---|---|
${PAYMENTS.description.rules
  .map(({ notice, label, moves }) => `| \`${notice}\` | ${label} | ${renderMoves(moves)} |`)
  .join('\n')}

## Internal accounts

Rules: \`accounts.md §2.2\`. From \`src/capabilities/accounts/rules.ts\`.

${diagram([edge('[*]', 'PENDING', 'opened'), ...tableEdges(INTERNAL)])}

## External accounts

Rules: \`accounts.md §3.5\`. From \`src/capabilities/external-accounts/change-status.ts\`; the arrows of ownership are made by a proof.

${diagram([
  edge('[*]', 'PENDING', 'added: screening is awaited'),
  edge('[*]', 'PENDING_OWNERSHIP_VERIFICATION', 'added: a proof is awaited'),
  edge('[*]', 'ACTIVE', 'added: nothing is awaited'),
  edge('PENDING_OWNERSHIP_VERIFICATION', 'ACTIVE', 'ownership proved'),
  edge('PENDING_OWNERSHIP_VERIFICATION', 'UNVERIFIED', 'proof failed'),
  edge('UNVERIFIED', 'PENDING_OWNERSHIP_VERIFICATION', 'new challenge'),
  ...tableEdges(EXTERNAL),
])}

## Verification of customers

Rules: \`customers.md §4.5\`. Code: \`src/capabilities/verification/decide.ts\`. The customer's \`kycStatus\` or \`kybStatus\`:

${diagram([
  edge('[*]', 'UNVERIFIED', 'created'),
  edge('UNVERIFIED', 'PENDING', 'submitted'),
  edge('UNVERIFIED', 'APPROVED', 'submitted and approved at once'),
  edge('UNVERIFIED', 'REJECTED', 'submitted and rejected at once'),
  edge('PENDING', 'APPROVED', 'approve'),
  edge('PENDING', 'REJECTED', 'reject'),
  edge('PENDING', 'UNVERIFIED', 'correctable'),
  edge('UNVERIFIED', 'HOLD', 'hold'),
  edge('PENDING', 'HOLD', 'hold'),
  edge('HOLD', 'APPROVED', 'approve'),
  edge('HOLD', 'REJECTED', 'reject'),
])}

## Resets of factors

Rules: \`customers.md §7.61–7.66\`. From \`src/capabilities/sca/factors/reset-factor.ts\`; each but the final ones also becomes \`EXPIRED\`
when its time is over, which is never stored.

${diagram([
  edge('[*]', 'INITIATED', 'started'),
  ...tableEdges(RESETS),
  edge('LIVENESS_PASSED', 'COMPLETED', 'completed'),
])}

## Cards

Rules: \`cards.md §2\`. From \`src/capabilities/cards/card-row.ts\`.

${diagram([edge('[*]', 'PROCESSING', 'requested'), ...tableEdges(CARD_STATUS_CHANGES), edge('CLOSED', '[*]')])}

## Card transactions

Rules: \`cards.md §6.1\`. From \`src/capabilities/cards/machine/table.ts\`. A return, and a return that is taken back, are transactions of
their own: the arrows from the start show them too.

${diagram([
  ...machineEdges('TRANSACTION', CARD_TRANSACTIONS_MACHINE).map((line) => line.replace('new -->', '[*] -->')),
  edge('DECLINED', '[*]'),
])}

| CardNotice | What happens | Statuses |
|---|---|---|
${CARD_TRANSACTIONS_MACHINE.description.rules
  .map(({ notice, label, moves }) => `| \`${notice}\` | ${label} | ${renderMoves(moves)} |`)
  .join('\n')}

## Actions of agents

Rules: \`agents.md §5.11–5.15\`. Code: \`src/capabilities/agents/actions/decide-action.ts\`, \`src/capabilities/agents/actions/end-actions.ts\`. That its time is over is never stored:
what was not decided by then reads as \`FAILED\`. What becomes of the waiting transaction is \`agents.md §5.3\`.

${diagram([
  edge('[*]', 'APPROVED', 'the policy lets it run, and it starts'),
  edge('[*]', 'FAILED', 'the policy lets it run, and it cannot start'),
  edge('[*]', 'PENDING_APPROVAL', 'the policy asks'),
  edge('PENDING_APPROVAL', 'APPROVED', 'approved, and it starts'),
  edge('PENDING_APPROVAL', 'FAILED', 'approved, and it cannot start; or its time is over'),
  edge('PENDING_APPROVAL', 'REJECTED', 'rejected, or the agent or its customer deleted'),
])}

## Accounts at a provider of stablecoins

Rules: \`stablecoins.md §1.11–1.13\`. From \`src/capabilities/stablecoins/links/change-link.ts\`. With credentials that are of no use a link can also
begin as \`INVALID\` or \`REVOKED\`.

${diagram([edge('[*]', 'ACTIVE', 'linked'), ...stepEdges(LINK_CHANGES)])}

## Stablecoins at their provider

Rules: \`stablecoins.md §3.21–3.25\`. From \`src/capabilities/stablecoins/issuance.ts\`: the provider takes every step.

${diagram([edge('[*]', 'PENDING_REVIEW', 'registered'), ...stepEdges(ISSUANCE_STEPS)])}

## Stablecoins as currencies

Rules: \`stablecoins.md §4.11–4.18\`. From \`src/capabilities/stablecoins/coins/enablement.ts\`.

${diagram([edge('[*]', 'NOT_ENABLED', 'registered'), ...namedStepEdges(ENABLEMENT_STEPS)])}

## Mints and burns

Rules: \`stablecoins.md §5.61–5.68\`. Code: \`src/capabilities/stablecoins/operations/machine.ts\`. The service polls the provider, so
an operation may pass through steps that no answer showed. \`REFUSED\` is never shown (\`stablecoins.md §6.3\`).

${diagram([
  edge('[*]', 'CREATED', 'stored, before it is submitted'),
  edge('CREATED', 'PENDING_FUNDING', 'taken: money or coins have to come'),
  edge('CREATED', 'PENDING_PROVIDER', 'taken'),
  edge('CREATED', 'REFUSED', 'not taken'),
  edge('CREATED', 'FAILED', 'lost: the provider never got it'),
  edge('PENDING_FUNDING', 'PENDING_PROVIDER', 'they have come'),
  edge('PENDING_FUNDING', 'EXPIRED', 'its time is over'),
  edge('PENDING_PROVIDER', 'PROCESSING', 'the provider starts'),
  edge('PENDING_PROVIDER', 'FAILED', 'failed or cancelled'),
  edge('PROCESSING', 'COMPLETED', 'done'),
  edge('PROCESSING', 'FAILED', 'failed or cancelled'),
])}

## Invitations

Rules: \`platform.md §5\`. Code: \`src/capabilities/invitations/claim-invitation.ts\`. \`EXPIRED\` is never stored: it follows from the clock
of the inviter's platform.

${diagram([
  edge('[*]', 'PENDING', 'created'),
  edge('PENDING', 'CLAIMED', 'claimed, by any platform of the environment'),
  edge('PENDING', 'CANCELLED', 'cancelled, or the inviter deleted'),
  edge('PENDING', 'EXPIRED', 'its time is over'),
])}

## Webhook deliveries

Rules: \`platform.md §4.2\`. Code: \`src/edge/webhooks/retry-schedule.ts\`.

${diagram([
  edge('[*]', 'PENDING', 'the event is committed'),
  edge('PENDING', 'PENDING', 'no answer, or a bad one: later again'),
  edge('PENDING', 'DELIVERED', '2xx'),
  edge('PENDING', 'ACKED_DUPLICATE', '409'),
  edge('PENDING', 'EXHAUSTED', 'out of time'),
  edge('PENDING', 'SKIPPED', 'no endpoint'),
])}

## Imports of customers

Rules: \`customers.md §2.5\`. Code: \`src/capabilities/customers/bulk/\`.

${diagram([
  edge('[*]', 'PENDING', 'file accepted'),
  edge('PENDING', 'PROCESSING', 'a worker takes it up'),
  edge('PROCESSING', 'COMPLETED', 'done, at least one customer made'),
  edge('PROCESSING', 'FAILED', 'done, none made'),
])}
`;
}

function edge(from: string, to: string, label = ''): string {
  return `  ${from} --> ${to}${label && `: ${label}`}`;
}

function diagram(edges: readonly string[]): string {
  return `\`\`\`mermaid\nstateDiagram-v2\n${edges.join('\n')}\n\`\`\``;
}

/** One arrow for each move, with all notices that can make it. */
function machineEdges(machine: keyof Moves, { description }: DrawnMachine = PAYMENTS): string[] {
  const notices = new Map<string, Set<string>>();
  for (const { notice, moves } of description.rules) {
    for (const move of moves[machine] ?? []) {
      notices.set(move, (notices.get(move) ?? new Set()).add(notice));
    }
  }
  return [...notices].map(([move, names]) => {
    const [from = '', to = ''] = move.split(' → ');
    return edge(from, to, [...names].join(', '));
  });
}

interface DrawnMachine {
  readonly description: { readonly rules: readonly { readonly notice: string; readonly moves: Moves }[] };
}

function tableEdges(table: Readonly<Record<string, { from: readonly string[]; to: string }>>): string[] {
  return Object.entries(table).flatMap(([name, { from, to }]) => from.map((start) => edge(start, to, name)));
}

function stepEdges(table: Readonly<Record<string, readonly string[]>>): string[] {
  return Object.entries(table).flatMap(([from, next]) => next.map((to) => edge(from, to)));
}

function namedStepEdges(table: Readonly<Record<string, Readonly<Record<string, string>>>>): string[] {
  return Object.entries(table).flatMap(([from, steps]) =>
    Object.entries(steps).map(([name, to]) => edge(from, to, name)),
  );
}

function renderMoves(moves: Moves): string {
  const machines = Object.entries(moves) as [string, readonly string[]][];
  const said = machines.flatMap(([machine, list]) =>
    list.map((move) => (machine === 'REFUND' ? `refund ${move}` : move)),
  );
  return said.length === 0 ? 'stay' : [...new Set(said)].join('<br>');
}
