import { Actor, Id } from '../../ui/id.tsx';
import { Section } from '../../ui/layout.tsx';
import { Table } from '../../ui/table.tsx';
import { sayField, sayName, Text } from '../../ui/text.tsx';
import { Time } from '../../ui/time.tsx';
import type { Changes, Packet, Problem } from './packet.ts';

/** What speaks for or against the customer, besides what was submitted. */
export function History({ packet }: { packet: Packet }) {
  const { changes, problemsFoundByUs, decisions, possibleDuplicates, verifications } = packet;
  const asked = verifications.find(({ errors }) => errors.length > 0);
  return (
    <>
      {changes && <WhatChanged changes={changes} />}
      <Problems title="Problems that we found" problems={problemsFoundByUs} />
      {asked && <Problems title="Requested corrections" problems={asked.errors} />}
      {possibleDuplicates.length > 0 && (
        <Section title="May be the same as">
          <Table
            caption="Possible duplicates"
            rows={possibleDuplicates}
            keyOf={({ customer }) => customer}
            columns={[
              { title: 'Customer', cell: ({ customer }) => <Id id={customer} /> },
              { title: 'Has the same', isWide: true, cell: ({ shares }) => shares.map(sayField).join(', ') },
            ]}
          />
        </Section>
      )}
      {decisions.length > 0 && (
        <Section title="Earlier decisions">
          <Table
            caption="Earlier decisions"
            rows={decisions}
            keyOf={({ at, decision }) => `${at} ${decision}`}
            columns={[
              { title: 'Decision', cell: ({ decision }) => SAID[decision] ?? sayName(decision) },
              { title: 'When', cell: ({ at }) => <Time at={at} clock="real" /> },
              { title: 'By', cell: ({ by }) => <Actor by={by} /> },
              { title: 'Why', isWide: true, cell: ({ reason }) => <Text>{reason}</Text> },
            ]}
          />
        </Section>
      )}
    </>
  );
}

const SAID: Readonly<Record<string, string>> = {
  APPROVE: 'Approved',
  CORRECTABLE: 'Asked for changes',
  REJECT: 'Rejected',
};

function WhatChanged({ changes: { since, changed, added, removed } }: { changes: Changes }) {
  const lists = { Changed: changed, Added: added, Removed: removed };
  const isAny = changed.length + added.length + removed.length > 0;
  return (
    <Section title="Changes since the last submission" isCard>
      <p class="soft">
        That one was closed <Time at={since} />.
      </p>
      {!isAny && <p>Nothing changed.</p>}
      {Object.entries(lists).map(
        ([title, names]) =>
          names.length > 0 && (
            <p key={title}>
              <strong>{title}:</strong> {names.map(sayPlace).join(', ')}.
            </p>
          ),
      )}
    </Section>
  );
}

/** `person.address.line1` as words; the ids in the names of documents and owners say nothing here. */
function sayPlace(place: string): string {
  const words = place
    .replace(/ of (?:Customer|BeneficialOwner):[0-9a-f-]{36}/, '')
    .replace(/[A-Z]\w+:[0-9a-f-]{36}\./, '');
  const [, document] = /^documents\.(.*)$/.exec(words) ?? [];
  return document === undefined ? sayField(words) : `document ${sayName(document)}`;
}

function Problems({ title, problems }: { title: string; problems: readonly Problem[] }) {
  if (problems.length === 0) return null;
  return (
    <Section title={title}>
      <Table
        caption={title}
        rows={problems}
        keyOf={(problem) => JSON.stringify(problem)}
        columns={[
          { title: 'Problem', cell: ({ type }) => sayName(type) },
          { title: 'Field', cell: ({ field }) => field && sayField(field) },
          { title: 'In words', isWide: true, cell: ({ reason }) => <Text>{reason}</Text> },
        ]}
      />
    </Section>
  );
}
