import type { OperatorRole } from '#foundation/http/operator-rule.ts';

/** The OpenID Connect issuer at which operators sign in (operator.md §1.3a). */
export interface IssuerOfOperators {
  /** As the issuer writes itself, such as `https://login.example.com`. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Undefined: only people who were invited get in, with the roles of the invitation. */
  readonly roles?: RoleMapping | undefined;
}

/** Which roles the values of a claim give. */
export interface RoleMapping {
  readonly claim: string;
  readonly roles: ReadonlyMap<string, readonly OperatorRole[]>;
}

/** The host of the issuer, for people. */
export function issuerName({ issuer }: IssuerOfOperators): string {
  return new URL(issuer).host;
}

/** The roles that a person's claims give; the claim is a text or a list of texts. */
export function mappedRoles(
  { claim, roles }: RoleMapping,
  claims: Readonly<Record<string, unknown>>,
): OperatorRole[] {
  const value = claims[claim];
  const values: unknown[] = Array.isArray(value) ? value : [value];
  return [...new Set(values.flatMap((one) => (typeof one === 'string' ? (roles.get(one) ?? []) : [])))];
}
