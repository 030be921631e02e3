import { Command } from 'commander';
import { ROLES, type Role, readConfig } from '#app/config.ts';
import { openOutput } from '#app/log.ts';
import { choiceOption } from '#cli/options.ts';

export function serveCommand(): Command {
  return new Command('serve')
    .addOption(
      choiceOption(
        '--role <role>',
        'answer requests (api), do background work (worker), or both (all)',
        ROLES,
      ).default('all'),
    )
    .addHelpText(
      'after',
      '\nExamples:\n  $ corridor serve\n  $ DATABASE_URL=postgres://… corridor serve --role worker',
    )
    .action(async ({ role }: { role: Role }) => {
      const config = readConfig(process.env);
      // Loaded here, so that the other commands start quickly.
      const { serve } = await import('./server.ts');
      const output = await openOutput({ level: config.logLevel, isTerminal: process.stdout.isTTY === true });
      const code = await serve({ config, role, output });
      process.exit(code);
    });
}
