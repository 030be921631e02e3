import { Command, InvalidArgumentError } from 'commander';
import { asDeveloper, onServer } from '#cli/developer/connect.ts';
import type { ListenOptions } from '#cli/developer/forward.ts';
import { UsageError } from '#cli/failure.ts';
import { EVENT_TYPES } from '#foundation/events/types.ts';

export function listenCommand(): Command {
  return onServer(
    new Command('listen').description(
      'hear the events of your sandbox platform as they happen, until Ctrl-C',
    ),
  )
    .option(
      '--forward-to <url>',
      'POST each one there, as the signed webhook that it is, and answer questions',
    )
    .option(
      '--events <types>',
      'only these types, such as OUTGOING_PAYMENT.*,CUSTOMER.KYC_APPROVED',
      typesArgument,
    )
    .option('--print', 'print bodies, too')
    .option('--resume <file>', 'keep in this file how far it has come, and go on from there')
    .addHelpText('after', '\nExample:\n  $ corridor listen --forward-to http://localhost:3000/hooks')
    .action(async (options: ListenOptions) => {
      const { forwardTo } = options;
      if (forwardTo !== undefined && !/^https?:$/.test(URL.parse(forwardTo)?.protocol ?? '')) {
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
      `${JSON.stringify(part.trim())} is no type of event ("corridor trigger --list" has all).`,
    );
  });
  return new Set(types);
}
