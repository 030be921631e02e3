import type { IdentityPort } from '#rails/identity.ts';
import type { RatesPort } from '#rails/rates.ts';
import type { StoragePort } from '#rails/storage.ts';

/**
 * What the core asks of the outside world. Each environment brings its adapters (architecture.md §4); a
 * capability reaches them through its `Tx` or `Work` and never asks which environment it is in.
 */
export interface Ports {
  readonly rates: RatesPort;
  readonly identity: IdentityPort;
  readonly storage: StoragePort;
}
