import { callersOf, type NamedOperation } from '#foundation/http/declare/operation.ts';
import type { WireNames } from '#foundation/lib/wire-names.ts';

type Json = Record<string, unknown>;

/** What a document says about its API as a whole. */
export interface ApiFrame {
  readonly readers: 'platforms' | 'operators';
  readonly title: string;
  readonly about: string;
  readonly server: string;
  readonly securitySchemes: Json;
  /** What a call needs unless it says otherwise. */
  readonly security: readonly Json[];
}

export function platformsFrame(operations: readonly NamedOperation[], names: WireNames): ApiFrame {
  return {
    readers: 'platforms',
    title: 'Corridor',
    about: about(names),
    server: names.basePath,
    securitySchemes: securitySchemes(operations, names),
    security: [{ BasicAuth: [] }],
  };
}

export const OPERATORS_FRAME: ApiFrame = {
  readers: 'operators',
  title: 'Corridor, for its operators',
  about: `What the people who run the service read and change, over all platforms.

A call carries the cookie of an operator's session. A call that changes something also needs the header
\`X-Corridor-Console: 1\` and comes from the console's own origin. Each operation names the roles that may call it. Values
about people are masked in every reply. Some operations need a second operator: they answer 202 with a proposal, which
another operator approves.`,
  server: '/console/api',
  securitySchemes: {
    OperatorSession: {
      type: 'apiKey',
      in: 'cookie',
      name: '__Host-corridor-operator',
      description: 'The session of an operator who signed in to the console.',
    },
  },
  security: [{ OperatorSession: [] }],
};

const about = ({
  unknownFieldsHeader,
}: WireNames) => `Onboard customers, hold balances, quote and move money across currencies and rails.

Authenticate with HTTP Basic: the token id as username, its secret as password. Amounts are integers in the
smallest unit of their currency. Every reply carries \`X-Request-Id\`. A refusal carries \`code\` for programs,
\`reason\` for people, and \`details.errors\` with every bad field at once. An unknown field or parameter is ignored, and
the header \`${unknownFieldsHeader}\` of the reply names it with the known name that it resembles. Repeat a POST safely by
sending an \`Idempotency-Key\`. Later events are sent to you as signed webhooks.

In the sandbox you choose every outcome with [special values](/docs/sandbox). Each of the [guides](/docs/guides) takes a
few minutes.`;

function securitySchemes(operations: readonly NamedOperation[], names: WireNames): Json {
  const takesAgents = operations.some((operation) => callersOf(operation).includes('agent'));
  return {
    BasicAuth: { type: 'http', scheme: 'basic', description: 'Token id and secret.' },
    ...(takesAgents && {
      AgentAuth: { type: 'http', scheme: 'bearer', description: "An agent's access token." },
    }),
    WebhookSignature: {
      type: 'apiKey',
      in: 'header',
      name: names.signatureHeader,
      description:
        '`{"v":"1","s":"<base64>"}`: DER ECDSA P-256 with SHA-256 over the exact body bytes. ' +
        `The header \`${names.signatureKeyIdHeader}\` names the key, which \`GET /webhooks/keys\` shows.`,
    },
  };
}
