import { createRequire } from 'node:module';

/**
 * accounts.md §4.2, INR_ACCOUNT: the branch exists. The package's validator works from a bundled table and
 * needs no network, but its entry point also loads an abandoned HTTP client (some 30 MB and a quarter of a
 * second); so the table is read directly, at the first check, and kept by Node's module cache.
 */
export function ifscExists(ifsc: string): boolean {
  if (!/^[A-Z]{4}0[A-Z0-9]{6}$/.test(ifsc)) return false;
  const bank = ifsc.slice(0, 4);
  const branch = ifsc.slice(5);
  const branches = branchesByBank();
  if (!Object.hasOwn(branches, bank)) return false;
  // The table holds branches of digits as numbers, without their leading zeros.
  return branches[bank]?.includes(/^[0-9]+$/.test(branch) ? Number(branch) : branch) ?? false;
}

function branchesByBank(): Record<string, (number | string)[]> {
  return createRequire(import.meta.url)('ifsc/src/IFSC.json');
}
