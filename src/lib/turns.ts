/** Steps of this process that are after the same thing, one after the other in the order in which they came. */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>();

  async take<T>(name: string, step: () => Promise<T>): Promise<T> {
    const mine = (this.#last.get(name) ?? Promise.resolve()).then(step);
    const ended = mine.catch(() => undefined);
    this.#last.set(name, ended);
    try {
      return await mine;
    } finally {
      if (this.#last.get(name) === ended) this.#last.delete(name);
    }
  }
}
