import fastifyCookie from '@fastify/cookie';
import Fastify, { type FastifyInstance } from 'fastify';
import { createPlanDurations } from './durations/plan-durations.ts';
import './http/request/request-context.ts';
import { openGate } from '#libs/dependencies';
import { defaultAutomationRules } from '#libs/domain';
import { parseAllowedHosts } from '#libs/notification-targets';
import { readBuildVersion } from '#libs/service-kit';
import { noTracer } from '#libs/tracing';
import type { ApiDeps, RouteDeps } from './api-deps.ts';
import { type AuditTrail, createAuditTrail } from './audit-log/audit-trail.ts';
import { createAuthenticationHook } from './auth/authentication-hook.ts';
import { createLocalOnlyHook } from './auth/local-only-hook.ts';
import { createPolicy } from './auth/policy.ts';
import { type ChangeStream, createChangeStream } from './change-stream/change-stream.ts';
import { installSessionHook } from './dashboard/session-hook.ts';
import { registerSessionRoutes } from './dashboard/session-routes.ts';
import { registerDashboardFiles } from './dashboard/static-files.ts';
import { createErrorHandler, faultOf, injectFault } from './http/faults/error-handler.ts';
import { badRequest } from './http/faults/fault.ts';
import { installCors } from './http/request/cors.ts';
import { installGate } from './http/request/gate-hook.ts';
import { baseUrls, hasGoodHost, transportSecurity } from './http/request/links.ts';
import { installOutcomes } from './http/request/outcome-hook.ts';
import { createProxyTrust } from './http/request/proxy-trust.ts';
import { installRateLimit } from './http/request/rate-limit.ts';
import { anonymousCaller } from './http/request/request-context.ts';
import { installRetryAfter } from './http/request/retry-after.ts';
import { rewriteUrl } from './http/request/rewrite-url.ts';
import { installRouteTable } from './http/request/route-table.ts';
import { installServerTiming } from './http/request/server-timing.ts';
import { negotiateVersion } from './http/request/version-hook.ts';
import { installRawBodies } from './http/watcher-text/json-body.ts';
import { installOpenApi } from './install-openapi.ts';
import { registerInternal } from './internal/register-internal.ts';
import { installDeprecation } from './operations/deprecation.ts';
import { installHttpMetrics } from './operations/http-metrics.ts';
import { registerOperationsRoutes } from './operations/operations-routes.ts';
import { installTracing } from './operations/trace-requests.ts';
import { registerRootRoutes } from './routes/root-routes.ts';
import { registerActionPlanRoutes } from './routes/v1/action-plans/routes.ts';
import { registerActionRoutes } from './routes/v1/actions/routes.ts';
import { registerAuditTemplateRoutes } from './routes/v1/audit-templates/routes.ts';
import { createPreviewTurns } from './routes/v1/audits/preview-turns.ts';
import { registerAuditRoutes } from './routes/v1/audits/routes.ts';
import { registerClusterPastRoute } from './routes/v1/cluster-past/routes.ts';
import { registerDataModelRoutes } from './routes/v1/data-model/routes.ts';
import { registerNotificationDeliveries } from './routes/v1/notifications/delivery-routes.ts';
import { registerNotificationTargets } from './routes/v1/notifications/target-routes.ts';
import { registerPluginRoutes } from './routes/v1/plugins/routes.ts';
import { registerGoalRoutes } from './routes/v1/read-only/goals.ts';
import { registerScoringEngineRoutes } from './routes/v1/read-only/scoring-engines.ts';
import { registerServiceRoutes } from './routes/v1/read-only/services.ts';
import { registerStrategyRoutes } from './routes/v1/read-only/strategies.ts';
import { registerReportRoute } from './routes/v1/report/routes.ts';
import { registerWatchRoutes } from './routes/v1/watch/routes.ts';
import { registerAlertmanagerRoutes } from './routes/v1/webhooks/alertmanager-routes.ts';
import { registerWebhookRoutes } from './routes/v1/webhooks/routes.ts';
import { registerWhatIfRoutes } from './routes/v1/what-if/routes.ts';

const defaultMaxLimit = 1000;
/** Longest path segment. Node refuses request lines that are not much longer. */
const maxParamLength = 8000;
/** Time limit for a client to send a request. */
const requestTimeoutMs = 30_000;
const bodyLimitBytes = 1024 * 1024;

/**
 * Builds the API application: Watcher's REST API v1, the internal surface, health, metrics and documentation. It does
 * not listen yet. Handlers validate requests with Watcher's texts. Route schemas only feed the OpenAPI document.
 */
