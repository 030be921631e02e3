import assert from 'node:assert/strict';
import { audit } from '#audit/audit.ts';
import type { Actor, Runtime, Tx } from '#database/tx.ts';
import { validate } from '#http/validate.ts';
import { publicId } from '#lib/ids.ts';
import { invalidFields } from '#lib/refusals.ts';
import {
  checkSettings,
  type ExplicitSettings,
  mergeSettings,
  unknownCodes,
  unknownNames,
} from '#platform/check-settings.ts';
import type { ProviderFields } from '#platform/config.ts';
import { openPlatform } from '#platform/open-platform.ts';
import { lockPlatform, type PlatformRecord, storePlatform } from '#platform/platform-store.ts';
import { ProviderFieldsByCurrency } from '#platform/schemas.ts';
import { loadProviderFields, storeProviderFields } from '#platform/store.ts';

export interface PlatformChange {
  readonly name?: string;
  /** Laid over what is set already; `null` takes a setting back to its default. */
  readonly settings?: ExplicitSettings;
  /** What the providers of each currency must know, laid over what is set already; `null` takes an entry back. */
  readonly providerFields?: ExplicitSettings;
}

/** The operator's settings of one platform (platform.md §3.3). Every bad one is named; then nothing changes. */
export async function setPlatform(
  runtime: Runtime,
  id: string,
  actor: Actor,
  change: PlatformChange,
): Promise<PlatformRecord> {
  checkName(change.name);
  return changePlatform(runtime, id, actor, 'platform set', { ...change }, async (tx, current) => {
    const explicitSettings = mergeSettings(current.explicitSettings, change.settings ?? {});
    checkSettings(current, explicitSettings);
    if (change.providerFields !== undefined) await changeProviderFields(tx, change.providerFields);
    return { ...current, name: change.name ?? current.name, explicitSettings };
  });
}

/** Its tokens answer `PLATFORM_NOT_FOUND` from now on and its links open nothing; nothing is deleted. */
export async function disablePlatform(runtime: Runtime, id: string, actor: Actor): Promise<PlatformRecord> {
  const disabledAt = new Date(runtime.clock.now());
  return changePlatform(runtime, id, actor, 'platform disable', {}, async (_tx, current) => ({
    ...current,
    disabledAt: current.disabledAt ?? disabledAt,
  }));
}

export async function enablePlatform(runtime: Runtime, id: string, actor: Actor): Promise<PlatformRecord> {
  return changePlatform(runtime, id, actor, 'platform enable', {}, async (_tx, current) => ({
    ...current,
    disabledAt: null,
  }));
}

export function checkName(name: string | undefined): void {
  if (name !== undefined && (name.trim() === '' || name.length > 255)) {
    throw invalidFields([
      {
        field: 'name',
        constraint: { minLength: 1, maxLength: 255 },
        message: 'must have 1 to 255 characters',
      },
    ]);
  }
}

async function changeProviderFields(tx: Tx, change: ExplicitSettings): Promise<void> {
  checkGroup(change);
  const fields = mergeSettings(await loadProviderFields(tx), change);
  const unknown = [
    ...unknownCodes('', Object.keys(fields), tx.platform.ownCurrencies),
    ...unknownNames(ProviderFieldsByCurrency, fields, ''),
  ];
  if (unknown.length > 0) throw invalidFields(unknown);
  validate(ProviderFieldsByCurrency, fields);
  await storeProviderFields(tx, fields as Record<string, ProviderFields>);
}

/** It comes from the command line as it was written there. */
function checkGroup(change: unknown): void {
  if (change === null || typeof change !== 'object' || Array.isArray(change)) {
    throw invalidFields([{ field: 'providerFields', message: 'must be an object of currencies' }]);
  }
}

async function changePlatform(
  runtime: Runtime,
  id: string,
  actor: Actor,
  action: string,
  details: Record<string, unknown>,
  change: (tx: Tx, current: PlatformRecord) => Promise<PlatformRecord>,
): Promise<PlatformRecord> {
  const work = await openPlatform(runtime, id, actor);
  return work.write(async (tx) => {
    const current = await lockPlatform(tx);
    assert(current, 'platforms are never deleted');
    const next = await change(tx, current);
    await storePlatform(tx, next);
    audit(tx, { action, resource: publicId('Platform', tx.platformId), details });
    return next;
  });
}
