/** Where a customer that is being erased is named: what events, stored replies and the request log are searched for. */
export interface Traces {
  /** `data.id` of events that are the customer's own: `Customer:…`, `Transaction:…`, the code of an invitation. */
  readonly resources: ReadonlySet<string>;
  /** The same of payments by others to the customer. */
  readonly paidByOthers: ReadonlySet<string>;
  /** Events that another platform was told about the customer. */
  readonly elsewhere: readonly { readonly platformId: string; readonly resourceId: string }[];
  /** Bare ids of everything above and of what has no events: owners, documents, quotes, agents. */
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
