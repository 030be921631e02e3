import { resolveBreaksAbout } from '#capabilities/connectors/break-store.ts';
import { findOwner, upsertOwner } from '#capabilities/connectors/credit-store.ts';
import { ownerlessAccount } from '#capabilities/connectors/credits/apply-money.ts';
import { lockConnector } from '#capabilities/connectors/registry-store.ts';
import { realNow } from '#capabilities/connectors/route-order.ts';
import { CONNECTED } from '#capabilities/connectors/row.ts';
import { audit } from '#foundation/audit/audit.ts';
import { changedValues } from '#foundation/audit/changed-values.ts';
import { listPlatformsOf } from '#foundation/database/platforms.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { invalidFields, Refusal, refuse } from '#foundation/lib/refusals.ts';

export interface Ownership {
  /** The name of the connector. */
  readonly name: string;
  readonly settlementAccount: string;
  readonly platformId: PlatformId;
  readonly reason: string;
}

/**
 * Names the platform whose books hold what comes into a settlement account and nobody claims (connectors.md §8.5). From
 * then on it takes money in. Money in the books of another platform stays there.
 */
export async function setOwner(
  tx: Tx,
  { name, settlementAccount, platformId, reason }: Ownership,
): Promise<void> {
  const run = tx.query.bind(tx);
  const connector = await lockConnector(run, name);
  if (!connector) throw new Refusal('NOT_FOUND', `There is no connector ${name}.`);
  const { capabilities, id: connector_id } = connector;
  if (capabilities === null) refuse('CONFLICT', `${name} has not said yet which settlement accounts it has.`);
  const known = capabilities.settlementAccounts.map(({ id }) => id);
  if (!known.includes(settlementAccount)) {
    throw invalidFields([{ field: 'settlementAccount', message: `must be one of ${known.join(', ')}` }]);
  }
  const platforms = await listPlatformsOf(run, CONNECTED);
  if (!platforms.some(({ id }) => id === platformId)) {
    throw invalidFields([{ field: 'platform', message: 'must be a platform of production' }]);
  }
  const now = realNow(tx);
  const before = await findOwner(run, connector_id, settlementAccount);
  await upsertOwner(
    run,
    { connector_id, settlement_account: settlementAccount, platform_id: platformId },
    now,
  );
  await resolveBreaksAbout(
    tx,
    { connectorId: connector_id, about: ownerlessAccount(settlementAccount) },
    { reason, now },
  );
  const platformName = publicId('Platform', platformId);
  audit(tx, {
    action: 'connector owner',
    details: { connector: name, settlementAccount, platform: platformName, reason },
    changed: changedValues({ platform: before && publicId('Platform', before) }, { platform: platformName }),
  });
}
