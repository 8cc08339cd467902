import { describe, expect, it } from 'vitest';
import { builtInPlugins } from '../built-in-plugins.ts';
import { choosePlugins } from './choose-strategy.ts';
import { AuditRefusedError } from './errors.ts';

const registry = builtInPlugins();
const plugins = { goals: registry.goals(), strategies: registry.strategies() };

describe('the strategy of an audit', () => {
  it.each([
    ['is the one that it names', 'server_consolidation', 'node_resource_consolidation', 'node_resource_consolidation'],
    ['is the first of its goal otherwise', 'server_consolidation', null, 'vm_workload_consolidation'],
    ['is the first of its goal otherwise', 'workload_balancing', null, 'workload_stabilization'],
  ])('%s', (_, goalName, strategyName, expected) => {
    const chosen = choosePlugins({ goalName, strategyName }, plugins);
    expect([chosen.goal.name, chosen.strategy.manifest.name]).toEqual([goalName, expected]);
  });

  it.each(plugins.goals)('exists for goal $name', ({ name: goalName }) => {
    expect(choosePlugins({ goalName, strategyName: null }, plugins).strategy.manifest.goal).toBe(goalName);
  });

  it.each([
    ['the goal', { goalName: 'world_peace', strategyName: null }, 'goal world_peace is not loaded'],
    ['the strategy', { goalName: 'dummy', strategyName: 'own' }, 'strategy own is not loaded .* check VIGIL_PLUGINS'],
  ])('is refused with the reason when %s is not loaded', (_, audit, reason) => {
    expect(() => choosePlugins(audit, plugins)).toThrow(new RegExp(reason));
    expect(() => choosePlugins(audit, plugins)).toThrow(AuditRefusedError);
  });

  it('is refused when its goal has none', () => {
    const none = { ...plugins, strategies: [] };
    expect(() => choosePlugins({ goalName: 'dummy', strategyName: null }, none)).toThrow('no strategy for goal dummy');
  });
});
