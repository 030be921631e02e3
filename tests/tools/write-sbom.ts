import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * Prints a software bill of materials (CycloneDX 1.5): every package that is shipped, for all machines, with its hash
 * and licence, from package-lock.json.
 *
 *   npm run -s sbom > corridor.cdx.json
 */
interface Bom {
  readonly metadata: { component: { name: string } };
  components: { 'bom-ref': string }[];
  dependencies: { ref: string; dependsOn?: string[] }[];
}

const options = ['--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only'];
const bom: Bom = JSON.parse(
  execFileSync('npm', ['sbom', ...options], { encoding: 'utf8', maxBuffer: 2 ** 28 }),
);
const lock: { name: string; packages: Record<string, { version: string; dev?: boolean }> } = JSON.parse(
  readFileSync('package-lock.json', 'utf8'),
);

// npm names the root package after its folder. If told to omit development packages, it also omits shipped packages that
// development needs.
bom.metadata.component.name = lock.name;
const shipped = new Set<string>();
for (const [path, { version, dev }] of Object.entries(lock.packages)) {
  const name = path === '' ? lock.name : path.replace(/^.*node_modules\//, '');
  if (!dev) shipped.add(`${name}@${version}`);
}
bom.components = bom.components.filter((component) => shipped.has(component['bom-ref']));
bom.dependencies = bom.dependencies
  .filter(({ ref }) => shipped.has(ref))
  .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((other) => shipped.has(other)) }));
process.stdout.write(`${JSON.stringify(bom, null, 2)}\n`);
