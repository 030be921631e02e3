/** A condition that every row must meet, under the name that a violation reports as its constraint. */
export type Condition = readonly [constraint: string, condition: string];

export interface Guard {
  readonly table: string;
  /** The name of the trigger's function. */
  readonly name: string;
  readonly conditions: readonly Condition[];
  /** A short condition that ordinary rows meet, and that implies all others, so that these need not be evaluated. */
  readonly usually?: string;
}

/**
 * Returns a trigger function that refuses rows that must never be stored, even if the program is wrong. It replaces check
 * constraints, whose text PostgreSQL parses again for every statement; it prepares a trigger's expressions once per
 * transaction. All conditions are one expression, because each expression has a cost of its own.
 */
export function guardFunction({ table, name, conditions, usually }: Guard): string {
  const all = conditions.map(([, condition]) => `(${condition})`).join('\n     and ');
  const broken = conditions.map(
    ([constraint, condition]) => `when (${condition}) is not true then '${constraint}'`,
  );
  const accept = (condition: string) => `  if ${condition} then\n    return new;\n  end if;\n`;
  return `
create or replace function ${name}() returns trigger language plpgsql as $$
begin
${usually ? accept(usually) : ''}${accept(all)}  raise exception 'row % of ${table} of platform % is not sound', new.id, new.platform_id
    using errcode = 'check_violation', table = '${table}', constraint = case
      ${broken.join('\n      ')}
    end;
end $$;
`;
}
