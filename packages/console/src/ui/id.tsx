import type { ComponentChildren } from 'preact';
import { useNames } from '../api/names.ts';
import { knownName } from '../api/operator/names.ts';
import { Copy } from './copy.tsx';
import { Prose } from './text.tsx';

type Places = Readonly<Record<string, (id: string) => string>>;

/** The address of the page of each kind of resource, in the developers' console. */
const PLACES: Places = {
  Customer: (id) => `/console/customers/${id}`,
  InternalAccount: (id) => `/console/accounts/${id}`,
  ExternalAccount: (id) => `/console/external-accounts/${id}`,
  Quote: (id) => `/console/quotes/${id}`,
  Transaction: (id) => `/console/payments/${id}`,
  Card: (id) => `/console/cards/${id}`,
  Agent: (id) => `/console/agents/${id}`,
  Stablecoin: (id) => `/console/stablecoins/${id}`,
  StablecoinOperation: (id) => `/console/stablecoins/operations/${id}`,
  Webhook: (id) => `/console/events/${id}`,
  RequestLog: (id) => `/console/requests/${id}`,
  Job: (id) => `/console/imports/${id}`,
  Token: () => '/console/settings',
  WebhookKey: () => '/console/settings',
  PlatformConfig: () => '/console/settings',
};

let places = PLACES;

/** Ids lead to other pages from now on: those of the operators. */
export function setPlaces(others: Places): void {
  places = others;
}

const ID = /^([A-Z][A-Za-z]+):([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/;

/** The page of an id; undefined if it is no id, or one without a page. */
export function placeOf(id: string): string | undefined {
  const [, kind = ''] = ID.exec(id) ?? [];
  return places[kind]?.(id);
}

export interface IdProps {
  readonly id: string | undefined;
  /** What people call the resource, in place of its id. */
  readonly name?: string | undefined;
  /** Shows the whole id, for the top of its own page. */
  readonly isWhole?: boolean;
}

/** An id: a link to its page, with a button that copies it. Operators read the names of operators and platforms. */
export function Id({ id, name, isWhole = false }: IdProps) {
  if (id === undefined) return <span class="soft">–</span>;
  const place = placeOf(id);
  const known = name ?? (isWhole ? undefined : knownName(id));
  const text = known === undefined ? <code>{isWhole ? id : shortId(id)}</code> : <bdi>{known}</bdi>;
  return (
    <span class="id">
      {place === undefined || isWhole ? (
        <span title={id}>{text}</span>
      ) : (
        <a href={place} title={id}>
          {text}
        </a>
      )}
      <Copy text={id} label={`Copy ${id}`} />
    </span>
  );
}

/** Who did something: an operator by name, or an account that ran a command. */
export function Actor({ by }: { by: string }) {
  return ID.test(by) ? <Id id={by} /> : <bdi>{by}</bdi>;
}

/** The id of a customer, by the customer's name; `Your platform` for the platform itself. */
export function CustomerId({ id }: { id: string | null | undefined }) {
  const names = useNames();
  if (id === null || id?.startsWith('Platform:')) return <>Your platform</>;
  return <Id id={id} name={id === undefined ? undefined : names.get(id)} />;
}

const ID_INSIDE = /[A-Z][A-Za-z]+:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** A sentence of the API, whose ids are links to their pages. */
export function Sentence({ text }: { text: string }) {
  const parts: ComponentChildren[] = [];
  let end = 0;
  for (const { 0: id, index } of text.matchAll(ID_INSIDE)) {
    const place = placeOf(id);
    parts.push(<Prose key={`before ${index}`} text={text.slice(end, index)} />);
    parts.push(
      place === undefined ? (
        <code key={index} title={id}>
          {shortId(id)}
        </code>
      ) : (
        <a key={index} href={place} title={id}>
          {knownName(id) ?? <code>{shortId(id)}</code>}
        </a>
      ),
    );
    end = index + id.length;
  }
  return (
    <bdi>
      {parts}
      <Prose text={text.slice(end)} />
    </bdi>
  );
}

/** `Transaction:…9f3a61c2`: the end of an id is the part that differs. */
export function shortId(id: string): string {
  const [, kind, uuid] = ID.exec(id) ?? [];
  return uuid === undefined ? id : `${kind}:…${uuid.slice(-8)}`;
}
