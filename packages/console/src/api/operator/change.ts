/** One field of what an operator's change asks for, as the operators' document describes it. */
export interface ChangeField {
  readonly name: string;
  readonly kind: 'text' | 'lines' | 'number' | 'flag' | 'choice' | 'choices' | 'texts' | 'json';
  readonly hint?: string;
  readonly isRequired?: boolean;
  readonly options?: readonly string[];
  readonly initial?: string | number | boolean;
}

/** What an operation that changes something asks for. */
export interface Change {
  readonly about: string;
  readonly asksReason: boolean;
  readonly fields: readonly ChangeField[];
}
