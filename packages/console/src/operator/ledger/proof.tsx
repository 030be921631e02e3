import { useEffect } from 'preact/hooks';
import type { LedgerCheck, LedgerFinding, LedgerProof } from '../../api/operator/generated/schemas.ts';
import { operator } from '../../api/operator/session.ts';
import { invalidate, useQuery } from '../../api/query.ts';
import { Actor, Sentence } from '../../ui/id.tsx';
import { Facts, Screen, Section } from '../../ui/layout.tsx';
import { ChangeButton } from '../../ui/operator/change.tsx';
import { Loaded, RuleLink } from '../../ui/states.tsx';
import { Status, type StatusKind } from '../../ui/status.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { Heads } from './heads.tsx';
import { ledgerAddress } from './moment.ts';

const AGAIN_MS = 1_000;

/** Answers: how do I know that the books are right, and that nobody changed them? */
export default function ProofScreen() {
  const proofs = useQuery(['listLedgerProofs'], () => operator.listLedgerProofs());
  const checks = useQuery(['listLedgerChecks'], () => operator.listLedgerChecks());
  const [latest] = proofs.data?.data ?? [];
  const isOpen = latest !== undefined && latest.finishedAt === undefined;
  useEffect(() => {
    if (!isOpen) return undefined;
    const timer = setInterval(() => invalidate('listLedgerProofs'), AGAIN_MS);
    return () => clearInterval(timer);
  }, [isOpen]);
  return (
    <Screen
      title="Proof of the books"
      answer={proofs.data && sayLatest(latest)}
      actions={
        !isOpen && (
          <ChangeButton
            operation="proveLedger"
            label="Verify the ledger"
            kind="primary"
            onDone={() => invalidate('listLedgerProofs')}
          />
        )
      }
    >
      {latest && <About proof={latest} />}
      <Loaded read={checks} what="The checks could not be loaded." lines={8}>
        {({ checks: all }) => <Checks checks={all} proof={latest} />}
      </Loaded>
      <Heads />
    </Screen>
  );
}

function sayLatest(proof: LedgerProof | undefined): string {
  if (!proof) return 'Nobody has verified the ledger here yet. Each check below says what it proves.';
  const broken = proof.findings.filter(({ violations }) => violations.length > 0).length;
  switch (proof.status) {
    case 'WAITING':
      return 'The verification waits for a worker.';
    case 'RUNNING':
      return `The verification runs: ${proof.findings.length} of ${proof.checks} checks are done.`;
    case 'HOLDS':
      return 'Every check held when the ledger was verified last.';
    case 'BROKEN':
      return broken === 1
        ? 'One check is broken. It says which entry.'
        : `${broken} checks are broken. They say which entries.`;
    default:
      return `The last verification ended without a result: ${proof.trouble}.`;
  }
}

function About({
  proof: { number, status, madeBy, begunAt, finishedAt, findings, checks },
}: {
  proof: LedgerProof;
}) {
  return (
    <Section title={`Verification ${number}`} isCard>
      <Facts
        facts={{
          Status: <Status value={status} kind={STATUS_KINDS[status] ?? 'wait'} />,
          'Asked for by': <Actor by={madeBy} />,
          'The books of': begunAt && <Time at={begunAt} clock="real" isExact />,
          Ended: finishedAt && <Time at={finishedAt} clock="real" isExact />,
        }}
      />
      <progress
        class="ledger-progress"
        value={findings.length}
        max={checks}
        aria-label="Checks that are done"
      />
    </Section>
  );
}

const STATUS_KINDS: Readonly<Record<string, StatusKind>> = { HOLDS: 'good', BROKEN: 'bad', STOPPED: 'bad' };

interface ChecksProps {
  readonly checks: readonly LedgerCheck[];
  readonly proof: LedgerProof | undefined;
}

function Checks({ checks, proof }: ChecksProps) {
  const found = new Map((proof?.findings ?? []).map((finding) => [finding.place, finding]));
  const isAt = (place: number) => proof?.status === 'RUNNING' && proof.place === place;
  return (
    <Section title="Checks" hint="All checks see the same moment of the database, while the service goes on.">
      <Table
        caption="Checks of the ledger"
        rows={checks}
        keyOf={({ place }) => String(place)}
        columns={[
          {
            title: 'Proves that',
            isWide: true,
            cell: (check) => <Proves check={check} finding={found.get(check.place)} />,
          },
          { title: 'Result', cell: ({ place }) => <Result finding={found.get(place)} isNow={isAt(place)} /> },
          {
            title: 'Examined',
            align: 'end',
            cell: ({ place }) => {
              const examined = found.get(place)?.examined;
              return examined === undefined ? null : BigInt(examined).toLocaleString('en');
            },
          },
          { title: 'Rule', cell: ({ rule }) => <RuleLink rule={rule} /> },
        ]}
      />
    </Section>
  );
}

function Proves({ check, finding }: { check: LedgerCheck; finding: LedgerFinding | undefined }) {
  return (
    <>
      {check.proves}
      {finding && finding.violations.length > 0 && (
        <ul class="ledger-violations">
          {finding.violations.map((violation) => (
            <li key={violation}>
              <Violation text={violation} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** Entries, transactions and platforms are links, so that nobody has to look for what is wrong. */
function Violation({ text }: { text: string }) {
  const [, before, number, platform, after = ''] =
    /^(.*?)entry (\d+) of platform (\S+)(.*)$/.exec(text) ?? [];
  if (number === undefined)
    return <Sentence text={text.replaceAll(/\b(platform|transaction) (?=\S{36}\b)/g, asId)} />;
  return (
    <>
      {before}
      <a href={ledgerAddress(`/entries/${number}`, { platform: `Platform:${platform}` })}>entry {number}</a>{' '}
      of <Sentence text={`Platform:${platform}${after}`} />
    </>
  );
}

const asId = (_all: string, kind: string) => (kind === 'platform' ? 'Platform:' : 'Transaction:');

function Result({ finding, isNow }: { finding: LedgerFinding | undefined; isNow: boolean }) {
  if (finding) {
    const holds = finding.violations.length === 0;
    return <Status value="FOUND" kind={holds ? 'good' : 'bad'} word={holds ? 'Holds' : 'Broken'} />;
  }
  return isNow ? <Status value="RUNNING" kind="wait" /> : <span class="soft">–</span>;
}
