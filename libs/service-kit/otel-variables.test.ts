import { expect, it } from 'vitest';
import { readOtelVariables } from './otel-variables.ts';

const ignored: unknown[] = [];
const read = (environment: Record<string, string>) => {
  ignored.length = 0;
  return readOtelVariables(environment, {
    warn: (fields) => void ignored.push((fields as { variable: string }).variable),
  });
};

it('the standard variables name collector, headers, sampler and service', () => {
  const settings = read({
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318',
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20abc,x-tenant=a',
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0.25',
    OTEL_SERVICE_NAME: 'optimizer',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment=test,service.name=other',
  });
  expect(settings).toEqual({
    url: 'http://collector:4318',
    headers: { authorization: 'Bearer abc', 'x-tenant': 'a' },
    ratio: 0.25,
    resource: { 'service.name': 'optimizer', 'deployment.environment': 'test' },
  });
  expect(ignored).toEqual([]);
});

it('variables for traces come before those for all signals', () => {
  const settings = read({
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://all:4318',
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://traces:4318/v1/traces',
    OTEL_EXPORTER_OTLP_HEADERS: 'a=1',
    OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'b=2',
  });
  expect(settings).toMatchObject({ url: 'http://traces:4318/v1/traces', headers: { b: '2' } });
});

it.each([{ OTEL_SDK_DISABLED: 'true' }, { OTEL_TRACES_EXPORTER: 'none' }])('%o turns traces off', (off) => {
  expect(read({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318', ...off } as never).url).toBeUndefined();
});

it.each([
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4317'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'a=%zz'],
  ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
  ['OTEL_TRACES_SAMPLER', 'jaeger_remote'],
  ['OTEL_RESOURCE_ATTRIBUTES', 'no pair'],
])('an invalid %s is ignored and logged', (name, value) => {
  expect(read({ [name]: value })).toEqual({ url: undefined, headers: {}, ratio: undefined, resource: {} });
  expect(ignored).toEqual([name]);
});
