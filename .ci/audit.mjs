// Fails on a known vulnerability of a shipped package that is high or critical. A registry that cannot be reached, or has
// no such list, proves nothing and does not fail the run.
import { spawnSync } from 'node:child_process';

const words = ['audit', '--omit=dev', '--json', '--fetch-retries=0', '--fetch-timeout=30000'];
const { stdout } = spawnSync('npm', words, { encoding: 'utf8' });
const { vulnerabilities, error, message } = parse(stdout);
if (!vulnerabilities) {
  console.log(
    `Known holes were not looked up: ${error?.summary || message || 'the registry does not answer'}.`,
  );
} else {
  const grave = Object.values(vulnerabilities).filter(({ severity }) =>
    ['high', 'critical'].includes(severity),
  );
  for (const { name, severity, range } of grave) console.error(`${severity}: ${name} ${range}`);
  console.log(`Known holes: ${grave.length} grave of ${Object.keys(vulnerabilities).length}.`);
  process.exitCode = grave.length > 0 ? 1 : 0;
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
