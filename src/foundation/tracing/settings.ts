import { isHttpUrl } from '#foundation/lib/urls.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The usual variables of OpenTelemetry that we check ourselves; its libraries read the others. */
export interface TracingSettings {
  /** The share of the traces that begin here to record, from 0 to 1. */
  readonly sampledShare: number;
}

/** Undefined settings: tracing is off, and nothing is loaded. Problems are one line each, as for every setting. */
export function readTracing(environment: Environment): { settings?: TracingSettings; problems: string[] } {
  const text = (name: string): string => environment[name] ?? '';
  const endpoint = text('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT') || text('OTEL_EXPORTER_OTLP_ENDPOINT');
  const isOff = text('OTEL_SDK_DISABLED').toLowerCase() === 'true' || text('OTEL_TRACES_EXPORTER') === 'none';
  if (endpoint === '' || isOff) return { problems: [] };
  const protocol = text('OTEL_EXPORTER_OTLP_TRACES_PROTOCOL') || text('OTEL_EXPORTER_OTLP_PROTOCOL');
  const sampledShare = parseShare(text('OTEL_TRACES_SAMPLER'), text('OTEL_TRACES_SAMPLER_ARG'));
  const problems = [
    ...(isHttpUrl(endpoint) ? [] : [ENDPOINT_RULE]),
    ...(['', 'http/json'].includes(protocol) ? [] : [PROTOCOL_RULE]),
    ...(sampledShare === undefined ? [SAMPLER_RULE] : []),
  ];
  return problems.length > 0 || sampledShare === undefined
    ? { problems }
    : { settings: { sampledShare }, problems };
}

const ENDPOINT_RULE =
  'OTEL_EXPORTER_OTLP_ENDPOINT must be an http:// or https:// URL, such as http://collector:4318';
const PROTOCOL_RULE = 'OTEL_EXPORTER_OTLP_PROTOCOL must be http/json: no other protocol is supported';
const SAMPLER_RULE =
  'OTEL_TRACES_SAMPLER must be always_on, always_off or traceidratio, with or without parentbased_ before it, ' +
  'and OTEL_TRACES_SAMPLER_ARG a share from 0 to 1';

function parseShare(sampler: string, argument: string): number | undefined {
  const name = sampler.replace(/^parentbased_/, '');
  if (name === '' || name === 'always_on') return 1;
  if (name === 'always_off') return 0;
  const share = /^\d*\.?\d+$/.test(argument) ? Number(argument) : argument === '' ? 1 : Number.NaN;
  return name === 'traceidratio' && share >= 0 && share <= 1 ? share : undefined;
}
