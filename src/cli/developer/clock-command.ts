import type { Corridor, SandboxClock, SandboxClockAdvanceReply } from '@corridor/client';
import { Command, InvalidArgumentError } from 'commander';
import { countArgument, durationArgument } from '#cli/arguments.ts';
import { asDeveloper, onServer, type ServerOptions } from '#cli/developer/connect.ts';
import { UsageError } from '#cli/failure.ts';
import { printJson, printObject, printRows } from '#cli/print.ts';

export function clockCommand(): Command {
  const clock = new Command('clock').addHelpText('after', '\nExample:\n  $ corridor clock advance 5m');
  onServer(clock.command('show').description('print the platform’s current time'))
    .addHelpText('after', '\nExample:\n  $ corridor clock show')
    .action((options: ServerOptions) =>
      asDeveloper(options, async (corridor) => print(await corridor.getSandboxClock(), options)),
    );
  onServer(clock.command('due').description('list what will happen next on the platform’s clock'))
    .option('--limit <count>', 'print at most this many', countArgument(1, 100), 20)
    .addHelpText('after', '\nExample:\n  $ corridor clock due --limit 5')
    .action((options: DueOptions) => asDeveloper(options, (corridor) => printDue(corridor, options)));
  addAdvance(clock);
  return clock;
}

interface DueOptions extends ServerOptions {
  readonly limit: number;
}

interface AdvanceOptions extends ServerOptions {
  readonly until?: string;
}

async function printDue(corridor: Corridor, { limit, json = false }: DueOptions): Promise<void> {
  const { data } = await corridor.listSandboxClockDue({ limit });
  const none = 'Nothing is due.';
  if (json) printJson(data);
  else
    printRows(
      data.map(({ dueAt, sentence, id }) => ({ 'due at': dueAt, 'what happens': sentence, id })),
      { json, none },
    );
}

function addAdvance(clock: Command): void {
  onServer(
    clock
      .command('advance')
      .description(
        'move the clock ahead; everything that falls due on the way happens. It cannot be moved back',
      )
      // Otherwise -5m is an unknown option, and the refusal does not say that time cannot go back.
      .allowUnknownOption()
      .argument('[duration]', 'how far, such as 90s, 5m, 1h30m or 3d; at most 365d', aheadArgument),
  )
    .option(
      '--until <what>',
      'move to the next item that is due ("next"), or to an item of "clock due" (its id)',
    )
    .addHelpText(
      'after',
      '\nExamples:\n  $ corridor clock advance 5m\n  $ corridor clock advance 1h30m\n  $ corridor clock advance --until next',
    )
    .action((seconds: number | undefined, options: AdvanceOptions) => {
      const { until } = options;
      if ((seconds === undefined) === (until === undefined)) {
        throw new UsageError('Give either a duration, such as 5m, or --until.');
      }
      return asDeveloper(options, async (corridor) =>
        print(
          await corridor.advanceSandboxClock({
            ...(seconds !== undefined && { seconds }),
            ...(until !== undefined && { until }),
          }),
          options,
        ),
      );
    });
}

function aheadArgument(text: string): number {
  if (/^-+\d/.test(text)) {
    throw new InvalidArgumentError('Time only goes forward: say how far ahead, such as 5m.');
  }
  const seconds = durationArgument(text);
  if (seconds <= YEAR_SECONDS) return seconds;
  throw new InvalidArgumentError('It can be moved by at most 365d at a time.');
}

/** The most that the service moves it at once (platform.md §1.5.2). */
const YEAR_SECONDS = 365 * 86_400;

function print(
  { now, offsetSeconds, reached }: SandboxClock & Pick<SandboxClockAdvanceReply, 'reached'>,
  { json = false }: ServerOptions,
): void {
  const ahead = { now, 'ahead of real time': showDuration(offsetSeconds) };
  if (json) printObject({ now, offsetSeconds, ...(reached && { reached }) }, { json });
  else printObject({ ...ahead, ...(reached && { 'what happened': reached.sentence }) }, { json });
}

const UNITS = { d: 86_400, h: 3_600, m: 60, s: 1 } as const;

/** In the form that `advance` takes: `1h30m`. */
function showDuration(seconds: number): string {
  let rest = seconds;
  const parts = Object.entries(UNITS).flatMap(([unit, size]) => {
    const count = Math.floor(rest / size);
    rest -= count * size;
    return count > 0 ? [`${count}${unit}`] : [];
  });
  return parts.join('') || '0s';
}
