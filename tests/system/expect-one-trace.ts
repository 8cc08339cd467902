import { expect } from 'vitest';
import type { OtlpReceiver, ReceivedSpan } from '../otlp-receiver.ts';
import type { LoggedRequest } from './run-loop.ts';
import type { TestStack } from './test-stack.ts';

/** One trace covers the request for an audit up to the requests to Nova. The start of the plan by a user is a link. */
export async function expectOneTrace(
  { spans }: OtlpReceiver,
  { control }: TestStack,
  of: { audit: string; plan: string; actions: number },
): Promise<void> {
  const ofPlan = (name: string) =>
    spans.find((span) => span.name === name && span.attributes['vigil.plan'] === of.plan);
  const measured = () => ofPlan('measure outcome');
  const collected = () => ofPlan('action plan') !== undefined && measured() !== undefined;
  await expect.poll(collected).toBe(true);
  const run = spans.find(({ name, attributes }) => name === 'audit' && attributes['vigil.audit'] === of.audit)!;
  const inTrace = spans.filter(({ traceId }) => traceId === run.traceId);
  const parentOf = (child: ReceivedSpan) => inTrace.find(({ spanId }) => spanId === child.parentSpanId)!;

  const sent = parentOf(run);
  const requested = parentOf(sent);
  // The attributes that OpenTelemetry's conventions require.
  const question = { 'http.route': '/v1/audits', 'url.path': '/v1/audits', 'url.scheme': 'http' };
  expect(requested).toMatchObject({ service: 'vigil-api', name: 'POST /v1/audits', kind: 2, attributes: question });
  expect(requested.parentSpanId).toBeUndefined();
  const system = expect.stringMatching(/^(rabbitmq|postgresql)$/);
  const message = { 'messaging.system': system, 'messaging.destination.name': 'audit.trigger' };
  expect(sent).toMatchObject({ name: 'send audit.trigger', kind: 4, attributes: message });
  expect(run).toMatchObject({ service: 'vigil-decision-engine', attributes: { 'vigil.outcome': 'succeeded' } });
  const execution = ofPlan('action plan')!;
  expect(execution).toMatchObject({ service: 'vigil-applier', attributes: { 'vigil.end': 'SUCCEEDED' } });
  expect(parentOf(execution)).toMatchObject({ name: 'store plan', parentSpanId: run.spanId });
  const started = spans.find(({ name }) => name === 'POST /v1/action_plans/:ident/start')!;
  expect(execution.links.map(({ traceId }) => traceId)).toEqual([started.traceId]);
  const actions = inTrace.filter(
    ({ parentSpanId, name }) => parentSpanId === execution.spanId && /^action /.test(name),
  );
  expect(actions).toHaveLength(of.actions);
  expect(inTrace).toContain(measured());

  const { requests } = await control<{ requests: LoggedRequest[] }>('/requests');
  const moves = requests.filter(({ method, path }) => method === 'POST' && path.endsWith('/action'));
  const reported = inTrace.filter(({ name }) => name === 'POST compute');
  expect(reported.map(({ attributes }) => attributes['http.response.header.x-openstack-request-id']).sort()).toEqual(
    moves.map(({ requestId }) => [requestId]).sort(),
  );
  for (const { attributes } of reported) {
    const { port, pathname } = new URL(String(attributes['url.full']));
    expect(attributes).toMatchObject({ 'server.port': port, 'url.path': pathname, 'http.request.method': 'POST' });
  }
  expect(JSON.stringify(spans)).not.toMatch(/password|:\/\/[^/"]*:[^/"]*@|gAAAA/i);
  const ids = new Set(actions.map(({ spanId }) => spanId));
  expect(reported.every(({ parentSpanId }) => ids.has(parentSpanId ?? ''))).toBe(true);
}
