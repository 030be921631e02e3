/** Where the `sql` tag may be used, beside stores and tests, and why. */
const SQL_PLACES: readonly RegExp[] = [
  // The tag itself, and code that works on all tables.
  /^src\/foundation\/database\//,
  // These make a page of any store's query.
  /^src\/foundation\/http\/(paging|mixed-page)\.ts$/,
  // The proofs of the ledger: each is a query with the sentence that it proves, over the tables of several folders.
  /^src\/foundation\/(ledger|journal)\/(open-items-)?checks\.ts$/,
  /^src\/capabilities\/(payments|reconciliation|cards|stablecoins|agents)\/(ledger|journal)-checks\.ts$/,
  // The operator's attention list: each kind is a query with the texts for its rows.
  /^src\/([a-z/-]+\/)?attention\.ts$/,
];

const LINE_MAX = 120;

export function mayUseSql(path: string): boolean {
  return /(^|[/-])store\.ts$|\.sql\.ts$/.test(path) || SQL_PLACES.some((place) => place.test(path));
}

/** Whether TypeScript contains SQL: by the tag, by `tx.sql`, or by functions that combine pieces of SQL. */
export function usesSql(text: string): boolean {
  const imported = /import \{([^}]*)\} from '#foundation\/database\/sql\.ts'/.exec(text)?.[1] ?? '';
  return /(^|,)\s*(sql|rawSql|joinSql)\b/.test(imported) || /\.sql\s*(<[^`]*>)?\s*`/.test(text);
}

/** The style problems of an SQL file. */
export function sqlProblems(path: string, text: string): string[] {
  const code = withoutCommentsAndQuotes(text);
  const at = (index: number) => `${path}:${text.slice(0, index).split('\n').length}`;
  const found = (pattern: RegExp, problem: string) =>
    [...code.matchAll(pattern)].map(({ index }) => `${at(index)}: ${problem}`);
  return [
    ...[...text.matchAll(/\b(TODO|FIXME)\b/g)].map(
      ({ index }) => `${at(index)}: something is left for later`,
    ),
    ...found(/\b[A-Z]{2,}\b/g, 'keywords are lower-case'),
    ...found(/(\bselect\s+(distinct\s+)?|,\s*)(\w+\.)?\*/g, 'columns are named'),
    ...text
      .split('\n')
      .flatMap((line, i) => ([...line].length > LINE_MAX ? [`${path}:${i + 1}: the line is too long`] : [])),
    ...[...code.matchAll(/^[ \t]*create (or replace )?(function|procedure)\b/gm)]
      .filter(({ index }) => !/(^|\n)[ \t]*--[ \t]*\S[^\n]*\n$/.test(text.slice(0, index)))
      .map(({ index }) => `${at(index)}: no comment says what the function does`),
  ];
}

/** Blanks, so that everything else stays where it is. */
function withoutCommentsAndQuotes(text: string): string {
  return text.replace(/--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"[^"]*"/g, (piece) =>
    piece.replace(/[^\n]/g, ' '),
  );
}
