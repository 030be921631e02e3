import type { ChangeField } from '../../api/operator/change.ts';
import { Field, type FormValues } from '../form.tsx';
import { sayName } from '../text.tsx';

/** What reviewers usually find; a command takes every type that verifications have. */
const TYPES = [
  'INVALID_DOCUMENT',
  'EXPIRED_DOCUMENT',
  'UNREADABLE_DOCUMENT',
  'WRONG_DOCUMENT_TYPE',
  'DOCUMENT_VERIFICATION_FAILED',
  'MISSING_FIELD',
  'INVALID_FIELD',
  'APPLICANT_SANCTIONED',
] as const;

const TYPE = 'problemType';
const TEXTS = 'problems';

/** The problems of a review, which the customer reads. */
export function isProblems({ name, kind }: ChangeField): boolean {
  return name === TEXTS && kind === 'json';
}

export function ProblemsInput({ isRequired }: { isRequired: boolean }) {
  return (
    <>
      <Field
        name={TYPE}
        label="Kind of problem"
        type="select"
        options={TYPES.map((type) => [type, sayName(type)] as const)}
      />
      <Field
        name={TEXTS}
        label="Message to the customer"
        type="textarea"
        isRequired={isRequired}
        hint="One problem in each line."
      />
    </>
  );
}

export function readProblems(values: FormValues): unknown {
  const texts = values.text(TEXTS)?.split('\n') ?? [];
  const problems = texts.map((text) => text.trim()).filter((text) => text !== '');
  return problems.length === 0 ? undefined : problems.map((reason) => ({ type: values.text(TYPE), reason }));
}
