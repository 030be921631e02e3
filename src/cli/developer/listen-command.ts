import { Command, InvalidArgumentError } from 'commander';
import { asDeveloper, onServer } from '#cli/developer/connect.ts';
import type { ListenOptions } from '#cli/developer/forward.ts';
import { UsageError } from '#cli/failure.ts';
import { EVENT_TYPES } from '#foundation/events/types.ts';
import { isHttpUrl } from '#foundation/lib/urls.ts';

export function listenCommand(): Command {
  return onServer(new Command('listen'))
    .option(
      '--forward-to <url>',
      'POST each event there as its signed webhook, and return the replies to questions',
    )
    .option(
      '--events <types>',
      'only these types, such as OUTGOING_PAYMENT.*,CUSTOMER.KYC_APPROVED',
      typesArgument,
    )
    .option('--print', 'print the bodies, too')
    .option('--resume <file>', 'remember in this file which events were received, and continue after them')
    .addHelpText('after', '\nExample:\n  $ corridor listen --forward-to http://localhost:3000/hooks')
    .action(async (options: ListenOptions) => {
      const { forwardTo } = options;
      if (forwardTo !== undefined && !isHttpUrl(forwardTo)) {
        throw new UsageError('--forward-to must be an http or https URL');
      }
      const { listen } = await import('#cli/developer/listen.ts');
      await asDeveloper(options, (corridor) => listen(corridor, options));
    });
}

/** Names with commas between them; one may end in `*`. */
function typesArgument(text: string): ReadonlySet<string> {
  const types = text.split(',').flatMap((part) => {
    const name = part.trim().toUpperCase();
    const matching = EVENT_TYPES.filter((type) =>
      name.endsWith('*') ? type.startsWith(name.slice(0, -1)) : type === name,
    );
    if (matching.length > 0) return matching;
    throw new InvalidArgumentError(
      `${JSON.stringify(part.trim())} is not an event type ("corridor trigger --list" shows all).`,
    );
  });
  return new Set(types);
}
