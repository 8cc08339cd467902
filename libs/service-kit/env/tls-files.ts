import { readFileSync } from 'node:fs';
import { messageOf, OperatorError } from '#libs/domain';

/** Certificates for TLS, as PEM texts. */
export interface TlsFiles {
  /** Authorities to trust instead of those of the system. */
  ca?: string;
  /** Client certificate and its key. Both or none. */
  cert?: string;
  key?: string;
}

/** Parameters of a URL for files, by their content. The names are those of RabbitMQ. */
const parameters = { ca: 'cacertfile', cert: 'certfile', key: 'keyfile' } as const;
/** All of them, for callers that refuse unknown parameters. */
export const tlsParameters: readonly string[] = Object.values(parameters);

/**
 * The certificates that a URL names with `?cacertfile=…&certfile=…&keyfile=…`. Empty when it names none. Reads them
 * once.
 * @param setting name of the setting with the URL, for errors. They never repeat the URL.
 * @throws OperatorError when the URL has no TLS, a file cannot be read, or only one of certificate and key is named
 */
export function readTlsFiles(url: URL, setting: string): TlsFiles {
  const found: TlsFiles = {};
  for (const [part, parameter] of Object.entries(parameters) as [keyof TlsFiles, string][]) {
    const path = url.searchParams.get(parameter);
    if (!path) continue;
    if (!['https:', 'amqps:'].includes(url.protocol))
      throw invalid(`${setting}: ${parameter} needs a URL with TLS (https:// or amqps://)`);
    try {
      found[part] = readFileSync(path, 'utf8');
    } catch (error) {
      throw invalid(`${setting}: ${parameter} cannot be read: ${messageOf(error)}`, error);
    }
  }
  if ((found.cert === undefined) !== (found.key === undefined))
    throw invalid(`${setting}: certfile and keyfile go together`);
  return found;
}

/** An error of the configuration. Exit code 2 means wrong usage. */
function invalid(text: string, cause?: unknown): OperatorError {
  return new OperatorError(text, { cause, exitCode: 2 });
}
