import type { Ports } from '#foundation/ports/ports.ts';

/** The members of a port that answer at once, and so without asking anybody outside. */
type AtOnce<Port> = {
  [Name in keyof Port]: Port[Name] extends (...given: never[]) => infer Answer
    ? Extract<Answer, Promise<unknown>> extends never
      ? Name
      : never
    : never;
}[keyof Port];

/** The questions that an operation may ask inside its transaction: rules of the adapter itself, no calls. */
const AT_ONCE: { readonly [Port in keyof Ports]?: readonly AtOnce<Ports[Port]>[] } = {
  cards: ['judge'],
  explanations: ['waysToCause'],
  identity: ['ownerResolved'],
  messages: ['supports'],
  provisioning: ['atOpening'],
  rails: ['knownPayoutFailure', 'knownCollectionFailure'],
  stablecoins: ['enablementOf'],
};

/** The same ports, which answer only what needs no provider. Anything else throws before it is asked. */
export function portsThatAskNobody(ports: Ports): Ports {
  return Object.fromEntries(
    Object.entries(ports).map(([name, port]) => [name, onlyAtOnce(name as keyof Ports, port)]),
  ) as unknown as Ports;
}

function onlyAtOnce(name: keyof Ports, port: object): object {
  const allowed: readonly (PropertyKey | undefined)[] = AT_ONCE[name] ?? [];
  return new Proxy(port, {
    get(target, member) {
      const value: unknown = Reflect.get(target, member, target);
      if (typeof value !== 'function') return value;
      if (allowed.includes(member)) return value.bind(target);
      return () => {
        throw new Error(`a preview asks nobody outside, but needs ${name}.${String(member)}`);
      };
    },
  });
}
