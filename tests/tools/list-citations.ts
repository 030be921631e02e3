import { glob, readFile } from 'node:fs/promises';
import { DOCUMENTS, findCitations, readRules } from '#tests/checks/rules.ts';

/**
 * Lists where a rule is implemented and tested, in lists and ranges of rules, too:
 *
 *   npm run -s cites -- 'money.md §3.4'
 */
const wanted = process.argv[2] ?? '';
const texts = await Promise.all(
  DOCUMENTS.map(async (name) => ({ name, text: await readFile(`docs/rules/${name}`, 'utf8') })),
);
const rules = texts.flatMap(({ name, text }) => readRules(name, text));
if (!rules.some(({ key }) => key === wanted)) {
  console.error(
    `There is no rule "${wanted}". A rule is named as docs/rules/README.md says: money.md §3.4, or L7.`,
  );
  process.exit(1);
}
const files = (
  await Array.fromAsync(glob('{src,tests,migrations,packages/client/src}/**/*.{ts,sql}'))
).sort();
for (const file of files) {
  const text = await readFile(file, 'utf8');
  const lines = text.split('\n');
  for (const { line, keys } of findCitations(file, text, rules)) {
    if (keys.includes(wanted)) console.log(`${file}:${line}: ${(lines[line - 1] ?? '').trim()}`);
  }
}
