import {
  type AttentionKind,
  HAS_PRODUCTION,
  ownerOf,
  type Presented,
  type WaitingRow,
  waitingRows,
} from '#foundation/database/attention.ts';
import type { Database, Run } from '#foundation/database/database.ts';
import { DatabaseUnavailable } from '#foundation/database/failures.ts';
import { readingFigures } from '#foundation/database/figures.ts';
import { type Sql, sql } from '#foundation/database/sql.ts';
import { failingJobs } from '#foundation/jobs/attention.ts';
import { isUuid, publicId } from '#foundation/lib/ids.ts';
import type { Environment } from '#foundation/lib/platform.ts';
import { SERVICE } from './compose.ts';

const CONCERNS: readonly AttentionKind['concerns'][] = ['people', 'money', 'service'];

/** Every kind of item that may need a person, in display order: people, money, then the service itself. */
export const WORK_KINDS: readonly AttentionKind[] = [
  ...SERVICE.attention.toSorted((a, b) => CONCERNS.indexOf(a.concerns) - CONCERNS.indexOf(b.concerns)),
  failingJobs(
    { name: 'messages', title: 'messages that could not be sent', roles: ['support', 'admin'] },
    { kinds: SERVICE.messageJobs, isOnly: true },
  ),
  failingJobs(
    { name: 'jobs', title: 'jobs that keep failing', roles: ['treasury', 'admin'] },
    { kinds: SERVICE.messageJobs, isOnly: false, show: showSubject },
  ),
];

/** Kinds that mean something to everybody: `corridor attention` and the metrics show them. */
export const ATTENTION_KINDS: readonly AttentionKind[] = WORK_KINDS.filter(({ isOwn }) => !isOwn);

function showSubject(kind: string, key: string, onPlatform: string): string | undefined {
  const [id = ''] = key.split(':');
  if (!kind.startsWith('payments.') || !isUuid(id)) return undefined;
  return `corridor payment show ${publicId('Transaction', id)}${onPlatform}`;
}

export interface AttentionGroup {
  readonly kind: string;
  readonly title: string;
  readonly environment: Environment;
  readonly count: number;
  /** Counting stopped at this count: there are more. */
  readonly isCapped: boolean;
  readonly oldestAgeSeconds: number;
  /** The oldest first. */
  readonly items: readonly AttentionItem[];
}

export interface AttentionItem extends Presented {
  /** Bare UUID; null: it concerns the installation. */
  readonly platformId: PlatformId | null;
  readonly platformName: string | null;
  readonly since: Date;
  readonly ageSeconds: number;
}

/** Where counting stops. */
export const COUNT_MAX = 1_000;

export interface AttentionRequest {
  readonly now: Date;
  readonly environments: readonly Environment[];
  readonly kinds?: readonly AttentionKind[];
  /** How many items of each group. */
  readonly shown: number;
  /** How long one kind may take; absent: as long as any other figure. */
  readonly kindMaxMs?: number;
  /** Called for a kind that could not be read, so that the others are still shown; absent: loading fails. */
  onUnread?(kind: string, error: unknown): void;
}

/** Loads the waiting and stuck items of all platforms, with one statement for each kind, one after the other. */
export async function loadAttention(
  database: Pick<Database, 'transaction'>,
  { kinds = ATTENTION_KINDS, kindMaxMs, onUnread, ...request }: AttentionRequest,
): Promise<AttentionGroup[]> {
  const groups: AttentionGroup[] = [];
  for (const kind of kinds) {
    try {
      groups.push(...(await readingFigures(database, (run) => loadKind(run, kind, request), kindMaxMs)));
    } catch (error) {
      if (!onUnread || error instanceof DatabaseUnavailable) throw error;
      onUnread(kind.name, error);
    }
  }
  return groups;
}

interface AttentionRow extends WaitingRow {
  readonly environment: Environment;
  readonly found: number;
}

async function loadKind(run: Run, kind: AttentionKind, request: AttentionRequest): Promise<AttentionGroup[]> {
  const rows = await run<AttentionRow>(attentionStatement(kind, request));
  return [...Map.groupBy(rows, ({ environment }) => environment)].map(([environment, found]) => ({
    kind: kind.name,
    title: kind.title,
    environment,
    count: Math.min(found[0]?.found ?? 0, COUNT_MAX),
    isCapped: (found[0]?.found ?? 0) > COUNT_MAX,
    oldestAgeSeconds: found[0]?.age_seconds ?? 0,
    items: found.slice(0, request.shown).map((row) => presentItem(kind, row)),
  }));
}

function presentItem(kind: AttentionKind, row: AttentionRow): AttentionItem {
  const { platform_id: platformId, platform_name: platformName, since, age_seconds } = row;
  const presented = kind.present(row as never, ownerOf(platformId));
  return { platformId, platformName, since, ageSeconds: age_seconds, ...presented };
}

/** Counts all items, and reads the oldest of each environment: at least one, because its age is shown. */
export function attentionStatement(
  kind: AttentionKind,
  { now, environments, shown }: Omit<AttentionRequest, 'kinds'>,
): Sql {
  const request = {
    now,
    platforms: sql`p.environment = any(${environments}::text[])`,
    installation: sql`'PRODUCTION' = any(${environments}::text[]) and ${HAS_PRODUCTION}`,
    // One more than is counted.
    limit: COUNT_MAX + 1,
  };
  return sql`
    with found as materialized (${waitingRows(kind, request)}),
         placed as (
           select f.*, (count(*) over of_environment)::integer as found,
                  row_number() over (partition by f.environment order by f.age_seconds desc, f.since) as place
             from found f
           window of_environment as (partition by f.environment))
    select * from placed where place <= ${Math.max(shown, 1)}
     order by environment, place`;
}
