import { useRoute } from 'preact-iso/router';
import type { Proposal as Proposed } from '../../api/operator/generated/schemas.ts';
import { operator, operatorSession } from '../../api/operator/session.ts';
import { useQuery } from '../../api/query.ts';
import { Actor, Id } from '../../ui/id.tsx';
import { Json } from '../../ui/json.tsx';
import { Columns, Facts, Screen, Section } from '../../ui/layout.tsx';
import { ChangeButton } from '../../ui/operator/change.tsx';
import { sayOperation } from '../../ui/operator/words.tsx';
import { Loaded } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { Text } from '../../ui/text.tsx';
import { Time } from '../../ui/time.tsx';
import { Approve } from './approve.tsx';
import { Preview } from './preview.tsx';

const AGAIN_MS = 10_000;

/** Answers: what exactly would happen, who wants it and why, and is it still as they saw it? */
export default function Proposal() {
  const { id = '' } = useRoute().params;
  const read = useQuery(['getProposalById', id], () => operator.getProposalById(id), { everyMs: AGAIN_MS });
  return (
    <Screen
      title={read.data ? sayOperation(read.data.operation) : 'Proposal'}
      answer={read.data && <Answer proposal={read.data} />}
      actions={read.data && <Decisions proposal={read.data} />}
    >
      <Loaded read={read} what="The proposal could not be loaded." lines={8}>
        {(proposal) => (
          <Columns main={<Content proposal={proposal} />} side={<About proposal={proposal} />} />
        )}
      </Loaded>
    </Screen>
  );
}

function Answer({ proposal: { status, expiresAt } }: { proposal: Proposed }) {
  return (
    <>
      <Status value={status} />
      {status === 'PENDING' && (
        <>
          {' '}
          It can be decided until <Time at={expiresAt} clock="real" isExact />.
        </>
      )}
    </>
  );
}

/** What this operator may do about it; the service refuses the rest, too. */
function Decisions({ proposal }: { proposal: Proposed }) {
  const { id, status, makerId, reply } = proposal;
  const isMine = makerId === operatorSession.value?.operator.id;
  const params = [id];
  if (status === 'UNCLAIMED' && isMine) {
    return (
      <>
        <ChangeButton operation="takeProposal" params={params} label="Take it as mine" kind="primary" />
        <ChangeButton operation="withdrawProposal" params={params} label="Withdraw" />
      </>
    );
  }
  if (status === 'APPROVED' && isMine && reply === undefined) {
    return <ShowSecret id={id} />;
  }
  if (status !== 'PENDING') return null;
  if (isMine) return <ChangeButton operation="withdrawProposal" params={params} label="Withdraw" />;
  return (
    <>
      <Approve proposal={proposal} />
      <ChangeButton operation="rejectProposal" params={params} label="Reject" kind="danger" />
    </>
  );
}

/** A token's secret is shown once, to its maker (operator.md §5.8). */
function ShowSecret({ id }: { id: string }) {
  return <ChangeButton operation="showProposalSecret" params={[id]} label="Show the secret" kind="primary" />;
}

function Content({ proposal }: { proposal: Proposed }) {
  const { preview, input, failure, isErased } = proposal;
  return (
    <>
      {isErased && <p>A customer whom it named was erased, and its content with them.</p>}
      {failure !== undefined && (
        <Section title="Why it failed">
          <Json value={failure} label="Refusal" />
        </Section>
      )}
      {preview ? (
        <Preview preview={preview} />
      ) : (
        !isErased && <p>Your roles may not do this, so its content is hidden.</p>
      )}
      {input !== undefined && (
        <Section title="Input" hint="The complete input of the operation.">
          <Json value={input} label="Input" />
        </Section>
      )}
    </>
  );
}

function About({ proposal }: { proposal: Proposed }) {
  const { id, resource, platformId, madeBy, makerId, reason, createdAt, decidedAt, decidedBy, hash } =
    proposal;
  return (
    <Section title="About it" isCard>
      <Facts
        facts={{
          Reason: reason && <Text>{reason}</Text>,
          About: resource && <Id id={resource} />,
          Platform: platformId && <Id id={platformId} />,
          'Proposed by': <Id id={makerId} />,
          'At the command line by': madeBy !== makerId && <Text>{madeBy}</Text>,
          Proposed: <Time at={createdAt} clock="real" />,
          'Decided by': decidedBy && <Actor by={decidedBy} />,
          Decided: decidedAt && <Time at={decidedAt} clock="real" />,
          'Rejected because': proposal.rejectionReason && <Text>{proposal.rejectionReason}</Text>,
          Id: <Id id={id} isWhole />,
          Hash: <code class="proposals-hash">{hash}</code>,
        }}
      />
    </Section>
  );
}
