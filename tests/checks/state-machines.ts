import { FIRST_ACCOUNT_STATUSES, STATUS_CHANGES } from '#capabilities/accounts/rules.ts';
import { AGENT_ACTIONS } from '#capabilities/agents/actions/machine.ts';
import { BATCHES } from '#capabilities/bank-files/machine.ts';
import { CARD_STATUS_CHANGES, FIRST_CARD_STATUS } from '#capabilities/cards/card-row.ts';
import { CARD_TRANSACTIONS_MACHINE } from '#capabilities/cards/machine/table.ts';
import { IMPORT_CHANGES } from '#capabilities/customers/bulk/store.ts';
import {
  EXTERNAL_STATUS_CHANGES,
  FIRST_EXTERNAL_STATUSES,
  OWNERSHIP_CHANGES,
} from '#capabilities/external-accounts/change-status.ts';
import { INVITATION_CHANGES } from '#capabilities/invitations/store.ts';
import { FIRST_PAYMENT_STATUSES } from '#capabilities/payments/machine/draft.ts';
import { PAYMENTS } from '#capabilities/payments/machine/table.ts';
import type { TransactionType } from '#capabilities/payments/statuses.ts';
import { PROPOSALS_MACHINE } from '#capabilities/proposals/machine.ts';
import { RESET_CHANGES, RESET_COMPLETION } from '#capabilities/sca/factors/reset-factor.ts';
import { FIRST_RESET_STATUS } from '#capabilities/sca/factors/reset-store.ts';
import { ENABLEMENT_STEPS, FIRST_SVC_STATUS } from '#capabilities/stablecoins/coins/enablement.ts';
import { FIRST_ISSUANCE_STATUS, ISSUANCE_STEPS } from '#capabilities/stablecoins/issuance.ts';
import { LINK_STATUSES } from '#capabilities/stablecoins/link-row.ts';
import { LINK_CHANGES } from '#capabilities/stablecoins/links/change-link.ts';
import { MINTS_AND_BURNS } from '#capabilities/stablecoins/operations/machine.ts';
import { DECISION_CHANGES } from '#capabilities/verification/decide.ts';
import { SUBMISSION_CHANGES } from '#capabilities/verification/submit-customer.ts';
import { DELIVERY_MOVES } from '#edge/webhooks/retry-schedule.ts';
import type { Moves } from '#foundation/machine/machine.ts';
import { FIRST_IDENTITY_STATUSES } from '#foundation/ports/identity.ts';

