import { type AnnounceParts, announceWork } from '#capabilities/attention/announce-work.ts';
import { workOperations } from '#capabilities/attention/routes.ts';
import { sendMails } from '#capabilities/attention/send-mails.ts';
import { eraseTakes, purgeTakes } from '#capabilities/attention/take-store.ts';
import type { Capability } from '#capabilities/capability.ts';
import type { Work } from '#foundation/database/work.ts';
import { purgeTask } from '#foundation/jobs/purge.ts';

export const attention = {
  name: 'attention',
  operatorOperations: workOperations,
  upkeep: [purgeTask(purgeTakes)],
  rounds: (parts: AnnounceParts) => [
    (work: Work) => work.write((tx) => announceWork(tx, parts)),
    (work: Work) => sendMails(work, parts),
  ],
  erasers: [eraseTakes],
} satisfies Capability<AnnounceParts>;
