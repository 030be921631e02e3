import { addPlatform } from '#capabilities/platform/add-platform.ts';
import {
  type ExplicitSettings,
  mergeSettings,
  requireValidSettings,
} from '#capabilities/platform/check-settings.ts';
import { isFirstPlatform } from '#capabilities/platform/platform-store.ts';
import { requirePlatformName } from '#capabilities/platform/set-platform.ts';
import { type ChosenCredentials, createToken } from '#capabilities/tokens/create-token.ts';
import type { Permission } from '#capabilities/tokens/schemas.ts';
import type { TokenRow } from '#capabilities/tokens/store.ts';
import type { Actor, Runtime, Tx } from '#foundation/database/tx.ts';
import { Work } from '#foundation/database/work.ts';
import { NO_OWN_CURRENCIES } from '#foundation/lib/currencies.ts';
import { type Environment, effectiveSettings, type Platform } from '#foundation/lib/platform.ts';

export interface PlatformRequest {
  readonly name: string;
  readonly environment: Environment;
  /** Only the settings that differ from the environment's defaults. */
  readonly settings?: ExplicitSettings;
  /** The first token; by default with all three permissions and generated credentials. */
  readonly token?: {
    readonly name?: string;
    readonly permissions?: readonly Permission[];
    readonly credentials?: ChosenCredentials | undefined;
  };
  /** Why, for the audit log. */
  readonly reason?: string;
  /** Further writes in the same commit. */
  also?(tx: Tx): void;
  /** Saves the credentials before the commit: if it fails, no platform without known credentials is left. */
  keep?(credentials: { readonly tokenId: string; readonly clientSecret: string }): Promise<void>;
}

/** The values that a developer needs; the secret is shown only here (platform.md §1.3.8). */
export interface CreatedPlatform {
  readonly id: PlatformId;
  readonly name: string;
  readonly environment: Environment;
  /** SPKI PEM. */
  readonly webhookPublicKey: string;
  readonly token: TokenRow;
  readonly clientSecret: string;
}

/** Creates a platform with its configuration, webhook key and first token in one commit. */
export async function createPlatform(
  runtime: Runtime,
  actor: Actor,
  request: PlatformRequest,
): Promise<CreatedPlatform> {
  const { platform, settings } = preparePlatform(runtime, request);
  return new Work(runtime, platform, actor).write((tx) => fillPlatform(tx, settings, request));
}

/** The same in a transaction of the installation. */
export function createPlatformIn(tx: Tx, request: PlatformRequest): Promise<CreatedPlatform> {
  const { platform, settings } = preparePlatform(tx.runtime, request);
  return tx.onPlatform(platform, (own) => fillPlatform(own, settings, request));
}

/** Creates a platform only if there is none, else returns undefined; also safe if two processes start at once. */
export function createFirstPlatform(
  runtime: Runtime,
  actor: Actor,
  request: PlatformRequest,
): Promise<CreatedPlatform | undefined> {
  const { platform, settings } = preparePlatform(runtime, request);
  return new Work(runtime, platform, actor).write(async (tx) =>
    (await isFirstPlatform(tx)) ? fillPlatform(tx, settings, request) : undefined,
  );
}

function preparePlatform(
  { newId }: Pick<Runtime, 'newId'>,
  { name, environment, ...request }: PlatformRequest,
) {
  const settings = mergeSettings({}, request.settings ?? {});
  requirePlatformName(name);
  requireValidSettings({ environment, ownCurrencies: NO_OWN_CURRENCIES }, settings);
  const platform: Platform = {
    id: newId<'Platform'>(),
    name,
    environment,
    clockOffsetMs: 0,
    settings: effectiveSettings(environment, settings),
    ownCurrencies: NO_OWN_CURRENCIES,
    disabledCurrencies: [],
  };
  return { platform, settings };
}

async function fillPlatform(
  tx: Tx,
  settings: ExplicitSettings,
  { name, environment, token: tokenRequest = {}, ...request }: PlatformRequest,
): Promise<CreatedPlatform> {
  const { webhookPublicKey } = await addPlatform(tx, settings, request.reason);
  const { token, clientSecret } = await createToken(tx, {
    name: tokenRequest.name ?? 'First token',
    permissions: tokenRequest.permissions ?? ['VIEW', 'TRANSACT', 'MANAGE'],
    credentials: tokenRequest.credentials,
  });
  request.also?.(tx);
  await request.keep?.({ tokenId: token.client_id, clientSecret });
  return { id: tx.platformId, name, environment, webhookPublicKey, token, clientSecret };
}
