import {
  type RequestOutcome,
  type RequestRow,
  requestContext,
} from '#capabilities/connectors/requests/request-row.ts';
import type { ConnectorRow } from '#capabilities/connectors/row.ts';
import type { ConnectorClient } from '#edge/providers/connectors/client.ts';
import type { Answer } from '#foundation/connector-protocol/read-answer.ts';
import type { Work } from '#foundation/database/work.ts';
import { publicId } from '#foundation/lib/ids.ts';

/** Makes the next call about an account or a name (connectors.md §7.4, §7.8, §7.10), and says what it came to. */
export async function askRequest(
  client: ConnectorClient,
  connector: ConnectorRow,
  request: RequestRow,
  work: Work,
): Promise<RequestOutcome> {
  const body = await openBody(work, request);
  if (request.kind === 'NAME_CHECK') {
    // Its bytes are gone with the person.
    if (body === undefined) return { kind: 'refused' };
    const name = await client.call(connector, 'checkName', { body });
    if (name.kind !== 'answer') return refusalOf(name);
    const isOurs = name.body.reference === publicId('ExternalAccount', request.subject as ExternalAccountId);
    return isOurs ? { kind: 'name', name: name.body } : { kind: 'silence' };
  }
  const accountId = publicId('InternalAccount', request.subject as AccountId);
  const account = await askAboutAccount(client, connector, request, { accountId, body });
  if (account.kind !== 'answer') return refusalOf(account);
  return account.body.accountId === accountId
    ? { kind: 'account', account: account.body }
    : { kind: 'silence' };
}

/** A `PUT` that is still on its way would open the account after a `DELETE`, so the account has to be known there first. */
function askAboutAccount(
  client: ConnectorClient,
  connector: ConnectorRow,
  { closes, acknowledged_at }: RequestRow,
  { accountId, body }: { readonly accountId: string; readonly body: string | undefined },
) {
  const parameters = { accountId };
  if (closes && (acknowledged_at !== null || body === undefined))
    return client.call(connector, 'closeAccount', { parameters });
  if (body === undefined) return client.call(connector, 'getAccount', { parameters });
  return client.call(connector, 'putAccount', { parameters, body });
}

function refusalOf(answer: Exclude<Answer<unknown>, { kind: 'answer' }>): RequestOutcome {
  if (answer.kind === 'silence') return { kind: 'silence' };
  switch (answer.status) {
    case 400:
      return { kind: 'refused' };
    case 404:
      return { kind: 'unknown' };
    case 409:
      return { kind: 'conflict' };
    case 429:
    case 503:
      return { kind: 'later', afterSeconds: answer.retryAfter ?? 1 };
    default:
      return { kind: 'silence' };
  }
}

/** The bytes of a request, as they were committed; undefined after an erasure. */
async function openBody(work: Work, { subject, body }: RequestRow): Promise<string | undefined> {
  if (body === null) return undefined;
  return work.read(async (tx) => {
    await tx.runtime.personKeys.loadFor([body]);
    return tx.vault.openKept(body, requestContext(subject));
  });
}
