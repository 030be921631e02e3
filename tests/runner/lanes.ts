/**
 * How test files are run, by their paths. A new file joins a group by its name; a file in no group counts as short, and is
 * part of `npm run test:fast`, for every change.
 */
interface Group {
  /** Matched against the path. */
  readonly named: RegExp;
  readonly because: string;
  /**
   * `alone`: nothing runs beside it. `waits`: it waits most of its time, so it takes the place of no other, but runs beside
   * them from the beginning. `first`: it is long, so it starts before the others, in a process of its own, and
   * the short ones fill the gaps at the end. `whole run`: it is run with the short ones, but not in the fast lane.
   */
  readonly runs: 'alone' | 'waits' | 'first' | 'whole run';
}

export const GROUPS: readonly Group[] = [
  { named: /(^|\/)outage\.test/, runs: 'alone', because: 'holds the log against real time: a line a second' },

  {
    named: /^tests\/drills\/kill\.test/,
    runs: 'waits',
    because: 'leases of killed processes run out by real time',
  },

  { named: /^tests\/model\//, runs: 'first', because: 'random sequences of payments beside a model' },
  { named: /^tests\/drills\//, runs: 'first', because: 'kill processes and databases under load' },
  { named: /browser\.test/, runs: 'first', because: 'drives a real browser' },
  { named: /(^|\/)(fuzz|malformed|mutations)\.test/, runs: 'first', because: 'thousands of broken requests' },
  { named: /\/fair-share\.test/, runs: 'first', because: 'thousands of webhooks' },
  {
    named:
      /\/cli\/(.*\/)?(backup-commands|cli|loaded-modules|npm-start|outside-database|rates-worker|unusable-start)\.test/,
    runs: 'first',
    because: 'the real binary',
  },
  {
    named: /^tests\/upgrades\//,
    runs: 'first',
    because: 'the real binary, on databases of earlier versions',
  },
  { named: /\/cli\/developer\/tail-logs\.test/, runs: 'first', because: 'the real binary' },
  {
    named: /\/cli\/developer\/trigger\/trigger-command\.test/,
    runs: 'first',
    because: 'causes every event, twice',
  },
  { named: /^tests\/checks\/deploy\.test/, runs: 'first', because: 'the real binary, in both roles' },
  { named: /^tests\/checks\/guides\.test/, runs: 'first', because: 'the real binary, once for each guide' },
  {
    named: /^tests\/client\/(every-operation|package)\.test/,
    runs: 'whole run',
    because: 'every example over HTTP; a package that is built',
  },
  { named: /\/bulk\/(import|resume)\.test/, runs: 'first', because: 'imports large files' },
  {
    named: /\/(embedded\/|reveal\/secrecy\.test)/,
    runs: 'first',
    because: 'makes database clusters of its own',
  },
  { named: /(^|[/-])processes(-races)?\.test/, runs: 'first', because: 'several processes contend' },
  { named: /[/-]crash\.test/, runs: 'first', because: 'kills a process in the middle of its work' },
  {
    named: /\/signed-operations\.test/,
    runs: 'first',
    because: 'every rule of signing, for every operation',
  },
  { named: /\/mcp\/money\.test/, runs: 'first', because: 'every way to pay, told by every tool to its end' },
  { named: /\/ledger\/model\.test/, runs: 'first', because: 'random sequences of entries beside a model' },

  { named: /(^|[/-])races\.test/, runs: 'whole run', because: 'the same moment again and again' },
  {
    named: /\/database\/(commit|migrate|rotate-keys)\.test/,
    runs: 'whole run',
    because: 'databases at their limits',
  },
  { named: /\/onboarding\/page\.test/, runs: 'whole run', because: 'the whole hosted page, form by form' },
  { named: /\/ownership(-proof\.test|\/)/, runs: 'whole run', because: 'loads what signs for six chains' },
  { named: /\/account-types\.test/, runs: 'whole run', because: 'every type of account outside' },
  {
    named: /\/sandbox\/page\/tables/,
    runs: 'whole run',
    because: 'every value of the sandbox, played through',
  },
  { named: /\/(amounts|volumes)\.test/, runs: 'whole run', because: 'every odd amount through every call' },
  {
    named: /\/deleted-(customers|receivers)\.test/,
    runs: 'whole run',
    because: 'every payment at a deletion',
  },
  {
    named: /\/reactions\/ends\.test/,
    runs: 'whole run',
    because: 'every end that a card stands in the way of',
  },
  { named: /secrecy\.test/, runs: 'whole run', because: 'looks for what was planted in every table' },
  {
    named: /^tests\/(service\/own-currencies|checks\/product)\.test/,
    runs: 'whole run',
    because: 'a part of the service that tests bring',
  },
  {
    named:
      /\/wallet-auth\/(.*\/)?(contact-change|export-wallet|oauth|passkeys|production|provision-wallets|purge|unrelated-client|unusable-wallets|wallets-page)\.test/,
    runs: 'whole run',
    because:
      'every kind of credential, with its cryptography; codes, credentials and sessions stay in the fast lane',
  },
  {
    named: /\/sca\/(.*\/)?(lockout|purge|reset|voided-challenges)\.test/,
    runs: 'whole run',
    because:
      'every lock, every way of a reset, all that voids a challenge; factors and logins stay in the fast lane',
  },
  {
    named:
      /\/(documents\/documents|verification\/verification|webhooks\/test-keys|jobs\/advance-clock|sandbox\/rails\/rails|operator\/operator)\.test/,
    runs: 'whole run',
    because: 'seven seconds and more each',
  },
  { named: /\/guides\.test/, runs: 'whole run', because: 'a service of its own for every guide' },
  {
    named: /\/verification\/production\.test/,
    runs: 'whole run',
    because: 'every way of the operator’s desk',
  },
];

export interface Lanes {
  readonly alone: string[];
  readonly waits: string[];
  readonly first: string[];
  /** All others, in the order given. */
  readonly rest: string[];
  /** Those of them that are in the fast lane. */
  readonly fast: string[];
}

export function assignLanes(files: readonly string[]): Lanes {
  const groupOf = (file: string) => GROUPS.find(({ named }) => named.test(file));
  const inOrder = (runs: Group['runs']) =>
    GROUPS.flatMap((group) => files.filter((file) => group.runs === runs && groupOf(file) === group));
  const [alone, waits, first] = [inOrder('alone'), inOrder('waits'), inOrder('first')];
  const rest = files.filter((file) => ![...alone, ...waits, ...first].includes(file));
  return { alone, waits, first, rest, fast: rest.filter((file) => groupOf(file) === undefined) };
}
