import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Failure } from '../api/failure.ts';
import { docsUrl } from '../api/session.ts';

const SKELETON_AFTER_MS = 300;

/** Placeholder lines, shown only if loading takes long enough to be noticed. */
export function Skeleton({ lines = 3 }: { lines?: number }) {
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), SKELETON_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div class={isShown ? 'skeleton skeleton-shown' : 'skeleton'} aria-busy="true">
      {Array.from({ length: lines }, (_, i) => (
        <span key={i} class="skeleton-line" />
      ))}
      <span class="unseen" role="status">
        {isShown ? 'Loading' : ''}
      </span>
    </div>
  );
}

/** Says what an empty list would contain, and how to add to it. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children}
    </div>
  );
}

/** Says what failed and why, and offers to try again. */
export function Failed({
  what,
  failure,
  retry,
}: {
  what: string;
  failure: Failure;
  retry?: (() => void) | undefined;
}) {
  return (
    <div class="failed" role="alert">
      <p>
        <strong>{what}</strong> <bdi>{failure.reason}</bdi>
      </p>
      <p class="failed-facts">
        <code>{failure.code}</code>
        {failure.rule !== undefined && <RuleLink rule={failure.rule} />}
        {failure.requestId !== undefined && <span>request {failure.requestId}</span>}
      </p>
      {retry && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}

/** `money.md §3.1`, as a link to the rule's text; of several, such as `money.md §11.d, §11.e`, each. */
export function RuleLink({ rule }: { rule: string }) {
  let file: string | undefined;
  return (
    <>
      {rule.split(', ').map((one, i) => {
        const [, own, number] = /^(?:([a-z-]+)\.md ?)?(?:§([\w.]+?)(?:–[\w.]+)?)?$/.exec(one) ?? [];
        file = own ?? file;
        return (
          <span key={one}>
            {i > 0 && ', '}
            {file === undefined ? (
              one
            ) : (
              <a
                href={docsUrl(`/docs/rules/${file}${number === undefined ? '' : `#${number}`}`)}
                target="_blank"
                rel="noopener"
              >
                {one}
              </a>
            )}
          </span>
        );
      })}
    </>
  );
}

/** Shows a loading state, then the failure or the data. */
export function Loaded<Data>({
  read,
  what,
  lines,
  children,
}: {
  read: { data: Data | undefined; failure: Failure | undefined; isLoading: boolean; retry: () => void };
  /** For the failure: "The configuration could not be loaded." */
  what: string;
  lines?: number;
  children: (data: Data) => ComponentChildren;
}) {
  if (read.data !== undefined) return <>{children(read.data)}</>;
  if (read.failure) return <Failed what={what} failure={read.failure} retry={read.retry} />;
  return <Skeleton lines={lines ?? 3} />;
}
