import type { IncomingMessage } from 'node:http';
import type { ReadinessReport } from './readiness.ts';

/** Addresses of clients on the same machine, as Node writes them. */
const loopback = /^(?:(?:::ffff:)?127\.\d+\.\d+\.\d+|::1)$/;
/** A proxy on this machine says with one of them that its client may be elsewhere. */
const proxyHeaders = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via'];

/** Whether a request comes from the machine that this process runs on; what a proxy passes on does not. */
export function isFromSameMachine({ socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>): boolean {
  return loopback.test(socket.remoteAddress ?? '') && proxyHeaders.every((name) => headers[name] === undefined);
}

/** What of a report a client is told: reasons name hosts, ports and databases, which strangers do not need. */
export function reportFor(request: Parameters<typeof isFromSameMachine>[0], report: ReadinessReport): ReadinessReport {
  if (isFromSameMachine(request)) return report;
  const checks = report.checks.map((check) => ({
    ...check,
    reason: check.ok ? null : 'told on the same machine only',
  }));
  return { ...report, checks };
}
