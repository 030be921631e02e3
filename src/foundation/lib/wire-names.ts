/**
 * The service's own name on the wire (SERVICE_NAME, default `Svc`). The code itself only uses the neutral word; only this
 * file replaces it in outgoing text and restores it in incoming text.
 */
export interface WireNames {
  /** As in header names: `Svc`. */
  readonly word: string;
  readonly basePath: string;
  readonly signatureHeader: string;
  /** Names the key that the signature was made with. */
  readonly signatureKeyIdHeader: string;
  readonly walletSignatureHeader: string;
  readonly unknownFieldsHeader: string;
  /** The prefix of our references: `SVC-`. */
  readonly referencePrefix: string;
  /** Neutral JSON text → the text that a client sees. */
  outgoing(json: string): string;
  /** The text that a client sent → neutral JSON text. */
  incoming(json: string): string;
  /** The same for the query of an address. */
  incomingQuery(search: string): string;
}

export const API_VERSION = '2025-10-13';

export function wireNames(word: string): WireNames {
  const renamed = word !== 'Svc';
  const out = replacer(word);
  const back = replacer('Svc', word);
  return {
    word,
    basePath: `/${word.toLowerCase()}/${API_VERSION}`,
    signatureHeader: `X-${word}-Signature`,
    signatureKeyIdHeader: `X-${word}-Signature-Key-Id`,
    walletSignatureHeader: `${word}-Wallet-Signature`,
    unknownFieldsHeader: `${word}-Unknown-Fields`,
    referencePrefix: `${word.toUpperCase()}-`,
    outgoing: renamed ? out : (json) => json,
    incoming: renamed ? back : (json) => json,
    incomingQuery: renamed ? queryReplacer(word) : (search) => search,
  };
}

/**
 * Field names and enum values that contain the name; they are replaced also where prose quotes them, and nothing else is.
 */
export const NAMED_TOKENS = [
  'svcApiVariableFeeRate',
  'svcApiVariableFeeAmount',
  'svcApiMultiplier',
  'svcApiFixedFee',
  'svcOperationsStatus',
  'SVC_INTERNAL_ACCOUNT',
  'SVC_SWITCH_ERROR',
  'STABLECOIN_SVC_OPERATIONS_NOT_ENABLED',
  'STABLECOIN_SVC_ENABLEMENT_NOT_REQUESTABLE',
  'CLOSED_BY_SVC',
  // An example of a reference in the document.
  'SVC-7K2MQ4XA-REFUND',
];

function replacer(to: string, from = 'Svc'): (json: string) => string {
  const table = renamings(from, to);
  const pattern = new RegExp(`(["\`])(${[...table.keys()].join('|')})\\1`, 'g');
  return (json) =>
    json.replace(
      pattern,
      (_whole, quote: string, token: string) => quote + (table.get(token) ?? token) + quote,
    );
}

/** Our names need no URL encoding, so they are compared as they are written. */
function queryReplacer(from: string): (search: string) => string {
  const table = renamings(from, 'Svc');
  return (search) => search.replace(/[^&=]+/g, (part) => table.get(part) ?? part);
}

function renamings(from: string, to: string): ReadonlyMap<string, string> {
  return new Map(NAMED_TOKENS.map((token) => [rename(token, from), rename(token, to)]));
}

function rename(token: string, word: string): string {
  return token
    .replace('svc', word.charAt(0).toLowerCase() + word.slice(1))
    .replace('SVC', word.toUpperCase());
}
