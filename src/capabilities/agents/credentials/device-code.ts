import { insertDeviceCode } from '#capabilities/agents/credentials/device-code-store.ts';
import type { AgentDeviceCode } from '#capabilities/agents/schemas.ts';
import { hashCode } from '#foundation/codes/codes.ts';
import type { Runtime, Tx } from '#foundation/database/tx.ts';
import { CODE_KINDS, hasForm, inGroups, randomCode, withoutGroups } from '#foundation/lib/code-kinds.ts';
import { publicId } from '#foundation/lib/ids.ts';

const { form: FORM, lifeMs: LIFE_MS } = CODE_KINDS.DEVICE;

type CodeParts = Pick<Runtime, 'names' | 'vault'>;

/** Creates a code for an agent. It is shown only now, because only its hash is stored. */
export async function issueDeviceCode(tx: Tx, agentId: AgentId): Promise<AgentDeviceCode> {
  const secret = randomCode(FORM);
  const expiresAt = new Date(tx.now.getTime() + LIFE_MS);
  await insertDeviceCode(tx, agentId, hashSecret(tx.runtime, secret), expiresAt);
  return {
    code: formatCode(tx.runtime, secret),
    agentId: publicId('Agent', agentId),
    expiresAt: expiresAt.toISOString(),
    redeemed: false,
  };
}

export interface TypedCode {
  readonly hash: Buffer;
  /** The code in its displayed form. */
  readonly code: string;
}

/** Undefined if it cannot be a code that was ever issued. Case, hyphens and spaces do not matter. */
export function readDeviceCode(parts: CodeParts, typed: string): TypedCode | undefined {
  const letters = withoutGroups(typed);
  const prefix = prefixOf(parts).replaceAll('-', '');
  const secret = letters.slice(prefix.length);
  if (!letters.startsWith(prefix) || !hasForm(secret, FORM)) return undefined;
  return { hash: hashSecret(parts, secret), code: formatCode(parts, secret) };
}

/** The part of a code that an audit row may show (agents.md §2.15). */
export function endOfCode({ code }: TypedCode): string {
  return `…${code.slice(-4)}`;
}

function formatCode(parts: CodeParts, secret: string): string {
  return prefixOf(parts) + inGroups(secret);
}

function prefixOf({ names }: CodeParts): string {
  return `${names.referencePrefix}AGENT-`;
}

function hashSecret({ vault }: CodeParts, secret: string): Buffer {
  return hashCode(vault, 'DEVICE', [], secret);
}
