import type { Run } from '#foundation/database/database.ts';
import { type ChainPlan, describeFault, walkChain } from '#foundation/journal/chain.ts';
import { findMark, type Link, listLinks, type Span } from '#foundation/journal/chain-store.ts';
import { catchUp } from '#foundation/journal/follow.ts';
import { isSignedBy, listPublicKeys, type Signing, signAllHeads } from '#foundation/journal/heads.ts';
import { listDailyHeads, type SignedHead } from '#foundation/journal/heads-store.ts';
import { parseId, publicId } from '#foundation/lib/ids.ts';
import { isObject } from '#foundation/lib/is-object.ts';

const FORM = 'corridor-journal-attestation-1';

/** The signed heads of chains, as a document that somebody keeps where nobody who has the database can change it. */
export interface Attestation {
  readonly form: typeof FORM;
  readonly madeAt: string;
  readonly keys: readonly { readonly id: number; readonly publicKey: string }[];
  readonly platforms: readonly AttestedPlatform[];
}

interface AttestedPlatform {
  readonly platform: string;
  readonly heads: readonly AttestedHead[];
  /** `<seq>:<first digits of its hash>` of every entry up to the last head, if the document was made with them. */
  readonly entries?: readonly string[];
}

interface AttestedHead {
  readonly seq: string;
  readonly entries: string;
  readonly hash: string;
  readonly madeAt: string;
  readonly keyId: number;
  readonly signature: string;
}

export interface AttestationOptions {
  readonly platforms: readonly PlatformId[];
  /** Whether the document names every entry, so that a later comparison can always name the first bad one. */
  readonly hasEntries: boolean;
}

/** Reads and signs what these platforms have posted until now, and returns the last head of each day. */
export async function attestJournals(
  parts: Signing,
  { platforms, hasEntries }: AttestationOptions,
): Promise<Attestation> {
  const { database, clock } = parts;
  for (const platformId of platforms) await catchUp(database, platformId);
  await signAllHeads(parts, platforms);
  const heads = await listDailyHeads(database.query, platforms);
  const attested: AttestedPlatform[] = [];
  for (const platformId of platforms) {
    const own = heads.filter((head) => head.platformId === platformId);
    const last = own.at(-1);
    if (!last) continue;
    attested.push({
      platform: publicId('Platform', platformId),
      heads: own.map(presentHead),
      ...(hasEntries && { entries: await listShortLinks(database.query, last) }),
    });
  }
  const keys = (await listPublicKeys(database)).map(({ id, publicKey }) => ({ id, publicKey }));
  return { form: FORM, madeAt: new Date(clock.now()).toISOString(), keys, platforms: attested };
}

/** Enough to name an entry; the heads have the whole hashes. */
const SHORT_HASH = 16;

async function listShortLinks(run: Run, { platformId, seq }: SignedHead): Promise<string[]> {
  const links = await listLinks(run, platformId, { after: 0n, upTo: seq });
  return links.map((link) => `${link.seq}:${link.hash.slice(0, SHORT_HASH)}`);
}

function presentHead({ seq, entryCount, hash, madeAt, keyId, signature }: SignedHead): AttestedHead {
  return {
    ...{ seq: seq.toString(), entries: entryCount.toString(), hash },
    ...{ madeAt: madeAt.toISOString(), keyId, signature },
  };
}

/** Reads a document that `attestJournals` made; undefined if the text is none. */
export function parseAttestation(text: string): Attestation | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isObject(parsed) || parsed.form !== FORM) return undefined;
  const { keys, platforms } = parsed;
  const isSound =
    Array.isArray(keys) && keys.every(isKey) && Array.isArray(platforms) && platforms.every(isPlatform);
  return isSound ? (parsed as unknown as Attestation) : undefined;
}

function isKey(value: unknown): boolean {
  return isObject(value) && Number.isInteger(value.id) && typeof value.publicKey === 'string';
}

function isPlatform(value: unknown): boolean {
  if (!isObject(value) || typeof value.platform !== 'string') return false;
  const { heads, entries } = value;
  if (parseId('Platform', value.platform, 'full') === undefined) return false;
  if (!Array.isArray(heads) || heads.length === 0 || !heads.every(isHead)) return false;
  return entries === undefined || (Array.isArray(entries) && areEntriesOf(heads.at(-1), entries));
}

