import assert from 'node:assert/strict';
import type { ServiceDomains } from '#capabilities/platform/change-config.ts';
import {
  checkCurrencyCodes,
  checkNames,
  type ExplicitSettings,
  mergeSettings,
  requireValidSettings,
} from '#capabilities/platform/check-settings.ts';
import type { ProviderFields } from '#capabilities/platform/config.ts';
import {
  findAllPlatforms,
  findPlatformRecord,
  lockPlatform,
  type PlatformRecord,
  platformFromRecord,
  savePlatform,
} from '#capabilities/platform/platform-store.ts';
import { PlatformConfigUpdateRequest, ProviderFieldsByCurrency } from '#capabilities/platform/schemas.ts';
import { loadProviderFields, saveProviderFields } from '#capabilities/platform/store.ts';
import { updateConfig } from '#capabilities/platform/update-config.ts';
import { audit } from '#foundation/audit/audit.ts';
import { type ChangedValue, changedValues } from '#foundation/audit/changed-values.ts';
import type { Actor, Runtime, Tx } from '#foundation/database/tx.ts';
import { Work } from '#foundation/database/work.ts';
import { checkSchema, validate } from '#foundation/http/read/validate.ts';
import { parseId, publicId } from '#foundation/lib/ids.ts';
import { effectiveSettings } from '#foundation/lib/platform.ts';
import { invalidFields, notFound } from '#foundation/lib/refusals.ts';

export interface PlatformChange {
  readonly name?: string;
  /** Merged into the current settings; `null` resets a setting to its default. */
  readonly settings?: ExplicitSettings;
  /** Fields that each currency's providers require, merged into the stored ones; `null` removes an entry. */
  readonly providerFields?: ExplicitSettings;
}

/**
 * Changes a platform's settings for the operator (platform.md §3.3). If any is invalid, nothing changes, and the refusal
 * names each invalid one.
 */
export async function setPlatform(
  runtime: Runtime,
  id: string,
  actor: Actor,
  change: PlatformChange,
): Promise<PlatformRecord> {
  const work = await openPlatform(runtime, id, actor);
  return work.write((tx) => setPlatformIn(tx, change));
}

/** The same in a transaction of the platform. The reason is for the audit log. */
export async function setPlatformIn(
  tx: Tx,
  change: PlatformChange,
  reason?: string,
): Promise<PlatformRecord> {
  requirePlatformName(change.name);
  const details = { ...change, ...reasonDetails(reason) };
  return changePlatform(tx, 'platform set', details, async (current) => {
    const explicitSettings = mergeSettings(current.explicitSettings, change.settings ?? {});
    requireValidSettings(current, explicitSettings);
    const { providerFields } = change;
    const fields = providerFields === undefined ? undefined : await changeProviderFields(tx, providerFields);
    const next = { ...current, name: change.name ?? current.name, explicitSettings };
    const changed = changedValues(settingsOf(current, fields?.before), settingsOf(next, fields?.after));
    return { next, changed };
  });
}

/** Returns the values that a change of settings can replace, with defaults, under the names of the request. */
function settingsOf({ name, environment, explicitSettings }: PlatformRecord, providerFields: unknown) {
  return { name, settings: effectiveSettings(environment, explicitSettings), providerFields };
}

/** Sets a UMA domain that the operator vouches for (platform.md §3.2.2a); all other checks still apply. */
export async function setUmaDomain(
  runtime: Runtime,
  id: string,
  actor: Actor,
  umaDomain: string,
  { domains, reason }: { readonly domains: ServiceDomains; readonly reason: string },
): Promise<void> {
  const body = { umaDomain };
  const problems = checkSchema(PlatformConfigUpdateRequest, body, validate);
  const proof = { domain: umaDomain.toLowerCase(), proof: 'PROVEN' } as const;
  const work = await openPlatform(runtime, id, actor);
  await work.write(async (tx) => {
    await updateConfig(tx, body, { domains, sandboxReach: 'any', problems, proof });
    const resource = publicId('Platform', tx.platformId);
    audit(tx, { action: 'platform uma-domain', resource, details: { umaDomain, reason } });
  });
}

