/**
 * How the code in documents other than guides is tested: every block is listed here, by its language and its first line.
 * `by` is the test that runs it or compares it with the service; `because` says why no test can.
 */
interface Block {
  readonly starts: RegExp;
  readonly by?: string;
  readonly because?: string;
}

const SELF = 'tests/checks/documents.test.ts';
const INSTALLS = 'it asks the public registry; CI installs as it says, by "npm ci"';

export const DOCUMENT_BLOCKS: Readonly<Record<string, readonly Block[]>> = {
  'README.md': [
    { starts: /^sh npm ci\nnpm start$/m, by: 'src/cli/serve/npm-start.test.ts' },
    { starts: /^ Corridor serves a new sandbox platform/, by: SELF },
    { starts: /^sh npm ci\nnpm test$/m, because: INSTALLS },
  ],
  'CONTRIBUTING.md': [{ starts: /^sh npm ci\n/, by: SELF }],
  'packages/client/README.md': [
    { starts: /^ npm ci && npm run client:pack/, because: INSTALLS },
    { starts: /^js \w+(-\w+)*\.mjs /, by: 'tests/client/package.test.ts' },
    { starts: /^json /, by: 'tests/client/package.test.ts' },
  ],
  'packages/console/README.md': [
    {
      starts: /^tsx \/\*\* Answers/,
      because: 'it shows the shape of a screen; each screen of the console is such a one',
    },
  ],
  'deploy/README.md': [{ starts: /^sh cd deploy\n/, because: 'it needs Docker, which CI has not' }],
  'docs/agents.md': [
    { starts: /^sh curl /, by: 'tests/checks/guides.test.ts' },
    { starts: /^json \{\n {2}"mcpServers"/, by: SELF },
    { starts: /^ URL {13}https/, because: 'it is no code: where to connect, and with which header' },
  ],
  'docs/architecture.md': [
    { starts: /^ /, because: 'it is a drawing' },
    { starts: /^mermaid /, because: 'it is a drawing' },
  ],
  'docs/drills.md': [{ starts: /^sh npm run drill list\n/, by: 'tests/drills/frame/drill.test.ts' }],
  'docs/operating.md': [
    {
      starts: /^sh npm start > /,
      because:
        'it serves in this folder; src/cli/cli.test.ts loads the credentials and calls, in another one',
    },
    { starts: /^sh npm run -s corridor -- /, by: SELF },
    {
      starts: /^sh cat > nordbank\.json /,
      because: 'it needs folders of a bank; src/edge/providers/bank-files/read-files.test.ts does the same',
    },
    {
      starts: /^sh cat > coordinates\.json /,
      because:
        'it needs an account of production; src/cli/operator/money/account-commands.test.ts sets one up',
    },
    { starts: /^json \[\n {2}\{\n {4}"version"/, by: 'src/capabilities/customers/terms/terms-file.test.ts' },
    { starts: /^sql /, by: 'tests/upgrades/audit-log.test.ts' },
  ],
  'docs/providers.md': [
    { starts: /^json \{\n {2}"base"/, by: SELF },
    { starts: /^json \{\n {2}"reference"/, by: 'src/edge/providers/messages.test.ts' },
    { starts: /^ OIDC_ISSUERS=/, by: SELF },
  ],
  'docs/state-machines.md': [{ starts: /^mermaid /, by: 'tests/checks/state-machines.test.ts' }],
  'docs/wallets.md': [
    { starts: /^ owner's browser/, because: 'it is a drawing' },
    { starts: /^sh npm init -y /, because: INSTALLS },
    {
      starts: /^js (wallet|call|round)\.js /,
      by: 'src/capabilities/wallet-auth/wallets/wallets-page.test.ts',
    },
    { starts: /^js passkeys\.js /, by: 'src/capabilities/wallet-auth/wallets/wallets-page-browser.test.ts' },
    { starts: /^sh npm run -s corridor -- /, by: SELF },
  ],
};
