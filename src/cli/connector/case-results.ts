import { Failure, Skip } from '#cli/connector/trial.ts';

/** How a case of a check ended. */
export type CaseResult = { readonly name: string; readonly tries: string } & (
  | { readonly result: 'ok'; readonly notes?: readonly string[] }
  | { readonly result: 'skip'; readonly why: string }
  | { readonly result: 'FAIL'; readonly request: string; readonly expected: string; readonly got: string }
);

/** Runs a case, which returns notes for people. */
export async function tryCase(
  { name, tries }: Pick<CaseResult, 'name' | 'tries'>,
  run: () => Promise<readonly string[]>,
): Promise<CaseResult> {
  try {
    const notes = await run();
    return { name, tries, result: 'ok', ...(notes.length > 0 && { notes }) };
  } catch (error) {
    if (error instanceof Skip) return { name, tries, result: 'skip', why: error.message };
    if (!(error instanceof Failure)) throw error;
    return { name, tries, result: 'FAIL', request: error.request, expected: error.expected, got: error.got };
  }
}

export function countResults(results: readonly CaseResult[]) {
  const count = (wanted: CaseResult['result']) => results.filter(({ result }) => result === wanted).length;
  return { passed: count('ok'), failed: count('FAIL'), skipped: count('skip') };
}
