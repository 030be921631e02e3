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
 * The function of a trigger that refuses rows that must never be stored, even if the program is wrong. It is a trigger and
 * not a set of check constraints: PostgreSQL parses the text of constraints again for every statement, while it prepares
 * the expressions of a trigger once per transaction. All conditions are one expression, because each expression has a
 * price of its own.
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
