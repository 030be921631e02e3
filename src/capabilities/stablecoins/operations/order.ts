import type { PaymentAccount } from '#capabilities/external-accounts/check-for-payment.ts';
import { type CoinRow, tokenOf } from '#capabilities/stablecoins/coin-row.ts';
import type { OperationRow } from '#capabilities/stablecoins/operations/row.ts';
import { operationContext, peopleOf } from '#capabilities/stablecoins/operations/sealed-operation.ts';
import type { PersonVault, Vault } from '#foundation/crypto/vault.ts';
import type { RailAccount } from '#foundation/ports/payments.ts';
import type { LinkedAccount, OperationOrder } from '#foundation/ports/stablecoins.ts';

/** Copies of the external accounts, made when the operation was created. */
export interface Instruments {
  readonly source?: LinkedAccount | undefined;
  readonly destination?: LinkedAccount | undefined;
}

export function railAccountOf({ accountType, identifier, info }: PaymentAccount): RailAccount {
  return { accountType, identifier, fields: { ...info } };
}

/** Sealed, because they name people and their accounts. */
export function sealInstruments(
  vault: PersonVault,
  row: Pick<OperationRow, 'id' | 'customer_id'>,
  instruments: Instruments,
): Buffer | null {
  const isEmpty = instruments.source === undefined && instruments.destination === undefined;
  if (isEmpty) return null;
  return vault.sealFor(peopleOf(row), JSON.stringify(instruments), operationContext('instruments', row));
}

/** The order to the provider, for the submission and for every later question. */
export function buildOrder(
  { vault, now }: { readonly vault: Vault; readonly now: Date },
  row: OperationRow,
  coin: CoinRow,
): OperationOrder {
  const { source, destination } = openInstruments(vault, row);
  return {
    reference: row.id,
    operationType: row.operation_type,
    token: tokenOf(coin),
    amount: row.amount,
    cents: row.cents,
    sourceType: row.source_type,
    source,
    destination,
    rail: row.rail ?? undefined,
    description: row.description ?? undefined,
    createdAt: row.created_at,
    now,
  };
}

function openInstruments(vault: Vault, row: OperationRow): Instruments {
  if (row.instruments === null) return {};
  return JSON.parse(vault.openText(row.instruments, operationContext('instruments', row))) as Instruments;
}
