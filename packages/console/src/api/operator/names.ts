import { signal } from '@preact/signals';

/** What the ids of operators and of the newest platforms stand for. On the pages of developers nothing. */
export const knownNames = signal<ReadonlyMap<string, string>>(new Map());

/** The name behind an id; undefined if it is shown as it is. */
export function knownName(id: string): string | undefined {
  return knownNames.value.get(id);
}

/** The names of all operators or of the newest platforms, by their ids. */
export function knownOf(kind: 'Operator' | 'Platform'): ReadonlyMap<string, string> {
  return new Map([...knownNames.value].filter(([id]) => id.startsWith(`${kind}:`)));
}
