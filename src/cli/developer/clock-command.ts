import type { SandboxClock } from '@corridor/client';
import { Command, InvalidArgumentError } from 'commander';
import { durationArgument } from '#cli/arguments.ts';
import { asDeveloper, onServer, type ServerOptions } from '#cli/developer/connect.ts';
import { printObject } from '#cli/print.ts';

export function clockCommand(): Command {
  const clock = new Command('clock').addHelpText('after', '\nExample:\n  $ corridor clock advance 5m');
  onServer(clock.command('show').description('print the platform’s current time'))
    .addHelpText('after', '\nExample:\n  $ corridor clock show')
    .action((options: ServerOptions) =>
      asDeveloper(options, async (corridor) => print(await corridor.getSandboxClock(), options)),
    );
  onServer(
    clock
      .command('advance')
      .description(
        'move the clock ahead; everything that falls due on the way happens. It cannot be moved back',
      )
      // Otherwise -5m is an unknown option, and the refusal does not say that time cannot go back.
      .allowUnknownOption()
      .argument('<duration>', 'how far, such as 90s, 5m, 1h30m or 3d; at most 365d', aheadArgument),
  )
    .addHelpText('after', '\nExamples:\n  $ corridor clock advance 5m\n  $ corridor clock advance 1h30m')
    .action((seconds: number, options: ServerOptions) =>
      asDeveloper(options, async (corridor) =>
        print(await corridor.advanceSandboxClock({ seconds }), options),
      ),
    );
  return clock;
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

function print({ now, offsetSeconds }: SandboxClock, { json = false }: ServerOptions): void {
  if (json) printObject({ now, offsetSeconds }, { json });
  else printObject({ now, 'ahead of real time': showDuration(offsetSeconds) }, { json });
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
