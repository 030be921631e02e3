import { decode } from 'light-bolt11-decoder';
import { attempt } from '#lib/identifiers/attempt.ts';

/** BOLT 11: an invoice that says nothing of its expiry lives one hour. */
const DEFAULT_EXPIRY_SECONDS = 3600;

/** Far above real invoices, and low enough that decoding garbage costs little. */
const INVOICE_LENGTH_MAX = 4096;

/** accounts.md §4.4: the BOLT 11 invoice decodes and can still be paid at `now`. */
export function isPayableInvoice(invoice: string, now: Date): boolean {
  const expiresAt = invoiceExpiry(invoice);
  return expiresAt !== undefined && now.getTime() < expiresAt.getTime();
}

/** When the invoice stops being payable; undefined when it is no BOLT 11 invoice. */
export function invoiceExpiry(invoice: string): Date | undefined {
  if (invoice.length > INVOICE_LENGTH_MAX) return undefined;
  const sections = attempt(() => decode(invoice))?.sections;
  if (sections === undefined) return undefined;
  let issuedSeconds: number | undefined;
  let expirySeconds = DEFAULT_EXPIRY_SECONDS;
  let paymentHash = '';
  for (const section of sections) {
    if (section.name === 'timestamp') issuedSeconds = section.value;
    if (section.name === 'expiry') expirySeconds = section.value;
    if (section.name === 'payment_hash') paymentHash = section.value;
  }
  // The decoder is content with an invoice cut down to nothing; one without a payment hash cannot be paid.
  if (issuedSeconds === undefined || paymentHash.length < 64) return undefined;
  return new Date((issuedSeconds + expirySeconds) * 1000);
}

/** accounts.md §4.4: a BOLT 12 offer. As in all Bech32 spellings, capitals are the same offer. */
export function isBolt12Offer(offer: string): boolean {
  return offer.startsWith('lno1') || offer.startsWith('LNO1');
}
