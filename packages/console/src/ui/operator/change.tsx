import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Failure } from '../../api/failure.ts';
import {
  type OperatorCall,
  type OperatorOperation,
  type Outcome,
  performAsOperator,
} from '../../api/operator/call.ts';
import type { Change, ChangeField } from '../../api/operator/change.ts';
import { ROLES, SUMMARIES } from '../../api/operator/generated/summaries.ts';
import { hasRole } from '../../api/operator/session.ts';
import { invalidate, useQuery } from '../../api/query.ts';
import { Code } from '../code-box.tsx';
import { Dialog } from '../dialog.tsx';
import { CallForm, Choices, Field, type FormValues } from '../form.tsx';
import { Id } from '../id.tsx';
import { parseAmount } from '../money.tsx';
import { Loaded } from '../states.tsx';
import { Prose, sayField, sayName } from '../text.tsx';
import { toast } from '../toast.tsx';
import { commandOf } from './commands.ts';
import { isProblems, ProblemsInput, readProblems } from './problems.tsx';
import { secretsOf } from './shown-once.ts';

export interface ChangeProps {
  readonly operation: OperatorOperation;
  /** Path parameters, in the order of the path. */
  readonly params?: readonly string[];
  /** On the button and as the dialog's title; by default what the document calls the operation. */
  readonly label?: string;
  readonly kind?: 'primary' | 'danger' | 'quiet' | undefined;
  /** Values of fields that are known already: they are not asked for. */
  readonly given?: Readonly<Record<string, unknown>>;
  /** What the operator has to know beyond what the document says. */
  readonly children?: ComponentChildren;
  readonly onDone?: (reply: Readonly<Record<string, unknown>>) => void;
}

/**
 * A button for an operator's change: it asks for what the operation needs and for a reason, shows the command that does the
 * same, and says whether it was done or proposed to a second operator. Operators without a role for it see nothing.
 */
