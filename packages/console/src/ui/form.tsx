import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useId, useRef, useState } from 'preact/hooks';
import { type Call, perform } from '../api/call.ts';
import type { Failure } from '../api/failure.ts';
import { useMutation } from '../api/query.ts';
import { FoldedCall } from './code-box.tsx';
import { Failed } from './states.tsx';
import { clearToasts } from './toast.tsx';

/** The values of the fields. */
export class FormValues {
  readonly #data: FormData;

  constructor(data: FormData) {
    this.#data = data;
  }

  /** Undefined if the field is empty. */
  text(name: string): string | undefined {
    const value = this.#data.get(name);
    return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
  }

  number(name: string): number | undefined {
    const text = this.text(name);
    return text === undefined ? undefined : Number(text);
  }

  isOn(name: string): boolean {
    return this.#data.has(name);
  }

  all(name: string): string[] {
    return this.#data.getAll(name).filter((value) => typeof value === 'string');
  }

  file(name: string): File | undefined {
    const value = this.#data.get(name);
    return value instanceof File && value.size > 0 ? value : undefined;
  }
}

export interface CallFormProps<Made, Reply> {
  /** The call that these values make: it is shown beside the button, and it is what the button does. */
  readonly build: (values: FormValues) => Made;
  readonly perform: (made: Made) => Promise<Reply>;
  readonly show: (made: Made) => ComponentChildren;
  readonly submit: string;
  readonly onDone: (reply: Reply) => void;
  /** For the failure: "The token was not created." */
  readonly what: string;
  readonly kind?: 'danger' | undefined;
  /** The shown call is read again when this changes, for fields whose choices change by themselves. */
  readonly reads?: string | undefined;
  /** What helps after a refusal. */
  readonly help?: ((failure: Failure) => ComponentChildren) | undefined;
  readonly children?: ComponentChildren;
}

export type FormProps<Reply> = Omit<CallFormProps<Call<Reply>, Reply>, 'perform' | 'show'>;

interface FormState {
  readonly fields: Readonly<Record<string, string>>;
}

const FormContext = createContext<FormState>({ fields: {} });

/** A form that makes one call of the API. The API's refusals appear at their fields. */
export function Form<Reply>(props: FormProps<Reply>) {
  return (
    <CallForm<Call<Reply>, Reply> {...props} perform={perform} show={(call) => <FoldedCall call={call} />} />
  );
}

/** A form that makes one call of some kind, and shows it before it is made. */
export function CallForm<Made, Reply>(props: CallFormProps<Made, Reply>) {
  const { build, submit, onDone, what, kind, reads, help, children } = props;
  const form = useRef<HTMLFormElement>(null);
  const [call, setCall] = useState<Made>();
  const latest = useRef(build);
  latest.current = build;
  const make = (element: HTMLFormElement) => {
    const made = latest.current(new FormValues(new FormData(element)));
    setCall(() => made);
    return made;
  };
  const read = () => {
    if (form.current) make(form.current);
  };
  // The call is shown before anything is typed.
  useEffect(read, [reads]);
  const act = useMutation((made: Made) => props.perform(made), onDone);
  const send = async (event: Event) => {
    event.preventDefault();
    if (!form.current || act.isRunning) return;
    clearToasts();
    await act.run(make(form.current));
  };
  useFocusOnRefusal(form, act.failure?.reason);
  return (
    <FormContext.Provider value={{ fields: act.failure?.fields ?? {} }}>
      <form ref={form} class="form" onSubmit={send} onInput={read} onChange={read} noValidate>
        {act.failure && <Failed what={what} failure={act.failure} />}
        {act.failure && help?.(act.failure)}
        {children}
        <div class="form-foot">
          <button type="submit" class={kind ?? 'primary'} aria-disabled={act.isRunning}>
            {act.isRunning ? 'Working…' : submit}
          </button>
        </div>
        {call !== undefined && props.show(call)}
      </form>
    </FormContext.Provider>
  );
}

