import type { NamedOperation } from '#foundation/http/declare/operation.ts';
import type { RuledInput } from '#foundation/http/operator-rule.ts';
import { publicId, type ResourceType } from '#foundation/lib/ids.ts';

/** The resource that an operators' call is about: what the declaration names, or what the path names first. */
export function resourceOf(
  { params = {}, operator }: Pick<NamedOperation, 'params' | 'operator'>,
  input: RuledInput,
): string | undefined {
  const named = operator?.resource?.(input);
  if (named !== undefined) return named;
  const [name, rule] = Object.entries(params)[0] ?? [];
  if (name === undefined || rule === undefined || !('id' in rule)) return undefined;
  return publicId(rule.id satisfies ResourceType, input.params[name] ?? '');
}

/** Returns the subject of a proposal: the one in the declaration, or else the path. It may have one undecided proposal. */
export function subjectOf(
  { path, operator }: Pick<NamedOperation, 'path' | 'operator'>,
  input: RuledInput,
): string {
  const named = operator?.subject?.(input);
  return named ?? path.replace(/:(\w+)/g, (_whole, name: string) => input.params[name] ?? '');
}
