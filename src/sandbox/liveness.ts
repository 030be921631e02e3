import type { Vault } from '#crypto/vault.ts';
import type { LivenessSession, OwnershipPort } from '#rails/ownership.ts';
import { sandboxSuffix } from '#sandbox/suffix.ts';

export interface LivenessParts {
  readonly vault: Vault;
  /** Where the service is reached, without a trailing slash. */
  publicUrl(): string;
}

const AFTER_MS = 5_000;

/** OW-16: what comes of it by itself, by the last three digits of the address. */
const OUTCOMES: Readonly<Record<string, LivenessSession['outcome'] | 'NONE'>> = {
  '102': { passed: false, afterMs: AFTER_MS },
  '104': 'NONE',
};

/** The sandbox's liveness provider: a page with two buttons, and an outcome even if nobody opens it. */
export function sandboxLiveness(parts: LivenessParts): OwnershipPort {
  return {
    async startLiveness({ platformId, reference, address }) {
      const outcome = OUTCOMES[sandboxSuffix(address) ?? ''] ?? { passed: true, afterMs: AFTER_MS };
      const token = writeToken(parts.vault, { platformId, challengeId: reference });
      return {
        verificationLink: `${parts.publicUrl()}/liveness/${token}`,
        ...(outcome !== 'NONE' && { outcome }),
      };
    },
  };
}

export interface LivenessVisit {
  readonly platformId: string;
  readonly challengeId: string;
}

const CONTEXT = 'sandbox.liveness';

/** The link itself says, to us alone, whose it is: nothing has to be kept for it. */
function writeToken(vault: Vault, { platformId, challengeId }: LivenessVisit): string {
  return vault.seal(`${platformId} ${challengeId}`, CONTEXT).toString('base64url');
}

export function readToken(vault: Vault, token: string): LivenessVisit | undefined {
  if (!/^[A-Za-z0-9_-]{40,400}$/.test(token)) return undefined;
  try {
    const [platformId = '', challengeId = ''] = vault
      .openText(Buffer.from(token, 'base64url'), CONTEXT)
      .split(' ');
    return { platformId, challengeId };
  } catch {
    // Not made by us, or changed on the way.
    return undefined;
  }
}
