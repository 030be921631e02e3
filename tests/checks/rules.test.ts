import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import {
  type Citation,
  DOCUMENTS,
  findCitations,
  findEarlier,
  findLoose,
  type Problem,
  presentKey,
  type Rule,
  readFamilies,
  readRules,
  underConstruction,
  withPresentKeys,
} from '#tests/checks/rules.ts';
import { RULES_WITHOUT_TEST } from '#tests/checks/rules-without-test.ts';

/** This file makes wrong citations up, and the others say what the forms are and were. */
const SELF = ['tests/checks/rules.test.ts', 'tests/checks/rules.ts', 'docs/rules/README.md'];
/** A released migration is never edited, so it cites rules by the names that they had then. */
const RELEASED = 'migrations/';
const TEXTS = [
  '{src,tests,bench,migrations,packages/client/src}/**/*.{ts,sql}',
  'packages/client/*.{ts,md}',
  '{bin,.ci}/*',
  'docs/**/*.{md,json}',
  '*.md',
];

describe('the rules of docs/rules', async () => {
  const families = readFamilies(await readFile('docs/rules/README.md', 'utf8'));
  const texts = await readTexts();
  const rules = DOCUMENTS.flatMap((document) =>
    readRules(document, texts.get(`docs/rules/${document}`) ?? ''),
  );
  const citations = [...texts].flatMap(([path, text]) =>
    findCitations(path, path.startsWith(RELEASED) ? withPresentKeys(text, families) : text, rules),
  );
  const decisions = [...texts.keys()].flatMap((path) => /^docs\/decisions\/(\d{4})-/.exec(path)?.[1] ?? []);

  it('each has a number of its own', () => {
    assert.deepEqual(duplicates(rules.map(({ key }) => key)), []);
  });

  it('every citation names a rule or a decision that exists', () => {
    const known = new Set([
      ...rules.map(({ key }) => key),
      ...decisions.map((number) => `decision ${number}`),
    ]);
    assert.deepEqual(unknown(citations, known), []);
  });

  it('no rule is cited in a form that cannot be followed', () => {
    const loose = [...texts].flatMap(([path, text]) => findLoose(path, text));
    assert.deepEqual(loose.map(said), []);
  });

  it('no rule is cited by a name that it had earlier', () => {
    const earlier = [...texts]
      .filter(([path]) => !path.startsWith(RELEASED))
      .flatMap(([path, text]) => findEarlier(path, text, families));
    assert.deepEqual(earlier.map(said), []);
  });

  it('every earlier name leads to a rule that exists', () => {
    const known = new Set(rules.map(({ key }) => key));
    const ends = families
      .filter(({ prefix }) => !prefix.endsWith('.'))
      .flatMap(({ prefix, first, last }) => [`${prefix}${first}`, `${prefix}${last}`]);
    assert.deepEqual(
      ends.filter((name) => !known.has(presentKey(name, families) ?? '')),
      [],
    );
  });

  it('every implemented rule is cited by a test', () => {
    const cited = citedByTests(texts, rules);
    const waiting = underConstruction(rules);
    const missing = rules.filter(
      ({ key, isLeaf, isBuilt }) =>
        isLeaf && isBuilt && !cited.has(key) && !Object.hasOwn(RULES_WITHOUT_TEST, key) && !waiting.has(key),
    );
    assert.deepEqual(
      missing.map(({ key }) => key),
      [],
    );
  });

  it('each rule listed as having no test exists and has none', () => {
    const known = new Set(rules.map(({ key }) => key));
    const cited = citedByTests(texts, rules);
    const listed = Object.keys(RULES_WITHOUT_TEST);
    assert.deepEqual(
      listed.filter((key) => cited.has(key) || !known.has(key)),
      [],
    );
  });
});

