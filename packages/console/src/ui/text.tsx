import type { ComponentChildren } from 'preact';

/** Text from a stranger: a name, an endpoint's answer, a file name. It cannot change the direction of other text. */
export function Text({ children }: { children: string | number | undefined | null }) {
  return children === undefined || children === null || children === '' ? (
    <span class="soft">–</span>
  ) : (
    <bdi>{children}</bdi>
  );
}

/** Our own sentence, in which names of the API stand between backticks. */
export function Prose({ text }: { text: string }) {
  return <>{text.split('`').map((part, i) => (i % 2 === 0 ? part : <code key={i}>{part}</code>))}</>;
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

/** Names and abbreviations that have capitals wherever they stand. */
const CAPITALS = new Set(
  (
    'ABA ACH BIC CIPS CLABE CNPJ CPF CSV EIN ETH FPS IBAN ID IFSC IMPS ITIN KYB KYC MCC NEFT NIBSS OAUTH OTP PAN PIX QR RTGS RTP SCA SEPA SMS ' +
    'SPEI SSN SWIFT TOTP UMA UPI URL USDB USDC USDT UTR VPA'
  ).split(' '),
);

/** `PENDING_AUTHORIZATION` as "Pending authorization", `EUR_ACCOUNT` as "EUR account". */
export function sayName(name: string): string {
  const [, currency] = /^([A-Z]{3})_ACCOUNT$/.exec(name) ?? [];
  const words = name
    .toLowerCase()
    .replaceAll('.', ': ')
    .split(/[_ ]/)
    .map((word) => {
      const capitals = word.toUpperCase();
      return CAPITALS.has(capitals) || capitals === currency ? capitals : word;
    })
    .join(' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The name of a field, such as `accountNumber` or `address.postalCode`, as "Account number" or "Address postal code". */
export function sayField(name: string): string {
  const words = name.replaceAll('.', ' ').replaceAll(/[A-Z]|(?<=[a-z])[0-9]/g, (start) => ` ${start}`);
  return sayName(words.trimStart());
}

/** Whether a sandbox is called "Sandbox", as the first one is: then its name says nothing more than its environment. */
export function isNamedAfterEnvironment(platform: { name: string; environment: string }): boolean {
  const { name, environment } = platform;
  return environment.toUpperCase() === 'SANDBOX' && name.toUpperCase() === 'SANDBOX';
}

/** Text from a stranger inside a string, as in a question or a toast: it cannot change the direction of other text. */
export function isolate(text: string): string {
  return `\u2068${text}\u2069`;
}
