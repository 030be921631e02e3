import assert from 'node:assert/strict';
import { type PublicId, parseId, type ResourceType } from '#foundation/lib/ids.ts';

/** The bare UUID of a public id such as `Customer:…`, which functions and tables below the API use. */
export function uuidOf<T extends ResourceType>(resource: PublicId<T> | { readonly id: PublicId<T> }): Id<T>;
export function uuidOf(resource: string | { readonly id: string }): Id<never>;
export function uuidOf(resource: string | { readonly id: string }): Id {
  const id = typeof resource === 'string' ? resource : resource.id;
  const [type = ''] = id.split(':', 1);
  const uuid = parseId(type as ResourceType, id, 'full');
  assert.ok(uuid, `${id} is no public id`);
  return uuid;
}
