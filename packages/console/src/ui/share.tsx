interface ShareProps {
  readonly part: number;
  readonly whole: number;
}

/** A bar that compares a figure with the largest one of its table. The figure itself is beside it. */
export function Share({ part, whole }: ShareProps) {
  return (
    <svg class="share" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
      <rect width={Math.max(1, (100 * part) / Math.max(1, whole))} height="8" rx="1" />
    </svg>
  );
}
