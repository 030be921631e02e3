import { postEntry } from '#capabilities/accounts/post-entry.ts';
import type { Changes } from '#foundation/database/tx.ts';
import { cancelJob, schedule } from '#foundation/jobs/schedule.ts';
import type { DraftEvent, MachineRow, Transition } from '#foundation/machine/draft.ts';

/** How the transitions of one kind of row are written. */
interface TransitionWriter<Row extends MachineRow, T extends Transition<Row>> {
  /** Writes the row, and what only this kind of transition has. */
  write(changes: Changes, transition: T): void;
  /** Undefined: its changes have no events. */
  emit?(changes: Changes, event: DraftEvent<Row>): void;
}

/** Passes every part of a transition, and of its changes to other rows, to the writers of a commit (decision 0018). */
export function applyTransition<Row extends MachineRow, T extends Transition<Row>>(
  changes: Changes,
  transition: T,
  writer: TransitionWriter<Row, T>,
): void {
  const { entries, events, jobs, others } = transition;
  writer.write(changes, transition);
  for (const entry of entries) postEntry(changes, entry);
  for (const event of events) writer.emit?.(changes, event);
  for (const job of jobs) {
    if (job.does === 'cancel') cancelJob(changes, job.kind, job.key);
    else schedule(changes, job);
  }
  for (const other of others) applyTransition(changes, other as T, writer);
}
