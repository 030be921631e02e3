import type { Sql } from '#foundation/database/sql.ts';
import { type PublicId, publicId } from '#foundation/lib/ids.ts';

/**
 * A kind of item that waits for a person, or is stuck. Each capability declares its own, in its `attention.ts`;
 * its manifest names them, and src/app/attention.ts reads all of them.
 */
export interface AttentionKind {
  /** The name in `--kind` and in the metrics: `card-exceptions`. */
  readonly name: string;
  /** Describes the items, for a heading. */
  readonly title: string;
  /** Operators see what concerns people first, then money, then the service itself. */
  readonly concerns: 'people' | 'money' | 'service';
  /**
   * One list for each platform `p`, or one for the installation. The latter concerns production alone: the state of the
   * service itself does not matter while there are only sandboxes.
   */
  readonly scope: 'platform' | 'installation';
  /**
   * The clock for an item's age. `business`: the platform's. `real`: real time, in which `since` is given, too. `work`:
   * `since` is the business time at which a process should have done the work; moving the clock does not age it.
   */
  readonly time: 'business' | 'real' | 'work';
  /**
   * The query for the waiting rows, the oldest first and at most `limit`: a column `since`, and the columns that `present`
   * needs. It reads an index that contains little else, and a platform is `p.id`.
   */
  find(parts: AttentionParts): Sql;
  present(row: never, owner: AttentionOwner): Presented;
}

export interface AttentionParts {
  /** The time by the kind's clock, as a value of SQL. */
  readonly now: Sql;
  /** For the installation's own kinds: when the first production platform was created. */
  readonly concernsSince: Sql;
  readonly limit: number;
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
  /** The commands to run, in order: first one that shows the item, then one that resolves it. The person fills in `<…>`. */
  readonly commands: readonly string[];
}

/** Declares a kind, with the type of the rows that its query returns. */
export function attentionKind<Row>(
  kind: Omit<AttentionKind, 'present'> & {
    present(row: Row & { readonly since: Date }, owner: AttentionOwner): Presented;
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
