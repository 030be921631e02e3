import { readUmaAddress } from '#capabilities/customers/profile/uma-address.ts';
import { findCustomerIdsByReference } from '#capabilities/customers/store.ts';
import type { TransactionQuery } from '#capabilities/payments/transactions/schemas.ts';
import type { Party, TransactionFilters } from '#capabilities/payments/transactions/sources.ts';
import type { ReadTx } from '#foundation/database/tx.ts';
import { isUuid, parseId, publicId } from '#foundation/lib/ids.ts';

/** The filters of the query; undefined if one of them cannot match anything (money.md §6.4). */
export async function readFilters(
  tx: ReadTx,
  query: TransactionQuery,
): Promise<TransactionFilters | undefined> {
  const parties = readParties({
    account: query.accountIdentifier,
    sender: query.senderAccountIdentifier,
    receiver: query.receiverAccountIdentifier,
  });
  const owners = await readOwners(tx, query);
  if (parties === undefined || owners?.length === 0) return undefined;
  const { status, type, reference } = query;
  const cardId = query.cardId && parseId('Card', query.cardId);
  return {
    ...parties,
    ...(owners && { owners }),
    ...(cardId && { cardId }),
    ...(status && { status }),
    ...(type && { type }),
    ...(reference !== undefined && { reference }),
  };
}

/** The owners that meet both filters on owners. */
async function readOwners(
  tx: ReadTx,
  { customerId, platformCustomerId }: TransactionQuery,
): Promise<(string | null)[] | undefined> {
  const byId = customerId === undefined ? undefined : ownerById(tx, customerId);
  const byReference = platformCustomerId === undefined ? undefined : await ownersBy(tx, platformCustomerId);
  return byId && byReference ? byReference.filter((id) => byId.includes(id)) : (byId ?? byReference);
}

/** The platform's own id selects transactions that belong to no customer. */
function ownerById(tx: ReadTx, text: string): (string | null)[] {
  if (isOwnId(tx, text)) return [null];
  const id = parseId('Customer', text);
  return id === undefined ? [] : [id];
}

function ownersBy(tx: ReadTx, reference: string): Promise<(string | null)[]> | (string | null)[] {
  return isOwnId(tx, reference) ? [null] : findCustomerIdsByReference(tx, reference);
}

function isOwnId(tx: ReadTx, text: string): boolean {
  return text === publicId('Platform', tx.platformId) || text === tx.platformId;
}

type Parties = Pick<TransactionFilters, 'account' | 'sender' | 'receiver'>;

function readParties(texts: { [Name in keyof Parties]: string | undefined }): Parties | undefined {
  const parties: Record<string, Party> = {};
  for (const [name, text] of Object.entries(texts)) {
    if (text === undefined) continue;
    const party = readParty(text);
    if (!party) return undefined;
    parties[name] = party;
  }
  return parties;
}

/** An account by its id, or a UMA address; undefined if the text is neither. */
function readParty(text: string): Party | undefined {
  if (text.startsWith('$')) return { uma: readUmaAddress(text) };
  if (isUuid(text)) return { account: text };
  const internal = parseId('InternalAccount', text, 'full');
  if (internal !== undefined) return { account: internal, kind: 'INTERNAL' };
  const external = parseId('ExternalAccount', text, 'full');
  return external === undefined ? undefined : { account: external, kind: 'EXTERNAL' };
}