/** Refuses the platform's tokens with `PLATFORM_NOT_FOUND` and closes its links from now on; deletes nothing. */
export async function disablePlatform(
  runtime: Runtime,
  id: string,
  actor: Actor,
  reason?: string,
): Promise<PlatformRecord> {
  const work = await openPlatform(runtime, id, actor);
  return work.write((tx) => switchPlatform(tx, 'disable', reason));
}

export async function enablePlatform(
  runtime: Runtime,
  id: string,
  actor: Actor,
  reason?: string,
): Promise<PlatformRecord> {
  const work = await openPlatform(runtime, id, actor);
  return work.write((tx) => switchPlatform(tx, 'enable', reason));
}

/** Disables or enables a platform in a transaction of that platform. */
export function switchPlatform(tx: Tx, step: 'disable' | 'enable', reason?: string): Promise<PlatformRecord> {
  const disabledAt = new Date(tx.runtime.clock.now());
  return changePlatform(tx, `platform ${step}`, reasonDetails(reason), async (current) => ({
    next: { ...current, disabledAt: step === 'enable' ? null : (current.disabledAt ?? disabledAt) },
    changed: [],
  }));
}

function reasonDetails(reason: string | undefined): Record<string, unknown> {
  return reason === undefined ? {} : { reason };
}

export function requirePlatformName(name: string | undefined): void {
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

async function changeProviderFields(tx: Tx, change: ExplicitSettings) {
  requireObject(change);
  const before = await loadProviderFields(tx);
  const fields = mergeSettings(before, change);
  const unknown = [
    ...checkCurrencyCodes('', Object.keys(fields), tx.platform.ownCurrencies),
    ...checkNames(ProviderFieldsByCurrency, fields, ''),
  ];
  if (unknown.length > 0) throw invalidFields(unknown);
  validate(ProviderFieldsByCurrency, fields);
  await saveProviderFields(tx, fields as Record<string, ProviderFields>);
  return { before, after: fields };
}

/** It comes from the command line, so it may be any JSON. */
function requireObject(change: unknown): void {
  if (change === null || typeof change !== 'object' || Array.isArray(change)) {
    throw invalidFields([{ field: 'providerFields', message: 'must be an object of currencies' }]);
  }
}

async function changePlatform(
  tx: Tx,
  action: string,
  details: Record<string, unknown>,
  change: (current: PlatformRecord) => Promise<{ next: PlatformRecord; changed: readonly ChangedValue[] }>,
): Promise<PlatformRecord> {
  const current = await lockPlatform(tx);
  assert(current, 'platforms are never deleted');
  const { next, changed } = await change(current);
  await savePlatform(tx, next);
  audit(tx, { action, resource: publicId('Platform', tx.platformId), details, changed });
  return next;
}

/** Opens work on one platform without a token, for the operator's command line. */
export async function openPlatform(runtime: Runtime, id: string, actor: Actor): Promise<Work> {
  return new Work(runtime, platformFromRecord(await loadPlatform(runtime, id)), actor);
}

/** Loads by `Platform:<uuid>` or bare UUID; refuses an unknown id with `PLATFORM_NOT_FOUND`. */
export async function loadPlatform(
  { database }: Pick<Runtime, 'database'>,
  id: string,
): Promise<PlatformRecord> {
  const uuid = parseId('Platform', id);
  const record = uuid === undefined ? undefined : await findPlatformRecord(database, uuid);
  if (!record) throw notFound('PLATFORM_NOT_FOUND', 'Platform');
  return record;
}

export function listPlatforms({ database }: Pick<Runtime, 'database'>): Promise<PlatformRecord[]> {
  return findAllPlatforms(database);
}
