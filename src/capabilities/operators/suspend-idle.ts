import { operatorCurtailed } from '#capabilities/operators/announcements.ts';
import { deleteSessions } from '#capabilities/operators/session-store.ts';
import { endIdle, lockUnseen } from '#capabilities/operators/store.ts';
import { audit } from '#foundation/audit/audit.ts';
import { onPlatform, type Tx } from '#foundation/database/tx.ts';
import { announce } from '#foundation/events/reactions.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { INSTALLATION } from '#foundation/lib/platform.ts';

/** operator.md §1.6 */
const IDLE_DAYS = 90;

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
