import { useState } from 'preact/hooks';

const SAID_MS = 1_500;

/** Copies a text, and says so. */
export function Copy({
  text,
  label = 'Copy',
  isWide = false,
}: {
  text: string;
  label?: string;
  isWide?: boolean;
}) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), SAID_MS);
  };
  return (
    <button
      type="button"
      class={isWide ? 'copy copy-wide' : 'copy'}
      aria-label={label}
      title={label}
      onClick={copy}
    >
      <svg viewBox="0 0 16 16" aria-hidden="true">
        {isCopied ? <path d="m3 8.5 3.2 3.2L13 5" /> : <path d="M5.5 5.5v-3h8v8h-3m-8-5h8v8h-8z" />}
      </svg>
      {isWide && <span>{isCopied ? 'Copied' : 'Copy'}</span>}
      <span class="unseen" role="status">
        {isCopied ? 'Copied' : ''}
      </span>
    </button>
  );
}
