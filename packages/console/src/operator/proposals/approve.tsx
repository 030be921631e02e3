import { useState } from 'preact/hooks';
import type { Failure } from '../../api/failure.ts';
import type { PreviewOfChange, Proposal } from '../../api/operator/generated/schemas.ts';
import { sign } from '../../api/operator/passkey.ts';
import { operator, operatorSession } from '../../api/operator/session.ts';
import { invalidate } from '../../api/query.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { CallForm, Field } from '../../ui/form.tsx';
import { sayOperation } from '../../ui/operator/words.tsx';
import { Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toast.tsx';
import { Preview } from './preview.tsx';

/** Signs what the page shows with a passkey, and performs it (operator.md §5.4). */
export function Approve({ proposal }: { proposal: Proposal }) {
  const [isOpen, setOpen] = useState(false);
  const { approvesFrom } = operatorSession.value?.operator ?? {};
  if (proposal.preview === undefined) return null;
  if (approvesFrom !== undefined && Date.parse(approvesFrom) > Date.now()) {
    return (
      <p>
        You have a new passkey, and can approve from <Time at={approvesFrom} clock="real" isExact /> on.
      </p>
    );
  }
  return (
    <>
      <button type="button" class="primary" onClick={() => setOpen(true)}>
        Approve…
      </button>
      <Dialog
        title={`${sayOperation(proposal.operation)}: approve`}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
      >
        <p>
          Your passkey signs the hash of what this page shows. The service performs it at once, if its effect
          is still the same.
        </p>
        <ApproveForm proposal={proposal} close={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

function ApproveForm({ proposal: { id, hash }, close }: { proposal: Proposal; close: () => void }) {
  return (
    <CallForm
      build={(values) => values.text('reason') ?? ''}
      perform={async (reason: string) => operator.approveProposal(id, { reason, ...(await sign(hash)) })}
      show={() => null}
      submit={operatorSession.value?.hasPasskey ? 'Approve with a passkey' : 'Approve at the sign-in service'}
      what="It was not approved."
      help={showNewPreview}
      onDone={({ status }: Proposal) => {
        if (status === 'APPROVED') toast('Approved and done.');
        else toast('Approved, but the operation refused. The page says why.', 'bad');
        invalidate();
        close();
      }}
    >
      <Field name="reason" label="Reason" isRequired hint="Why, in one line, for the audit log." />
    </CallForm>
  );
}

/** 409 PROPOSAL_STALE has the effect that the operation would have by now. */
function showNewPreview({ code, details: { preview } }: Failure) {
  if (code !== 'PROPOSAL_STALE' || typeof preview !== 'object' || preview === null) return null;
  return (
    <>
      <p>Nothing happened. Its maker can propose it again. By now it would do this:</p>
      <Preview preview={preview as PreviewOfChange} />
    </>
  );
}
