/** The rules of docs/rules and the citations of them everywhere else (docs/rules/README.md says the form). Pure. */

export const DOCUMENTS = [
  'platform.md',
  'customers.md',
  'accounts.md',
  'money.md',
  'wallets.md',
  'cards.md',
  'stablecoins.md',
  'agents.md',
  'connectors.md',
  'bank-files.md',
  'operator.md',
] as const;

/** The kinds of ledger entries are rows of this section. Their names are also values, and stand in prose by themselves. */
const LEDGER = 'money.md §11';

/**
 * Rules of what is being built, as citations of single ones or of ranges: they can be cited, and need no test yet. Empty
 * as soon as the area is there.
 */
const UNDER_CONSTRUCTION: readonly string[] = [];

export interface Rule {
  readonly document: string;
  /** As it is cited: `money.md §3.4`. */
  readonly key: string;
  /** Nothing below it has a number of its own. */
  readonly isLeaf: boolean;
  /** Not one of an area to come, which only holds its number. */
  readonly isBuilt: boolean;
}

export interface Citation {
  readonly path: string;
  readonly line: number;
  /** As it stands there. */
  readonly text: string;
  /** The keys of the rules that it names; a range names all between its ends. */
  readonly keys: readonly string[];
}

export interface Problem {
  readonly path: string;
  readonly line: number;
  readonly text: string;
  readonly reason: string;
}

const HEADING = /^##+ (\d+(?:\.\d+)*)\.? /;
/** An item with its whole number, or a row with it in the first cell. */
const WHOLE = /^(?:- \*\*(\d+(?:\.\d+)+[a-z]?)\.\*\*|\| (\d+(?:\.\d+)+[a-z]?) \|)/;
/** An item that counts within its section, or the row of a kind of entry. */
const PART = /^(?:(\d+[a-z]?|[a-z])\. |\| (L\d+[a-z]?) )/;
const NOT_BUILT = 'Not built yet';

/** All rules of one document, in its order. */
export function readRules(document: string, text: string): Rule[] {
  const lines = text.split('\n');
  const found: { id: string; isBuilt: boolean }[] = [];
  let section = '';
  for (const [i, line] of lines.entries()) {
    const heading = HEADING.exec(line)?.[1];
    const [, item, row] = WHOLE.exec(line) ?? [];
    const [, number, kind] = PART.exec(line) ?? [];
    if (heading) {
      section = heading;
      const next = lines.slice(i + 1).find((each) => each.trim() !== '');
      found.push({ id: heading, isBuilt: !next?.startsWith(NOT_BUILT) });
    } else if (number && section) {
      const isBuilt = !line.startsWith(`${number}. ${NOT_BUILT}`);
      found.push({ id: `${section}.${number}`, isBuilt });
    } else {
      const id = item ?? row ?? (kind && `${section}.${kind}`);
      if (id) found.push({ id, isBuilt: !line.includes(NOT_BUILT) });
    }
  }
  const parents = new Set(found.map(({ id }) => id.slice(0, Math.max(0, id.lastIndexOf('.')))));
  return found.map(({ id, isBuilt }) => ({
    document,
    key: `${document} §${id}`,
    isBuilt,
    isLeaf: !parents.has(id),
  }));
}

