import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import {
  type Citation,
  DOCUMENTS,
  findCitations,
  findLoose,
  type Rule,
  readRules,
  underConstruction,
} from '#tests/checks/rules.ts';
import { RULES_WITHOUT_TEST } from '#tests/checks/rules-without-test.ts';

/** This file makes wrong citations up. */
const SELF = ['tests/checks/rules.test.ts', 'tests/checks/rules.ts', 'docs/rules/README.md'];
const TEXTS = [
  '{src,tests,bench,migrations,packages/client/src}/**/*.{ts,sql}',
  'packages/client/*.{ts,md}',
  '{bin,.ci}/*',
  'docs/**/*.{md,json}',
  '*.md',
];

describe('the rules of docs/rules', async () => {
  const texts = await readTexts();
  const rules = DOCUMENTS.flatMap((document) =>
    readRules(document, texts.get(`docs/rules/${document}`) ?? ''),
  );
  const citations = [...texts].flatMap(([path, text]) => findCitations(path, text, rules));
  const decisions = [...texts.keys()].flatMap((path) => /^docs\/decisions\/(\d{4})-/.exec(path)?.[1] ?? []);

  it('each has a number or a name of its own', () => {
    assert.deepEqual(duplicates(rules.map(({ key }) => key)), []);
  });

  it('every citation names a rule or a decision that exists', () => {
    const known = new Set([
      ...rules.map(({ key }) => key),
      ...decisions.map((number) => `decision ${number}`),
    ]);
    assert.deepEqual(unknown(citations, known), []);
  });

  it('no rule is spoken of in a form that cannot be followed', () => {
    const loose = [...texts].flatMap(([path, text]) => findLoose(path, text));
    assert.deepEqual(
      loose.map(({ path, line, text, reason }) => `${path}:${line}: ${text} ${reason}`),
      [],
    );
  });

  it('every rule of what is built is cited by a test', () => {
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

  it('what is said to have no test has none, and exists', () => {
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
| L1 deposit | when |
| L26 mint | Not built yet |
a. Lettered.
## 4. Signatures
- **W1.** One.
- **W1a.** Not built yet: later.
- **W2.** Two.
## A.1 Cards
| CI-1 | a row |
- **A.1.1.** One.
### A.1.2 Clearing
1. First.
- **A.1.3.** Of A.1, not of the section before it.
## B.1 Coins
| SP-1 | a row |
- **B.1.1.** One.
## C.1 Agents
| AP-1 | a row |
- **C.1.1a.** One.
`;
  const rules = readRules('money.md', TEXT);

  it('headings, items, and rows and items with a name are rules; the leaves are those with nothing below them', () => {
    assert.deepEqual(
      rules.filter(({ isLeaf, isBuilt }) => isLeaf && isBuilt).map(({ key }) => key),
      [
        'money.md §1.1',
        'money.md §1.1a',
        'money.md §1.2',
        'money.md §3.1',
        'L1',
        'money.md §3.2.a',
        'W1',
        'W2',
        'CI-1',
        'A.1.1',
        'A.1.2.1',
        'A.1.3',
        'SP-1',
        'B.1.1',
        'AP-1',
        'C.1.1a',
      ],
    );
    assert.deepEqual(
      rules.filter(({ isBuilt }) => !isBuilt).map(({ key }) => key),
      ['money.md §2', 'L26', 'W1a'],
    );
  });

  it('lists, ranges, names and citations over two lines are read whole', () => {
    const read = (text: string) => findCitations('src/a.ts', text, rules).map(({ keys }) => keys);
    assert.deepEqual(read('(money.md §1.1, §3.2.a and §3.1). More'), [
      ['money.md §1.1', 'money.md §3.2.a', 'money.md §3.1'],
    ]);
    assert.deepEqual(read('money.md §1.1–1.2: all'), [['money.md §1.1', 'money.md §1.1a', 'money.md §1.2']]);
    assert.deepEqual(read(' * as money.md\n * §1.2 says'), [['money.md §1.2']]);
    assert.deepEqual(read("IA-7, L1 and 'L2', decision 0018"), [['IA-7'], ['L1'], ['decision 0018']]);
    assert.deepEqual(read('wallets.md W2 (wallets.md §1)'), [['wallets.md §1'], ['W2']]);
    assert.deepEqual(read('W1–W2'), [['W1', 'W1a', 'W2']], 'a range of names is all between them');
    assert.deepEqual(read('cards.md A.1.2.1, A.1. A.1.1–A.1.3 and CI-1: all'), [
      ['A.1.2.1'],
      ['A.1'],
      ['A.1.1', 'A.1.2', 'A.1.2.1', 'A.1.3'],
      ['CI-1'],
    ]);
    assert.deepEqual(read('stablecoins.md B.1.1, SP-1'), [['B.1.1'], ['SP-1']]);
    assert.deepEqual(read('C.1.1a, AP-1: all'), [['C.1.1a'], ['AP-1']]);
    assert.deepEqual(read("'A.1.20' is a value"), [], 'and no citation of what it begins with');
    assert.deepEqual(read('L1a L1'), [['L1'], ['L1']], 'a part of an entry is its rule');
  });

  it('a rule or decision that does not exist is reported where it is cited', () => {
    const text = 'first\n// money.md §1.9, §1.2 and IA-999\n// decision 9999';
    const citations = findCitations('src/a.ts', text, rules);
    assert.deepEqual(unknown(citations, new Set(rules.map(({ key }) => key))), [
      'src/a.ts:2: money.md §1.9, §1.2: no money.md §1.9',
      'src/a.ts:2: IA-999: no IA-999',
      'src/a.ts:3: decision 9999: no decision 9999',
    ]);
  });

  it('a range of which one end does not exist is reported', () => {
    const citations = findCitations('src/a.ts', 'money.md §1.1–1.7', rules);
    assert.deepEqual(unknown(citations, new Set(rules.map(({ key }) => key))), [
      'src/a.ts:1: money.md §1.1–1.7: no money.md §1.7',
    ]);
  });

  it('what names no document, or one that is not here, is reported', () => {
    const text = 'a\n// §1.2 and rule 26, style.md rule 8\n// money §3, wallets.md 4, docs/decisions/0009.';
    assert.deepEqual(
      findLoose('src/a.ts', text).map(({ line, text: found }) => `${line}: ${found}`),
      ['2: §1.2', '3: §3', '2: rule 26', '2: rule 8', '2: style.md', '3: decisions/0009', '3: wallets.md 4'],
    );
  });
});

async function readTexts(): Promise<Map<string, string>> {
  const paths = (await Array.fromAsync(glob(TEXTS))).sort().filter((path) => !SELF.includes(path));
  return new Map(await Promise.all(paths.map(async (path) => [path, await readFile(path, 'utf8')] as const)));
}

function unknown(citations: readonly Citation[], known: ReadonlySet<string>): string[] {
  return citations.flatMap(({ path, line, text, keys }) =>
    keys.filter((key) => !known.has(key)).map((key) => `${path}:${line}: ${text}: no ${key}`),
  );
}

/** Only titles of tests count as proof, not comments. */
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
