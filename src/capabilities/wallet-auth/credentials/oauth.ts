import assert from 'node:assert/strict';
import { opaqueId } from '#capabilities/wallet-auth/activity.ts';
import {
  type Candidate,
  type CredentialOwner,
  proofOf,
  readClientKey,
} from '#capabilities/wallet-auth/rules.ts';
import type { AuthSession, OauthCredentialVerifyRequest } from '#capabilities/wallet-auth/schemas.ts';
import type { CredentialRow } from '#capabilities/wallet-auth/sealed-credential.ts';
import { issueServerKeySession, ownerOf } from '#capabilities/wallet-auth/sessions/issue-session.ts';
import { type FailedProof, RefusedProof } from '#foundation/audit/audit.ts';
import {
  checkOidcToken,
  type OidcClaims,
  type OidcIdentity,
  type OidcProblem,
  parseOidcToken,
} from '#foundation/crypto/oidc.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { invalidFields, Refusal } from '#foundation/lib/refusals.ts';

/** wallets.md §6.1.25: a credential for an account at an issuer of id tokens, proven by a fresh token. */
export async function prepareOauth(
  tx: ReadTx,
  { account, customer, held }: CredentialOwner,
  oidcToken: string,
): Promise<Candidate> {
  const checked = await checkOidcToken(oidcToken, { issuers: tx.ports.issuers, now: tx.now });
  if ('problem' in checked) {
    const resource = publicId('InternalAccount', account.id);
    const customerId = publicId('Customer', customer.id);
    throw buildRefusal(checked.problem, { proof: 'OAUTH', resource, customerId });
  }
  const { iss: issuer, aud: audience, sub, email } = checked.claims;
  if (held.some((one) => hasIdentity(one, checked.claims))) {
    throw invalidFields([{ field: 'oidcToken', message: 'names an identity that the wallet already has' }]);
  }
  return {
    credential: { nickname: email ?? sub, issuer, audience, subject: sub },
    activity: {
      type: 'CREATE_OAUTH_PROVIDERS',
      parameters: {
        oauthProviders: [{ oidcToken, providerName: providerName(issuer) }],
        userId: opaqueId('user', customer.id),
      },
    },
  };
}

function providerName(issuer: string): string {
  const host = issuer.replace(/^https:\/\//, '').replace(/[/:].*$/, '');
  if (host === 'accounts.google.com') return 'Google';
  return host === 'appleid.apple.com' ? 'Apple' : host;
}

export type CheckedToken = { readonly claims: OidcClaims } | { readonly problem: OidcProblem };

/** Refuses malformed input: a key off the curve, or a text that is not a token (wallets.md §6.5, §6.4.33). */
export function readLogin({ oidcToken, clientPublicKey }: OauthCredentialVerifyRequest): void {
  readClientKey(clientPublicKey);
  const parsed = parseOidcToken(oidcToken);
  if ('problem' in parsed) throw malformedToken(parsed.problem);
}

/** wallets.md §6.5, outside a transaction, because the issuer's keys may have to be fetched. */
export function checkLogin(
  tx: ReadTx,
  credential: CredentialRow,
  { oidcToken, clientPublicKey }: OauthCredentialVerifyRequest,
): Promise<CheckedToken> {
  const login = { identity: identityOf(credential), clientPublicKey };
  return checkOidcToken(oidcToken, { issuers: tx.ports.issuers, now: tx.now, login });
}

/** wallets.md §6.5.38: a valid token makes a session in one request. */
export async function verifyOauth(
  tx: Tx,
  credential: CredentialRow,
  { clientPublicKey }: OauthCredentialVerifyRequest,
  checked: CheckedToken | undefined,
): Promise<AuthSession> {
  if (!checked) throw new Error('the token was not checked before its credential was locked');
  if ('problem' in checked) throw buildRefusal(checked.problem, proofOf(credential));
  return issueServerKeySession(tx, ownerOf(credential), readClientKey(clientPublicKey));
}

/** 400: malformed input. 401: a failed proof. */
function buildRefusal(
  { status, reason, mayRetry }: OidcProblem,
  whose: Omit<FailedProof, 'reason'>,
): Refusal {
  if (status === 400) return malformedToken({ reason });
  const headers = mayRetry ? { 'x-should-retry': 'true' } : {};
  return new RefusedProof(new Refusal('UNAUTHORIZED', reason, undefined, headers), { ...whose, reason });
}

function malformedToken({ reason }: Pick<OidcProblem, 'reason'>): Refusal {
  return invalidFields([{ field: 'oidcToken', message: reason }]);
}

function identityOf({ id, issuer, audience, subject }: CredentialRow): OidcIdentity {
  assert(issuer !== null && audience !== null && subject !== null, `credential ${id} is no OAuth identity`);
  return { iss: issuer, aud: audience, sub: subject };
}

function hasIdentity({ issuer, audience, subject }: CredentialRow, { iss, aud, sub }: OidcIdentity): boolean {
  return issuer === iss && audience === aud && subject === sub;
}
