import { pino, stdTimeFunctions } from 'pino';
import { type Logger, printable, withoutPasswords } from '#libs/domain';
import { activeSpan } from '#libs/tracing';
import { writeLogLine } from './standard-streams.ts';

/** Minimum level of logged lines. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** Options of a process logger. */
export interface LoggerOptions {
  /** Name of the process, in every line as `service`. */
  service: string;
  /** A function is called for each line, also by existing `child` loggers. */
  level: LogLevel | (() => LogLevel);
  /** Human-readable lines instead of JSON. */
  pretty: boolean;
  /** Destination of the lines. Default: standard error, so that standard output only has results. */
  write?: (line: string) => void;
}

/** Names of fields whose values are never written, on three levels. */
const secretNames = [
  ...['password', 'token', 'secret', 'authorization', 'cookie', 'adminPass', 'api_key'],
  ...['Authorization', 'Cookie', 'x-auth-token', 'X-Auth-Token', 'x-subject-token', 'X-Subject-Token'],
];
const secretFields = secretNames.flatMap((name) => ['', '*', '*.*'].map((path) => `${path}["${name}"]`));

/** Creates a structured logger: one JSON object a line, with time, level, service and the given fields. */
export function createLogger(options: LoggerOptions): Logger {
  const print = options.write ?? writeLogLine;
  const write = (line: string) => print(printable(withoutPasswords(line), '\n'));
  const level = typeof options.level === 'function' ? options.level : null;
  const destination = { write: options.pretty ? (line: string) => write(formatForPeople(line)) : write };
  return pino(
    {
      level: typeof options.level === 'function' ? 'debug' : options.level,
      base: { service: options.service, pid: process.pid },
      timestamp: stdTimeFunctions.isoTime,
      redact: { paths: secretFields, censor: '[hidden]' },
      formatters: { level: (label) => ({ level: label }) },
      serializers: { error: pinoError },
      mixin: idsOfTrace,
      hooks: {
        logMethod(line, log, number) {
          if (level === null || number >= pino.levels.values[level()]!) log.apply(this, line);
        },
      },
    },
    destination,
  );
}

/** Links a line to the trace of its work. */
function idsOfTrace(): object {
  const context = activeSpan()?.context;
  return context === undefined ? {} : { trace_id: context.traceId, span_id: context.spanId };
}

/** Message, code and stack of a thrown value and of its causes. */
function pinoError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { name, message, stack } = error;
  const code = 'code' in error ? error.code : undefined;
  const requestId = 'requestId' in error ? error.requestId : undefined;
  return {
    name,
    message,
    code,
    requestId,
    stack,
    cause: error.cause === undefined ? undefined : pinoError(error.cause),
  };
}

function formatForPeople(line: string): string {
  const { time, level, service, msg, pid: _pid, ...fields } = JSON.parse(line) as Record<string, unknown>;
  const rest = Object.entries(fields).map(([name, value]) => {
    const shown =
      name === 'error' && typeof value === 'object' && value !== null && 'message' in value ? value.message : value;
    return `${name}=${typeof shown === 'string' ? shown : JSON.stringify(shown)}`;
  });
  const text = `${String(time).slice(11, 23)} ${String(level).padEnd(5)} ${String(service).padEnd(15)} ${msg} ${rest.join(' ')}`;
  return `${printable(text)}\n`;
}
