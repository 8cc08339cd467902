export { createTestActionContext } from './action-context.ts';
export { atEnd } from './at-end.ts';
export type { PlanWorld } from './builders.ts';
export {
  insertAction,
  insertActionPlan,
  insertAudit,
  insertGoal,
  insertPlanWorld,
  insertStrategy,
} from './builders.ts';
export type { TestCertificates } from './certificates.ts';
export { hasOpenssl, makeCertificates } from './certificates.ts';
export type { TestDatabase } from './database.ts';
export { createTestDatabase } from './database.ts';
export type { FakeCloud, LateRequest } from './fake-cloud.ts';
export { createFakeCloud, refusal } from './fake-cloud.ts';
export { type OtlpReceiver, startOtlpReceiver } from './otlp-receiver.ts';
export { runSql } from './run-sql.ts';
export type { PostgresPair } from './servers/postgres-pair.ts';
export { startPostgresPair } from './servers/postgres-pair.ts';
export { requireBuild } from './servers/require-build.ts';
export { createStateDir, serverUser } from './servers/server-user.ts';
export { testServerUrl } from './servers/test-server-url.ts';
export { createTestContext } from './service-context.ts';
export type { TcpProxy } from './tcp-proxy.ts';
export { createTcpProxy } from './tcp-proxy.ts';
export type { TlsFront } from './tls-front.ts';
export { createTlsFront } from './tls-front.ts';
export { untilLockWait } from './until-lock-wait.ts';
export type { DatabaseWorld } from './use-database.ts';
export { useDatabase, useSql } from './use-database.ts';
export type { StoreWorld } from './use-store.ts';
export { connectStore, useStore } from './use-store.ts';
