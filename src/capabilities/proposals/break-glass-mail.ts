import { listActiveAddresses } from '#capabilities/operators/store.ts';
import type { Work } from '#foundation/database/work.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { INSTALLATION } from '#foundation/lib/platform.ts';

/**
 * Mails all active admins that something was done without a second operator, where mail is set. It returns the addresses
 * that the mail server did not take. Nothing is lost with a mail: the row stands until somebody acknowledges it.
 */
export async function mailBreakGlass(
  work: Work,
  { id, operation }: { readonly id: Id<'BreakGlass'>; readonly operation: string },
): Promise<string[]> {
  const { runtime, actor } = work;
  const { messages } = runtime.ports('PRODUCTION');
  if (!messages.supports('EMAIL')) return [];
  const name = publicId('BreakGlass', id);
  const addresses = await work.read((tx) => listActiveAddresses(tx, 'admin'));
  const outcomes = addresses.map(async (recipient) => {
    const sent = messages.send({
      ...{
        reference: `break-glass:${id}:${recipient}`,
        platformId: INSTALLATION.id,
        channel: 'EMAIL',
        recipient,
      },
      senderName: 'Corridor',
      subject: 'Something was done without a second operator',
      text:
        `${actor.id} did ${operation} at the command line, at once and without a second operator (--break-glass).\n\n` +
        `The audit log has the reason: corridor audit list --resource ${name}\n\n` +
        'Another operator with a role for it has to acknowledge it.\n',
      at: new Date(runtime.clock.now()),
    });
    return (await sent.catch(() => 'refused')) === 'sent' ? [] : [recipient];
  });
  return (await Promise.all(outcomes)).flat();
}
