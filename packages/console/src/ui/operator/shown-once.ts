type Reply = Readonly<Record<string, unknown>>;

const SHOWN = ['clientId', 'clientSecret', 'keyId', 'secret', 'url'] as const;

/** Returns the secrets that a reply shows once. Those of an approved proposal are inside its reply. */
export function secretsOf(reply: Reply): readonly (readonly [name: string, value: string])[] {
  const { reply: inside } = reply;
  const all = typeof inside === 'object' && inside !== null ? (inside as Reply) : reply;
  if (!hasSecret(all)) return [];
  return SHOWN.flatMap((name) => (typeof all[name] === 'string' ? [[name, all[name]] as const] : []));
}

/** The address with which an operator joins is a secret. The URL of a connector is not. */
function hasSecret({ clientSecret, secret, url, operator }: Reply): boolean {
  return clientSecret !== undefined || secret !== undefined || (url !== undefined && operator !== undefined);
}
