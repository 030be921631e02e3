import { isObject } from '#foundation/lib/is-object.ts';
/** Example text → its value in this run: ids, addresses, signatures. */
export type KnownValues = Map<string, string>;

/** Public ids, ids of requests, ids in what wallets sign, codes of invitations, codes and tokens of agents. */
const ID =
  /^([A-Z][A-Za-z]+:)?[0-9a-f-]{36}$|^[a-z_]+_[0-9a-f]{32}$|^[0-9a-hjkmnp-tv-z]{10}$|^SVC-AGENT(-[A-Z2-9]{4}){3}$|^sat_[0-9a-f]{40}$/;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/**
 * Fields with a new random value for every platform, account or message; and `idempotency`, which depends on the sender of
 * the examples: the client sends a key with every POST.
 */
const DRAWN: ReadonlySet<string> = new Set([
  'accountNumber',
  'address',
  'challenge',
  'clientId',
  'clientSecret',
  'cursor',
  'dailyResetDate',
  'data',
  'dataSignature',
  'enclaveQuorumPublic',
  'encryptedSessionSigningKey',
  'idempotency',
  'kycUrl',
  'messageToSign',
  'monthlyResetMonth',
  'id',
  'issuerRef',
  'issuerTransactionToken',
  'nextCursor',
  'panEmbedUrl',
  'payload',
  'payloadToSign',
  'processorRef',
  'proxyUmaSubdomain',
  'publicKey',
  'recoveryCodes',
  'reference',
  'secret',
  'secretBase32Encoded',
  'timestampMs',
  'token',
  'totpUri',
  'transactionHash',
  'umaAddress',
  'unsignedTransaction',
  'url',
  'verificationLink',
]);

/** Numbers that are measured. */
const MEASURED: ReadonlySet<string> = new Set(['durationMs']);

/**
 * The differences between a reply and its example. Members, types and values have to be the same, except that times may
 * differ, ids map to the ids of this run, and some texts are random. A text that is JSON is compared by its content. New
 * mappings are added to `known`.
 */
export function differences(example: unknown, actual: unknown, known: KnownValues, path = ''): string[] {
  if (isObject(example) && isObject(actual)) return memberDifferences(example, actual, known, path);
  if (Array.isArray(example) && Array.isArray(actual)) {
    if (example.length !== actual.length) return [`${path} has ${actual.length} entries`];
    return example.flatMap((item, i) => differences(item, actual[i], known, `${path}.${i}`));
  }
  if (typeof example === 'string' && typeof actual === 'string') {
    return isSameText(example, actual, known, path) ? [] : [`${path} is ${actual}`];
  }
  if (typeof example === 'number' && typeof actual === 'number' && MEASURED.has(fieldOf(path))) return [];
  return Object.is(example, actual) ? [] : [`${path} is ${JSON.stringify(actual)}`];
}

function memberDifferences(
  example: Record<string, unknown>,
  actual: Record<string, unknown>,
  known: KnownValues,
  path: string,
): string[] {
  const names = new Set([...Object.keys(example), ...Object.keys(actual)]);
  return [...names].flatMap((name) => {
    const here = `${path}.${name}`;
    if (!(name in actual) || actual[name] === undefined) return [`${here} is missing`];
    if (!(name in example)) return [`${here} is not in the example: ${JSON.stringify(actual[name])}`];
    return differences(example[name], actual[name], known, here);
  });
}

function isSameText(example: string, actual: string, known: KnownValues, path: string): boolean {
  const before = known.get(example);
  if (before !== undefined) return before === actual;
  if (ID.test(example) && ID.test(actual)) {
    known.set(example, actual);
    return true;
  }
  if (INSTANT.test(example) && INSTANT.test(actual)) return true;
  if (example === actual) return true;
  if (withKnown(example, known) === actual) return true;
  const [shown, real] = [parseObject(example), parseObject(actual)];
  if (shown && real) return differences(shown, real, known, path).length === 0;
  if (!DRAWN.has(fieldOf(path))) return false;
  known.set(example, actual);
  return true;
}

/** The name of a member, or of the list that it is an entry of. */
function fieldOf(path: string): string {
  return path.replace(/(\.\d+)+$/, '').replace(/^.*\./, '');
}

function parseObject(text: string): Record<string, unknown> | undefined {
  if (!text.startsWith('{')) return undefined;
  const value: unknown = JSON.parse(text);
  return isObject(value) ? value : undefined;
}

/** The example with the values of this run, ready to be sent. */
export function withKnown<Value>(value: Value, known: KnownValues): Value {
  let text = JSON.stringify(value);
  for (const [example, real] of known) text = text.replaceAll(inJson(example), inJson(real));
  return JSON.parse(text) as Value;
}

/** A text in the form that it has between the quotes of JSON. */
function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
