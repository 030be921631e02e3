import { hash } from 'node:crypto';
import type { Packet } from '#capabilities/verification/rules.ts';
import { isObject } from '#foundation/lib/is-object.ts';

/** The fingerprint of a submission, field by field, without the values. It is enough to say later which fields changed. */
export type Fingerprint = Readonly<Record<string, string>>;

/** Enough to notice a change; the record that has it is sealed for the customer. */
const DIGITS = 16;

/** The owners and documents by their ids, because their order means nothing. */
export function fingerprintOf({ region, profile, owners, documents }: Packet): Fingerprint {
  const whole = {
    ...{ region, ...profile },
    owners: Object.fromEntries(owners.map((owner) => [owner.id, owner])),
    documents: Object.fromEntries(documents.map((one) => [documentName(one), one.version ?? ''])),
  };
  return Object.fromEntries(leavesOf(whole, '').toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function documentName({ holder, type, side }: Packet['documents'][number]): string {
  return `${type} (${side ?? 'both sides'}) of ${holder}`;
}

function leavesOf(value: unknown, path: string): (readonly [string, string])[] {
  if (value === undefined || value === null) return [];
  if (!isObject(value) && !Array.isArray(value)) {
    return [[path, hash('sha256', JSON.stringify(value)).slice(0, DIGITS)]];
  }
  return Object.entries(value).flatMap(([name, one]) =>
    leavesOf(one, path === '' ? name : `${path}.${name}`),
  );
}

/** The differences between two submissions, by field. */
export interface Changes {
  readonly changed: readonly string[];
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

export function changesBetween(before: Fingerprint, after: Fingerprint): Changes {
  const had = Object.keys(before);
  const has = Object.keys(after);
  return {
    changed: has.filter((name) => before[name] !== undefined && before[name] !== after[name]),
    added: has.filter((name) => before[name] === undefined),
    removed: had.filter((name) => after[name] === undefined),
  };
}
