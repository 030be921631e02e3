import { glob, readFile } from 'node:fs/promises';
import {
  DOCUMENTS,
  findCitations,
  presentKey,
  readFamilies,
  readRules,
  withPresentKeys,
} from '#tests/checks/rules.ts';

/**
 * Where a rule is kept and proved, in lists and ranges too:
 *
 *   npm run -s cites -- 'money.md §3.4'
 *
 * A kind of ledger entry is found by its name as well; an earlier name of a rule is told the present one.
 */
const asked = process.argv[2] ?? '';
const families = readFamilies(await readFile('docs/rules/README.md', 'utf8'));
const texts = await Promise.all(
  DOCUMENTS.map(async (name) => ({ name, text: await readFile(`docs/rules/${name}`, 'utf8') })),
);
const rules = texts.flatMap(({ name, text }) => readRules(name, text));
const wanted =
  presentKey(asked, families) ?? findCitations('', asked, rules).find(({ text }) => text === asked)?.keys[0];
if (!rules.some(({ key }) => key === wanted)) {
  console.error(`There is no rule "${asked}". A rule is cited as docs/rules/README.md says: money.md §3.4.`);
  process.exit(1);
}
if (wanted !== asked) console.error(`${asked} is ${wanted}.`);
const files = (
  await Array.fromAsync(glob('{src,tests,migrations,packages/client/src}/**/*.{ts,sql}'))
).sort();
for (const file of files) {
  const text = await readFile(file, 'utf8');
  const lines = text.split('\n');
  const present = file.startsWith('migrations/') ? withPresentKeys(text, families) : text;
  for (const { line, keys } of findCitations(file, present, rules)) {
    if (keys.some((key) => key === wanted)) console.log(`${file}:${line}: ${(lines[line - 1] ?? '').trim()}`);
  }
}
