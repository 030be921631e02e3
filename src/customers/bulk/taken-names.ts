import type { Draft } from '#customers/create-customer.ts';
import { referenceTaken, umaAddressTaken } from '#customers/store.ts';
import { readUmaAddress } from '#customers/uma-address.ts';
import type { ReadTx } from '#database/tx.ts';
import type { Refusal } from '#lib/refusals.ts';

/**
 * Names that live customers have, and rows before this one. Only a forecast, which spares a transaction that
 * would be undone for one row: the unique indexes have the last word.
 */
export class TakenNames {
  readonly #references: Set<string>;
  readonly #addresses: Set<string>;

  private constructor(references: readonly string[], addresses: readonly string[]) {
    this.#references = new Set(references);
    this.#addresses = new Set(addresses);
  }

  static async among(tx: ReadTx, drafts: readonly Draft[]): Promise<TakenNames> {
    const names = drafts.map(namesOf);
    const references = await tx.sql<{ name: string }>`
      select platform_customer_id as name from customers
       where platform_id = ${tx.platformId} and deleted_at is null
         and platform_customer_id = any(${names.map(({ reference }) => reference)})`;
    // A global look-up: an address belongs to one customer, whichever platform has it.
    const addresses = await tx.sql<{ name: string }>`
      select uma_address as name from customers
       where environment = ${tx.platform.environment} and deleted_at is null
         and uma_address = any(${names.map(({ address }) => address)})`;
    return new TakenNames(
      references.map(({ name }) => name),
      addresses.map(({ name }) => name),
    );
  }

  /** Takes the draft's names, or says which of them is not free. */
  take(draft: Draft): Refusal | undefined {
    const { reference, address } = namesOf(draft);
    if (this.#references.has(reference)) return referenceTaken();
    if (this.#addresses.has(address)) return umaAddressTaken();
    this.#references.add(reference);
    this.#addresses.add(address);
    return undefined;
  }
}

/** A row of a file has both (customers.md §2.5.28). */
function namesOf({ body }: Draft): { reference: string; address: string } {
  return { reference: body.platformCustomerId ?? '', address: readUmaAddress(body.umaAddress ?? '') };
}