/** docs/state-machines.md, drawn from the tables by which the code decides. */
export function drawStateMachines(): string {
  return `# State machines

\`npm run state-machines\` writes this file from the tables by which the code decides, and a test checks that it is current.
An arrow names the notices or changes that can lead along it. A status without an arrow to another one is an end.

## Outgoing payments

Rules: \`money.md §4\`. From \`src/capabilities/payments/machine/\`: the table
[below](#what-each-notice-does-to-a-payment) says what each notice means. A quote's status follows its transaction's.

${diagram([...firstPaymentEdges('OUTGOING'), ...machineEdges(PAYMENTS, 'OUTGOING')])}

\`COMPLETED\` is final too, unless the receiver's bank returns the money. \`COMPLETED\` with a refund that is \`COMPLETED\` is
a payment that was cancelled and paid back.

## Incoming payments

A deposit, and the mirror of a delivery, are recorded when they have been credited.

${diagram([...firstPaymentEdges('INCOMING'), ...machineEdges(PAYMENTS, 'INCOMING')])}

## Refunds

The refund object of either, beside the payment's own status. The transition that starts it schedules a job; the worker
orders the refund from the rail, and the rail's notice ends it. What cannot be paid waits in \`SUSPENSE\` for the operator.

${diagram(machineEdges(PAYMENTS, 'REFUND'))}

## What each notice does to a payment

The first rule that fits counts; a notice that fits none changes nothing: it is late, repeated or not ours.

${noticeTable(PAYMENTS)}

## Internal accounts

Rules: \`accounts.md §2.2\`. From \`src/capabilities/accounts/rules.ts\`.

${diagram([...firstEdges(FIRST_ACCOUNT_STATUSES), ...tableEdges(STATUS_CHANGES)])}

## External accounts

Rules: \`accounts.md §3.5\`. From \`src/capabilities/external-accounts/change-status.ts\`.

${diagram([
  ...firstEdges(FIRST_EXTERNAL_STATUSES),
  ...tableEdges(OWNERSHIP_CHANGES),
  ...tableEdges(EXTERNAL_STATUS_CHANGES),
])}

## Verification of customers

Rules: \`customers.md §4.5\`. From \`src/capabilities/verification/submit-customer.ts\` and \`decide.ts\`. The customer's \`kycStatus\` or
\`kybStatus\`:

${diagram([
  ...FIRST_IDENTITY_STATUSES.map((status) => edge('new', status, 'created')),
  ...tableEdges(SUBMISSION_CHANGES, 'submitted: '),
  ...tableEdges(DECISION_CHANGES, 'decided: '),
])}

## Resets of factors

Rules: \`customers.md §7.61–7.66\`. From \`src/capabilities/sca/factors/reset-factor.ts\`; each but the final ones also becomes \`EXPIRED\`
when its time is over, which is never stored.

${diagram([
  ...firstEdges({ started: FIRST_RESET_STATUS }),
  ...tableEdges(RESET_CHANGES),
  ...tableEdges(RESET_COMPLETION),
])}

## Cards

Rules: \`cards.md §2\`. From \`src/capabilities/cards/card-row.ts\`.

${diagram([...firstEdges({ requested: FIRST_CARD_STATUS }), ...tableEdges(CARD_STATUS_CHANGES)])}

## Card transactions

Rules: \`cards.md §6.1\`. From \`src/capabilities/cards/machine/table.ts\`. A return, and a return that is taken back, are transactions of
their own: the arrows from the start show them too.

${diagram(machineEdges(CARD_TRANSACTIONS_MACHINE, 'TRANSACTION'))}

${noticeTable(CARD_TRANSACTIONS_MACHINE)}

## Actions of agents

Rules: \`agents.md §5.11–5.15\`. From \`src/capabilities/agents/actions/machine.ts\`. An action that was not decided
in time is shown as \`FAILED\`, but is not stored as such. \`agents.md §5.3\` says what happens to its transaction.

${diagram(machineEdges(AGENT_ACTIONS, 'ACTION'))}

${noticeTable(AGENT_ACTIONS)}

## Proposals of operators

Rules: \`operator.md §5.4–5.7\`. From \`src/capabilities/proposals/machine.ts\`. A proposal that has expired is shown as \`EXPIRED\`,
which is stored only if another proposal takes its place. \`UNCLAIMED\` leads to \`APPROVED\` and \`FAILED\` by
\`--break-glass\` alone.

${diagram(machineEdges(PROPOSALS_MACHINE, 'PROPOSAL'))}

${noticeTable(PROPOSALS_MACHINE)}

## Files for banks

Rules: \`bank-files.md §2\`. From \`src/capabilities/bank-files/machine.ts\`. A batch is the orders of one file.

${diagram(machineEdges(BATCHES, 'BATCH'))}

${noticeTable(BATCHES)}

## Accounts at a provider of stablecoins

Rules: \`stablecoins.md §1.11–1.13\`. From \`src/capabilities/stablecoins/links/change-link.ts\`. It begins with the
status of the account there.

${diagram([...LINK_STATUSES.map((status) => edge('new', status, 'linked')), ...stepEdges(LINK_CHANGES)])}

## Stablecoins at their provider

Rules: \`stablecoins.md §3.21–3.25\`. From \`src/capabilities/stablecoins/issuance.ts\`: the provider takes every step, and may
have taken several between two questions, or before the coin is registered.

${diagram([...firstEdges({ registered: FIRST_ISSUANCE_STATUS }), ...stepEdges(ISSUANCE_STEPS)])}

## Stablecoins as currencies

Rules: \`stablecoins.md §4.11–4.18\`. From \`src/capabilities/stablecoins/coins/enablement.ts\`.

${diagram([...firstEdges({ registered: FIRST_SVC_STATUS }), ...namedStepEdges(ENABLEMENT_STEPS)])}

## Mints and burns

Rules: \`stablecoins.md §5.61–5.68\`. From \`src/capabilities/stablecoins/operations/machine.ts\`. The service polls the provider, so
an operation may pass through steps that no notice showed. \`REFUSED\` is never shown (\`stablecoins.md §6.3\`).

${diagram(machineEdges(MINTS_AND_BURNS, 'OPERATION'))}

${noticeTable(MINTS_AND_BURNS)}

## Invitations

Rules: \`platform.md §5\`. From \`src/capabilities/invitations/store.ts\`. \`EXPIRED\` is never stored: it follows from the clock of the
inviter's platform. An invitation is also cancelled with its inviter.

${diagram(tableEdges(INVITATION_CHANGES))}

## Webhook deliveries

Rules: \`platform.md §4.2\`. From \`src/edge/webhooks/retry-schedule.ts\`.

${diagram([
  ...DELIVERY_MOVES.map(({ from }) => edge('new', from, 'the event is committed')),
  ...DELIVERY_MOVES.map(({ from, to, when }) => edge(from, to, when)),
])}

## Imports of customers

Rules: \`customers.md §2.5\`. From \`src/capabilities/customers/bulk/store.ts\`. An import fails if its file is faulty, or if no customer was
created.

${diagram(tableEdges(IMPORT_CHANGES))}
`;
}

