import { type Command, Option } from 'commander';
import type { CommandCall } from '#capabilities/proposals/at-command-line.ts';
import type { Operator } from '#cli/operator/shell/operator.ts';
import { printJson, printObject, reportProgress } from '#cli/print.ts';
import type { Tx } from '#foundation/database/tx.ts';
import type { Work } from '#foundation/database/work.ts';
import type { NamedOperation } from '#foundation/http/declare/operation.ts';

/** The options of every command that may need a second operator. */
export interface SecondOptions {
  as?: string;
  breakGlass?: true;
  reason?: string;
  json?: boolean;
}

const PERFORMED = new WeakMap<Command, readonly string[]>();

/** The operations that a command performs; none for a command that performs no operation. */
export function operationsOf(command: Command): readonly string[] {
  return PERFORMED.get(command) ?? [];
}

/** Says which operations a command performs. With `second`, it gets the options for those that need a second operator. */
export function performs(
  command: Command,
  operations: readonly string[],
  { second }: { second: boolean },
): Command {
  PERFORMED.set(command, operations);
  if (!second) return command;
  return command
    .addOption(
      new Option(
        '--as <e-mail>',
        'where a second operator is needed: propose it in the name of this operator, or do it with --break-glass',
      ),
    )
    .addOption(
      new Option(
        '--break-glass',
        'where a second operator is needed: do it at once in the name of --as; another operator has to acknowledge it',
      ),
    );
}

export interface Performance<T> {
  readonly operation: string;
  /** The parameters of its path, as bare ids. */
  readonly params?: Readonly<Record<string, string>>;
  /** The fields of its body beside the reason. */
  readonly body?: Readonly<Record<string, unknown>>;
  readonly options: SecondOptions;
  /** Reads what the command prints, in the transaction of the change. */
  present(tx: Tx, reply: never): Promise<T>;
}

/**
 * Performs an operation of operators, with the function that serves it over HTTP. Undefined: it needs a second operator and
 * was proposed, which is printed.
 */
export async function performOperation<T>(
  shell: Operator,
  work: Work,
  { operation: id, params = {}, body = {}, options, present }: Performance<T>,
): Promise<T | undefined> {
  const { as, breakGlass = false, reason, json = false } = options;
  const operation = await findOperation(shell, id);
  const given = Object.entries({ ...body, reason }).filter(([, value]) => value !== undefined);
  const input = { params, query: {}, body: Object.fromEntries(given) };
  await checkBody(operation, input.body);
  const { performCommand } = await import('#capabilities/proposals/at-command-line.ts');
  const call: CommandCall<T> = {
    operation,
    input,
    reason,
    as,
    isBreakGlass: breakGlass,
    present: present as CommandCall<T>['present'],
  };
  const outcome = await performCommand(work, call);
  if (outcome.kind === 'proposed') {
    const { preview: _preview, input: _input, ...proposal } = outcome.proposal;
    if (json) printJson(outcome.proposal);
    else printObject(proposal, { json });
    reportProgress(
      `Nothing is done yet: ${as} has to take the proposal, and another operator has to approve it.`,
    );
    return undefined;
  }
  if (outcome.breakGlass !== undefined)
    await reportBreakGlass(work, { id: outcome.breakGlass, operation: id });
  return outcome.value;
}

async function findOperation(shell: Operator, id: string): Promise<NamedOperation> {
  const found = (await shell.operations()).find((one) => one.id === id);
  if (!found) throw new Error(`there is no operation ${id}`);
  return found;
}

/** Commands take other reasons than operations do: their own options check them. */
async function checkBody(
  { body: schema }: NamedOperation,
  body: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { validate } = await import('#foundation/http/read/validate.ts');
  if (schema) validate(schema, { ...body, reason: 'as the option checked it' });
}

/** Mails the admins, and says that somebody has to acknowledge it. */
export async function reportBreakGlass(
  work: Work,
  use: { id: Id<'BreakGlass'>; operation: string },
): Promise<void> {
  const { mailBreakGlass } = await import('#capabilities/proposals/break-glass-mail.ts');
  const unmailed = await mailBreakGlass(work, use);
  reportProgress(
    'It was done without a second operator. It stands until another operator has acknowledged it.',
  );
  for (const address of unmailed) reportProgress(`The mail server did not take the message to ${address}.`);
}
