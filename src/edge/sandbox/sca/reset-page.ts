import type { FastifyInstance } from 'fastify';
import { applyLiveness, findResetStatus } from '#capabilities/sca/factors/reset-factor.ts';
import type { ResetStatus } from '#capabilities/sca/schemas.ts';
import { readVisit } from '#edge/sandbox/identity/liveness.ts';
import {
  answerFailure,
  type PageText,
  SPENT,
  sandboxWork,
  sendPage,
} from '#edge/sandbox/identity/liveness-page.ts';
import { FACTOR_RESETS_TABLE } from '#edge/sandbox/sca/sca-table.ts';
import { rowFor } from '#edge/sandbox/table.ts';
import type { Runtime } from '#foundation/database/tx.ts';
import { html } from '#foundation/http/html-page.ts';

/**
 * `/factor-reset/<token>`: in place of a provider's camera check. Opening it with `result=fail` fails the check
 * (customers.md §7.64), which is why a GET may change something here.
 */
export function registerResetPage(app: FastifyInstance, runtime: Runtime): void {
  app.get('/factor-reset/:token', { errorHandler: answerFailure }, async (request, reply) => {
    const { token } = request.params as { token: string };
    const visit = readVisit(runtime.vault, 'reset', token);
    const work = visit && (await sandboxWork(runtime, visit));
    if (!work) return sendPage(reply, 404, SPENT);
    const { result } = request.query as { result?: unknown };
    if (!rowFor(FACTOR_RESETS_TABLE, `result=${result}`).does.passed) {
      const counted = await work.write((tx) => applyLiveness(tx, visit.reference, 'failed'));
      if (counted) return sendPage(reply, 200, FAILED);
    }
    const status = await work.read((tx) => findResetStatus(tx, visit.reference));
    const page = status && PAGES[status];
    return page ? sendPage(reply, 200, page) : sendPage(reply, 404, SPENT);
  });
}

const QUESTION: PageText = {
  title: 'Prove that it is you',
  body: html`<p>In production a provider asks you to look into the camera here. This is the sandbox: the check passes by
itself, unless you let it fail now.</p>
<form method="get">
<button name="result" value="fail">Fail</button>
</form>`,
};
const PASSED: PageText = {
  title: 'Passed',
  body: html`<p role="status">The check has passed, and the factor can be reset. You can close this page.</p>`,
};
const FAILED: PageText = {
  title: 'Failed',
  body: html`<p role="status">The factor is not reset. You can close this page.</p>`,
};

/** Until the reset is used or has expired (customers.md §7.16). */
const PAGES: Partial<Record<ResetStatus, PageText>> = {
  INITIATED: QUESTION,
  PENDING_REVIEW: QUESTION,
  LIVENESS_PASSED: PASSED,
};
