import type { ComponentChildren } from 'preact';
import { Copy } from '../../ui/copy.tsx';
import { Facts } from '../../ui/layout.tsx';
import { sayField, Text } from '../../ui/text.tsx';

/** Numbers, addresses and names of an account, whatever its country: each with a button that copies it. */
export function InfoFacts({ info }: { info: object }) {
  return (
    <Facts
      facts={Object.fromEntries(
        flatten(info).map(([name, value]) => [sayField(name), <Value value={value} />]),
      )}
    />
  );
}

function Value({ value }: { value: string }): ComponentChildren {
  return (
    <span class="id">
      <Text>{value}</Text>
      <Copy text={value} label={`Copy ${value}`} />
    </span>
  );
}

/** Members of members get both names; lists become one text. */
function flatten(value: object, prefix = ''): (readonly [string, string])[] {
  return Object.entries(value).flatMap(([name, member]): (readonly [string, string])[] => {
    if (member === null || member === undefined) return [];
    if (Array.isArray(member)) return [[prefix + name, member.join(', ')]];
    if (typeof member === 'object') return flatten(member, `${name} `);
    // `beneficiary.beneficiaryType` says it once.
    return [[name.startsWith(prefix.trim()) ? name : prefix + name, String(member)]];
  });
}
