/** How a test file is run, by what its path says it does. A new file joins a group by its name. */
interface Group {
  /** Matched against the path. */
  readonly named: RegExp;
  readonly because: string;
}

/** Nothing runs beside these. */
export const ALONE: readonly Group[] = [
  { named: /(^|\/)outage\.test/, because: 'holds real time against the log: a line a second' },
];

/**
 * What `npm run test:fast` leaves out. In a whole run these go first, each in a process of its own and the longest
 * before the others, so that the short ones fill the gaps at the end.
 */
export const SLOW: readonly Group[] = [
  { named: /^tests\/model\//, because: 'random sequences of payments beside a model' },
  { named: /^tests\/drills\//, because: 'kill processes and databases under load' },
  { named: /browser\.test/, because: 'drives a real browser' },
  { named: /(^|\/)(fuzz|malformed)\.test/, because: 'thousands of broken requests' },
  { named: /\/fair-share\.test/, because: 'thousands of webhooks' },
  {
    named: /\/cli\/(cli|npm-start|outside-database|unusable-start)\.test/,
    because: 'starts the real binary',
  },
  { named: /\/bulk\/(import|resume)\.test/, because: 'imports large files' },
  { named: /\/embedded\//, because: 'makes database clusters of its own' },
  { named: /(^|[/-])processes(-races)?\.test/, because: 'several processes contend' },
  { named: /[/-]crash\.test/, because: 'kills a process in the middle of its work' },
  { named: /\/ledger\/model\.test/, because: 'random sequences of entries beside a model' },
];

export interface Lanes {
  readonly alone: string[];
  readonly slow: string[];
  readonly quick: string[];
}

export function lanesOf(files: readonly string[]): Lanes {
  const alone = inOrder(ALONE, files);
  const slow = inOrder(SLOW, files).filter((file) => !alone.includes(file));
  return { alone, slow, quick: files.filter((file) => !alone.includes(file) && !slow.includes(file)) };
}

function inOrder(groups: readonly Group[], files: readonly string[]): string[] {
  return [...new Set(groups.flatMap(({ named }) => files.filter((file) => named.test(file))))];
}
