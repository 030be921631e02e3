import type { ComponentChildren } from 'preact';

/** Text from a stranger: a name, an endpoint's answer, a file name. It cannot change the direction of other text. */
export function Text({ children }: { children: string | number | undefined | null }) {
  return children === undefined || children === null || children === '' ? (
    <span class="soft">–</span>
  ) : (
    <bdi>{children}</bdi>
  );
}

/** A link that a stranger wrote: only http and https become links, and they open elsewhere. */
export function OuterLink({ href, children }: { href: string; children?: ComponentChildren }) {
  if (!/^https?:\/\//i.test(href)) return <bdi>{href}</bdi>;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      <bdi>{children ?? href}</bdi>
    </a>
  );
}

/** `PENDING_AUTHORIZATION` as "Pending authorization". */
export function sayName(name: string): string {
  const words = name.toLowerCase().replaceAll('_', ' ').replaceAll('.', ': ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Text from a stranger inside a string, as in a question or a toast: it cannot change the direction of other text. */
export function isolate(text: string): string {
  return `\u2068${text}\u2069`;
}
