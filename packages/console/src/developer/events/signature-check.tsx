import { type PublicKey, verifyWebhook } from '@corridor/client';
import { useId, useState } from 'preact/hooks';
import { useQuery } from '../../api/query.ts';
import { corridor, session } from '../../api/session.ts';
import { Failed } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';

interface Verdict {
  readonly isGood: boolean;
  readonly text: string;
}

/** Checks a signature in the browser. With `bodies`, those of the attempts, only the header is asked for. */
export function SignatureCheck({ bodies: known }: { bodies?: readonly string[] }) {
  const id = useId();
  const keys = useQuery(['listWebhookKeys'], async () => (await corridor.listWebhookKeys()).data);
  const [verdict, setVerdict] = useState<Verdict>();
  const check = async (event: Event) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    // A whole line of a log works, too: `x-svc-signature: {…}`.
    const header = String(form.get('header'))
      .trim()
      .replace(/^[\w-]+:\s*(?=\{)/, '');
    setVerdict(
      known
        ? await judgeAttempts(known, header, keys.data ?? [])
        : await judge(String(form.get('body')), header, keys.data ?? []),
    );
  };
  if (keys.failure)
    return <Failed what="The keys could not be loaded." failure={keys.failure} retry={keys.retry} />;
  return (
    <form class="form" onSubmit={check} noValidate>
      {known === undefined && (
        <div class="field">
          <label for={`${id}-body`}>Body</label>
          <textarea id={`${id}-body`} name="body" spellcheck={false} />
          <p class="field-hint">The exact bytes that arrived, before any framework parsed them.</p>
        </div>
      )}
      <div class="field">
        <label for={`${id}-header`}>Header X-{session.value?.serviceName ?? 'Svc'}-Signature</label>
        <input
          id={`${id}-header`}
          name="header"
          class="events-header"
          placeholder='{"v":"1","s":"…"}'
          autoComplete="off"
          spellcheck={false}
        />
      </div>
      <div class="form-foot">
        <button type="submit">Check</button>
      </div>
      <Said verdict={verdict} />
    </form>
  );
}

function Said({ verdict }: { verdict: Verdict | undefined }) {
  return (
    <p class="events-verdict" role="status">
      {verdict && (
        <>
          <Status
            value="verdict"
            kind={verdict.isGood ? 'good' : 'bad'}
            word={verdict.isGood ? 'Valid' : 'Not valid'}
          />{' '}
          {verdict.text}
        </>
      )}
    </p>
  );
}

/** The header may belong to any attempt. */
async function judgeAttempts(
  bodies: readonly string[],
  header: string,
  keys: readonly PublicKey[],
): Promise<Verdict> {
  let verdict: Verdict = { isGood: false, text: 'Nothing has been sent.' };
  for (const [i, body] of bodies.entries()) {
    verdict = await judge(body, header, keys);
    if (verdict.isGood) return { ...verdict, text: `${verdict.text} It belongs to attempt ${i + 1}.` };
  }
  return verdict;
}

/** Says whether one of the keys signed the body and, if none did, whether one signed a body that a program has changed. */
async function judge(body: string, header: string, keys: readonly PublicKey[]): Promise<Verdict> {
  if (globalThis.crypto?.subtle === undefined) {
    return { isGood: false, text: 'Browsers can check signatures only over https or on localhost.' };
  }
  const signer = await findSigner(body, header, keys);
  if ('key' in signer) {
    return { isGood: true, text: `${signer.key} signed exactly this body${sayAge(body)}.` };
  }
  for (const [change, changed] of changesOf(body)) {
    const other = await findSigner(changed, header, keys);
    if ('key' in other)
      return {
        isGood: false,
        text: `The signature matches the same body ${change}. Check the exact bytes that arrive.`,
      };
  }
  return { isGood: false, text: signer.reason };
}

async function findSigner(
  body: string,
  header: string,
  keys: readonly PublicKey[],
): Promise<{ key: string } | { reason: string }> {
  let reason = 'No key has been published.';
  for (const key of keys) {
    try {
      await verifyWebhook(body, header, [key.publicKey], { toleranceSeconds: Number.POSITIVE_INFINITY });
      return { key: key.id };
    } catch (error) {
      // A body that is not JSON is refused only after its signature was verified.
      if (error instanceof SyntaxError) return { key: key.id };
      reason = (error as { reason?: string }).reason ?? String(error);
    }
  }
  return { reason };
}

/** What frameworks do to a body: they parse it and write it again, indent it, or add a line's end. */
function* changesOf(body: string): Generator<readonly [string, string]> {
  if (body.trim() !== body) yield ['without the whitespace around it', body.trim()];
  try {
    const parsed: unknown = JSON.parse(body);
    yield ['on one line', JSON.stringify(parsed)];
  } catch {
    // The body is not JSON, so it has no other form.
  }
}

function sayAge(body: string): string {
  try {
    const { timestamp } = JSON.parse(body) as { timestamp?: string };
    if (timestamp === undefined) return '';
    const minutes = Math.round((Date.now() - Date.parse(timestamp)) / 60_000);
    return minutes < 5
      ? ''
      : `. It is ${minutes} minutes old, so an endpoint that allows five minutes refuses it`;
  } catch {
    return '';
  }
}
