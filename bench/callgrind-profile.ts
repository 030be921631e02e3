/** The instructions of one function, with and without those of the functions that it calls. */
export interface FunctionCost {
  readonly name: string;
  readonly inclusive: number;
  readonly own: number;
}

/**
 * Adds up the profiles (uncompressed, as callgrind writes them). A function that calls itself through others counts more
 * than once.
 */
export function costsOf(profiles: readonly string[]): FunctionCost[] {
  const [inclusive, own] = [new Map<string, number>(), new Map<string, number>()];
  for (const profile of profiles) addCosts(profile, inclusive, own);
  return [...inclusive]
    .map(([name, cost]) => ({ name, inclusive: cost, own: own.get(name) ?? 0 }))
    .sort((a, b) => b.inclusive - a.inclusive);
}

function addCosts(profile: string, inclusive: Map<string, number>, own: Map<string, number>): void {
  let [caller, called, isCall] = ['', '', false];
  const add = (to: Map<string, number>, cost: number) => to.set(caller, (to.get(caller) ?? 0) + cost);
  for (const line of profile.split('\n')) {
    if (line.startsWith('fn=')) caller = line.slice(3);
    else if (line.startsWith('cfn=')) called = line.slice(4);
    else if (line.startsWith('calls=')) isCall = true;
    else if (/^[+*\d-]/.test(line)) {
      const cost = Number(line.split(' ')[1]);
      if (!isCall) add(own, cost);
      if (!isCall || called !== caller) add(inclusive, cost);
      isCall = false;
    }
  }
}
