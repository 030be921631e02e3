import type { Figures } from '#tests/drills/frame/drill.ts';

/** A client of an area that repeats what it does for as long as the load lasts. */
export interface Client {
  /** One step, from its beginning until the service continues alone. */
  course(): Promise<unknown>;
}

/** A part of the service under load, on a platform of its own, and the plain model with which it is compared. */
export interface Area {
  readonly clients: readonly Client[];
  /** Throws unless everything equals the model once nothing is left to do. */
  check(): Promise<Figures>;
  close(): Promise<void>;
}
