import { Command } from 'commander';
import type { AttentionGroup, AttentionItem } from '#app/attention.ts';
import { countArgument } from '#cli/arguments.ts';
import { explain, FAILURE_EXIT, UsageError } from '#cli/failure.ts';
import { asOperator, type Operator } from '#cli/operator/shell/operator.ts';
import { choiceOption } from '#cli/options.ts';
import { printJson, printLine, reportProgress } from '#cli/print.ts';
import { systemClock } from '#foundation/lib/clock.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { ENVIRONMENTS, type Environment } from '#foundation/lib/platform.ts';

interface Options {
  kind?: string[];
  environment?: Environment;
  limit: number;
  exitCode?: true;
  json?: boolean;
}

/** Named here for the help, which does not load the code that reads them. */
export const KINDS = [
  'accounts',
  'external-accounts',
  'reviews',
  'payments-overdue',
  'payments-by-hand',
  'suspense',
  'receivables',
  'connectors',
  'connector-certificates',
  'breaks',
  'bank-files',
  'unwritten-files',
  'card-exceptions',
  'coins',
  'coin-operations',
  'proposals',
  'rates',
  'break-glass',
  'webhooks',
  'ledger-verify',
  'backup',
  'lost-keys',
  'messages',
  'jobs',
];

const LIMIT_MAX = 1_000;
/** 1 is a failure and 2 a wrong command line. */
const SOMETHING_WAITS = 3;

/** `corridor attention`: the items that the metrics `corridor_attention` count, with the commands that resolve them (decision 0032). */
export function attentionCommand(): Command {
  return new Command('attention')
    .option('--kind <kind>', 'only this kind; may be repeated', (kind, before: string[] = []) => [
      ...before,
      kind.toLowerCase(),
    ])
    .addOption(
      choiceOption('--environment <environment>', 'only platforms of this environment', ENVIRONMENTS),
    )
    .option('--limit <count>', 'how many of each kind, the oldest first', countArgument(1, LIMIT_MAX), 5)
    .option('--exit-code', 'exit with code 3 if anything waits')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `\nKinds: ${KINDS.join(', ')}.\n` +
        'The exit code is 0 even if something waits; with --exit-code it is then 3.\n\n' +
        'Examples:\n  $ corridor attention --environment production\n' +
        '  $ corridor attention --kind reviews --kind suspense --limit 50 --json',
    )
    .action((options: Options) => {
      requireKnown(options.kind ?? []);
      return asOperator((operator) => attention(operator, options));
    });
}

async function attention(operator: Operator, options: Options): Promise<void> {
  const { database, audit } = operator;
  const { ATTENTION_KINDS, loadAttention } = await import('#app/attention.ts');
  const unread: { kind: string; error: unknown }[] = [];
  const groups = await loadAttention(database, {
    now: new Date(systemClock.now()),
    environments: options.environment ? [options.environment] : ENVIRONMENTS,
    kinds: ATTENTION_KINDS.filter(({ name }) => options.kind?.includes(name) ?? true),
    shown: options.limit,
    kindMaxMs: KIND_MAX_MS,
    onUnread: (kind, error) => void unread.push({ kind, error }),
  });
  await reportUnread(unread);
  await reportApprovals(operator);
  await audit({ action: 'attention' });
  if (options.json) printJson(groups.map(presentGroup));
  else printGroups(groups);
  if (options.exitCode && groups.length > 0) process.exitCode = SOMETHING_WAITS;
}

/** Says if `corridor settings set` has switched approvals off, so that nobody forgets it (operator.md §5.1). */
async function reportApprovals({ database }: Operator): Promise<void> {
  const { isSwitchedOff } = await import('#capabilities/proposals/settings-store.ts');
  if (await isSwitchedOff(database))
    reportProgress('Approvals are off ("corridor settings show"): one operator alone can move money.');
}

/** SQLSTATE of a statement that took too long. */
const QUERY_CANCELED = '57014';

/** Says why each kind is missing; the other kinds are complete. */
async function reportUnread(unread: readonly { kind: string; error: unknown }[]): Promise<void> {
  if (unread.length === 0) return;
  const { sqlFailure } = await import('#foundation/database/failures.ts');
  for (const { kind, error } of unread) {
    const [cause] = (await explain(error)).lines;
    const reason = sqlFailure(error)?.code === QUERY_CANCELED ? 'it took longer than a minute.' : cause;
    reportProgress(`${kind} could not be read, the other kinds are complete: ${reason}`);
  }
  process.exitCode = FAILURE_EXIT;
}

/** A person waits longer than a scraper. */
const KIND_MAX_MS = 60_000;

function requireKnown(names: readonly string[]): void {
  const unknown = names.find((name) => !KINDS.includes(name));
  if (unknown !== undefined) throw new UsageError(`--kind ${unknown} is none of ${KINDS.join(', ')}`);
}

function presentGroup({ items, oldestAgeSeconds, ...group }: AttentionGroup) {
  return { ...group, oldestAgeSeconds: Math.round(oldestAgeSeconds), items: items.map(presentItem) };
}

function presentItem({ platformId, ageSeconds, ...item }: AttentionItem) {
  const platform = platformId === null ? null : publicId('Platform', platformId);
  return { platform, ...item, ageSeconds: Math.round(ageSeconds) };
}

function printGroups(groups: readonly AttentionGroup[]): void {
  if (groups.length === 0) printLine('Nothing waits.');
  for (const [i, group] of groups.entries()) {
    if (i > 0) printLine('');
    const { kind, title, environment, count, isCapped, oldestAgeSeconds, items } = group;
    const many = `${count}${isCapped ? '+' : ''}, the oldest ${showAge(oldestAgeSeconds)} old`;
    printLine(`${kind} (${environment.toLowerCase()}): ${many}: ${title}`);
    for (const item of items) printItem(item);
    if (count > items.length)
      printLine(`  … and more: corridor attention --kind ${kind} --limit ${LIMIT_MAX}`);
  }
}

function printItem({ subject, why, since, platformName, commands }: AttentionItem): void {
  const where = platformName === null ? '' : `  ${oneLine(platformName)}`;
  printLine(`  ${oneLine(subject)}${where}  since ${since.toISOString()}  ${oneLine(why)}`);
  for (const command of commands) printLine(`    $ ${oneLine(command)}`);
}

/** Text that others wrote must not look like a line of ours. */
function oneLine(text: string): string {
  return text.replaceAll('\n', '\\n');
}

/** `3 d`, `5 h`, `12 min`, `40 s`. */
function showAge(seconds: number): string {
  const units = [
    ['d', 86_400],
    ['h', 3_600],
    ['min', 60],
  ] as const;
  const [name, size] = units.find(([, size]) => seconds >= size) ?? ['s', 1];
  return `${Math.floor(seconds / size)} ${name}`;
}
