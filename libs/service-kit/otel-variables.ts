import type { Logger } from '#libs/domain';

/** Trace settings from the standard variables of OpenTelemetry. */
export interface OtelSettings {
  /** Collector for OTLP over HTTP. Undefined when no variable names one, or traces are off. */
  url?: string;
  headers: Record<string, string>;
  /** Fraction of recorded traces, 0 to 1. Undefined when no sampler is named. */
  ratio?: number;
  /** Attributes of the sender, with `service.name` when set. */
  resource: Record<string, string>;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads `OTEL_*`, as OpenTelemetry specifies them: an invalid value is ignored and logged. Traces are always sent as
 * OTLP over HTTP in JSON.
 */
export function readOtelVariables(environment: Environment, logger: Pick<Logger, 'warn'>): OtelSettings {
  const ignore = (name: string, reason: string) => logger.warn({ variable: name, reason }, 'variable is ignored');
  const isOff = environment.OTEL_SDK_DISABLED?.toLowerCase() === 'true' || environment.OTEL_TRACES_EXPORTER === 'none';
  const [protocolName, protocol] = firstOf(environment, [
    'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL',
    'OTEL_EXPORTER_OTLP_PROTOCOL',
  ]);
  if (protocol === 'grpc') ignore(protocolName, 'traces are sent as http/json');
  const headers = firstOf(environment, ['OTEL_EXPORTER_OTLP_TRACES_HEADERS', 'OTEL_EXPORTER_OTLP_HEADERS']);
  const resource = pairsOf('OTEL_RESOURCE_ATTRIBUTES', environment.OTEL_RESOURCE_ATTRIBUTES, ignore);
  if (environment.OTEL_SERVICE_NAME) resource['service.name'] = environment.OTEL_SERVICE_NAME;
  return {
    url: isOff ? undefined : urlOf(environment, ignore),
    headers: pairsOf(headers[0], headers[1], ignore),
    ratio: ratioOf(environment, ignore),
    resource,
  };
}

type Ignore = (name: string, reason: string) => void;

/** The first of the variables that is not empty. */
function firstOf(environment: Environment, names: [string, string]): [string, string | undefined] {
  const name = names.find((one) => environment[one]) ?? names[1];
  return [name, environment[name] || undefined];
}

function urlOf(environment: Environment, ignore: Ignore): string | undefined {
  const names: [string, string] = ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT'];
  const [name, text] = firstOf(environment, names);
  if (text === undefined) return undefined;
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  ignore(name, 'is no http URL');
  return undefined;
}

/** `name=value` pairs with commas, and values in percent encoding. */
function pairsOf(name: string, text: string | undefined, ignore: Ignore): Record<string, string> {
  const pairs: Record<string, string> = {};
  for (const pair of (text ?? '').split(',').filter((one) => one.trim() !== '')) {
    const [key = '', ...value] = pair.split('=');
    try {
      if (value.length === 0 || key.trim() === '') throw new Error('has a pair without a name or value');
      pairs[decodeURIComponent(key.trim())] = decodeURIComponent(value.join('=').trim());
    } catch (error) {
      ignore(name, error instanceof URIError ? 'is not in percent encoding' : (error as Error).message);
      return {};
    }
  }
  return pairs;
}

function ratioOf(environment: Environment, ignore: Ignore): number | undefined {
  const sampler = environment.OTEL_TRACES_SAMPLER;
  if (!sampler) return undefined;
  switch (sampler.replace(/^parentbased_/, '')) {
    case 'always_on':
      return 1;
    case 'always_off':
      return 0;
    case 'traceidratio': {
      const ratio = Number(environment.OTEL_TRACES_SAMPLER_ARG || 1);
      if (ratio >= 0 && ratio <= 1) return ratio;
      ignore('OTEL_TRACES_SAMPLER_ARG', 'is no number from 0 to 1');
      return undefined;
    }
    default:
      ignore('OTEL_TRACES_SAMPLER', `${sampler} is not supported`);
      return undefined;
  }
}
