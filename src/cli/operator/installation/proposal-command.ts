import { Command, Option } from 'commander';
import { approveAtCommandLine } from '#capabilities/proposals/at-command-line.ts';
import { rejectProposal, withdrawProposal } from '#capabilities/proposals/decide-proposal.ts';
import { realNow } from '#capabilities/proposals/machine.ts';
import { auditProposal } from '#capabilities/proposals/make-proposal.ts';
import { presentProposal, presentSummary } from '#capabilities/proposals/present.ts';
import type { ProposalId, StoredProposal } from '#capabilities/proposals/row.ts';
import type { ProposalReply } from '#capabilities/proposals/schemas.ts';
import { findProposal, listProposals } from '#capabilities/proposals/store.ts';
import { countArgument, idArgument } from '#cli/arguments.ts';
import { OperatorError, UsageError } from '#cli/failure.ts';
import { confirmed } from '#cli/operator/shell/confirm.ts';
import { asOperator, type Operator } from '#cli/operator/shell/operator.ts';
import { reportBreakGlass } from '#cli/operator/shell/perform.ts';
import { reasonOption } from '#cli/options.ts';
import { printObject, printRows } from '#cli/print.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { Work } from '#foundation/database/work.ts';
import { findPlatformIdByResource } from '#foundation/http/resource-platform-store.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { INSTALLATION } from '#foundation/lib/platform.ts';

interface Options {
  json?: boolean;
}

interface ListOptions extends Options {
  all?: boolean;
  limit: number;
}

interface DecisionOptions extends Options {
  reason: string;
}

/** `corridor proposal …`: changes that wait for a second operator (operator.md §7.3). */
export function proposalCommand(): Command {
  const proposal = new Command('proposal').addHelpText('after', '\nExample:\n  $ corridor proposal list');
  proposal
    .command('list')
    .description('print the proposals that can still be decided, of all platforms, the newest first')
    .option('--all', 'also those that ended')
    .option('--limit <count>', 'print at most this many', countArgument(1, LIMIT_MAX), 50)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  $ corridor proposal list --all')
    .action((options: ListOptions) => asOperator((operator) => list(operator, options)));
  const about = (command: Command, example = '') =>
    command
      .argument('<proposal>', 'its id', idArgument('Proposal'))
      .option('--json', 'print JSON')
      .addHelpText(
        'after',
        `\nExample:\n  $ corridor proposal ${command.name()} Proposal:0190a5d2-…${example}`,
      );
  about(proposal.command('show').description('print a proposal with its input and its effect')).action(
    (id: ProposalId, { json = false }: Options) => asOperator((operator) => show(operator, id, json)),
  );
  addApprove(proposal, about);
  about(
    proposal.command('reject').description('end a proposal without any effect'),
    ' --reason "wrong amount"',
  )
    .addOption(reasonOption())
    .action((id: ProposalId, options: DecisionOptions) =>
      decide(id, options, (tx, by, reason) => rejectProposal(tx, id, { by, reason })),
    );
  about(
    proposal.command('withdraw').description('withdraw a proposal for its maker'),
    ' --reason "not needed"',
  )
    .addOption(reasonOption())
    .action((id: ProposalId, options: DecisionOptions) =>
      decide(id, options, (tx, by, reason) => withdrawProposal(tx, id, { by, operator: null, reason })),
    );
  return proposal;
}

const LIMIT_MAX = 1_000;

function addApprove(proposal: Command, about: (command: Command, example: string) => Command): void {
  const approve = proposal.command('approve').description('perform a proposal without a second operator');
  const effect = 'The proposed change is made at once, and another operator has to acknowledge it.';
  about(confirmed(approve, effect), ' --break-glass --reason "nobody can sign in"')
    .addOption(new Option('--break-glass', 'needed: a command has no passkey with which to approve'))
    .addOption(reasonOption())
    .action(
      (
        id: ProposalId,
        { breakGlass = false, reason, json = false }: DecisionOptions & { breakGlass?: boolean },
      ) => {
        if (!breakGlass)
          throw new UsageError('a command has no passkey: give --break-glass, or approve in the console');
        return asOperator(async (operator) => {
          const work = await workOf(operator, id);
          const operations = await operator.operations();
          const { row, breakGlass: used } = await approveAtCommandLine(work, operations, id, reason);
          await print(operator, work, row, json);
          await reportBreakGlass(work, { id: used, operation: row.operation });
        });
      },
    );
}

async function list(operator: Operator, { all = false, limit, json = false }: ListOptions): Promise<void> {
  const [reader] = await operator.readers([INSTALLATION]);
  const page = { list: 'proposals', filters: {}, limit, cursor: undefined };
  const found = await reader?.read((tx) => {
    const now = realNow(tx);
    return listProposals(tx, page, all ? { now } : { now, isOpen: true }, (row) => presentSummary(row, now));
  });
  await operator.audit({ action: 'proposal list' });
  const rows = (found?.data ?? []).map(({ id, status, operation, resource, makerId, madeBy, expiresAt }) => ({
    ...{ id, status, operation, resource, makerId, madeBy, expiresAt },
  }));
  printRows(rows, { json, none: 'No proposal waits for a decision.' });
}

async function show(operator: Operator, id: ProposalId, json: boolean): Promise<void> {
  const work = await workOf(operator, id);
  const shown = await work.write(async (tx) => {
    const row = await findProposal(tx, id);
    if (!row) throw noSuch(id);
    auditProposal(tx, 'proposal show', row);
    return row;
  });
  await print(operator, work, shown, json);
}

type Decide = (tx: Tx, by: string, reason: string) => Promise<StoredProposal>;

function decide(id: ProposalId, { reason, json = false }: DecisionOptions, steps: Decide): Promise<void> {
  return asOperator(async (operator) => {
    const work = await workOf(operator, id);
    await print(operator, work, await work.write((tx) => steps(tx, operator.actor.id, reason)), json);
  });
}

/** Transactions where the proposal belongs: on its platform, or on the installation. */
async function workOf(operator: Operator, id: ProposalId): Promise<Work> {
  const platformId = await findPlatformIdByResource(operator.database, 'Proposal', id);
  if (platformId === undefined) throw noSuch(id);
  if (platformId !== INSTALLATION.id) return operator.work(platformId);
  return new Work(await operator.runtime(), INSTALLATION, operator.actor);
}

async function print(operator: Operator, work: Work, row: StoredProposal, json: boolean): Promise<void> {
  const operation = (await operator.operations()).find(({ id }) => id === row.operation);
  const shown = await work.read(async (tx) => presentProposal(tx, row, operation));
  printObject(json ? shown : { ...shown, preview: shown.preview && readable(shown.preview) }, { json });
}

/** A preview whose settings stand as `from → to`. */
function readable({ values, ...preview }: NonNullable<ProposalReply['preview']>) {
  const say = (value: unknown) =>
    value === null ? 'none' : typeof value === 'string' ? value : JSON.stringify(value);
  const lines = values?.map(({ field, before, after }) => `${field}: ${say(before)} → ${say(after)}`);
  return { ...(lines && { values: lines }), ...preview };
}

function noSuch(id: ProposalId): OperatorError {
  return new OperatorError(`There is no proposal ${publicId('Proposal', id)}.`);
}
