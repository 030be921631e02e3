import { DELAYS, formatDuration } from '#edge/sandbox/delays-table.ts';
import { type CompleteTable, rowFor, sandboxSuffix } from '#edge/sandbox/table.ts';
import type { Vault } from '#foundation/crypto/vault.ts';
import { parseId } from '#foundation/lib/ids.ts';
import type { LivenessSession, OwnershipPort } from '#foundation/ports/ownership.ts';

export interface LivenessParts {
  readonly vault: Vault;
  /** The URL at which clients reach the service, without a trailing slash. */
  publicUrl(): string;
}

const AFTER_MS = DELAYS.liveness.ms;

/** accounts.md §5.2.16. */
export const LIVENESS_TABLE: CompleteTable<LivenessSession['outcome']> = {
  id: 'liveness',
  title: 'Proving a wallet by liveness',
  intro:
    'The link of a `LIVENESS` challenge opens a page with two buttons, pass and fail. If no button is pressed, the end of the ' +
    'wallet’s address decides. (A wallet’s signature is really verified: no test value replaces it.)',
  column: 'Address ends in',
  operations: ['createExternalAccountOwnershipChallenge'],
  rows: [
    {
      value: '102',
      example: '0x52908400098527886e0f7030069857d2e4169102',
      effect: `Fails by itself after ${formatDuration(AFTER_MS)}.`,
      shows: { status: 'UNVERIFIED' },
      overAfterMs: AFTER_MS,
      does: { passed: false, afterMs: AFTER_MS },
    },
    {
      value: '104',
      example: '0x52908400098527886e0f7030069857d2e4169104',
      effect: 'Stays pending until a button is pressed.',
      shows: { status: 'PENDING_OWNERSHIP_VERIFICATION' },
      does: undefined,
    },
  ],
  otherwise: {
    value: 'anything else',
    example: '0x52908400098527886e0f7030069857d2e4169ee7',
    effect: `Passes by itself after ${formatDuration(AFTER_MS)}.`,
    shows: { status: 'ACTIVE' },
    overAfterMs: AFTER_MS,
    does: { passed: true, afterMs: AFTER_MS },
  },
};

/** The sandbox's liveness provider: a page with two buttons, and an outcome even if the page is not opened. */
export function sandboxLiveness(parts: LivenessParts): OwnershipPort {
  return {
    async startLiveness({ platformId, reference, address }) {
      const outcome = rowFor(LIVENESS_TABLE, sandboxSuffix(address)).does;
      const token = writeVisit(parts.vault, 'liveness', platformId, reference);
      return {
        verificationLink: `${parts.publicUrl()}/liveness/${token}`,
        ...(outcome && { outcome }),
      };
    },
  };
}

/** The subject of a page of the sandbox: the proof of a wallet, or the reset of a factor. */
export type VisitKind = 'liveness' | 'reset';

export interface Visit {
  readonly platformId: PlatformId;
  /** The challenge or the reset, as the kind of the visit says. */
  readonly reference: Id<never>;
}

/** The token contains its subject, encrypted, so nothing has to be stored for the link. */
export function writeVisit(vault: Vault, kind: VisitKind, ...subject: [PlatformId, Id]): string {
  return vault.seal(subject.join(' '), contextOf(kind)).toString('base64url');
}

export function readVisit(vault: Vault, kind: VisitKind, token: string): Visit | undefined {
  if (!/^[A-Za-z0-9_-]{40,400}$/.test(token)) return undefined;
  try {
    const [platform = '', reference = ''] = vault
      .openText(Buffer.from(token, 'base64url'), contextOf(kind))
      .split(' ');
    const platformId = parseId('Platform', platform);
    return platformId && { platformId, reference: reference as Id<never> };
  } catch {
    // Not issued by this service, or altered.
    return undefined;
  }
}

function contextOf(kind: VisitKind): string {
  return `sandbox.${kind}`;
}
