import { type Command, InvalidArgumentError } from 'commander';
import { readId } from '#cli/arguments.ts';
import { findResourceWork, ownerOption, type PlatformOptions } from '#cli/operator/shell/choose-platform.ts';
import { asOperator, type Operator } from '#cli/operator/shell/operator.ts';
import { printJson, printLine } from '#cli/print.ts';
import { audit } from '#foundation/audit/audit.ts';
import { explainTransaction } from '#foundation/explanation/explain.ts';
import type { TransactionExplanation } from '#foundation/explanation/schemas.ts';
import { ACTOR_WORDS } from '#foundation/explanation/words.ts';
import { findPlatformIdByResource } from '#foundation/http/resource-platform-store.ts';
import { publicId } from '#foundation/lib/ids.ts';

/** The resources that can be explained; a bare UUID is looked for in this order. */
const EXPLAINED = ['Transaction', 'Quote', 'StablecoinOperation', 'AgentAction'] as const;

interface Named {
  /** The type in the id, and the others after it: some lists print the ids of mints and burns with another type. */
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
  const uuid = readId(named[0] ?? EXPLAINED[0], text);
  if (uuid === undefined) throw new InvalidArgumentError('It must be an id such as Transaction:<uuid>.');
  return { types: [...named, ...EXPLAINED.filter((type) => !named.includes(type))], uuid };
}

async function explain(operator: Operator, named: Named, options: PlatformOptions): Promise<void> {
  const type = await chooseType(operator, named);
  const work = await findResourceWork(operator, options, type, named.uuid);
  const { SERVICE } = await import('#app/compose.ts');
  const resource = publicId(type, named.uuid);
  const explanation = await work.read((tx) => explainTransaction(tx, SERVICE, resource, 'OPERATOR'));
  // It may tell more than the platform sees, so the read is audited before anything is printed.
  await work.write(async (tx) => audit(tx, { action: 'payment explain', resource }));
  if (options.json) printJson(explanation);
  else for (const line of linesOf(explanation)) printLine(line);
}

async function chooseType({ database }: Operator, { types, uuid }: Named): Promise<Named['types'][number]> {
  for (const type of types) if (await findPlatformIdByResource(database, type, uuid)) return type;
  return types[0] ?? 'Transaction';
}

/** The explanation as text: the answer first, then the timeline. */
export function linesOf(explanation: TransactionExplanation): string[] {
  const { id, type, status, now, summary, failure, refusal, related, items, isTruncated } = explanation;
  return [
    `${type} ${status}  ${id}`,
    `The platform’s clock shows ${now}.`,
    '',
    summary,
    ...(failure ? ['', ...failureLines(failure, summary)] : []),
    ...(refusal
      ? [
          '',
          `Refused at ${refusal.at}: ${refusal.method} ${refusal.path} with ${refusal.status} ${refusal.code}`,
        ]
      : []),
    ...waitingLines(explanation),
    '',
    ...related.map((one) => `${capital(one.relation)}: ${one.id}`),
    '',
    ...(isTruncated ? ['Older items were left out; these are the newest.'] : []),
    ...items.map(itemLine),
  ];
}

type PresentedItem = TransactionExplanation['items'][number];

function itemLine({ at, kind, title, rule, actor }: PresentedItem): string {
  const cited = rule === undefined ? '' : ` (${rule})`;
  return `${at}  ${kind.padEnd(10)}  ${title}${cited}${actor ? ` [${sayActor(actor)}]` : ''}`;
}

function sayActor({ kind, actorId }: NonNullable<PresentedItem['actor']>): string {
  return actorId === undefined ? ACTOR_WORDS[kind] : `${ACTOR_WORDS[kind]}, ${actorId}`;
}

function failureLines(failure: NonNullable<TransactionExplanation['failure']>, summary: string): string[] {
  const { reason, sentence, rule, causedBy } = failure;
  return [
    `Reason: ${reason} (${rule})`,
    ...(summary.includes(sentence) ? [] : [`  ${sentence}`]),
    ...(causedBy
      ? [
          `  The sandbox decided by ${causedBy.of}, ${causedBy.value}: ${causedBy.effect} (${causedBy.table}, ${causedBy.link})`,
        ]
      : []),
  ];
}

function waitingLines({ waiting }: TransactionExplanation): string[] {
  if (!waiting) return [];
  const { since, until, nextCheckAt, afterwards, by } = waiting;
  return [
    '',
    `Waiting: ${waiting.for}`,
    ...(since === undefined ? [] : [`  since ${since}`]),
    ...(until === undefined ? [] : [`  until ${until} at the latest`]),
    ...(nextCheckAt === undefined ? [] : [`  the service asks next at ${nextCheckAt}`]),
    ...(afterwards === undefined ? [] : [`  ${afterwards}`]),
    ...by.flatMap(({ who, how, call, command }) => [
      `  ${call?.path.startsWith('/sandbox/') ? 'You, in the sandbox' : capital(ACTOR_WORDS[who])}: ${how}`,
      ...(call ? [`    ${call.method} ${call.path}${call.body ? ` ${JSON.stringify(call.body)}` : ''}`] : []),
      ...(command === undefined ? [] : [`    $ ${command}`]),
    ]),
  ];
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
