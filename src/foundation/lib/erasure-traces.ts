/**
 * The ids and texts that name a customer who is being erased: events, stored replies and the request log are searched for
 * them.
 */
export interface Traces {
  /** `data.id` of events that are the customer's own: `Customer:…`, `Transaction:…`, the code of an invitation. */
  readonly resources: ReadonlySet<string>;
  /** The same for payments by others to the customer. */
  readonly paidByOthers: ReadonlySet<string>;
  /** Events about the customer that were sent to another platform. */
  readonly elsewhere: readonly { readonly platformId: PlatformId; readonly resourceId: string }[];
  /** Bare ids of everything above and of resources without events: owners, documents, quotes, agents. */
  readonly ids: ReadonlySet<string>;
  /** Contacts and addresses by which a reply may name the customer without any id. */
  readonly texts: readonly string[];
  /** Events that were created later, by the platform's clock, no longer name the customer. */
  readonly until?: Date;
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** Every id in a text, once, as bare UUIDs. */
export function idsIn(text: string): string[] {
  return [...new Set(text.match(UUID) ?? [])];
}

/** Whether a text names the customer. */
export function isNamedIn(text: string, { ids, texts }: Pick<Traces, 'ids' | 'texts'>): boolean {
  return idsIn(text).some((id) => ids.has(id)) || texts.some((one) => text.includes(one));
}