/** After a refusal the first bad field gets the focus. */
function useFocusOnRefusal(form: { current: HTMLFormElement | null }, reason: string | undefined): void {
  useEffect(() => {
    if (reason !== undefined) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [reason, form]);
}

export interface FieldProps {
  /** The dot path of the API's field, so that its refusals are shown here: `supportedCurrencies.0.minAmount`. */
  readonly name: string;
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly value?: string | number | undefined;
  readonly type?: 'text' | 'number' | 'date' | 'url' | 'email' | 'file' | 'textarea' | 'select';
  /** For `select`: value and word. */
  readonly options?: readonly (readonly [string, string])[];
  readonly isRequired?: boolean;
  readonly placeholder?: string;
  readonly onChange?: (value: string) => void;
}

/** One field with its label, hint and refusal. */
export function Field(props: FieldProps) {
  const id = useId();
  const refusal = useRefusal(props.name);
  const { name, label, hint, isRequired = false } = props;
  const described = [hint && `${id}-hint`, refusal && `${id}-refusal`].filter(Boolean).join(' ');
  return (
    <div class="field">
      <label for={id}>
        {label}
        {isRequired && <span class="soft"> (required)</span>}
      </label>
      <Input
        {...props}
        shared={{
          id,
          name,
          'aria-invalid': refusal !== undefined,
          'aria-required': isRequired,
          ...(described !== '' && { 'aria-describedby': described }),
        }}
      />
      {hint && (
        <p id={`${id}-hint`} class="field-hint">
          {hint}
        </p>
      )}
      <Refusal id={`${id}-refusal`} text={refusal} />
    </div>
  );
}

function Input({
  type = 'text',
  options = [],
  value,
  placeholder,
  onChange,
  shared,
}: FieldProps & { shared: Record<string, unknown> & { name: string } }) {
  const onInput = (event: Event) => onChange?.((event.currentTarget as HTMLInputElement).value);
  if (type === 'select') {
    return (
      <select {...shared} defaultValue={value} onChange={onInput}>
        {options.map(([option, word]) => (
          <option key={option} value={option} selected={option === value}>
            {word}
          </option>
        ))}
      </select>
    );
  }
  if (type === 'textarea') {
    return (
      <textarea {...shared} defaultValue={String(value ?? '')} placeholder={placeholder} onInput={onInput} />
    );
  }
  return (
    <input
      {...shared}
      type={type as 'text'}
      defaultValue={value === undefined ? '' : String(value)}
      placeholder={placeholder}
      autoComplete="off"
      onInput={onInput}
    />
  );
}

export interface ChoicesProps {
  readonly name: string;
  readonly legend: string;
  readonly hint?: ComponentChildren;
  /** Value, word and explanation. */
  readonly options: readonly (readonly [string, string, string?])[];
  readonly chosen?: readonly string[];
  /** One of them, in place of any number. */
  readonly isSingle?: boolean;
}

/** A group of checkboxes or radio buttons. */
export function Choices({ name, legend, hint, options, chosen = [], isSingle = false }: ChoicesProps) {
  const id = useId();
  const refusal = useRefusal(name);
  return (
    <fieldset class="field" aria-describedby={refusal === undefined ? undefined : `${id}-refusal`}>
      <legend>{legend}</legend>
      {hint && <p class="field-hint">{hint}</p>}
      {options.map(([value, word, explanation]) => (
        <label key={value} class="choice">
          <input
            type={isSingle ? 'radio' : 'checkbox'}
            name={name}
            value={value}
            defaultChecked={chosen.includes(value)}
            aria-invalid={refusal !== undefined}
          />
          <span>
            {word}
            {explanation && <span class="soft"> – {explanation}</span>}
          </span>
        </label>
      ))}
      <Refusal id={`${id}-refusal`} text={refusal} />
    </fieldset>
  );
}

function Refusal({ id, text }: { id: string; text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <p id={id} class="field-refusal">
      <bdi>{text}</bdi>
    </p>
  );
}

/** A refusal of `permissions.0` is shown at `permissions`, unless there is a field for it. */
function useRefusal(name: string): string | undefined {
  const { fields } = useContext(FormContext);
  const below = Object.keys(fields).find((field) => field.startsWith(`${name}.`));
  return fields[name] ?? (below === undefined ? undefined : fields[below]);
}
