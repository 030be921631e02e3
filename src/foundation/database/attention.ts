import { businessNow, unmovedAge } from '#foundation/database/figures.ts';
import { type Sql, sql } from '#foundation/database/sql.ts';
import { type PublicId, publicId } from '#foundation/lib/ids.ts';
import type { OperatorRole } from '#foundation/lib/operator-roles.ts';

/**
 * A kind of item that waits for a person, or is stuck. Each capability declares its own, in its `attention.ts`, and its
 * manifest names them. `corridor attention` and the metrics (src/app/attention.ts) and the operators' work
 * (src/capabilities/attention) read all of them.
 */
export interface AttentionKind {
  /** The name in `--kind`, in the metrics and in the address of its list: `card-exceptions`. */
  readonly name: string;
  /** Describes the items, for a heading. */
  readonly title: string;
  /** Operators see what concerns people first, then money, then the service itself. */
  readonly concerns: 'people' | 'money' | 'service';
  /** The roles whose work it is. */
  readonly roles: readonly OperatorRole[];
  /**
   * One list for each platform `p`, one for the installation, or one for each operator. The installation's concerns
   * production alone: the state of the service itself does not matter while there are only sandboxes.
   */
  readonly scope: 'platform' | 'installation' | 'operator';
  /** It means something to its operator only, so that neither `corridor attention` nor a metric shows it. */
  readonly isOwn?: boolean;
  /** Items become work only at this age: a debt is usually repaid by the next credit. */
  readonly workAfterSeconds?: number;
  /**
   * The clock for an item's age. `business`: the platform's. `real`: real time, in which `since` is given, too. `work`:
   * `since` is the business time at which a process should have done the work; moving the clock does not age it.
   */
  readonly time: 'business' | 'real' | 'work';
  /**
   * The query for the waiting rows, at most `limit`, in the order of `since` and `key`: these two columns, and the columns
   * that `present` needs. `key` is a text that names the item within its kind and platform. It reads an index that
   * contains little else, and a platform is `p.id`.
   */
  find(parts: AttentionParts): Sql;
  present(row: never, owner: AttentionOwner): Presented;
  /** Roles for which the commit that adds an item stores a mail about it; the round leaves them out. */
  readonly mailedAtOnce?: readonly OperatorRole[];
  /** For an operator's kind: the people whom one of its items concerns. */
  decidedBy?(row: never): AttentionDeciders;
}

/** Operators who may do an operation: all but one, or only that one. Null: nobody in particular. */
export interface AttentionDeciders {
  readonly operation: string;
  readonly except?: Id<'Operator'> | null;
  readonly only?: Id<'Operator'>;
}

export interface AttentionParts {
  /** The time by the kind's clock, as a value of SQL. */
  readonly now: Sql;
  /** For the installation's own kinds: when the first production platform was created. */
  readonly concernsSince: Sql;
  readonly limit: number;
  /** The condition that a row comes after the previous page; `find` names the expressions of its columns. */
  after(since: Sql, key: Sql): Sql;
  /** For an operator's kinds: who asks. Undefined: the command line, which sees what waits for anybody. */
  readonly reader: AttentionReader | undefined;
}

/** The operator whose work is read. */
export interface AttentionReader {
  readonly operatorId: Id<'Operator'>;
  /** The operations that the operator may do and that can need a second operator, by their ids. */
  readonly operations: readonly string[];
}

export interface AttentionOwner {
  /** Bare UUID; null: the installation. */
  readonly platformId: PlatformId | null;
  /** Completes a command: ` --platform Platform:…`, or nothing. */
  readonly onPlatform: string;
}

/** The texts of one item for a person. */
export interface Presented {
  /** The public id of the waiting resource, or its name. */
  readonly subject: string;
  /** Why it waits. */
  readonly why: string;
  /** The same for operators over HTTP, without texts of other people or systems; absent: `why` has none. */
  readonly plainWhy?: string;
  /** The commands to run, in order: first one that shows the item, then one that resolves it. The person fills in `<…>`. */
  readonly commands: readonly string[];
}

/** Declares a kind, with the type of the rows that its query returns. */
export function attentionKind<Row>(
  kind: Omit<AttentionKind, 'present' | 'decidedBy'> & {
    present(row: Row & { readonly since: Date }, owner: AttentionOwner): Presented;
    decidedBy?(row: Row): AttentionDeciders;
  },
): AttentionKind {
  return kind as AttentionKind;
}

export function ownerOf(platformId: PlatformId | null): AttentionOwner {
  const platform: PublicId | undefined = platformId === null ? undefined : publicId('Platform', platformId);
  return { platformId, onPlatform: platform === undefined ? '' : ` --platform ${platform}` };
}

/** The option that a command with a decision needs. */
export const BECAUSE = '--reason "<why>"';

export interface WaitingRequest {
  readonly now: Date;
  /** Which platforms `p`. */
  readonly platforms: Sql;
  /** Whether rows that belong to no platform are read. */
  readonly installation: Sql;
  /** Of each platform. */
  readonly limit: number;
  readonly after?: WaitingKey | undefined;
  readonly reader?: AttentionReader | undefined;
}

/** The place of an item among those of its kind. */
export interface WaitingKey {
  readonly since: string;
  /** The nil id: it belongs to no platform. */
  readonly platformId: string;
  readonly key: string;
}

export interface WaitingRow {
  /** Null: it concerns the installation. */
  readonly platform_id: PlatformId | null;
  readonly platform_name: string | null;
  readonly environment: string;
  readonly since: Date;
  readonly key: string;
  readonly age_seconds: number;
}

const NIL = sql`'00000000-0000-0000-0000-000000000000'::uuid`;

/** The waiting rows of a kind: of each platform at most `limit`, so that no platform hides another's rows. */
export function waitingRows(kind: AttentionKind, request: WaitingRequest): Sql {
  const { now, platforms, installation, limit, after, reader } = request;
  const real = sql`${now}::timestamptz`;
  const afterOn = (platform: Sql) => (since: Sql, key: Sql) =>
    after
      ? sql`(${since}, ${platform}, ${key}) > (${after.since}::timestamptz, ${after.platformId}::uuid, ${after.key})`
      : sql`true`;
  if (kind.scope !== 'platform') {
    const parts = {
      now: real,
      concernsSince: FIRST_IN_PRODUCTION,
      limit,
      after: afterOn(NIL),
      reader,
    };
    return sql`
      select null::uuid as platform_id, null::text as platform_name, 'PRODUCTION' as environment,
             greatest(0, extract(epoch from ${real} - w.since))::float8 as age_seconds, w.*
        from (${kind.find(parts)}) w
       where ${installation}`;
  }
  const ages = {
    business: sql`extract(epoch from ${businessNow(now)} - w.since)`,
    real: sql`extract(epoch from ${real} - w.since)`,
    work: unmovedAge(now, sql`w.since`),
  };
  const byClock = kind.time === 'real' ? real : businessNow(now);
  const parts = {
    now: byClock,
    concernsSince: sql`p.created_at`,
    limit,
    after: afterOn(sql`p.id`),
    reader,
  };
  return sql`
    select p.id as platform_id, p.name as platform_name, p.environment,
           greatest(0, ${ages[kind.time]})::float8 as age_seconds, w.*
      from platforms p
     cross join lateral (${kind.find(parts)}) w
     where ${platforms}`;
}

const FIRST_IN_PRODUCTION = sql`
  (select min(f.created_at) from platforms f where f.environment = 'PRODUCTION')`;

/** Whether there is production, so that the state of the service itself matters. */
export const HAS_PRODUCTION = sql`${FIRST_IN_PRODUCTION} is not null`;
