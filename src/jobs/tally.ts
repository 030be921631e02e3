import type { Counter } from '#jobs/work-source.ts';

/** Running totals of one name, told apart by their labels. */
export class Tally {
  readonly #name: string;
  readonly #totals = new Map<string, { labels: Record<string, string>; value: number }>();

  constructor(name: string) {
    this.#name = name;
  }

  add(labels: Record<string, string>, by = 1): void {
    const id = JSON.stringify(labels);
    const total = this.#totals.get(id);
    if (total) total.value += by;
    else this.#totals.set(id, { labels, value: by });
  }

  counters(): Counter[] {
    return [...this.#totals.values()].map(({ labels, value }) => ({ name: this.#name, labels, value }));
  }
}
