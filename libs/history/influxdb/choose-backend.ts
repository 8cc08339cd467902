import { type Logger, OperatorError } from '#libs/domain';
import { createFluxBackend } from './flux-backend.ts';
import { createInfluxRequest, type InfluxRequest, InfluxStatusError } from './http-transport.ts';
import { type InfluxBackend, type InfluxTarget, type InfluxVersion, requireForVersion2 } from './influx-target.ts';
import { createInfluxqlBackend } from './influxql-backend.ts';

/** Opens the dialect of the target or, with `auto`, of the server's version. @throws OperatorError */
export async function chooseBackend(target: InfluxTarget, timeoutMs: number, logger: Logger): Promise<InfluxBackend> {
  const request = createInfluxRequest(target, timeoutMs);
  const version = target.version === 'auto' ? await detectVersion(request, target) : target.version;
  if (target.version === 'auto') logger.info({ server: target.label, version }, 'InfluxDB generation detected');
  if (version === '2') {
    return createFluxBackend({ origin: target.origin, timeoutMs, tls: target.tls, ...requireForVersion2(target) });
  }
  const database = target.database ?? target.bucket;
  if (database === undefined) throw new OperatorError('VIGIL_INFLUX_URL names neither a bucket nor a database');
  return createInfluxqlBackend({
    request,
    version,
    database,
    createDatabase: target.createDatabase && version === '1',
  });
}

/** Queries `/health`, where 1.8 and later report their version, then the headers of `/ping`. */
async function detectVersion(request: InfluxRequest, target: InfluxTarget): Promise<Exclude<InfluxVersion, 'auto'>> {
  const said = (await requestHealth(request)) ?? (await sendPing(request));
  const major = said === undefined ? undefined : /^v?([123])\./.exec(said)?.[1];
  if (major === '1' || major === '2' || major === '3') return major;
  throw new OperatorError(
    `the server at ${target.label} does not report a known InfluxDB version (${said ?? 'no version'}); ` +
      'set version=1, 2 or 3 in VIGIL_INFLUX_URL',
  );
}

async function requestHealth(request: InfluxRequest): Promise<string | undefined> {
  try {
    const response = await request({ method: 'GET', path: '/health' });
    const body: unknown = JSON.parse(response.text);
    const version = body !== null && typeof body === 'object' && 'version' in body ? body.version : undefined;
    return typeof version === 'string' ? version : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || (error instanceof InfluxStatusError && error.status < 500)) return undefined;
    throw error;
  }
}

async function sendPing(request: InfluxRequest): Promise<string | undefined> {
  try {
    const response = await request({ method: 'GET', path: '/ping' });
    return response.headers['x-influxdb-version'];
  } catch (error) {
    if (error instanceof InfluxStatusError && error.status < 500) return undefined;
    throw error;
  }
}
