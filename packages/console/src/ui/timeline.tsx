import type { ComponentChildren } from 'preact';
import type { StatusKind } from './status.tsx';
import { Time } from './time.tsx';

export interface TimelineItem {
  readonly at?: string | undefined;
  readonly title: ComponentChildren;
  readonly body?: ComponentChildren;
  readonly kind?: StatusKind | undefined;
  /** Has not happened yet. */
  readonly isAhead?: boolean | undefined;
  readonly clock?: 'platform' | 'real' | undefined;
}

/** What happened, oldest first, and what will happen. */
export function Timeline({ label, items }: { label: string; items: readonly TimelineItem[] }) {
  return (
    <ol class="timeline" aria-label={label}>
      {items.map(({ at, title, body, kind = 'calm', isAhead, clock }, i) => (
        <li key={`${i} ${at}`} class={`timeline-${kind}${isAhead ? ' timeline-ahead' : ''}`}>
          <div class="timeline-head">
            <span class="timeline-title">{title}</span>
            {at !== undefined && (
              <span class="timeline-at">
                <Time at={at} {...(clock && { clock })} />
              </span>
            )}
          </div>
          {body && <div class="timeline-body">{body}</div>}
        </li>
      ))}
    </ol>
  );
}
