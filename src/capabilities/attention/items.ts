import type { WaitingKey, WaitingRow } from '#foundation/database/attention.ts';
import { isDateTime, parseDateTime } from '#foundation/lib/dates.ts';
import { isUuid } from '#foundation/lib/ids.ts';
import { INSTALLATION } from '#foundation/lib/platform.ts';
import { invalidFields } from '#foundation/lib/refusals.ts';

/** An item of work: its kind, and its place among the items of the kind. */
export interface ItemPlace extends WaitingKey {
  readonly kind: string;
}

export function placeOf(
  { name: kind }: { readonly name: string },
  { since, platform_id, key }: Pick<WaitingRow, 'since' | 'platform_id' | 'key'>,
): ItemPlace {
  return { kind, since: since.toISOString(), platformId: platform_id ?? INSTALLATION.id, key };
}

/** The id of an item in replies: it leads to the item, which is no row of its own. */
export function writeItemId({ kind, since, platformId, key }: ItemPlace): string {
  return Buffer.from(JSON.stringify([kind, since, platformId, key])).toString('base64url');
}

export function readItemId(id: string): ItemPlace {
  const parts = parseList(Buffer.from(id, 'base64url').toString());
  const [kind = '', since = '', platformId = '', key = ''] = parts.map(String);
  const isWhole = parts.length === 4 && parts.every((part) => typeof part === 'string');
  if (!isWhole || !isDateTime(since) || since < EPOCH || !isUuid(platformId) || key.includes('\0'))
    throw invalidFields([{ field: 'item', message: 'is not the id of an item of work' }]);
  return { kind, since: parseDateTime(since).toISOString(), platformId, key };
}

/** Nothing has waited for longer, and the database knows no year 0. */
const EPOCH = '1970';

function parseList(text: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}
