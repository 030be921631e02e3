import type { OwnCurrencies } from '#lib/currencies.ts';
import type { PlatformSettings } from '#lib/platform-settings.ts';

export type Environment = 'SANDBOX' | 'PRODUCTION';

/** One platform in one environment: what a credential selects, and what every row belongs to. */
export interface Platform {
  /** The bare UUID; `platform_id` of every table. */
  readonly id: string;
  readonly name: string;
  readonly environment: Environment;
  /** How far this platform's business time was moved ahead of real time (sandbox only). */
  readonly clockOffsetMs: number;
  /** What the operator set, with the environment's defaults filled in (platform.md §3.3). */
  readonly settings: PlatformSettings;
  /** What it added to the currencies that everybody knows; no other platform knows them. */
  readonly ownCurrencies: OwnCurrencies;
}
