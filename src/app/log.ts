import { type DestinationStream, type Logger, pino, type SerializedError, stdSerializers } from 'pino';
import type { LogLevel } from '#app/config.ts';
import { sqlFailure } from '#foundation/database/failures.ts';

/** Everything a running server writes to standard output: readable lines in a terminal, JSON otherwise. */
export interface Output {
  readonly log: Logger;
  /** Reports progress in one line. */
  report(line: string): void;
  /** Whether a person reads the output: only then may a secret be printed. */
  readonly isTerminal: boolean;
  /** Prints facts under a title at every log level. */
  printFacts(title: string, facts: Readonly<Record<string, string>>): void;
}

export async function openOutput(options: { level: LogLevel; isTerminal: boolean }): Promise<Output> {
  const { level, isTerminal } = options;
  return isTerminal ? terminalOutput(level) : jsonOutput(level);
}

/** One line for each entry. A request's line already contains these fields, which are there for programs. */
export const TERMINAL = {
  translateTime: 'SYS:HH:MM:ss.l',
  singleLine: true,
  ignore: 'operation,method,path,status,code,ms',
};

async function terminalOutput(level: LogLevel): Promise<Output> {
  const { PinoPretty } = await import('pino-pretty');
  const pretty = PinoPretty({ ...TERMINAL, destination: 1, sync: true });
  return {
    log: createLog(level, pretty),
    isTerminal: true,
    report: (line) => void process.stdout.write(`${line}\n`),
    printFacts(title, facts) {
      const width = Math.max(...Object.keys(facts).map((name) => name.length));
      const lines = Object.entries(facts).map(([name, value]) => `  ${name.padEnd(width)}  ${value}\n`);
      process.stdout.write(`\n${title}\n${lines.join('')}\n`);
    },
  };
}

function jsonOutput(level: LogLevel): Output {
  const destination = pino.destination({ dest: 1, sync: false });
  const log = createLog(level, destination);
  return {
    log,
    isTerminal: false,
    report: (line) => log.info(line),
    printFacts(title, facts) {
      const named = Object.entries(facts).map(([name, value]) => [camelCase(name), value]);
      const record = { level: 'info', time: new Date(), msg: title, ...Object.fromEntries(named) };
      destination.write(`${JSON.stringify(record)}\n`);
    },
  };
}

function camelCase(name: string): string {
  return name.toLowerCase().replace(/ (\w)/g, (_whole, letter: string) => letter.toUpperCase());
}

/** Logs contain ids, never bodies; secrets that are logged by mistake are redacted. */
export function createLog(level: LogLevel, destination: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: secretPaths(), censor: '[secret]' },
    serializers: { err: serializeError, error: serializeError },
  };
  return pino(options, destination);
}

const SECRET_NAMES = [
  'authorization',
  'password',
  'secret',
  'clientSecret',
  'token',
  'cookie',
  'body',
  'encryptionKey',
  'databaseUrl',
  'personKeysUrl',
  'pan',
  'securityCode',
];

/** Where a secret might be logged by mistake: at the top level, one level down, or in the headers of a request. */
function secretPaths(): string[] {
  return SECRET_NAMES.flatMap((name) => [name, `*.${name}`, `*.headers.${name}`]);
}

/** PostgreSQL's messages quote values, which may be personal data; its codes and the names of columns and constraints do not. */
function serializeError(error: Error): SerializedError | Record<string, unknown> {
  const failure = sqlFailure(error);
  if (!failure) return serializePlainError(error);
  const frames = error.stack?.split('\n').filter((line) => line.startsWith('    at ')) ?? [];
  return { type: 'DatabaseError', message: `SQLSTATE ${failure.code}`, ...failure, stack: frames.join('\n') };
}

/** Keeps only the properties that every error has: others may contain the arguments of the failed call. */
function serializePlainError(error: Error): Record<string, unknown> {
  const { type, message, stack } = stdSerializers.err(error);
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {};
  return { type, message, stack, ...code };
}
