/** The settings of Scalar, which shows the document. */
const CONFIGURATION = {
  // The page must work offline: nothing from elsewhere, and no links to other services.
  withDefaultFonts: false,
  telemetry: false,
  showDeveloperTools: 'never',
  hideClientButton: true,
  // The page links to the document itself; Scalar's copy contains marks for its own use.
  documentDownloadType: 'none',
  agent: { disabled: true },
  mcp: { disabled: true },
};

/**
 * Runs before the bundle looks these names up. Scalar stores credentials in `localStorage`, where they would outlive the
 * tab and be visible to every other tab. So on this page `localStorage` is the tab's session storage; if a browser does
 * not allow that, credentials are not stored at all. Requests omit the browser's own credentials: otherwise the browser
 * would answer a 401 with a prompt of its own, and the call would wait for it.
 */
export const STORAGE_SCRIPT = `
try {
  Object.defineProperty(window, 'localStorage', { value: window.sessionStorage });
} catch {}
const ask = window.fetch;
window.fetch = (input, init) => ask(input, { ...init, credentials: 'omit' });
`;

/**
 * Repairs Scalar's markup for screen readers and keyboards as it appears: fields without a name that claim to be lists,
 * buttons without a name or a role, names that omit the visible text, regions of the same name, areas that only a mouse
 * can scroll, and a page that stays reachable behind its dialog.
 */
const MENDING_SCRIPT = `
const labelOf = (field) => {
  const { id } = field.closest('.code-input-lite') ?? field;
  const label = field.closest('label') ?? (id && document.querySelector('label[for="' + id + '"]'));
  return label?.textContent || field.dataset.placeholder || 'Value';
};
const nameOf = (field) => {
  const name = (field.getAttribute('aria-label') ?? labelOf(field)).trim();
  const row = field.closest('tr')?.querySelector('input[type=checkbox]')?.getAttribute('aria-label') ?? '';
  const [, key = 'row'] = /^Include (.+) in request$/.exec(row) ?? [];
  return name === 'Value' && key !== 'row' ? 'Value of ' + key : name;
};
const mend = () => {
  const all = (selector) => document.querySelectorAll(selector);
  for (const field of all('[role=combobox].code-input-lite__editor')) field.setAttribute('role', 'textbox');
  for (const field of all('.code-input-lite__editor:not([aria-labelledby])')) {
    const name = nameOf(field);
    if (field.getAttribute('aria-label') !== name) field.setAttribute('aria-label', name);
  }
  for (const button of all('button.show-more[aria-label]')) {
    const [name, text] = [button.getAttribute('aria-label'), button.textContent.trim()];
    if (!name.startsWith(text)) button.setAttribute('aria-label', text + ': ' + name);
  }
  for (const button of all('button[class*="copy-button"]:not([aria-label])')) button.setAttribute('aria-label', 'Copy');
  for (const card of all('.response-card[role=region]')) card.setAttribute('role', 'group');
  for (const list of all('ul.endpoints:not([tabindex])')) list.tabIndex = 0;
  for (const button of all('button[role=none]')) button.removeAttribute('role');
  for (const button of all('[role=dialog] button[class*="copy-button"][aria-controls]')) {
    if (!document.getElementById(button.getAttribute('aria-controls'))) button.removeAttribute('aria-controls');
  }
  for (const editor of all('.cm-content[role=textbox]:not([aria-label])')) {
    editor.setAttribute('aria-label', editor.isContentEditable ? 'Request body' : 'Response body');
    if (editor.isContentEditable) editor.setAttribute('aria-description', 'Press Escape, then Tab, to leave the editor.');
  }
  for (const shown of all('.cm-scroller[tabindex="-1"]:has(> .cm-content[contenteditable=false])')) shown.tabIndex = 0;
  const isCovered = document.querySelector('.scalar-client--open') !== null;
  for (const part of all('.corridor-pages, main[aria-label^="API documentation"], aside[aria-label^="Sidebar for"]')) {
    if (isCovered) part.setAttribute('aria-hidden', 'true');
    else part.removeAttribute('aria-hidden');
  }
};
new MutationObserver(mend).observe(document.body, {
  childList: true,
  subtree: true,
  attributeFilter: ['aria-label', 'role', 'class', 'contenteditable'],
});
`;

