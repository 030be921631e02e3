import type { Sql } from '#foundation/database/sql.ts';
import { type PublicId, publicId } from '#foundation/lib/ids.ts';

/**
 * A kind of thing that waits for a person, or is stuck. Each capability brings its own, in its `attention.ts`;
 * its manifest names them, and src/app/attention.ts reads all of them.
 */
export interface AttentionKind {
  /** As `--kind` and the metrics have it: `card-exceptions`. */
  readonly name: string;
  /** What they are, for a heading. */
  readonly title: string;
  /** Operators see what concerns people first, then money, then the service itself. */
  readonly concerns: 'people' | 'money' | 'service';
  /**
   * One list for each platform `p`, or one for the installation. The latter concerns production alone: a fact of the
   * service itself does not matter while there are only sandboxes.
   */
  readonly scope: 'platform' | 'installation';
  /**
   * The clock that gives its age. `business`: the platform's. `real`: real time, in which `since` is given, too. `work`:
   * `since` is the business time at which a process should have done something; a moved clock does not age it.
   */
  readonly time: 'business' | 'real' | 'work';
  /**
   * The query for what waits, the oldest first and at most `limit`: a column `since`, and what `present` needs. It walks
   * along an index that holds little else, and a platform is `p.id`.
   */
  find(parts: AttentionParts): Sql;
  present(row: never, owner: AttentionOwner): Presented;
}

export interface AttentionParts {
  /** The time by the kind's clock, as a value of SQL. */
  readonly now: Sql;
  /** For the installation's own kinds: since when there is a production platform. */
  readonly concernsSince: Sql;
  readonly limit: number;
}

export interface AttentionOwner {
  /** Bare UUID; null: the installation. */
  readonly platformId: string | null;
  /** Completes a command: ` --platform Platform:…`, or nothing. */
  readonly onPlatform: string;
}

/** What a person reads of one item. */
export interface Presented {
  /** The public id of what waits, or its name. */
  readonly subject: string;
  /** Why it waits. */
  readonly why: string;
  /** What to type, in order: first what shows it, then what ends it. `<…>` is what only the person knows. */
  readonly commands: readonly string[];
}

/** Declares a kind, with the type of the rows that its query gives. */
export function attentionKind<Row>(
  kind: Omit<AttentionKind, 'present'> & {
    present(row: Row & { readonly since: Date }, owner: AttentionOwner): Presented;
  },
): AttentionKind {
  return kind as AttentionKind;
}

export function ownerOf(platformId: string | null): AttentionOwner {
  const platform: PublicId | undefined = platformId === null ? undefined : publicId('Platform', platformId);
  return { platformId, onPlatform: platform === undefined ? '' : ` --platform ${platform}` };
}

/** The option that a deciding command needs. */
export const BECAUSE = '--reason "<why>"';
