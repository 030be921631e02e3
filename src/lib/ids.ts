import { v7 } from 'uuid';

/** The resource types that may stand before the colon of a public id (platform.md §1.2.1). */
export const RESOURCE_TYPES = [
  'Customer',
  'BeneficialOwner',
  'Document',
  'Verification',
  'InternalAccount',
  'ExternalAccount',
  'Quote',
  'Transaction',
  'Card',
  'Lookup',
  'Job',
  'AuthMethod',
  'Session',
  'Request',
  'DelegatedKey',
  'ScaChallenge',
  'Agent',
  'AgentAction',
  'Stablecoin',
  'StablecoinOperation',
  'StablecoinProviderAccount',
  'Token',
  'Webhook',
  'PlatformConfig',
  'Platform',
  'ScaReset',
  'CardFundingSource',
  'JournalEntry',
] as const;

export type ResourceType = (typeof RESOURCE_TYPES)[number];

/** A public id: `Quote:01890a5d-…`. The database holds the bare UUID. */
export type PublicId<T extends ResourceType = ResourceType> = `${T}:${string}`;

/** A source of new UUIDs; injected, so that a test can make them predictable. */
export type IdSource = () => string;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const ENDS_LIKE_MAGIC = /00[0-9]$/;

/** Time-ordered UUID. It never ends in 000–009, which the sandbox reads as a magic suffix (A.1). */
export function newUuid(): string {
  let uuid = v7();
  while (ENDS_LIKE_MAGIC.test(uuid)) uuid = v7();
  return uuid;
}

export function isUuid(text: string): boolean {
  return UUID.test(text);
}

export function publicId<T extends ResourceType>(type: T, uuid: string): PublicId<T> {
  return `${type}:${uuid}`;
}

/** The bare UUID of `Type:<uuid>` or, where allowed, of a bare UUID; undefined for anything else. */
export function parseId(type: ResourceType, text: string, form: 'full' | 'any' = 'any'): string | undefined {
  const prefix = `${type}:`;
  if (text.startsWith(prefix)) {
    const uuid = text.slice(prefix.length);
    return isUuid(uuid) ? uuid : undefined;
  }
  return form === 'any' && isUuid(text) ? text : undefined;
}
