import { closestMatch } from 'leven';
import type { NamedOperation } from '#foundation/http/declare/operation.ts';

/** Longer paths are not compared: a comparison takes time in proportion to both lengths. */
const PATH_MAX_CHARACTERS = 120;
const DISTANCE_MAX = 4;

/**
 * Finds the declared path that an unknown path may stand for (platform.md §1.1.1): the sent path is slightly misspelt,
 * has a trailing slash, or lacks the base path. The declared form is returned, so that the reply repeats nothing of the
 * request.
 */
export function nearestPath(
  operations: readonly Pick<NamedOperation, 'path'>[],
  basePath: string,
): (path: string) => string | undefined {
  const declared = [...new Set(operations.map(({ path }) => path))].map((path) => path.split('/'));
  return (path) => {
    if (path.length > PATH_MAX_CHARACTERS) return undefined;
    const bare = path.startsWith(basePath) ? path.slice(basePath.length) : path;
    const sent = bare.replace(/^\/*/, '/').replace(/\/+$/, '').split('/');
    const byText = new Map(
      declared.filter(({ length }) => length === sent.length).map((parts) => [filledIn(parts, sent), parts]),
    );
    const maxDistance = Math.min(DISTANCE_MAX, Math.ceil(sent.join('').length / 4));
    const found = closestMatch(sent.join('/').toLowerCase(), [...byText.keys()], { maxDistance });
    const parts = found === undefined ? undefined : byText.get(found);
    return parts && basePath + parts.map((part) => part.replace(/^:(.*)/, '{$1}')).join('/');
  };
}

/** A parameter's segment may be any text, so it counts as equal. */
function filledIn(parts: readonly string[], sent: readonly string[]): string {
  return parts
    .map((part, i) => (part.startsWith(':') ? sent[i] : part))
    .join('/')
    .toLowerCase();
}
