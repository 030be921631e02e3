import fc from 'fast-check';

/**
 * Long sequences of steps, so that few platforms have to be created. They shrink by omitting ever shorter stretches. The
 * arrays of fast-check would not shrink below their minimum length.
 */
export class Sequences<Step> extends fc.Arbitrary<readonly Step[]> {
  readonly #drawn: fc.Arbitrary<Step[]>;

  constructor(step: fc.Arbitrary<Step>, length = 310) {
    super();
    this.#drawn = fc.array(step, { minLength: length, maxLength: length + 20, size: 'max' });
  }

  generate(random: fc.Random, bias: number | undefined): fc.Value<readonly Step[]> {
    return new fc.Value(this.#drawn.generate(random, bias).value, undefined);
  }

  canShrinkWithoutContext(value: unknown): value is readonly Step[] {
    return Array.isArray(value);
  }

  shrink(steps: readonly Step[]): fc.Stream<fc.Value<readonly Step[]>> {
    return fc.stream(shorter(steps));
  }
}

function* shorter<Step>(steps: readonly Step[]): IterableIterator<fc.Value<readonly Step[]>> {
  for (let size = Math.ceil(steps.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let end = steps.length; end > 0; end -= size) {
      const kept = [...steps.slice(0, Math.max(0, end - size)), ...steps.slice(end)];
      yield new fc.Value(kept, undefined);
    }
  }
}
