import { type AnnounceParts, announceWork, mailAtOnce } from '#capabilities/attention/announce-work.ts';
import { workOperations } from '#capabilities/attention/routes.ts';
import { sendMails } from '#capabilities/attention/send-mails.ts';
import { eraseTakes, purgeTakes } from '#capabilities/attention/take-store.ts';
import type { Capability } from '#capabilities/capability.ts';
import { breakGlassUsed } from '#capabilities/proposals/announcements.ts';
import { unacknowledgedBreakGlass } from '#capabilities/proposals/attention.ts';
import type { Work } from '#foundation/database/work.ts';
import { on } from '#foundation/events/reactions.ts';
import { purgeTask } from '#foundation/jobs/purge.ts';

export const attention = {
  name: 'attention',
  operatorOperations: workOperations,
  upkeep: [purgeTask(purgeTakes)],
  rounds: (parts: AnnounceParts) => [
    (work: Work) => work.write((tx) => announceWork(tx, parts)),
    (work: Work) => sendMails(work, parts),
  ],
  reactions: [on(breakGlassUsed, (tx) => mailAtOnce(tx, unacknowledgedBreakGlass))],
  erasers: [eraseTakes],
} satisfies Capability<AnnounceParts>;
