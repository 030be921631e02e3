import { lockAgent, writeAgent } from '#capabilities/agents/agent-store.ts';
import { hashToken, newAccessToken } from '#capabilities/agents/credentials/authenticate.ts';
import { endOfCode, readDeviceCode, type TypedCode } from '#capabilities/agents/credentials/device-code.ts';
import {
  type DeviceCodeRow,
  findCodeOwner,
  lockDeviceCode,
  markRedeemed,
} from '#capabilities/agents/credentials/device-code-store.ts';
import { presentPolicy } from '#capabilities/agents/policy/present.ts';
import type { AgentDeviceCodeRedeemResponse } from '#capabilities/agents/schemas.ts';
import { type AuditFact, audit, RefusedProof } from '#foundation/audit/audit.ts';
import type { GuessLimit } from '#foundation/codes/guess-limit.ts';
import { changedRow } from '#foundation/database/rows.ts';
import type { Runtime, Tx } from '#foundation/database/tx.ts';
import { Work } from '#foundation/database/work.ts';
import type { RequestFacts } from '#foundation/http/caller.ts';
import { publicId } from '#foundation/lib/ids.ts';
import { invalidFields, notFound, type Refusal } from '#foundation/lib/refusals.ts';

type Redeemed = AgentDeviceCodeRedeemResponse;

/**
 * Redeems a device code for the agent's token (agents.md §2.13, §2.14). The caller is not authenticated: it has only
 * the code.
 */
export function redeemCode(
  runtime: Runtime,
  limit: GuessLimit,
  typed: string,
  request: RequestFacts | undefined,
): Promise<Redeemed | Refusal> {
  const code = readDeviceCode(runtime, typed);
  const guess = { address: request?.remoteAddress ?? '', code: code?.hash.toString('base64') };
  const now = () => runtime.clock.now();
  return limit.run(guess, now, async () => {
    const owner = code && (await findCodeOwner(runtime.database, code.hash));
    if (!code || !owner) return codeNotFound();
    const { agentId, platform } = owner;
    return new Work(runtime, platform, { kind: 'agent', id: agentId }).write((tx) =>
      redeem(tx, agentId, code, request),
    );
  });
}

/** The token is shown only now, because only its hash is stored. */
async function redeem(
  tx: Tx,
  agentId: AgentId,
  code: TypedCode,
  request: RequestFacts | undefined,
): Promise<Redeemed | Refusal> {
  const about = { requestId: request?.id, remoteAddress: request?.remoteAddress };
  const agent = await lockAgent(tx, agentId);
  const row = await lockDeviceCode(tx, code.hash);
  if (!row) return codeNotFound();
  const dead = checkRedeemable(row, tx.now);
  if (dead) {
    audit(tx, { ...failure(agentId, code, dead), ...about });
    return dead;
  }
  await markRedeemed(tx, code.hash);
  const accessToken = newAccessToken();
  writeAgent(tx, changedRow(agent, { token_hash: hashToken(accessToken) }, tx.now));
  audit(tx, {
    action: 'redeemAgentDeviceCode',
    resource: publicId('Agent', agentId),
    details: { code: endOfCode(code) },
    ...about,
  });
  return {
    agentId: publicId('Agent', agentId),
    agentName: agent.name,
    accessToken,
    policy: presentPolicy(agent.policy),
  };
}

function checkRedeemable(row: DeviceCodeRow, now: Date): Refusal | undefined {
  const why =
    row.redeemed_at !== null
      ? 'was already redeemed'
      : row.superseded_at !== null
        ? 'was replaced by a newer one'
        : row.expires_at.getTime() <= now.getTime()
          ? 'has expired'
          : undefined;
  return why === undefined ? undefined : invalidFields([{ field: 'code', message: why }]);
}

/** A known code that is no longer valid leaves an audit row, like every failed proof. */
function failure(agentId: AgentId, code: TypedCode, refusal: Refusal): AuditFact {
  const resource = publicId('Agent', agentId);
  const failed = new RefusedProof(refusal, {
    proof: 'DEVICE_CODE',
    resource,
    reason: refusal.message,
  }).fact();
  return { ...failed, details: { ...failed.details, code: endOfCode(code) } };
}

export function codeNotFound(): Refusal {
  return notFound('NOT_FOUND', 'device code');
}
