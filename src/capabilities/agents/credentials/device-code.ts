import { randomBytes } from 'node:crypto';
import { insertDeviceCode } from '#capabilities/agents/credentials/device-code-store.ts';
import type { AgentDeviceCode } from '#capabilities/agents/schemas.ts';
import type { Runtime, Tx } from '#foundation/database/tx.ts';
import { publicId } from '#foundation/lib/ids.ts';

/** 32 letters and digits, without those that are easily confused (agents.md §2.11). */
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const GROUPS = 3;
const GROUP_LENGTH = 4;
const VALID_MS = 24 * 60 * 60 * 1000;

type CodeParts = Pick<Runtime, 'names' | 'vault'>;

/** Creates a code for an agent. It is shown only now, because only its hash is stored. */
export async function issueDeviceCode(tx: Tx, agentId: string): Promise<AgentDeviceCode> {
  const secret = Array.from(randomBytes(GROUPS * GROUP_LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]);
  const expiresAt = new Date(tx.now.getTime() + VALID_MS);
  await insertDeviceCode(tx, agentId, hashSecret(tx.runtime, secret.join('')), expiresAt);
  return {
    code: formatCode(tx.runtime, secret.join('')),
    agentId: publicId('Agent', agentId),
    expiresAt: expiresAt.toISOString(),
    redeemed: false,
  };
}

/** A code as it was typed. */
export interface TypedCode {
  readonly hash: Buffer;
  /** The code in its displayed form. */
  readonly code: string;
}

/** Undefined if it cannot be a code that was ever issued. Case, hyphens and spaces do not matter. */
export function readDeviceCode(parts: CodeParts, typed: string): TypedCode | undefined {
  const letters = typed.replaceAll(/[-\s]/g, '').toUpperCase();
  const prefix = prefixOf(parts).replaceAll('-', '');
  const secret = letters.slice(prefix.length);
  const isWhole =
    secret.length === GROUPS * GROUP_LENGTH && [...secret].every((one) => ALPHABET.includes(one));
  if (!letters.startsWith(prefix) || !isWhole) return undefined;
  return { hash: hashSecret(parts, secret), code: formatCode(parts, secret) };
}

/** The part of a code that an audit row may show (agents.md §2.15). */
export function endOfCode({ code }: TypedCode): string {
  return `…${code.slice(-GROUP_LENGTH)}`;
}

function formatCode(parts: CodeParts, secret: string): string {
  const groups = secret.match(new RegExp(`.{${GROUP_LENGTH}}`, 'g')) ?? [];
  return prefixOf(parts) + groups.join('-');
}

function prefixOf({ names }: CodeParts): string {
  return `${names.referencePrefix}AGENT-`;
}

function hashSecret({ vault }: CodeParts, secret: string): Buffer {
  return vault.fingerprint(secret, 'agents.device-code');
}
