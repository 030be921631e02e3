import Type, { type TObject, type TSchema } from 'typebox';
import type { ProposedInput } from '#capabilities/proposals/row.ts';
import type { ChangedValue } from '#foundation/audit/changed-values.ts';
import type { NamedOperation } from '#foundation/http/declare/operation.ts';
import { isObject } from '#foundation/lib/is-object.ts';
import type { Preview } from '#foundation/preview/preview.ts';
import { maskBySchema, maskFields } from '#foundation/records/mask.ts';

type Masked = Pick<NamedOperation, 'body' | 'operator'>;

/**
 * The input as those who decide see it: each field of the body by the word of its schema. Path and query hold only ids
 * and codes. The hash that they sign is over the complete input (decision 0045).
 */
export function maskInput({ body: schema }: Masked, input: ProposedInput): ProposedInput {
  return { ...input, body: schema ? maskBySchema(schema as TSchema, input.body) : null };
}

/** Returns an effect or a reply without the values that the input masks, because audit rows repeat fields of the input. */
export function maskEffect<Shown>(operation: Masked, input: ProposedInput, shown: Shown): Shown {
  const hidden = hiddenTexts(input.body, maskInput(operation, input).body);
  return (hidden.size === 0 ? shown : replaceTexts(shown, hidden)) as Shown;
}

/**
 * A preview as those who decide see it. Details of audit rows may repeat stored texts, such as the bank's reference, which no
 * input has: each one is masked by its name, as in the audit log.
 */
export function maskPreview(operation: Masked, input: ProposedInput, preview: Preview): Preview {
  const changes = preview.changes.map((change) =>
    isObject(change) ? { ...change, details: maskFields(change.details) } : change,
  );
  const values = preview.values?.map((value) => maskChanged(operation, value));
  return maskEffect(operation, input, { ...preview, changes, ...(values && { values }) });
}

/** A changed value by the word of the field that it is of, or by the name of that field. */
function maskChanged({ body, operator }: Masked, { field, before, after }: ChangedValue): ChangedValue {
  const path = field.split('.');
  const fields = { ...operator?.settings, ...(body as Partial<TObject> | undefined)?.properties };
  const isNamed = Object.hasOwn(fields, path[0] ?? '');
  const mask = (value: unknown) => {
    const whole = path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
    const shown = isNamed ? maskBySchema(Type.Object(fields), whole) : maskFields(whole);
    return path.reduce<unknown>((outer, name) => (isObject(outer) ? outer[name] : undefined), shown) ?? null;
  };
  return { field, before: mask(before), after: mask(after) };
}

/** The texts of the input that masking changes, each with what is left of it. */
function hiddenTexts(whole: unknown, shown: unknown, found = new Map<string, string>()): Map<string, string> {
  if (Array.isArray(whole)) {
    const left = Array.isArray(shown) && shown.length === whole.length ? shown : [];
    for (const [i, one] of whole.entries()) hiddenTexts(one, left[i], found);
  } else if (isObject(whole)) {
    for (const [name, one] of Object.entries(whole))
      hiddenTexts(one, isObject(shown) ? shown[name] : undefined, found);
  } else if (typeof whole === 'string' && whole !== shown) {
    found.set(whole, typeof shown === 'string' ? shown : HIDDEN);
  }
  return found;
}

const HIDDEN = '…';
/** A shorter text would be found in words that have nothing to do with it. */
const PART_MIN = 4;

function replaceTexts(value: unknown, hidden: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((one) => replaceTexts(one, hidden));
  if (isObject(value)) {
    const entries = Object.entries(value).map(([name, one]) => [name, replaceTexts(one, hidden)]);
    return Object.fromEntries(entries);
  }
  if (typeof value !== 'string') return value;
  const whole = hidden.get(value);
  if (whole !== undefined) return whole;
  let text = value;
  for (const [one, left] of hidden) if (one.length >= PART_MIN) text = text.replaceAll(one, left);
  return text;
}