/**
 * Scalar would send every optional parameter for which it can invent a value, such as the first type of customer, and the
 * signature that an example shows. This script unticks them, so that an unchanged call sends the example alone, and of a
 * signed call the first leg. A reader can tick the rest.
 */
const EXAMPLES_SCRIPT = `
const leaveOut = (parameter, titles, value) => {
  const left = titles.map((title) => [title, { value, ...parameter.examples?.[title], 'x-disabled': true }]);
  parameter.examples = Object.fromEntries(left);
};
const leaveOutOptional = (reference) => {
  const schemaOf = ({ $ref, ...schema } = {}) => $ref ? reference.components.schemas[$ref.split('/').at(-1)] : schema;
  for (const { parameters = [], requestBody } of Object.values(reference.paths).flatMap(Object.values)) {
    const shown = [...Object.values(requestBody?.content ?? {}), ...parameters].flatMap(({ examples = {} }) => Object.keys(examples));
    for (const parameter of parameters.filter(({ required }) => !required)) {
      const { default: usual, enum: values, examples } = schemaOf(parameter.schema);
      const [made] = values ?? examples ?? [];
      const isMadeUp = !parameter.examples && usual === undefined && made !== undefined;
      const isSignature = parameter.in === 'header' && parameter.examples;
      if (isMadeUp || isSignature) leaveOut(parameter, shown.length > 0 ? shown : ['default'], made ?? '');
    }
  }
  return reference;
};
`;

export const REFERENCE_SCRIPT = `
let persistAuth = false;
try {
  persistAuth = window.localStorage === window.sessionStorage;
} catch {}
${MENDING_SCRIPT}
${EXAMPLES_SCRIPT}
fetch('/openapi.json')
  .then(async (reply) => leaveOutOptional(await reply.json()))
  .then((content) => Scalar.createApiReference('#app', { ...${JSON.stringify(CONFIGURATION)}, content, persistAuth }))
  .catch(() => {
    document.querySelector('#app').innerHTML =
      '<p role="alert" style="margin: 2rem">The OpenAPI document could not be read. Load the page again.</p>';
  });
`;

export const REFERENCE_STYLE = `
:root { --scalar-custom-header-height: 2.5rem; }
.corridor-pages { position: sticky; top: 0; z-index: 10; box-sizing: border-box; height: 2.5rem; display: flex; gap: 1.25rem;
  align-items: center; padding: 0 1.5rem; font: var(--size)/1 var(--font); overflow-x: auto;
  white-space: nowrap; background: var(--card); border-bottom: 1px solid var(--line); color: var(--soft); }
.corridor-pages a { color: var(--soft); text-decoration: none; }
.corridor-pages a:hover { color: var(--ink); }
.corridor-pages a[aria-current] { color: var(--ink); font-weight: 600; }
/* The header follows the page's switch. */
.light-mode { color-scheme: light; }
.dark-mode { color-scheme: dark; }
/* Scalar's own greys and colours are too pale for some readers. */
.light-mode { --scalar-color-2: #545454; --scalar-color-3: #5f5f5f; --scalar-color-accent: #0062ad; --scalar-color-green: #04603f;
  --scalar-color-red: #a80006; --scalar-color-yellow: #6b5000; --scalar-color-blue: #00578f; --scalar-color-orange: #933300;
  --scalar-color-purple: #4b02bd; --scalar-color-query: #005a5e; }
.dark-mode { --scalar-color-2: #c0c0c0; --scalar-color-3: #b0b0b0; --scalar-color-green: #3ddc84; --scalar-color-red: #ff8a85;
  --scalar-color-blue: #7cc7f3; --scalar-color-orange: #ffab78; --scalar-color-purple: #c7adff; }
/* Shows the keyboard focus, also where Scalar's own outline is invisible. */
.scalar-app :is(button, a, .cm-scroller, ul):focus-visible,
.scalar-app :is(label, td, div):has(> input[type=checkbox]:focus-visible),
.scalar-app .cm-editor:has(.cm-content:focus-visible) {
  outline: 2px solid var(--scalar-color-accent) !important; outline-offset: -2px; }
.scalar-app .cm-editor:has(.cm-content[contenteditable=true]:focus-visible)::after {
  content: 'Press Escape, then Tab, to leave the editor.'; padding: .25rem .75rem; font-size: .8rem; color: var(--scalar-color-2); }
.corridor-pages a:focus-visible { outline: 3px solid var(--focus); outline-offset: -3px; }
`;
