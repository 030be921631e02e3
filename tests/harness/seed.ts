/**
 * The seed of a test with random choices: the same in every run, so that a failure belongs to the change under test. The
 * variable gives another one, to repeat a run or, in drills, to draw more (docs/drills.md).
 */
export function seedOf(variable: string): number {
  return Number(process.env[variable] ?? 1);
}