const AREAS = DOCUMENTS.map((document) => document.replace(/\.md$/, '')).join('|');
/** A space, or the end of a line of a comment and the beginning of the next. */
const GAP = String.raw`(?: |\n[ \t]*(?:\*|\/\/|--|>)? *)`;
const ID = String.raw`\d+[a-z]?(?:\.(?:L?\d+[a-z]?|[a-z]\b))*`;
const ONE = `§${ID}(?:–${ID})?`;
const LIST = `${ONE}(?:(?:,|,?${GAP}(?:and|or))${GAP}${ONE})*`;
const CITED = new RegExp(String.raw`\b((?:${AREAS})\.md)${GAP}(${LIST})`, 'g');
const CITED_AT_HOME = new RegExp(`()(${LIST})`, 'g');
/** In quotes by itself it is a value. */
const KIND = /(?<![\w#.-])(L\d{1,2}[a-z]?)(?:–(L\d{1,2}[a-z]?))?(?![\w'"`#-])/g;
const DECISION = /\bdecisions? (\d{4})\b/g;

/** Every citation in a text that has the agreed form. In a document of rules a number may stand without its file. */
export function findCitations(path: string, source: string, rules: readonly Rule[]): Citation[] {
  const text = unescaped(source);
  const own = DOCUMENTS.find((document) => path === `docs/rules/${document}`);
  const abroad = [...text.matchAll(CITED)];
  const rest = blank(text, abroad);
  const atHome = own ? [...rest.matchAll(CITED_AT_HOME)] : [];
  const at = (match: RegExpExecArray, keys: string[]) => ({
    path,
    line: lineNumberAt(text, match.index),
    text: match[0].replace(/\s+(\*|\/\/|--|>)?\s*/g, ' '),
    keys,
  });
  return [
    ...abroad.map((match) => at(match, ruleKeys(match[1] ?? '', match[2] ?? '', rules))),
    ...atHome.map((match) => at(match, ruleKeys(own ?? '', match[2] ?? '', rules))),
    ...[...blank(rest, atHome).matchAll(KIND)].map((match) =>
      at(match, range(`${LEDGER}.${match[1]}`, match[2] && `${LEDGER}.${match[2]}`, rules)),
    ),
    ...[...rest.matchAll(DECISION)].map((match) => at(match, [`decision ${match[1]}`])),
  ];
}

/** The keys of the rules of what is being built. */
export function underConstruction(rules: readonly Rule[]): Set<string> {
  const citations = UNDER_CONSTRUCTION.flatMap((text) => findCitations('', text, rules));
  return new Set(citations.flatMap(({ keys }) => keys));
}

function ruleKeys(document: string, list: string, rules: readonly Rule[]): string[] {
  return [...list.matchAll(new RegExp(`§(${ID})(?:–(${ID}))?`, 'g'))].flatMap(([, first = '', last]) =>
    range(`${document} §${first}`, last && `${document} §${last}`, rules),
  );
}

/** The rules from one to the other, as the document has them; both alone where there is no such range. */
function range(first: string, last: string | undefined, rules: readonly Rule[]): string[] {
  const keys = rules.map(({ key }) => key);
  const ends = (last ? [first, last] : [first]).map((key) => wholeKind(key, keys));
  const [from = -1, to = -1] = ends.map((key) => keys.indexOf(key));
  return from >= 0 && to > from ? keys.slice(from, to + 1) : ends;
}

/** The kinds of entries that are posted in two parts, `L13a` and `L13b`, are one rule. */
function wholeKind(key: string, keys: readonly string[]): string {
  return keys.includes(key) ? key : key.replace(/(\.L\d+)[ab]$/, '$1');
}

/** In a regular expression a dot is written with a backslash. */
function unescaped(text: string): string {
  return text.replaceAll('\\.', '.');
}

function lineNumberAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}

/** The same text with the matches taken out of it, every line where it was. */
function blank(text: string, matches: RegExpExecArray[]): string {
  return matches.reduce(
    (rest, { index, 0: found }) =>
      rest.slice(0, index) + found.replace(/[^\n]/g, ' ') + rest.slice(index + found.length),
    text,
  );
}

/** What speaks of a rule in no form that can be followed. */
const LOOSE: readonly [RegExp, string][] = [
  [/§[\w.]*/g, 'names no document of docs/rules'],
  [/\b[Rr]ules? (?:\d+[a-z]?|[a-f](?=[).,:;]))/g, 'names no document of docs/rules'],
  [/\b(?:cards-stablecoins-agents|style|dependencies)\.md\b/g, 'is not in the repository'],
  [/\bdecisions\/\d{4}(?!-)/g, 'is cited as `decision 0000`'],
  [/\bdecisions? (?!\d{4}\b)\d+\b/g, 'is cited as `decision 0000`'],
  [new RegExp(String.raw`\b(?:${AREAS})\.md(?: \d| [Ss]ections? \d)`, 'g'), 'is cited as `money.md §3.4`'],
  [/(?<=\b(?:it|test)\(['"`](?:[^:'"`]*, )?)L\d+[a-z]?(?=[,:])/g, `is cited as \`${LEDGER}.L7\``],
];

export function findLoose(path: string, source: string): Problem[] {
  const text = unescaped(source);
  const isRules = path.startsWith('docs/rules/');
  const cited = [...text.matchAll(isRules ? CITED_AT_HOME : CITED), ...text.matchAll(/\bRFC \d+ §[\d.]+/g)];
  const rest = blank(text, cited);
  return LOOSE.flatMap(([pattern, reason]) =>
    [...rest.matchAll(pattern)].map((match) => ({
      path,
      line: lineNumberAt(rest, match.index),
      text: match[0],
      reason,
    })),
  );
}

/** Rules once had other names, `IA-24` or `A.6.9`: the last table of docs/rules/README.md has them, by families. */
export interface Family {
  readonly document: string;
  /** What its names begin with: `IA-`, `W`, `A.`. */
  readonly prefix: string;
  readonly first: number;
  readonly last: number;
  readonly section: string;
  /** The amount added to the number. */
  readonly plus: number;
}

export function readFamilies(readme: string): Family[] {
  return [...readme.matchAll(/^\| (\w+\.md) \| (.* → .*) \|$/gm)].flatMap(([, document = '', list = '']) =>
    [...list.matchAll(/([A-Z]+[-.]?)(\d+|n)(?:–(\d+))? → §((?:\d+\.)*)(\d+)?/g)].map(
      ([, prefix = '', first = '', last, section = '', now]) => ({
        document,
        prefix,
        first: first === 'n' ? 0 : Number(first),
        last: first === 'n' ? 99 : Number(last ?? first),
        section,
        plus: now === undefined ? 0 : Number(now) - Number(first),
      }),
    ),
  );
}

/** What the rule with an earlier name is cited as now. */
export function presentKey(name: string, families: readonly Family[]): string | undefined {
  const [, prefix, digits, rest = ''] = /^([A-Z]+[-.]?)(\d+)(.*)$/.exec(name) ?? [];
  const number = Number(digits);
  const family = families.find(
    (each) => each.prefix === prefix && number >= each.first && number <= each.last,
  );
  return family && `${family.document} §${family.section}${number + family.plus}${rest}`;
}

/** Where a text still cites rules by their earlier names. */
export function findEarlier(path: string, source: string, families: readonly Family[]): Problem[] {
  const text = unescaped(source);
  return [...text.matchAll(earlierNames(families))].flatMap((match) => {
    const key = presentKey(match[0], families);
    return key
      ? [{ path, line: lineNumberAt(text, match.index), text: match[0], reason: `is ${key} now` }]
      : [];
  });
}

/** Returns the text of a migration, which never changes, with the present keys in place of earlier names. */
export function withPresentKeys(source: string, families: readonly Family[]): string {
  return source.replace(earlierNames(families), (name) => presentKey(name, families) ?? name);
}

function earlierNames(families: readonly Family[]): RegExp {
  const prefixes = [...new Set(families.map(({ prefix }) => prefix))];
  const names = prefixes.map((prefix) =>
    prefix.endsWith('.') ? `${prefix.slice(0, -1)}(?:\\.\\d+[a-z]?)+` : `${prefix}\\d{1,2}[a-z]?`,
  );
  return new RegExp(`(?<![\\w#§.-])(?:${names.join('|')})(?![\\w#-]|\\.\\d)`, 'g');
}

/** What stands under one heading, up to the next. */
export function readSection(text: string, id: string): string {
  const lines = text.split('\n');
  const start = lines.findIndex((line) => HEADING.exec(line)?.[1] === id);
  const end = lines.findIndex((line, i) => i > start && HEADING.test(line));
  return start < 0 ? '' : lines.slice(start + 1, end < 0 ? undefined : end).join('\n');
}
