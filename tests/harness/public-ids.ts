import assert from 'node:assert/strict';
import { parseId, type ResourceType } from '#foundation/lib/ids.ts';

/** The bare UUID of a public id such as `Customer:…`, which functions and tables below the API use. */
export function uuidOf(resource: string | { readonly id: string }): string {
  const id = typeof resource === 'string' ? resource : resource.id;
  const [type = ''] = id.split(':', 1);
  const uuid = parseId(type as ResourceType, id, 'full');
  assert.ok(uuid, `${id} is no public id`);
  return uuid;
}
