import { publicId } from '#foundation/lib/ids.ts';
import type { WireNames } from '#foundation/lib/wire-names.ts';

export interface Envelope {
  readonly id: string;
  readonly type: string;
  /** The real time of this attempt: receivers may reject stale webhooks (platform.md §4.1.2). */
  readonly timestamp: Date;
  /** The JSON text that is stored with the event. */
  readonly data: string;
}

/** The exact bytes that are signed and sent. */
export function envelopeBytes(names: WireNames, { id, type, timestamp, data }: Envelope): Buffer {
  const head = JSON.stringify({ id: publicId('Webhook', id), type, timestamp: timestamp.toISOString() });
  return Buffer.from(names.outgoing(`${head.slice(0, -1)},"data":${data}}`));
}
