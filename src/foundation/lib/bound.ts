/** Removes the oldest entries above the limit. */
export function bound(entries: Map<string, unknown> | Set<string>, most: number): void {
  for (const oldest of entries.keys()) {
    if (entries.size <= most) return;
    entries.delete(oldest);
  }
}