/** Whether these are all entries up to a head. */
function areEntriesOf({ seq, entries: count, hash }: AttestedHead, entries: readonly unknown[]): boolean {
  const isEntry = (entry: unknown) => typeof entry === 'string' && /^[1-9]\d{0,17}:[0-9a-f]{16}$/.test(entry);
  const last = `${seq}:${hash.slice(0, SHORT_HASH)}`;
  return entries.every(isEntry) && String(entries.length) === count && entries.at(-1) === last;
}

function isHead(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { seq, entries, hash, madeAt, keyId, signature } = value;
  const isNumber = (number: unknown) => typeof number === 'string' && /^[1-9]\d{0,17}$/.test(number);
  return (
    isNumber(seq) &&
    isNumber(entries) &&
    typeof hash === 'string' &&
    /^[0-9a-f]{64}$/.test(hash) &&
    typeof madeAt === 'string' &&
    !Number.isNaN(Date.parse(madeAt)) &&
    Number.isInteger(keyId) &&
    typeof signature === 'string'
  );
}

/** What the comparison of one platform found. */
export interface Comparison {
  readonly platformId: PlatformId;
  /** The last entry that the document vouches for, and how many entries it vouches for. */
  readonly seq: bigint;
  readonly examined: bigint;
  readonly violations: readonly string[];
}

/**
 * Compares the journals with a document that was kept elsewhere. Entries after its last heads are not compared. A
 * person who has the database cannot change the document, so this also finds changes after which the chain was computed again.
 */
export async function compareJournals(run: Run, attestation: Attestation): Promise<Comparison[]> {
  const known = new Map((await listPublicKeys({ query: run })).map(({ id, publicKey }) => [id, publicKey]));
  const foreign = attestation.keys
    .filter(({ id, publicKey }) => known.get(id) !== publicKey)
    .map(({ id }) => `key ${id} of the file is not this service's`);
  const compared: Comparison[] = [];
  for (const attested of attestation.platforms) {
    const heads = readHeads(attested);
    const [platformId, seq] = [heads.at(-1)?.platformId as PlatformId, heads.at(-1)?.seq ?? 0n];
    const unsigned = heads
      .filter((head) => !isSigned(attestation, head))
      .map(
        (head) => `the file's head at entry ${head.seq} of platform ${platformId} is not signed by its key`,
      );
    const { fault, entryCount } = await walkChain(run, await attestedChain(run, attested, heads));
    const violations = [...foreign, ...unsigned, ...(fault ? [describeFault(fault)] : [])];
    compared.push({ platformId, seq, examined: entryCount, violations });
  }
  return compared;
}

function readHeads({ platform, heads }: AttestedPlatform): SignedHead[] {
  const platformId = parseId('Platform', platform, 'full') as PlatformId;
  return heads.map(({ seq, entries, madeAt, ...head }) => ({
    ...head,
    platformId,
    seq: BigInt(seq),
    entryCount: BigInt(entries),
    madeAt: new Date(madeAt),
  }));
}

function isSigned({ keys }: Attestation, head: SignedHead): boolean {
  const key = keys.find(({ id }) => id === head.keyId);
  return key !== undefined && isSignedBy(key.publicKey, head);
}

/** The chain as the document has it; the links of the database stand in for entries that the document does not name. */
async function attestedChain(
  run: Run,
  { entries }: AttestedPlatform,
  heads: readonly SignedHead[],
): Promise<ChainPlan> {
  const [platformId, upTo] = [heads.at(-1)?.platformId as PlatformId, heads.at(-1)?.seq ?? 0n];
  const chain = { platformId, upTo, heads: partsIn(heads) };
  if (entries) return { ...chain, linkedUpTo: upTo, links: partsIn(entries.map(readLink)) };
  const mark = await findMark(run, platformId);
  const linkedUpTo = mark && mark.seq < upTo ? mark.seq : mark ? upTo : 0n;
  return { ...chain, linkedUpTo, links: (span: Span) => listLinks(run, platformId, span) };
}

function readLink(entry: string): Link {
  const [seq = '', hash = ''] = entry.split(':');
  return { seq, hash };
}

/** Hands out the links or the heads of one span after the other. */
function partsIn<Part extends { readonly seq: string | bigint }>(
  parts: readonly Part[],
): (span: Span) => Part[] {
  let next = 0;
  return ({ upTo }) => {
    const first = next;
    while (next < parts.length && BigInt(parts[next]?.seq ?? 0) <= upTo) next++;
    return parts.slice(first, next);
  };
}
