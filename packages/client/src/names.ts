import { NAMED_TOKENS } from './generated/operations.ts';

/**
 * The service's own name on the wire: the operator's `SERVICE_NAME`, `Svc` unless it was changed. Types and code know that
 * word alone.
 */
export interface WireNames {
  readonly basePath: string;
  readonly signatureHeader: string;
  readonly signatureKeyIdHeader: string;
  readonly walletSignatureHeader: string;
  /** JSON with the word `Svc` → as the service knows it. */
  outgoing(json: string): string;
  /** JSON of the service → with the word `Svc`. */
  incoming(json: string): string;
}

const API_VERSION = '2025-10-13';

export function wireNames(serviceName = 'Svc'): WireNames {
  const pairs = NAMED_TOKENS.map((token) => [token, renamed(token, serviceName)] as const);
  return {
    basePath: `/${serviceName.toLowerCase()}/${API_VERSION}`,
    signatureHeader: `X-${serviceName}-Signature`,
    signatureKeyIdHeader: `X-${serviceName}-Signature-Key-Id`,
    walletSignatureHeader: `${serviceName}-Wallet-Signature`,
    outgoing: (json) => replaceAll(json, pairs),
    incoming: (json) =>
      replaceAll(
        json,
        pairs.map(([neutral, named]) => [named, neutral]),
      ),
  };
}

/** Names and values stand in quotes, whole. */
function replaceAll(json: string, pairs: readonly (readonly [string, string])[]): string {
  return pairs.reduce(
    (text, [from, to]) => (from === to ? text : text.replaceAll(`"${from}"`, `"${to}"`)),
    json,
  );
}

function renamed(token: string, serviceName: string): string {
  return token
    .replace('svc', serviceName.charAt(0).toLowerCase() + serviceName.slice(1))
    .replace('SVC', serviceName.toUpperCase());
}
