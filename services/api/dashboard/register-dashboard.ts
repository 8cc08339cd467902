import type { FastifyInstance } from 'fastify';
import type { DashboardDeps } from './dashboard-deps.ts';
import { registerSessionRoutes } from './session-routes.ts';
import { registerDashboardFiles } from './static-files.ts';

/** The dashboard at `/dashboard/`: its files, and the sessions of those who have signed in. */
export async function registerDashboard(app: FastifyInstance, deps: DashboardDeps): Promise<void> {
  registerSessionRoutes(app, deps);
  await registerDashboardFiles(app, deps.folder);
}
