import { operatorCurtailed } from '#capabilities/operators/announcements.ts';
import { deleteSessions } from '#capabilities/operators/session-store.ts';
import { endIdle, lockUnseen } from '#capabilities/operators/store.ts';
import { audit } from '#foundation/audit/audit.ts';
import { onPlatform, type Tx } from '#foundation/database/tx.ts';
import { announce } from '#foundation/events/reactions.ts';
import type { JobDeclarations } from '#foundation/jobs/handlers.ts';
import { schedule } from '#foundation/jobs/schedule.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { INSTALLATION } from '#foundation/lib/platform.ts';

const SUSPEND_IDLE = 'operators.suspend-idle';
/** operator.md §1.6 */
const IDLE_DAYS = 90;

/** Operators belong to no platform, so the daily work of every platform looks; the second one finds nothing to do. */
export function scheduleIdle(tx: Tx): void {
  schedule(tx, { kind: SUSPEND_IDLE, key: 'daily', afterMs: 0 });
}

export const idleJobs: JobDeclarations = {
  [SUSPEND_IDLE]: { due: 'upkeep', run: suspendIdle },
};

/** Suspends operators who were not seen for 90 days, except for the last admin (operator.md §1.6). */
export async function suspendIdle(tx: Tx): Promise<void> {
  const since = new Date(tx.runtime.clock.now() - IDLE_DAYS * 24 * 60 * 60 * 1000);
  for (const { id, email } of await lockUnseen(tx, since)) {
    if (!(await endIdle(tx, id))) continue;
    await deleteSessions(tx, id);
    await announce(tx, operatorCurtailed, {
      operatorId: id,
      reason: 'the operator was not seen for 90 days',
    });
    audit(onPlatform(tx, INSTALLATION), {
      action: 'operator suspend',
      resource: publicId('Operator', id),
      details: { operator: email, reason: `not seen for ${IDLE_DAYS} days` },
    });
  }
}
