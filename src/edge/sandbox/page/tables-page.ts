import type { FastifyInstance } from 'fastify';
import { formatDuration } from '#edge/sandbox/delays-table.ts';
import { rowsOf, SANDBOX_TABLES } from '#edge/sandbox/page/tables.ts';
import { UMA_DOMAIN_PLACEHOLDER } from '#edge/sandbox/rails/uma-table.ts';
import type { SandboxRow, SandboxTable } from '#edge/sandbox/table.ts';
import type { NamedOperation } from '#foundation/http/declare/operation.ts';
import { type CachedContent, cacheContent, sendCached } from '#foundation/http/document/cached-content.ts';
import { FRAME_SCRIPT, FRAME_STYLE, renderFrame } from '#foundation/http/document/reading-frame.ts';
import { anchorOf } from '#foundation/http/document/reference-page.ts';
import { type Html, html, renderHtmlPage } from '#foundation/http/html-page.ts';

export interface SandboxPageParts {
  operations(): readonly NamedOperation[];
  /** The domain whose addresses produce scenarios. */
  readonly umaDomain: string;
}

/** `/docs/sandbox`: everything that a developer can trigger, from the tables that the sandbox's adapters use. */
export function registerSandboxPage(app: FastifyInstance, parts: SandboxPageParts): void {
  let page: Promise<CachedContent> | undefined;
  app.get('/docs/sandbox', async (request, reply) => {
    page ??= keepPage(parts);
    return sendCached(request, reply, await page);
  });
}

function keepPage(parts: SandboxPageParts): Promise<CachedContent> {
  const { text, headers } = renderHtmlPage({
    status: 200,
    title: 'Test values of the sandbox',
    body: pageBody(parts),
    style: STYLE,
    script: FRAME_SCRIPT,
    isShared: true,
    cacheControl: 'no-cache',
  });
  return cacheContent(text, headers);
}

function pageBody({ operations: list, umaDomain }: SandboxPageParts): Html {
  const operations = list();
  const own = operations.filter(({ area }) => area === 'Sandbox');
  const tables = SANDBOX_TABLES.map(({ id, title }) => ({ url: `#${id}`, title }));
  return renderFrame({
    url: '/docs/sandbox',
    places: [{ title: 'On this page', links: [{ url: '#calls', title: 'Calls of the sandbox' }, ...tables] }],
    contents: [],
    main: html`<h1>Test values of the sandbox</h1>
<p>The sandbox sends no payment, request or message to the outside world. The values that you send decide how the outside
world reacts: each table says where to send a value and what happens then. A click selects a value to copy. In production
these values have no special meaning. Agents have no values of their own; the values of the accounts that they use
apply.</p>
<section aria-labelledby="calls">
<h2 id="calls">Calls of the sandbox</h2>
<dl>
${own.map(callEntry)}</dl>
</section>
${SANDBOX_TABLES.map((table) => tableSection(table, operations, umaDomain))}`,
  });
}

function callEntry(operation: NamedOperation): Html {
  return html`<dt>${operationLink(operation)} <code>${operation.method} ${operation.path}</code></dt>
<dd>${prose(operation.description ?? operation.summary)}</dd>
`;
}

function tableSection(table: SandboxTable, operations: readonly NamedOperation[], umaDomain: string): Html {
  const rows = rowsOf(table);
  const isTimed = rows.some(({ overAfterMs }) => overAfterMs !== undefined);
  const named = table.operations.flatMap((id) => operations.filter((operation) => operation.id === id));
  return html`<section>
<h2 id="${table.id}">${table.title}</h2>
<p>${prose(table.intro)}</p>
<p class="soft">Applies to: ${named.map((operation, i) => [i > 0 && ', ', operationLink(operation)])}.</p>
<div class="wide" tabindex="0" role="region" aria-labelledby="${table.id}">
<table>
<thead><tr><th scope="col">${table.column}</th><th scope="col">To copy</th><th scope="col">What happens</th>
<th scope="col">What the API shows</th>${isTimed && html`<th scope="col">Over after</th>`}</tr></thead>
<tbody>
${rows.map((row) => tableRow(row, isTimed, umaDomain))}</tbody>
</table>
</div>
</section>
`;
}

function tableRow(row: SandboxRow, isTimed: boolean, umaDomain: string): Html {
  const { value, example, effect, shows, overAfterMs } = row;
  const shown = Object.entries(shows).map(
    ([path, what]) => html`<li><code>${path}: ${String(what)}</code></li>`,
  );
  return html`<tr><th scope="row">${value}</th>
<td><code class="copy">${example.replace(UMA_DOMAIN_PLACEHOLDER, umaDomain)}</code></td>
<td>${prose(effect)}</td>
<td><ul>${shown}</ul></td>${
    isTimed &&
    html`
<td>${overAfterMs === undefined ? 'at once' : formatDuration(overAfterMs)}</td>`
  }</tr>
`;
}

function operationLink(operation: NamedOperation): Html {
  return html`<a href="/docs/#${anchorOf(operation)}">${operation.summary}</a>`;
}

/** Text between backticks becomes code. */
function prose(text: string): Html[] {
  return text.split('`').map((piece, i) => (i % 2 === 0 ? html`${piece}` : html`<code>${piece}</code>`));
}

const STYLE = `${FRAME_STYLE}
.frame { grid-template-columns: 17rem minmax(0, 1fr); padding-right: var(--s6); max-width: none; }
main { max-width: 76rem; }
main > p, section > p, dd { max-width: 46rem; }
thead th { white-space: nowrap; }
tbody th { font-weight: 600; }
td ul { list-style: none; margin: 0; padding: 0; }
td ul code, .copy { white-space: nowrap; }
.copy { user-select: all; cursor: copy; }
.copy + .copy-button { display: block; margin-top: var(--s1); }
@media (max-width: 52rem) {
  .side { display: block; position: static; max-height: none; padding: var(--s6) 0 0; }
  .side ul { columns: 14rem; }
}
`;
