import { sayName } from './text.tsx';

export type StatusKind = 'good' | 'wait' | 'bad' | 'calm';

/** Statuses of all resources; a status that is not here is calm. */
const KINDS: Readonly<Record<string, StatusKind>> = {
  COMPLETED: 'good',
  ACTIVE: 'good',
  APPROVED: 'good',
  DELIVERED: 'good',
  ACKED_DUPLICATE: 'good',
  SETTLED: 'good',
  VERIFIED: 'good',
  CONFIRMED: 'good',
  CLAIMED: 'good',
  SIGNING: 'good',
  SUCCEEDED: 'good',
  PROVISIONED: 'good',
  ENABLED: 'good',
  UP: 'good',
  PROVEN: 'good',
  AUTHORIZED: 'wait',
  CREATED: 'wait',
  PENDING: 'wait',
  PENDING_AUTHORIZATION: 'wait',
  PENDING_APPROVAL: 'wait',
  PENDING_FUNDING: 'wait',
  PENDING_PROVIDER: 'wait',
  PENDING_MANUAL_REVIEW: 'wait',
  PARTIALLY_SETTLED: 'wait',
  PROCESSING: 'wait',
  IN_PROGRESS: 'wait',
  UNDER_REVIEW: 'wait',
  READY_FOR_VERIFICATION: 'wait',
  NEXT: 'wait',
  FAILED: 'bad',
  REJECTED: 'bad',
  DECLINED: 'bad',
  EXPIRED: 'bad',
  EXHAUSTED: 'bad',
  DOWN: 'bad',
  UNPROVEN: 'bad',
  EXCEPTION: 'bad',
  RESOLVE_ERRORS: 'bad',
  REFUND_FAILED: 'bad',
};

const SHAPES: Readonly<Record<StatusKind, string>> = {
  good: 'm3.5 8.4 3 3L12.5 5',
  wait: 'M8 4v4.2l2.6 1.6M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 1 0 8 1.8',
  bad: 'm4.4 4.4 7.2 7.2m0-7.2-7.2 7.2',
  calm: 'M4 8h8',
};

/** A status as a shape and a word, so that it does not depend on colour. */
export function Status({
  value,
  kind,
  word,
}: {
  value: string | undefined;
  kind?: StatusKind;
  word?: string;
}) {
  if (value === undefined) return <span class="soft">–</span>;
  const shown = kind ?? kindOf(value);
  return (
    <span class={`status status-${shown}`}>
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <path d={SHAPES[shown]} />
      </svg>
      {word ?? sayName(value)}
    </span>
  );
}

export function kindOf(status: string): StatusKind {
  return KINDS[status] ?? 'calm';
}

/** The status of an HTTP answer. */
export function HttpStatus({ code }: { code: number | undefined }) {
  if (code === undefined) return <Status value="none" kind="bad" word="No answer" />;
  const kind = code < 300 ? 'good' : code < 400 ? 'calm' : 'bad';
  return <Status value={String(code)} kind={kind} word={String(code)} />;
}
