import { useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso/router';
import type { OperatorOperation } from '../../api/operator/call.ts';
import { ROLES } from '../../api/operator/generated/summaries.ts';
import { hasRole, operator } from '../../api/operator/session.ts';
import { useQuery } from '../../api/query.ts';
import { Id } from '../../ui/id.tsx';
import { Facts, Screen, Section } from '../../ui/layout.tsx';
import { ChangeButton } from '../../ui/operator/change.tsx';
import { ProposalsAbout } from '../../ui/operator/proposals-about.tsx';
import { type Disclose, RecordFacts } from '../../ui/operator/record.tsx';
import { Loaded } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { sayField, Text } from '../../ui/text.tsx';
import { Explained } from './explained.tsx';
import type { Fields, Kind } from './kind.ts';
import { kindAt } from './kinds.ts';
import { Parts } from './parts.tsx';
import { Suggestions } from './suggestions.tsx';

/** Answers: how is it with this one, and what may I do about it? */
export default function Record() {
  const { path } = useLocation();
  const { id = '' } = useRoute().params;
  return <OneRecord key={id} kind={kindAt(path)} id={id} />;
}

function OneRecord({ kind, id }: { kind: Kind; id: string }) {
  const { show = kind.list } = kind;
  const record = useQuery([show, id], () =>
    (operator[show] as unknown as (id: string) => PromiseLike<Fields>)(id),
  );
  const [shown, setShown] = useState<Readonly<Record<string, string>>>({});
  const disclose = discloserOf(kind, id, shown, (field, value) => setShown({ ...shown, [field]: value }));
  const [, status] = Object.entries(record.data ?? {}).find(([name]) => /status$/i.test(name)) ?? [];
  return (
    <Screen
      title={kind.one}
      answer={typeof status === 'string' ? <Status value={status} /> : undefined}
      actions={record.data && <Changes kind={kind} id={id} record={record.data} />}
    >
      <p>
        <Id id={id} isWhole />
      </p>
      {kind.explain && <Explained operation={kind.explain} id={id} />}
      <Loaded read={record} what={`The ${kind.one.toLowerCase()} could not be loaded.`} lines={8}>
        {({ id: _shownAbove, ...data }) => <RecordFacts record={data} disclose={disclose} />}
      </Loaded>
      {record.data && kind.suggest && <Suggestions operation={kind.suggest} id={id} />}
      {record.data && disclose && <OtherField kind={kind} id={id} shown={shown} setShown={setShown} />}
      <ProposalsAbout id={kind.about?.(id) ?? id} />
      {record.data && <Parts kind={kind} id={id} record={record.data} />}
    </Screen>
  );
}

function Changes({ kind, id, record }: { kind: Kind; id: string; record: Fields }) {
  return (
    <>
      {kind.changes
        .filter(({ when }) => when?.(record) ?? true)
        .map(({ operation, label, kind: look }) => (
          <ChangeButton key={operation} operation={operation} params={[id]} label={label} kind={look} />
        ))}
    </>
  );
}

/** Shows one masked field in clear, for a reason; undefined: the operator's roles may not (operator.md §4.2). */
function discloserOf(
  kind: Kind,
  id: string,
  shown: Readonly<Record<string, string>>,
  onShown: (field: string, value: string) => void,
): Disclose | undefined {
  const { disclose } = kind;
  if (disclose === undefined || !hasRole(ROLES[disclose] ?? [])) return undefined;
  return (field) =>
    shown[field] === undefined ? (
      <ShowField operation={disclose} id={id} field={field} onShown={onShown} />
    ) : (
      <strong>
        <Text>{shown[field]}</Text>
      </strong>
    );
}

interface ShowFieldProps {
  readonly operation: OperatorOperation;
  readonly id: string;
  readonly field?: string;
  readonly onShown: (field: string, value: string) => void;
}

function ShowField({ operation, id, field, onShown }: ShowFieldProps) {
  return (
    <ChangeButton
      operation={operation}
      params={[id]}
      label={field === undefined ? 'Show a field in clear' : 'Show'}
      kind="quiet"
      {...(field !== undefined && { given: { field } })}
      onDone={({ field: name, value }) => onShown(String(name), value === null ? 'none' : String(value))}
    >
      {field !== undefined && (
        <p>
          Field: <Text>{sayField(field)}</Text>
        </p>
      )}
    </ChangeButton>
  );
}

interface OtherFieldProps {
  readonly kind: Kind;
  readonly id: string;
  readonly shown: Readonly<Record<string, string>>;
  readonly setShown: (shown: Readonly<Record<string, string>>) => void;
}

/** Fields that people wrote are left out of the page, so their place has to be named. */
function OtherField({ kind, id, shown, setShown }: OtherFieldProps) {
  if (kind.disclose === undefined) return null;
  return (
    <Section
      title="Shown in clear"
      hint="It is recorded who looked at which field, and why. Texts that people wrote are left out above."
      actions={
        <ShowField
          operation={kind.disclose}
          id={id}
          onShown={(field, value) => setShown({ ...shown, [field]: value })}
        />
      }
    >
      <Facts
        facts={Object.fromEntries(
          Object.entries(shown).map(([field, value]) => [sayField(field), <Text key={field}>{value}</Text>]),
        )}
      />
    </Section>
  );
}
