import type { JournalHeads } from '../../api/operator/generated/schemas.ts';
import { operator } from '../../api/operator/session.ts';
import { useQuery } from '../../api/query.ts';
import { saveText } from '../../api/save.ts';
import { type FilterField, Filters, useFilters } from '../../ui/filters.tsx';
import { Section } from '../../ui/layout.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';

/** The signed ends of a platform's chain: who keeps one elsewhere can show later that nothing before it was changed. */
export function Heads() {
  const filters = useFilters(FIELDS);
  const { platform = '' } = filters.values;
  const heads = useQuery(['listJournalHeads', platform], () => operator.listJournalHeads(platform), {
    isEnabled: platform !== '',
  });
  return (
    <Section
      title="Signed heads of the chain"
      hint="Each entry is chained to the one before it. Keep the file where nobody who has the database can change it: “corridor ledger verify --against” then names the first entry before a head that was changed, removed or inserted. What comes after the last head is not compared."
      actions={
        heads.data && (
          <button type="button" onClick={() => saveHeads(platform, heads.data as JournalHeads)}>
            Save the heads
          </button>
        )
      }
    >
      <Filters fields={FIELDS} filters={filters} />
      {platform === '' ? (
        <Empty title="Name a platform.">
          <p>Each platform has a chain of its own.</p>
        </Empty>
      ) : (
        <Loaded read={heads} what="The heads could not be loaded.">
          {(data) => <HeadsTable data={data} />}
        </Loaded>
      )}
    </Section>
  );
}

function HeadsTable({ data: { heads } }: { data: JournalHeads }) {
  if (heads.length === 0) {
    return (
      <Empty title="No head was signed yet.">
        <p>The service signs one at least every hour in which something was booked.</p>
      </Empty>
    );
  }
  return (
    <Table
      caption="Signed heads"
      rows={heads.toReversed()}
      keyOf={({ seq }) => seq}
      columns={[
        { title: 'Last entry', cell: ({ seq }) => <code>{seq}</code> },
        { title: 'Entries', align: 'end', cell: ({ entries }) => entries },
        { title: 'Signed', cell: ({ madeAt }) => <Time at={madeAt} clock="real" isExact /> },
        { title: 'Key', cell: ({ keyId }) => keyId },
        { title: 'Hash', isWide: true, cell: ({ hash }) => <code class="ledger-hash">{hash}</code> },
      ]}
    />
  );
}

/** The document of `corridor ledger attest`, which `corridor ledger verify --against` reads. */
function saveHeads(platform: string, { heads, keys }: JournalHeads): void {
  const attestation = {
    form: 'corridor-journal-attestation-1',
    madeAt: new Date().toISOString(),
    keys: keys.map(({ id, publicKey }) => ({ id, publicKey })),
    platforms: heads.length === 0 ? [] : [{ platform, heads }],
  };
  const day = attestation.madeAt.slice(0, 10);
  saveText(`heads-${day}.json`, `${JSON.stringify(attestation, null, 2)}\n`);
}

const FIELDS: readonly FilterField[] = [{ name: 'platform', label: 'Platform', kind: 'platform' }];
