import type { VigilClient } from '#libs/client';
import type { LiveChange, LiveStore } from './live-store.ts';

/** Fills the store with everything there is. */
export async function connectLive(client: VigilClient, live: LiveStore, _stop: AbortSignal): Promise<void> {
  const [goals, strategies, templates, audits, plans, actions, services] = await Promise.all([
    client.list('goals'),
    client.list('strategies'),
    client.list('audit_templates'),
    client.list('audits'),
    client.list('action_plans'),
    client.list('actions'),
    client.list('services'),
  ]);
  const changes: LiveChange[] = [
    ...goals.map((entity) => ({ kind: 'goal' as const, id: entity.uuid, entity })),
    ...strategies.map((entity) => ({ kind: 'strategy' as const, id: entity.uuid, entity })),
    ...templates.map((entity) => ({ kind: 'audit_template' as const, id: entity.uuid, entity })),
    ...audits.map((entity) => ({ kind: 'audit' as const, id: entity.uuid, entity })),
    ...plans.map((entity) => ({ kind: 'action_plan' as const, id: entity.uuid, entity })),
    ...actions.map((entity) => ({ kind: 'action' as const, id: entity.uuid, entity })),
    ...services.map((entity) => ({ kind: 'service' as const, id: String(entity.id), entity })),
  ];
  live.apply(changes, { restart: true });
  live.setComplete();
  live.setStatus('live');
}
