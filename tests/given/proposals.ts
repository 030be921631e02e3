import assert from 'node:assert/strict';
import type { OperatorId } from '#capabilities/proposals/row.ts';
import { setApprovalSettings } from '#capabilities/proposals/settings-store.ts';
import { sql } from '#foundation/database/sql.ts';
import { Work } from '#foundation/database/work.ts';
import type { OperatorCaller } from '#foundation/http/caller.ts';
import type { OperatorRole } from '#foundation/http/operator-rule.ts';
import { newUuid, publicId } from '#foundation/lib/ids.ts';
import { INSTALLATION, type Platform } from '#foundation/lib/platform.ts';
import { Refusal } from '#foundation/lib/refusals.ts';
import type { World } from '#tests/harness/harness.ts';

/** Somebody with a live session, who proved presence just now. */
export interface SeatedOperator {
  readonly id: OperatorId;
  readonly name: string;
  /** Performs an operators' operation as this person. */
  call(
    operation: string,
    params: Record<string, string>,
    body?: Record<string, unknown>,
    key?: string,
  ): Promise<CallReply>;
}

export interface CallReply {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a reply of any operation
  readonly body: any;
}

/** An operator of a platform's resources, below the session. */
export async function seatedOperator(
  world: World,
  platform: Platform,
  roles: readonly OperatorRole[] = ['treasury'],
): Promise<SeatedOperator> {
  const id = newUuid<'Operator'>();
  await world.database.query(sql`
    insert into operators (id, name, email, roles, status, invited_by, address_by, created_at, active_since)
    values (${id}, 'Seated', ${`${id}@example.com`}, ${roles}::text[], 'ACTIVE', 'test', 'test', now(), now())`);
  const name = publicId('Operator', id);
  return {
    id,
    name,
    async call(operation, params, body = {}, key = newUuid()) {
      const { app, clock } = world;
      const session = { id: newUuid<'OperatorSession'>(), steppedUpAt: new Date(clock.now()) };
      const caller: OperatorCaller = { kind: 'operator', id: name, platform, roles, session };
      const declared = app.operatorOperations.find((one) => one.id === operation);
      assert.ok(declared, operation);
      const isRead = declared.method === 'GET';
      try {
        const done = await app.perform(declared, {
          ...{ caller, params, query: isRead ? body : {} },
          ...(!isRead && { body: { reason: 'case 4711', ...body }, key }),
        });
        return { status: done.status, body: done.body === '' ? undefined : JSON.parse(done.body) };
      } catch (error) {
        if (error instanceof Refusal) return { status: error.status, body: error.body() };
        throw error;
      }
    },
  };
}

/** Sets what the installation requires of operators. */
export function setApprovals(
  world: World,
  settings: Parameters<typeof setApprovalSettings>[1],
): Promise<void> {
  const actor = { kind: 'operator', id: 'ada@shell' } as const;
  return new Work(world.app.runtime, INSTALLATION, actor).write((tx) => setApprovalSettings(tx, settings));
}