interface Edge {
  readonly from: string;
  readonly to: string;
  readonly label: string;
}

function edge(from: string, to: string, label = ''): Edge {
  return { from, to, label };
}

/** One arrow for each pair of statuses, with all its labels; then the ends: statuses without an arrow to another one. */
function diagram(edges: readonly Edge[]): string {
  const arrows = Map.groupBy(edges, ({ from, to }) => `${isStart(from) ? '[*]' : from} --> ${to}`);
  const lines = [...arrows].map(([arrow, same]) => {
    const labels = [...new Set(same.map(({ label }) => label))].filter(Boolean);
    return labels.length === 0 ? arrow : `${arrow}: ${labels.join(', ')}`;
  });
  const isLeft = (status: string) => edges.some(({ from, to }) => from === status && to !== status);
  const ends = [...new Set(edges.map(({ to }) => to))].filter((status) => !isLeft(status));
  const all = [...lines, ...ends.map((status) => `${status} --> [*]`)];
  return `\`\`\`mermaid\nstateDiagram-v2\n${all.map((line) => `  ${line}`).join('\n')}\n\`\`\``;
}

/** A row, or a part of it, that does not exist yet. */
function isStart(status: string): boolean {
  return status === 'new' || status === 'none' || status === '[*]';
}

interface Rules {
  readonly description: {
    readonly rules: readonly { readonly notice: string; readonly label: string; readonly moves: Moves }[];
  };
}

/** The moves of a part of a machine's rows. */
function machineEdges({ description: { rules } }: Rules, part: string): Edge[] {
  return rules.flatMap(({ notice, moves }) =>
    (moves[part] ?? []).map((move) => {
      const [from = '', to = ''] = move.split(' → ');
      return edge(from, to, notice);
    }),
  );
}

function firstPaymentEdges(type: TransactionType): Edge[] {
  return Object.entries(FIRST_PAYMENT_STATUSES)
    .filter(([, { types }]) => types.some((one) => one === type))
    .map(([name, { to }]) => edge('new', to, name));
}

function firstEdges(statuses: Readonly<Record<string, string>>): Edge[] {
  return Object.entries(statuses).map(([name, to]) => edge('new', to, name));
}

type Changes = Readonly<
  Record<string, { readonly from: readonly string[]; readonly to: string | undefined }>
>;

/** A change without a new status keeps the present one, and has no arrow. */
function tableEdges(changes: Changes, prefix = ''): Edge[] {
  return Object.entries(changes).flatMap(([name, { from, to }]) =>
    to === undefined ? [] : from.map((start) => edge(start, to, `${prefix}${name}`)),
  );
}

function stepEdges(table: Readonly<Record<string, readonly string[]>>): Edge[] {
  return Object.entries(table).flatMap(([from, next]) => next.map((to) => edge(from, to)));
}

function namedStepEdges(table: Readonly<Record<string, Readonly<Record<string, string>>>>): Edge[] {
  return Object.entries(table).flatMap(([from, steps]) =>
    Object.entries(steps).map(([name, to]) => edge(from, to, name)),
  );
}

function noticeTable({ description: { rules } }: Rules): string {
  const rows = rules.map(
    ({ notice, label, moves }) => `| \`${notice}\` | ${label} | ${renderMoves(moves)} |`,
  );
  return ['| Notice | What happens | Statuses |', '|---|---|---|', ...rows].join('\n');
}

function renderMoves(moves: Moves): string {
  const said = Object.entries(moves).flatMap(([part, list]) =>
    list.map((move) => (part === 'REFUND' ? `refund ${move}` : move)),
  );
  return said.length === 0 ? 'stay' : [...new Set(said)].join('<br>');
}
