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
] as const;

/**
 * Rules of areas under construction, as citations of single rules or ranges: they can be cited, and need no test yet. Empty
 * when the area is finished.
 */
const UNDER_CONSTRUCTION: readonly string[] = [];

export interface Rule {
  readonly document: string;
  /** As it is cited: `money.md §3.4`, or its name, `IA-24` or `A.6.9`. */
  readonly key: string;
  /** Nothing below it has a number of its own. */
  readonly isLeaf: boolean;
  /** Not a rule of a future area, which only reserves its number. */
  readonly isBuilt: boolean;
}

export interface Citation {
  readonly path: string;
  readonly line: number;
  /** The citation's text. */
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

const HEADING = /^##+ ((?:[ABC]\.)?\d+(?:\.\d+)*)\.? /;
const ITEM = /^(\d+[a-z]?|[a-z])\. /;
const NAMED_ROW = /^\| ((?:[A-Z]{1,2}-|L)\d+[a-z]?)\b/;
const NAMED_ITEM = /^- \*\*(W\d+[a-z]?|[ABC](?:\.\d+)+[a-z]?)\.\*\* /;
const NOT_BUILT = 'Not built yet';

/** All rules of one document, in its order. */
export function readRules(document: string, text: string): Rule[] {
  const lines = text.split('\n');
  const found: { key: string; parent: string; isBuilt: boolean }[] = [];
  let section = '';
  for (const [i, line] of lines.entries()) {
    const heading = HEADING.exec(line)?.[1];
    const item = ITEM.exec(line)?.[1];
    const name = (NAMED_ROW.exec(line) ?? NAMED_ITEM.exec(line))?.[1];
    if (heading) {
      section = heading;
      const isBuilt = !lines
        .slice(i + 1)
        .find((next) => next.trim() !== '')
        ?.startsWith(NOT_BUILT);
      found.push({ key: keyOf(document, heading), parent: keyOf(document, above(heading)), isBuilt });
    } else if (item && section) {
      const isBuilt = !line.slice(item.length + 2).startsWith(NOT_BUILT);
      found.push({ key: keyOf(document, `${section}.${item}`), parent: keyOf(document, section), isBuilt });
    } else if (name) {
      const parent = name.includes('.') ? above(name) : section;
      found.push({ key: name, parent: keyOf(document, parent), isBuilt: !line.includes(NOT_BUILT) });
    }
  }
  const parents = new Set(found.map(({ parent }) => parent));
  return found.map(({ key, isBuilt }) => ({ document, key, isBuilt, isLeaf: !parents.has(key) }));
}

/** The numbers of cards.md, stablecoins.md and agents.md begin with a letter and need no document to be found: `A.6.9`. */
function keyOf(document: string, id: string): string {
  return /^[ABC]\./.test(id) ? id : `${document} §${id}`;
}

/** The number of the parent section. */
function above(id: string): string {
  return id.slice(0, Math.max(0, id.lastIndexOf('.')));
}

const AREAS = DOCUMENTS.map((document) => document.replace(/\.md$/, '')).join('|');
/** A space, or the end of a line of a comment and the beginning of the next. */
const GAP = String.raw`(?: |\n[ \t]*(?:\*|\/\/|--|>)? *)`;
const ID = String.raw`\d+[a-z]?(?:\.(?:\d+[a-z]?|[a-z]\b))*`;
const ONE = `§${ID}(?:–${ID})?`;
const LIST = `${ONE}(?:(?:,|${GAP}and)${GAP}${ONE})*`;
const NUMBERED = new RegExp(String.raw`\b((?:${AREAS})\.md)${GAP}(${LIST})`, 'g');
const OWN_NUMBERED = new RegExp(`()(${LIST})`, 'g');
const NAME = String.raw`(?:(?:C[DILMPST]?|IA|EA|OW|RL|WF|S[A-GIK-RUXY]|TB|A[CDEOPRT])-\d+[a-z]?|[LW]\d{1,2}[a-z]?|[ABC](?:\.\d+[a-z]?)+)`;
/** A name in quotes by itself is a value (the kind of an entry), not a citation. */
const NAMED = new RegExp(`(?<![\\w#-])(${NAME})(?:–(${NAME}))?(?![\\w'"\`#-]|\\.\\d)`, 'g');
const DECISION = /\bdecisions? (\d{4})\b/g;

/** Every citation in a text that has the agreed form. In a document of rules a number may stand without its file. */
export function findCitations(path: string, source: string, rules: readonly Rule[]): Citation[] {
  const text = unescaped(source);
  const own = DOCUMENTS.find((document) => path === `docs/rules/${document}`);
  const numbered = [...text.matchAll(NUMBERED)];
  const rest = blank(text, numbered);
  const bare = own ? [...rest.matchAll(OWN_NUMBERED)] : [];
  const at = (match: RegExpExecArray, keys: string[]) => ({
    path,
    line: text.slice(0, match.index).split('\n').length,
    text: match[0].replace(/\s+(\*|\/\/|--|>)?\s*/g, ' '),
    keys,
  });
  return [
    ...numbered.map((match) => at(match, keysOf(match[1] ?? '', match[2] ?? '', rules))),
    ...bare.map((match) => at(match, keysOf(own ?? '', match[2] ?? '', rules))),
    ...[...rest.matchAll(NAMED)].map((match) => at(match, namesOf(match[1] ?? '', match[2], rules))),
    ...[...rest.matchAll(DECISION)].map((match) => at(match, [`decision ${match[1]}`])),
  ];
}

/** The keys of the rules of areas under construction. */
export function underConstruction(rules: readonly Rule[]): Set<string> {
  const citations = UNDER_CONSTRUCTION.flatMap((text) => findCitations('', text, rules));
  return new Set(citations.flatMap(({ keys }) => keys));
}

/** The kinds of entries that are posted in two parts, `L13a` and `L13b`, are one rule. */
function nameOf(name: string, rules: readonly Rule[]): string {
  return rules.some(({ key }) => key === name) ? name : name.replace(/^(L\d+)[ab]$/, '$1');
}

function namesOf(first: string, last: string | undefined, rules: readonly Rule[]): string[] {
  return last ? range(nameOf(first, rules), nameOf(last, rules), rules) : [nameOf(first, rules)];
}

function keysOf(document: string, list: string, rules: readonly Rule[]): string[] {
  return [...list.matchAll(new RegExp(`§(${ID})(?:–(${ID}))?`, 'g'))].flatMap(([, first = '', last]) =>
    last ? range(keyOf(document, first), keyOf(document, last), rules) : [keyOf(document, first)],
  );
}

/** The rules from one to the other, in the order of the document; only both if there is no such range. */
function range(first: string, last: string, rules: readonly Rule[]): string[] {
  const keys = rules.map(({ key }) => key);
  const [from, to] = [keys.indexOf(first), keys.indexOf(last)];
  return from >= 0 && to > from ? keys.slice(from, to + 1) : [first, last];
}

/** In a regular expression a dot is written with a backslash. */
function unescaped(text: string): string {
  return text.replaceAll('\\.', '.');
}

/** The same text without the matches; line numbers stay the same. */
function blank(text: string, matches: RegExpExecArray[]): string {
  return matches.reduce(
    (rest, { index, 0: found }) =>
      rest.slice(0, index) + found.replace(/[^\n]/g, ' ') + rest.slice(index + found.length),
    text,
  );
}

/** Mentions of a rule in a form that cannot be resolved. */
const LOOSE: readonly [RegExp, string][] = [
  [/§[\w.]*/g, 'names no document of docs/rules'],
  [/\b[Rr]ules? (?:\d+[a-z]?|[a-f](?=[).,:;]))/g, 'names no document of docs/rules'],
  [/\b(?:cards-stablecoins-agents|style|dependencies)\.md\b/g, 'is not in the repository'],
  [/\bdecisions\/\d{4}(?!-)/g, 'is cited as `decision 0000`'],
  [/\bdecisions? (?!\d{4}\b)\d+\b/g, 'is cited as `decision 0000`'],
  [new RegExp(String.raw`\b(?:${AREAS})\.md(?: \d| [Ss]ections? \d)`, 'g'), 'is cited as `money.md §3.4`'],
];

export function findLoose(path: string, source: string): Problem[] {
  const text = unescaped(source);
  const isRules = path.startsWith('docs/rules/');
  const cited = [...text.matchAll(isRules ? OWN_NUMBERED : NUMBERED), ...text.matchAll(/\bRFC \d+ §[\d.]+/g)];
  const rest = blank(text, cited);
  return LOOSE.flatMap(([pattern, reason]) =>
    [...rest.matchAll(pattern)].map((match) => ({
      path,
      line: rest.slice(0, match.index).split('\n').length,
      text: match[0],
      reason,
    })),
  );
}

/** The text under one heading, up to the next. */
export function sectionOf(text: string, id: string): string {
  const lines = text.split('\n');
  const start = lines.findIndex((line) => HEADING.exec(line)?.[1] === id);
  const end = lines.findIndex((line, i) => i > start && HEADING.test(line));
  return start < 0 ? '' : lines.slice(start + 1, end < 0 ? undefined : end).join('\n');
}
