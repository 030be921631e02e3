import type { AnnounceParts } from '#capabilities/attention/announce-work.ts';
import {
  type ClaimedMail,
  claimMails,
  deleteMails,
  releaseMails,
} from '#capabilities/attention/mail-store.ts';
import { relyingPartyOf } from '#capabilities/operators/address.ts';
import type { Work } from '#foundation/database/work.ts';
import { INSTALLATION } from '#foundation/lib/platform.ts';

/** Longer than the longest attempt to send a mail. */
const LEASE_MS = 2 * 60 * 1000;

/**
 * Sends the mails about new work that are to be sent (operator.md §6.6), each at least once: its row goes after the mail server
 * has answered. A mail that could not be sent keeps its row and delays no other one. All that waits for one operator becomes
 * one mail. It throws the first failure after all are tried, so that the worker logs it and tries again.
 */
export async function sendMails(work: Work, parts: AnnounceParts): Promise<void> {
  const now = work.runtime.clock.now();
  if (!work.runtime.ports('PRODUCTION').messages.supports('EMAIL')) return;
  const claimed = await work.write((tx) => claimMails(tx, new Date(now), new Date(now + LEASE_MS)));
  const byOperator = Map.groupBy(claimed, ({ operator }) => operator);
  const outcomes = await Promise.allSettled(
    [...byOperator.values()].map((rows) => sendOne(work, parts, rows)),
  );
  const failure = outcomes.find(({ status }) => status === 'rejected');
  if (failure?.status === 'rejected') throw failure.reason;
}

/** A mail that the server refuses for good is given up; the adapter logs it, and the work stands. */
async function sendOne(work: Work, parts: AnnounceParts, rows: readonly ClaimedMail[]): Promise<void> {
  const ids = rows.map(({ id }) => id);
  const [newest] = rows.slice(-1);
  const lines = linesOf(parts, rows);
  if (newest?.status === 'ACTIVE' && lines.length > 0) {
    try {
      await work.runtime.ports('PRODUCTION').messages.send({
        // The same for a repetition, so that mailboxes recognize it.
        ...{ reference: `work:${newest.id}`, platformId: INSTALLATION.id, at: newest.made_at },
        ...{ channel: 'EMAIL', recipient: newest.email, senderName: 'Corridor' },
        subject: 'New work waits for you',
        text: `Hello ${newest.name},\n\nnew items wait for you:\n\n${lines.join('\n')}\n\n${relyingPartyOf(parts).origin}/console/operator\n`,
      });
    } catch (error) {
      await work.write((tx) => releaseMails(tx, ids));
      throw error;
    }
  }
  await work.write((tx) => deleteMails(tx, ids));
}

/** How many items of each kind, in the order in which kinds are shown. */
function linesOf(parts: AnnounceParts, rows: readonly ClaimedMail[]): string[] {
  return parts.workKinds().flatMap(({ name, title }) => {
    const count = rows.reduce((sum, { counts }) => sum + (counts[name] ?? 0), 0);
    return count === 0 ? [] : [`${count}: ${title}`];
  });
}
