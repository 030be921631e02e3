import type { Profile } from '#customers/profile.ts';
import { factOnFile } from '#customers/provider-fields.ts';
import type { PayerDataField } from '#rails/counterparties.ts';

/** The fields that the record answers in the platform's place: mandatory ones that need not come anew. */
export function answeredOnFile(profile: Profile, fields: readonly PayerDataField[]): string[] {
  return fields
    .filter(({ mandatory, isAskedAnew }) => mandatory && !isAskedAnew)
    .filter(({ name }) => factOnFile(profile, name) !== undefined)
    .map(({ name }) => name);
}

/** What the record says, by the names under which providers ask; what it does not say is left out. */
export function factsOnFile(profile: Profile, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const fact = factOnFile(profile, name);
      return fact === undefined ? [] : [[name, fact]];
    }),
  );
}

/** Whether somebody told a fact of this name; an empty text tells nothing. */
export function isTold(facts: Readonly<Record<string, unknown>> | undefined, name: string): boolean {
  const value = facts && Object.hasOwn(facts, name) ? facts[name] : undefined;
  return value !== undefined && value !== null && value !== '';
}
