const HEX = /^(?:[0-9a-f]{2})+$/i;

/** Decodes hex in either case; undefined for any other text, an odd number of digits or no digits. */
export function decodeHex(text: string): Buffer | undefined {
  return HEX.test(text) ? Buffer.from(text, 'hex') : undefined;
}

/**
 * Decodes base64url, with or without padding. Only the canonical encoding of the bytes is accepted: Node.js itself also
 * reads another alphabet, skips unknown characters and ignores the unused bits of the last character.
 */
export function decodeBase64url(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text.replace(PADDING, '') ? bytes : undefined;
}

/** Whether a text has the alphabet and a length of base64url; it may still not be the canonical encoding of its bytes. */
export function isBase64url(text: string): boolean {
  const bare = text.replace(PADDING, '');
  return /^[A-Za-z0-9_-]+$/.test(bare) && bare.length % 4 !== 1;
}

const PADDING = /={1,2}$/;

/** Parses a JSON object in UTF-8; undefined if it is not one. Bytes that are not UTF-8 are refused, not replaced. */
export function parseJsonObject(json: string | Uint8Array): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(typeof json === 'string' ? json : UTF8.decode(json));
    return value !== null && typeof value === 'object' && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
