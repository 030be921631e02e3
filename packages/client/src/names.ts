import { NAMED_TOKENS } from './generated/operations.ts';

/**
 * The service's name on the wire: the operator's `SERVICE_NAME`, `Svc` unless it was changed. Types and code of this
 * client use `Svc` only.
 */
export interface WireNames {
  readonly basePath: string;
  readonly signatureHeader: string;
  readonly signatureKeyIdHeader: string;
  readonly walletSignatureHeader: string;
  /** Replaces `Svc` in JSON by the service's name. */
  outgoing(json: string): string;
  /** Replaces the service's name in its JSON by `Svc`. */
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

/** Replaces whole names and values, which JSON puts in quotes. */
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