export async function buildApp(deps: ApiDeps): Promise<FastifyInstance> {
  const mountPrefix = deps.publicUrl ? new URL(deps.publicUrl).pathname.replace(/\/+$/, '') : '';
  const app = Fastify({
    logger: false,
    bodyLimit: bodyLimitBytes,
    requestTimeout: requestTimeoutMs,
    exposeHeadRoutes: false,
    genReqId: () => `req-${deps.newUuid()}`,
    rewriteUrl: (request) => rewriteUrl(request.url ?? '/', mountPrefix),
    routerOptions: { ignoreTrailingSlash: true, ignoreDuplicateSlashes: true, maxParamLength },
    frameworkErrors: (error, _request, reply) => injectFault(reply, faultOf(error)),
    forceCloseConnections: 'idle',
  });
  app.setValidatorCompiler(() => () => true);
  app.setSerializerCompiler(() => (body) => JSON.stringify(body));
  app.setErrorHandler(createErrorHandler(deps.logger, deps.gate?.suspect));
  await app.register(fastifyCookie);
  const trail = createAuditTrail(deps);
  installHooks(app, deps, trail);
  installRawBodies(app);
  installRouteTable(app);
  await installOpenApi(app, mountPrefix);
  const routeDeps = routeDepsOf({ ...deps, store: trail.store });
  const { store, policy, logger, clock } = routeDeps;
  const limits = deps.watch;
  const stream = createChangeStream({ store, policy, logger, clock, metrics: deps.metrics, bus: deps.bus, limits });
  await app.register(async (routes) => registerRoutes(routes, deps, routeDeps, stream));
  await app.register(registerInternal, {
    prefix: '/internal',
    deps: {
      ...routeDeps,
      logPosition: stream.position,
      metrics: deps.metrics,
      cloud: deps.cloud,
      propertyCache: deps.propertyCache,
      deadLetters: deps.deadLetters ?? null,
      readiness: deps.readiness,
      diagnostics: deps.diagnostics,
      version: readBuildVersion(),
    },
  });
  registerSessionRoutes(app, {
    ...deps,
    ...routeDeps,
    cronTimeZone: deps.cronTimeZone ?? 'UTC',
    links: deps.links ?? { grafanaHost: null, grafanaInstance: null, horizon: null },
    webSso: deps.webSso ?? null,
  });
  await registerDashboardFiles(app, deps.dashboardFolder ?? null);
  return app;
}

function installHooks(app: FastifyInstance, deps: ApiDeps, trail: AuditTrail): void {
  const outcomes = installOutcomes(app, deps.logger);
  const trust = createProxyTrust(deps);
  app.decorateRequest('caller');
  app.decorateRequest('microversion', 0);
  app.decorateRequest('base');
  app.decorateRequest('clientAddress', '');
  app.decorateRequest('sessionHash', null);
  app.decorateRequest('credentials', null);
  app.addHook('onRequest', async (request, reply) => {
    request.caller = anonymousCaller;
    request.base = baseUrls(request, { publicUrl: deps.publicUrl, proxyHeaders: trust.trusts(request.ip) });
    request.clientAddress = trust.clientAddress(request);
    reply.header('X-OpenStack-Request-ID', request.id);
    reply.header('X-Content-Type-Options', 'nosniff');
    const hsts = transportSecurity(request.base, deps.hstsSeconds);
    if (hsts !== null) reply.header('Strict-Transport-Security', hsts);
    if (!hasGoodHost(request)) throw badRequest('The header Host is not a host name');
  });
  installTracing(app, outcomes, deps.tracer ?? noTracer);
  installHttpMetrics(outcomes, deps);
  installServerTiming(app, outcomes, deps);
  installDeprecation(app);
  installRetryAfter(app);
  trail.install(app, outcomes);
  installCors(app, deps.corsOrigins ?? []);
  if (deps.authMode === 'none') app.addHook('onRequest', createLocalOnlyHook(deps));
  const limits = { perMinute: () => deps.rates?.perMinute ?? 0, perRoute: deps.routeLimits };
  const countValidToken = installRateLimit(app, limits, deps.clock);
  if (deps.identity) installSessionHook(app, deps);
  installGate(app, deps.gate ?? openGate);
  app.addHook('onRequest', createAuthenticationHook(deps));
  // Without authentication no token is validated, so every client counts by its address.
  if (deps.authMode === 'keystone') app.addHook('onRequest', countValidToken);
  app.addHook('onRequest', negotiateVersion);
}

function routeDepsOf(deps: ApiDeps): RouteDeps {
  return {
    store: deps.store,
    policy: deps.policy ?? createPolicy(),
    clock: deps.clock,
    newUuid: deps.newUuid,
    random: deps.random ?? (() => 0),
    logger: deps.logger,
    maxLimit: deps.maxLimit ?? defaultMaxLimit,
    durations: createPlanDurations(deps.store, deps),
    bus: deps.bus ?? null,
    webhooksAuth: deps.webhooksAuth ?? true,
    oppositeAudits: deps.oppositeAudits ?? (() => 'allow'),
    targetHosts: deps.targetHosts ?? (() => parseAllowedHosts([])),
    approvalRules: deps.approvalRules ?? (() => []),
    automationRules: deps.automationRules ?? (() => defaultAutomationRules),
  };
}

function registerRoutes(app: FastifyInstance, deps: ApiDeps, routeDeps: RouteDeps, stream: ChangeStream): void {
  registerOperationsRoutes(app, deps);
  registerRootRoutes(app);
  registerGoalRoutes(app, routeDeps);
  registerStrategyRoutes(app, routeDeps);
  registerAuditTemplateRoutes(app, routeDeps);
  const turns = createPreviewTurns();
  registerAuditRoutes(app, routeDeps, turns);
  registerWhatIfRoutes(app, routeDeps, turns);
  registerActionPlanRoutes(app, routeDeps);
  registerActionRoutes(app, routeDeps);
  registerScoringEngineRoutes(app, routeDeps);
  registerServiceRoutes(app, routeDeps);
  registerDataModelRoutes(app, routeDeps);
  registerClusterPastRoute(app, routeDeps);
  registerReportRoute(app, routeDeps);
  registerPluginRoutes(app, routeDeps);
  registerWebhookRoutes(app, routeDeps);
  registerAlertmanagerRoutes(app, routeDeps, deps);
  registerNotificationTargets(app, routeDeps);
  registerNotificationDeliveries(app, routeDeps);
  registerWatchRoutes(app, routeDeps, stream);
}