describe('reading rules and citations', () => {
  const TEXT = `# Money
## 1. Fees
1. One.
1a. One more.
2. Two.
## 2. Not there
Not built yet: 501.
## 3. Ledger
### 3.1 Accounts
Free text.
### 3.2 Steps
a. Lettered.
| 3.2.21 | a row |
| 3.2.21a | Not built yet |
## 4. Signatures
- **4.1.** One.
- **4.1a.** Not built yet: later.
### 4.2 Clearing
1. First.
- **4.3.** Of 4, not of the section before it.
## 11. Entries
| L1 deposit | when |
| L2 | 1.5 |
| L13 both | when |
`;
  const rules = readRules('money.md', TEXT);

  it('headings, items and rows with a number are rules; the leaves are those with nothing below them', () => {
    assert.deepEqual(
      rules.filter(({ isLeaf, isBuilt }) => isLeaf && isBuilt).map(({ key }) => key),
      [
        'money.md §1.1',
        'money.md §1.1a',
        'money.md §1.2',
        'money.md §3.1',
        'money.md §3.2.a',
        'money.md §3.2.21',
        'money.md §4.1',
        'money.md §4.2.1',
        'money.md §4.3',
        'money.md §11.L1',
        'money.md §11.L2',
        'money.md §11.L13',
      ],
    );
    assert.deepEqual(
      rules.filter(({ isBuilt }) => !isBuilt).map(({ key }) => key),
      ['money.md §2', 'money.md §3.2.21a', 'money.md §4.1a'],
    );
  });

  it('lists, ranges and citations over two lines are read whole', () => {
    const read = (text: string) => findCitations('src/a.ts', text, rules).map(({ keys }) => keys);
    assert.deepEqual(read('(money.md §1.1, §3.2.a and §3.1 or §4.1a). More'), [
      ['money.md §1.1', 'money.md §3.2.a', 'money.md §3.1', 'money.md §4.1a'],
    ]);
    assert.deepEqual(read('money.md §1.1–1.2: all'), [['money.md §1.1', 'money.md §1.1a', 'money.md §1.2']]);
    assert.deepEqual(read('money.md §11.L1–11.L2'), [['money.md §11.L1', 'money.md §11.L2']]);
    assert.deepEqual(read(' * as money.md\n * §1.2 says'), [['money.md §1.2']]);
    assert.deepEqual(read('/money\\.md §1\\.2, wallets\\.md §3/'), [['money.md §1.2'], ['wallets.md §3']]);
    assert.deepEqual(read('decision 0018'), [['decision 0018']]);
  });

  it('the name of a kind of entry is its rule, in parts too; in quotes it is a value', () => {
    const read = (text: string) => findCitations('src/a.ts', text, rules).map(({ keys }) => keys);
    assert.deepEqual(read("L1 and 'L2'"), [['money.md §11.L1']]);
    assert.deepEqual(read('L1–L13'), [['money.md §11.L1', 'money.md §11.L2', 'money.md §11.L13']]);
    assert.deepEqual(read('L13a, money.md §11.L13b'), [['money.md §11.L13'], ['money.md §11.L13']]);
  });

  it('an earlier name leads to the present number, and is reported', () => {
    const families = readFamilies(
      '| File | Earlier → now |\n| cards.md | A.n → §n, CI-1–9 → §1.11–1.19 |\n| wallets.md | W33 → §6.4.33 |\n',
    );
    const now = (name: string) => presentKey(name, families);
    assert.deepEqual(['A.6.10', 'CI-7', 'W33a', 'CI-10', 'W3C'].map(now), [
      'cards.md §6.10',
      'cards.md §1.17',
      'wallets.md §6.4.33a',
      undefined,
      undefined,
    ]);
    assert.deepEqual(
      findEarlier('src/a.ts', "a (W33a, 'CI-7')\n/A\\.6: SW33/ SCI-7 CI-7-x W3C", families).map(said),
      [
        'src/a.ts:1: W33a is wallets.md §6.4.33a now',
        'src/a.ts:1: CI-7 is cards.md §1.17 now',
        'src/a.ts:2: A.6 is cards.md §6 now',
      ],
    );
    assert.equal(withPresentKeys('-- (A.6.10)', families), '-- (cards.md §6.10)');
  });

  it('a rule or decision that does not exist is reported where it is cited', () => {
    const text = 'first\n// money.md §1.9, §1.2; L99\n// decision 9999';
    const citations = findCitations('src/a.ts', text, rules);
    assert.deepEqual(unknown(citations, new Set(rules.map(({ key }) => key))), [
      'src/a.ts:2: money.md §1.9, §1.2: no money.md §1.9',
      'src/a.ts:2: L99: no money.md §11.L99',
      'src/a.ts:3: decision 9999: no decision 9999',
    ]);
  });

  it('a range with an end that does not exist is reported', () => {
    const citations = findCitations('src/a.ts', 'money.md §1.1–1.7', rules);
    assert.deepEqual(unknown(citations, new Set(rules.map(({ key }) => key))), [
      'src/a.ts:1: money.md §1.1–1.7: no money.md §1.7',
    ]);
  });

  it('a citation without a document, or of a missing document, is reported', () => {
    const text = 'a\n// §1.2 and rule 26, style.md rule 8\n// money §3, wallets.md 4, docs/decisions/0009.';
    assert.deepEqual(
      findLoose('src/a.ts', text).map(({ line, text: found }) => `${line}: ${found}`),
      ['2: §1.2', '3: §3', '2: rule 26', '2: rule 8', '2: style.md', '3: decisions/0009', '3: wallets.md 4'],
    );
    assert.deepEqual(
      findLoose('src/a.test.ts', "it('money.md §1, L7, L8: paid after L6: no', () => {});").map(said),
      [
        'src/a.test.ts:1: L7 is cited as `money.md §11.L7`',
        'src/a.test.ts:1: L8 is cited as `money.md §11.L7`',
      ],
    );
  });
});

async function readTexts(): Promise<Map<string, string>> {
  const paths = (await Array.fromAsync(glob(TEXTS))).sort().filter((path) => !SELF.includes(path));
  return new Map(await Promise.all(paths.map(async (path) => [path, await readFile(path, 'utf8')] as const)));
}

function said({ path, line, text, reason }: Problem): string {
  return `${path}:${line}: ${text} ${reason}`;
}

function unknown(citations: readonly Citation[], known: ReadonlySet<string>): string[] {
  return citations.flatMap(({ path, line, text, keys }) =>
    keys.filter((key) => !known.has(key)).map((key) => `${path}:${line}: ${text}: no ${key}`),
  );
}

/** By what a test says of itself when it runs: a comment proves nothing. */
function citedByTests(texts: ReadonlyMap<string, string>, rules: readonly Rule[]): Set<string> {
  const tests = [...texts].filter(([path]) => path.endsWith('.test.ts'));
  return new Set(
    tests
      .flatMap(([path, text]) => findCitations(path, withoutComments(text), rules))
      .flatMap(({ keys }) => keys),
  );
}

function withoutComments(text: string): string {
  return text.replace(/^\s*(\/\/|\/?\*).*$/gm, '');
}

function duplicates(keys: readonly string[]): string[] {
  return keys.filter((key, i) => keys.indexOf(key) !== i);
}
