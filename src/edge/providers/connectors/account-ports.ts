import { isPaymentAccountType, takesReference } from '#capabilities/accounts/payment-instruction-schemas.ts';
import { findAccounts } from '#capabilities/accounts/store.ts';
import { requestContext } from '#capabilities/connectors/requests/request-row.ts';
import { insertRequest } from '#capabilities/connectors/requests/request-store.ts';
import { isServed, servingConnectors, type Wanted } from '#capabilities/connectors/requests/route-request.ts';
import type { ConnectorRow } from '#capabilities/connectors/row.ts';
import { findExternalAccount } from '#capabilities/external-accounts/store.ts';
import type { ConnectorRailsParts } from '#edge/providers/connectors/adapter.ts';
import type { AccountRequest, NameCheckRequest } from '#foundation/connector-protocol/bank-records.ts';
import { findPlatform } from '#foundation/database/platforms.ts';
import type { Tx } from '#foundation/database/tx.ts';
import { Work } from '#foundation/database/work.ts';
import { parseId, publicId } from '#foundation/lib/ids.ts';
import type { Coordinates, ProvisioningPort } from '#foundation/ports/accounts.ts';
import type { NameCheckPort } from '#foundation/ports/name-check.ts';
import type { QuoteFundingPort } from '#foundation/ports/quote-funding.ts';

/** Ports for requests to connectors besides orders (connectors.md §7). Behind each is the port without a connector. */
type ServiceParts = Pick<ConnectorRailsParts, 'runtime'>;

const HOLDER_NAME_MAX = 200;

/** Accounts are opened by the connector that a route names; it reports their coordinates. */
export function connectorProvisioning(parts: ServiceParts, behind: ProvisioningPort): ProvisioningPort {
  return {
    ...behind,
    async submit(request) {
      const { platformId, currency, accountTypes, holderName } = request;
      const accountId = parseId('InternalAccount', request.accountId);
      const types = [...accountTypes];
      const wanted: Wanted = { kind: 'ACCOUNT', platform_id: platformId, currency, account_types: types };
      if (accountId === undefined || accountTypes.length === 0) return behind.submit(request);
      if (!(await isServed(parts.runtime().database.query, wanted))) return behind.submit(request);
      const body: AccountRequest = {
        ...{ currency, accountTypes: types, holderName: holderName.slice(0, HOLDER_NAME_MAX) },
        // Where coordinates suffice, the account's own name serves as a reference.
        reference: request.reference ?? publicId('InternalAccount', accountId),
        platform: publicId('Platform', platformId),
      };
      await write(parts, platformId, async (tx, now) => {
        const [account] = await findAccounts(tx, [accountId]);
        if (!account) return;
        const sealed = seal(tx, accountId, account.customer_id, body);
        const { customer_id } = account;
        await insertRequest(tx, { ...wanted, subject: accountId, customer_id, body: sealed }, now);
      });
      return 'accepted';
    },
  };
}

/** Names are compared by the connector that a route names, after the external account was stored. */
export function connectorNameChecks(parts: ServiceParts, behind: NameCheckPort): NameCheckPort {
  const wantedFor = ({
    platformId,
    currency,
    accountType,
  }: Parameters<NameCheckPort['check']>[0]): Wanted => ({
    kind: 'NAME_CHECK',
    platform_id: platformId,
    currency,
    account_types: [accountType],
  });
  const canAsk = (request: Parameters<NameCheckPort['check']>[0]) =>
    request.name !== '' && isServed(parts.runtime().database.lookUp, wantedFor(request));
  return {
    // It is read beside the transaction of the account, on connections that no transaction holds.
    atCreate: async (request) => ((await canAsk(request)) ? 'ASK' : behind.atCreate(request)),
    async check(request) {
      const { reference, accountType, fields, name, platformId } = request;
      const subject = parseId('ExternalAccount', reference);
      if (subject === undefined || !(await canAsk(request))) return behind.check(request);
      const body: NameCheckRequest = { reference, accountType, fields, name };
      await write(parts, platformId, async (tx, now) => {
        const row = await findExternalAccount(tx, subject);
        if (!row) return;
        const sealed = seal(tx, subject, row.customer_id, body);
        const { customer_id } = row;
        await insertRequest(tx, { ...wantedFor(request), subject, customer_id, body: sealed }, now);
      });
      return { status: 'PENDING' };
    },
  };
}

/**
 * The coordinates of a pooled account serve every quote, because payers name the quote by its reference. Where an account
 * type shows none, nobody could tell whose money it is.
 */
export function connectorFunding(parts: ServiceParts, behind: QuoteFundingPort): QuoteFundingPort {
  return {
    async atQuote(request) {
      const { platformId, currency, accountTypes } = request;
      const isNamed = accountTypes.every(namesQuote);
      const found = (of: ConnectorRow) => pooledCoordinates(of, currency, accountTypes);
      const fitting = isNamed
        ? await servingConnectors(parts.runtime().database.lookUp, {
            ...{ kind: 'QUOTE', currency, platformId },
            isIn: () => true,
          })
        : [];
      // Money reaches the bank although the connector does not answer at the moment.
      const open = fitting.filter(({ paused_because: cause }) => cause === null);
      return open.map(found).find((made) => made !== undefined) ?? behind.atQuote(request);
    },
  };
}

function namesQuote(type: string): boolean {
  return type === 'SWIFT_ACCOUNT' || (isPaymentAccountType(type) && takesReference(type));
}

function pooledCoordinates(
  { capabilities }: ConnectorRow,
  currency: string,
  accountTypes: readonly string[],
): Coordinates | undefined {
  const pooled = capabilities?.settlementAccounts.find(
    (account) =>
      account.currency === currency &&
      accountTypes.every((type) => account.coordinates?.[type] !== undefined),
  );
  if (!pooled?.coordinates || accountTypes.length === 0) return undefined;
  const { coordinates } = pooled;
  return Object.fromEntries(accountTypes.map((type) => [type, coordinates[type] ?? {}]));
}

async function write(
  parts: ServiceParts,
  platformId: PlatformId,
  steps: (tx: Tx, now: Date) => Promise<void>,
): Promise<void> {
  const runtime = parts.runtime();
  const platform = await findPlatform(runtime.database.query, platformId);
  if (!platform) throw new Error(`no platform ${platformId}`);
  const now = new Date(runtime.clock.now());
  await new Work(runtime, platform, { kind: 'worker', id: 'connectors' }).write((tx) => steps(tx, now));
  runtime.wakeWorker();
}

function seal(tx: Tx, subject: string, person: CustomerId | null, body: object): Buffer {
  return tx.vault.sealFor(person === null ? [] : [person], JSON.stringify(body), requestContext(subject));
}
