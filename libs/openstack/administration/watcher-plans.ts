import type { CloudCallOptions } from '../call-options.ts';
import type { FieldReader } from '../http/field-reader.ts';
import type { ServiceCall, ServiceClient } from '../service/service-client.ts';

/** An action plan of Watcher. */
export interface WatcherPlan {
  uuid: string;
  /** Such as `RECOMMENDED`. */
  state: string;
}

/** The action plans of a Watcher installation, over its API. */
export interface WatcherPlans {
  /** All plans that are not deleted. */
  list(options?: CloudCallOptions): Promise<WatcherPlan[]>;
  /**
   * Makes a plan and its pending actions CANCELLED.
   * @throws OpenStackError with status 400 when the plan is neither RECOMMENDED nor PENDING.
   */
  cancel(uuid: string, options?: CloudCallOptions): Promise<void>;
}

/** The first microversion is sufficient, and every Watcher supports it. */
const versions = { min: '1.0', max: '1.0' };

/**
 * Action plans over the API of Watcher. Every failure is an OpenStackError. Only reads are retried.
 * @param client of `optimizationService`.
 */
export function createWatcherPlans(client: ServiceClient): WatcherPlans {
  return {
    async list(options) {
      const found = new Map<string, WatcherPlan>();
      let marker: string | null = null;
      do {
        const query: ServiceCall['query'] = marker === null ? {} : { marker };
        const page = await client.read({ method: 'GET', path: '/action_plans', query, versions, options });
        const before = found.size;
        for (const fields of page.list('action_plans'))
          found.set(fields.text('uuid'), { uuid: fields.text('uuid'), state: fields.text('state') });
        marker = found.size > before ? nextMarker(page) : null;
      } while (marker !== null);
      return [...found.values()];
    },
    async cancel(uuid, options) {
      const body = [{ op: 'replace', path: '/state', value: 'CANCELLED' }];
      const path = `/action_plans/${encodeURIComponent(uuid)}`;
      await client.send({ method: 'PATCH', path, body, versions, options });
    },
  };
}

/** Uses only the marker of the link, because its address is that of the server, not of a proxy in front. */
function nextMarker(page: FieldReader): string | null {
  const next = page.has('next') ? page.text('next') : null;
  return next === null ? null : new URL(next, 'http://link.invalid').searchParams.get('marker');
}