export function ChangeButton(props: ChangeProps) {
  const [isOpen, setOpen] = useState(false);
  const summary = SUMMARIES[props.operation];
  if (summary === undefined || !hasRole(ROLES[props.operation] ?? [])) return null;
  const label = props.label ?? summary;
  return (
    <>
      <button type="button" class={props.kind} onClick={() => setOpen(true)}>
        {label}…
      </button>
      <Dialog title={label} isOpen={isOpen} onClose={() => setOpen(false)}>
        <LoadedForm {...props} label={label} close={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

interface LoadedFormProps extends ChangeProps {
  readonly label: string;
  readonly close: () => void;
}

interface ChangeFormProps extends LoadedFormProps {
  readonly change: Change;
}

/** Loads the fields of all operations with the first form: most pages that show a button change nothing. */
function LoadedForm(props: LoadedFormProps) {
  const changes = useQuery(
    ['changes'],
    async () => (await import('../../api/operator/generated/changes.ts')).CHANGES,
  );
  return (
    <Loaded read={changes} what="The form could not be loaded.">
      {({ [props.operation]: change }) => change && <ChangeForm {...props} change={change} />}
    </Loaded>
  );
}

function ChangeForm({ operation, params = [], label, kind, given = {}, change, ...props }: ChangeFormProps) {
  const [outcome, setOutcome] = useState<Outcome>();
  const fields = change.fields.filter(({ name }) => !(name in given));
  const build = (values: FormValues): OperatorCall => ({
    operation,
    params,
    input: {
      ...given,
      ...readFields(fields, values),
      ...(change.asksReason && { reason: values.text('reason') }),
    },
  });
  const onDone = (done: Outcome) => {
    invalidate();
    if (done.kind === 'done') props.onDone?.(done.reply);
    if (done.kind === 'proposed' || secretsOf(done.reply).length > 0) setOutcome(done);
    else {
      toast(`Done: ${label.toLowerCase()}.`);
      props.close();
    }
  };
  if (outcome) return <Told outcome={outcome} close={props.close} />;
  return (
    <>
      <p>
        <Prose text={change.about} />
      </p>
      {props.children}
      <CallForm
        build={build}
        perform={performAsOperator}
        show={(call) => <ShownCommand call={call} />}
        submit={label}
        kind={kind === 'danger' ? 'danger' : undefined}
        what="Nothing was changed."
        help={sayMore}
        onDone={onDone}
      >
        {fields.map((field) => (
          <ChangeInput key={field.name} field={field} fields={fields} />
        ))}
        {change.asksReason && (
          <Field name="reason" label="Reason" isRequired hint="Why, in one line, for the audit log." />
        )}
      </CallForm>
    </>
  );
}

/** Where the other proposal is that a refusal speaks of. */
function sayMore({ details }: Failure): ComponentChildren {
  return typeof details.proposal !== 'string' ? null : (
    <p>
      See <Id id={details.proposal} name="the other proposal" />.
    </p>
  );
}

/** The operator's own way in has no token: only the command does the same. */
function ShownCommand({ call: { operation, params, input } }: { call: OperatorCall }) {
  const command = commandOf(operation, params, input);
  if (command === undefined) return null;
  return (
    <details class="folded">
      <summary>Show the command</summary>
      <Code text={command} label="corridor command" />
    </details>
  );
}

/** What must be read before the dialog closes: a link to a proposal, or a secret that is shown once. */
function Told({ outcome, close }: { outcome: Outcome; close: () => void }) {
  return (
    <>
      {outcome.kind === 'proposed' ? (
        <p role="status">
          Nothing has changed yet: another operator has to approve it. See{' '}
          <Id id={outcome.proposal.id} name="the proposal" />.
        </p>
      ) : (
        <>
          <p role="status">Done. This is shown once: copy it now.</p>
          {secretsOf(outcome.reply).map(([name, value]) => (
            <div key={name}>
              <p>{sayField(name)}</p>
              <Code text={value} label={sayField(name)} />
            </div>
          ))}
        </>
      )}
      <div class="form-foot">
        <button type="button" class="primary" onClick={close}>
          Close
        </button>
      </div>
    </>
  );
}

interface ChangeInputProps {
  readonly field: ChangeField;
  readonly fields: readonly ChangeField[];
}

function ChangeInput({ field, fields }: ChangeInputProps) {
  const { name, kind, hint, isRequired = false, options = [], initial } = field;
  const shared = { name, label: sayField(name), isRequired };
  const shownHint = isMoney(field, fields) ? 'As people write it: 12.50.' : hint && <Prose text={hint} />;
  if (isProblems(field)) return <ProblemsInput isRequired={isRequired} />;
  const words = options.map((option) => [option, sayName(option)] as const);
  if (kind === 'choices')
    return <Choices name={name} legend={sayField(name)} hint={shownHint} options={words} />;
  if (kind === 'flag')
    return <Choices name={name} legend={sayField(name)} options={[['on', hint ?? 'Yes']]} />;
  if (kind === 'choice') {
    const none = isRequired ? [] : [['', 'Not given'] as const];
    return <Field {...shared} type="select" hint={shownHint} options={[...none, ...words]} />;
  }
  const type = kind === 'json' || kind === 'lines' ? 'textarea' : 'text';
  return (
    <Field
      {...shared}
      type={type}
      hint={shownHint}
      value={typeof initial === 'boolean' ? undefined : initial}
    />
  );
}

/** An amount whose currency is asked for beside it: people write it with its decimals. */
function isMoney({ name, kind }: ChangeField, fields: readonly ChangeField[]): boolean {
  return name === 'amount' && kind === 'number' && fields.some((other) => other.name === 'currency');
}

function readFields(fields: readonly ChangeField[], values: FormValues): Record<string, unknown> {
  const read = fields.map((field) => [field.name, readField(field, fields, values)] as const);
  return Object.fromEntries(read.filter(([, value]) => value !== undefined));
}

function readField(field: ChangeField, fields: readonly ChangeField[], values: FormValues): unknown {
  const { name, kind } = field;
  if (isProblems(field)) return readProblems(values);
  if (kind === 'flag') return values.isOn(name) || undefined;
  if (kind === 'choices') return values.all(name);
  const text = values.text(name);
  if (text === undefined) return undefined;
  if (isMoney(field, fields)) return parseAmount(text, values.text('currency')?.toUpperCase()) ?? text;
  if (kind === 'texts') return text.split(/[,\s]+/).filter((word) => word !== '');
  if (kind === 'number') return Number.isNaN(Number(text)) ? text : Number(text);
  return kind === 'json' ? parseJson(text) : text;
}

/** Text that is no JSON goes to the service unchanged, and the service answers what it expects. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
