import {
  checkPasskeyEntry,
  checkRelyingParty,
  hashAddress,
  type OperatorParts,
  relyingPartyOf,
} from '#capabilities/operators/address.ts';
import { type IssuedChallenge, issueChallenge, openChallenge } from '#capabilities/operators/challenges.ts';
import { activate, needsNobody } from '#capabilities/operators/manage.ts';
import { insertPasskey } from '#capabilities/operators/passkey-store.ts';
import { digitsOf, readNewPasskey, refuseNewPasskey } from '#capabilities/operators/passkeys.ts';
import type { OperatorRow } from '#capabilities/operators/row.ts';
import { useChallenge } from '#capabilities/operators/session-store.ts';
import { findInvited, lockOperators, updateOperator, useAddress } from '#capabilities/operators/store.ts';
import { audit } from '#foundation/audit/audit.ts';
import type { PasskeyAttestation } from '#foundation/crypto/webauthn.ts';
import type { ReadTx, Tx } from '#foundation/database/tx.ts';
import { Work } from '#foundation/database/work.ts';
import { CODE_KINDS, hasForm } from '#foundation/lib/code-kinds.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { INSTALLATION } from '#foundation/lib/platform.ts';
import { Refusal, refuseIf } from '#foundation/lib/refusals.ts';

export interface JoinRequest {
  /** The part of the address behind the hash sign. */
  readonly secret: string;
  readonly nonce: string;
  readonly attestation: PasskeyAttestation;
}

export interface Joined {
  readonly operator: OperatorRow;
  /** What the person tells the admin who confirms. */
  readonly digits: string;
}

/** What a browser needs to register a passkey. */
export interface JoinPreview extends IssuedChallenge {
  readonly rpId: string;
  readonly operator: OperatorRow;
}

/** Shows who is invited, without using the address up. */
export async function previewJoin(
  work: Work,
  secret: string,
  parts: OperatorParts,
): Promise<JoinPreview | Refusal> {
  refuseIf(checkPasskeyEntry(parts));
  const relyingParty = relyingPartyOf(parts);
  const { vault, clock } = work.runtime;
  const operator = await work.read((tx) => findByAddress(tx, secret));
  if (!operator) return deadAddress();
  const refusal = checkRelyingParty(relyingParty);
  if (refusal) throw refusal;
  const issued = issueChallenge(vault, clock.now(), ['join', operator.id]);
  return { ...issued, rpId: relyingParty.id, operator };
}

/**
 * Registers the first passkey of an invited person (operator.md §1.3, §1.5a). The address is used up in the same commit, so that of
 * two who open it one joins. `begin` begins the session.
 */
export async function join(
  work: Work,
  { secret, nonce, attestation }: JoinRequest,
  parts: OperatorParts,
  begin: (tx: Tx, joined: Joined) => Promise<string>,
): Promise<(Joined & { secret: string }) | Refusal> {
  refuseIf(checkPasskeyEntry(parts));
  const { vault, clock } = work.runtime;
  const invited = await work.read((tx) => findByAddress(tx, secret));
  const challenge = invited && openChallenge(vault, clock.now(), ['join', invited.id], nonce);
  if (!invited || !challenge) return deadAddress();
  const passkey = await readNewPasskey(attestation, challenge, relyingPartyOf(parts));
  const digits = digitsOf(passkey);
  const { id } = invited;
  const acting = new Work(work.runtime, INSTALLATION, { kind: 'operator', id: publicId('Operator', id) });
  return acting.write(async (tx) => {
    await lockOperators(tx, [id]);
    const isFirst = await useChallenge(tx, challenge.hash, challenge.expiresAt);
    if (!isFirst || !(await useAddress(tx, hashAddress(tx, secret)))) throw deadAddress();
    const problem = await insertPasskey(tx, id, passkey);
    if (problem) refuseNewPasskey(problem);
    const joined = await updateOperator(tx, id, { status: 'JOINED', digits });
    audit(tx, {
      action: 'operator join',
      resource: publicId('Operator', id),
      details: { operator: joined.email },
    });
    const operator = (await needsNobody(tx, joined)) ? await activate(tx, joined) : joined;
    return { operator, digits, secret: await begin(tx, { operator, digits }) };
  });
}

async function findByAddress(tx: ReadTx, secret: string): Promise<OperatorRow | undefined> {
  if (!hasForm(secret, CODE_KINDS.OPERATOR.form)) return undefined;
  return findInvited(tx, hashAddress(tx, secret), new Date(tx.runtime.clock.now()));
}

/** The same refusal for every cause, so that it reveals nothing. */
function deadAddress(): Refusal {
  return new Refusal(
    'UNAUTHORIZED',
    'This address is not valid: it works once, within 24 hours. Ask an administrator for another one.',
  );
}
