import { type Command, InvalidArgumentError } from 'commander';
import { readId } from '#cli/arguments.ts';
import { findResourceWork, ownerOption, type PlatformOptions } from '#cli/operator/shell/choose-platform.ts';
import { asOperator, type Operator } from '#cli/operator/shell/operator.ts';
import { findPlatformIdByResource } from '#cli/operator/shell/store.ts';
import { printJson, printLine } from '#cli/print.ts';
import { audit } from '#foundation/audit/audit.ts';
import { explainTransaction } from '#foundation/explanation/explain.ts';
import type { TransactionExplanation } from '#foundation/explanation/schemas.ts';
import { publicId } from '#foundation/lib/ids.ts';

/** The resources that can be explained; a bare UUID is looked for in this order. */
const EXPLAINED = ['Transaction', 'Quote', 'StablecoinOperation', 'AgentAction'] as const;

interface Named {
  readonly types: readonly (typeof EXPLAINED)[number][];
  readonly uuid: string;
}

/** Adds `explain <id>`: why the money of a transaction is where it is (operator.md §8). */
export function addExplain(payment: Command): void {
  payment
    .command('explain')
    .description('explain the state of a payment, card transaction, mint, burn or agent’s action')
    .argument('<transaction>', 'its id, or the id of its quote', namedArgument)
    .addOption(ownerOption())
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  $ corridor payment explain Transaction:0190a5d2-…')
    .action((named: Named, options: PlatformOptions) =>
      asOperator((operator) => explain(operator, named, options)),
    );
}

function namedArgument(text: string): Named {
  const named = EXPLAINED.filter((type) => text.trim().toLowerCase().startsWith(`${type.toLowerCase()}:`));
  const types = named.length > 0 ? named : EXPLAINED;
  const uuid = readId(types[0] ?? 'Transaction', text);
  if (uuid === undefined) throw new InvalidArgumentError('It must be an id such as Transaction:<uuid>.');
  return { types, uuid };
}

async function explain(operator: Operator, named: Named, options: PlatformOptions): Promise<void> {
  const type = await chooseType(operator, named);
  const work = await findResourceWork(operator, options, type, named.uuid);
  const { SERVICE } = await import('#app/compose.ts');
  const resource = publicId(type, named.uuid);
  // It may tell more than the platform sees, so the read is audited.
  const explanation = await work.write(async (tx) => {
    audit(tx, { action: 'payment explain', resource });
    return explainTransaction(tx, SERVICE, resource, 'OPERATOR');
  });
  if (options.json) printJson(explanation);
  else for (const line of linesOf(explanation)) printLine(line);
}

async function chooseType({ database }: Operator, { types, uuid }: Named): Promise<Named['types'][number]> {
  if (types.length > 1) {
    for (const type of types) if (await findPlatformIdByResource(database, type, uuid)) return type;
  }
  return types[0] ?? 'Transaction';
}

/** The explanation as text: the answer first, then the timeline. */
export function linesOf(explanation: TransactionExplanation): string[] {
  const { id, type, status, summary, failure, refusal, items, isTruncated } = explanation;
  return [
    `${type} ${status}  ${id}`,
    '',
    summary,
    ...(failure ? ['', ...failureLines(failure)] : []),
    ...(refusal
      ? ['', `Refused: ${refusal.method} ${refusal.path}, ${refusal.status} ${refusal.code}, ${refusal.at}`]
      : []),
    ...waitingLines(explanation),
    '',
    ...(isTruncated ? ['Older items were left out; these are the newest.'] : []),
    ...items.map((item) => {
      const actor = item.actor ? ` [${item.actor.actorId ?? item.actor.kind}]` : '';
      const rule = item.rule === undefined ? '' : ` (${item.rule})`;
      return `${item.at}  ${item.kind.padEnd(10)}  ${item.title}${rule}${actor}`;
    }),
  ];
}

function failureLines(failure: NonNullable<TransactionExplanation['failure']>): string[] {
  const { reason, rule, causedBy } = failure;
  return [
    `Failed: ${reason} (${rule})`,
    ...(causedBy
      ? [`  caused by the value ${causedBy.value}: ${causedBy.effect} (${causedBy.table}, ${causedBy.link})`]
      : []),
  ];
}

function waitingLines({ waiting }: TransactionExplanation): string[] {
  if (!waiting) return [];
  return [
    '',
    `Waiting: ${waiting.for}`,
    ...(waiting.since === undefined ? [] : [`  since ${waiting.since}`]),
    ...(waiting.until === undefined ? [] : [`  until ${waiting.until}`]),
    ...(waiting.afterwards === undefined ? [] : [`  ${waiting.afterwards}`]),
    ...waiting.by.flatMap(({ who, how, call, command }) => [
      `  ${who}: ${how}`,
      ...(call ? [`    ${call.method} ${call.path}${call.body ? ` ${JSON.stringify(call.body)}` : ''}`] : []),
      ...(command === undefined ? [] : [`    $ ${command}`]),
    ]),
  ];
}
