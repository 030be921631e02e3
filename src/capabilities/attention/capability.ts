import { type AnnounceParts, announceWork, mailAtOnce } from '#capabilities/attention/announce-work.ts';
import { workOperations } from '#capabilities/attention/routes.ts';
import { sendMails } from '#capabilities/attention/send-mails.ts';
import { eraseTakes, purgeTakes } from '#capabilities/attention/take-store.ts';
import type { Capability } from '#capabilities/capability.ts';
import { breakGlassUsed } from '#capabilities/proposals/announcements.ts';
import { unacknowledgedBreakGlass } from '#capabilities/proposals/attention.ts';
import { on } from '#foundation/events/reactions.ts';
import { inOneTransaction } from '#foundation/jobs/installation-work.ts';
import { purgeTask } from '#foundation/jobs/purge.ts';

export const attention = {
  name: 'attention',
  operatorOperations: workOperations,
  upkeep: [purgeTask('old notes about work', purgeTakes)],
  rounds: (parts: AnnounceParts) => [
    inOneTransaction('new work', (tx) => announceWork(tx, parts)),
    { name: 'mails about work', run: (work) => sendMails(work, parts) },
  ],
  reactions: [on(breakGlassUsed, (tx) => mailAtOnce(tx, unacknowledgedBreakGlass))],
  erasers: [eraseTakes],
} satisfies Capability<AnnounceParts>;
