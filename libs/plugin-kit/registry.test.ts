import { describe, expect, it } from 'vitest';
import { NotFoundError, OperatorError } from '#libs/domain';
import type { GoalPlugin } from './goal.ts';
import type { PlannerPlugin } from './planner.ts';
import { createPluginRegistry } from './registry.ts';
import type { StrategyManifest, StrategyPlugin } from './strategy.ts';

const builtIn = { label: 'vigil', moduleUrl: '#libs/strategies', exportName: 'strategyCatalogue' };
const outside = { label: 'plugin ./mine', moduleUrl: 'file:///mine/index.js', exportName: 'plugins' };

function goal(name: string): GoalPlugin {
  return { kind: 'goal', name, displayName: name, indicators: [], globalEfficacy: () => [] };
}

function planner(name: string): PlannerPlugin {
  return { kind: 'planner', name, description: name, plan: () => [] };
}

function strategy(name: string, changes: Partial<StrategyManifest> = {}): StrategyPlugin {
  return {
    manifest: {
      kind: 'strategy',
      name,
      displayName: name,
      goal: 'dummy',
      description: name,
      parameters: { type: 'object', properties: {} },
      metrics: [],
      models: ['compute'],
      planner: 'weight',
      needsCompleteModel: false,
      ...changes,
    },
    run: () => Promise.reject(new Error('not for running')),
  };
}

describe('plugin registry', () => {
  it('finds plugins by kind and name, in order of registration', () => {
    const registry = createPluginRegistry();
    registry.add([goal('dummy'), planner('weight'), strategy('b')], builtIn);
    registry.add([strategy('a')], outside);

    expect(registry.strategies().map(({ manifest }) => manifest.name)).toEqual(['b', 'a']);
    expect(registry.goal('dummy').name).toBe('dummy');
    expect(registry.planner('weight').name).toBe('weight');
    expect(registry.source('strategy', 'a')).toEqual({
      kind: 'strategy',
      name: 'a',
      moduleUrl: outside.moduleUrl,
      exportName: 'plugins',
    });
    expect(() => registry.verify()).not.toThrow();
  });

  it('allows one name in several kinds and says when there is none', () => {
    const registry = createPluginRegistry();
    registry.add([goal('dummy'), planner('dummy'), strategy('dummy')], builtIn);

    expect(() => registry.strategy('nothing')).toThrow(NotFoundError);
    expect(() => registry.action('dummy')).toThrow(NotFoundError);
  });

  it('names both origins of a name that is used twice', () => {
    const registry = createPluginRegistry();
    registry.add([strategy('same')], builtIn);

    expect(() => registry.add([strategy('same')], outside)).toThrow(OperatorError);
    expect(() => registry.add([strategy('same')], outside)).toThrow(
      /strategy same of plugin \.\/mine has the same name as that of vigil; rename/,
    );
  });

  it('finds strategies whose goal or planner does not exist', () => {
    const noGoal = createPluginRegistry();
    noGoal.add([goal('dummy'), planner('weight'), strategy('a', { goal: 'saving_time' })], outside);
    const noPlanner = createPluginRegistry();
    noPlanner.add([goal('dummy'), planner('weight'), strategy('a', { planner: 'random' })], outside);

    expect(() => noGoal.verify()).toThrow(
      'plugin ./mine: strategy a: manifest.goal is saving_time, and there is no such goal; known are dummy',
    );
    expect(() => noPlanner.verify()).toThrow(/manifest\.planner is random/);
  });

  it.each([
    ['not an object', 7, /a plugin must be an object, not 7/],
    ['a strategy without a manifest', { kind: 'strategy', name: 'x', run() {} }, /description in "manifest"/],
    [
      'an unknown kind',
      { kind: 'scorer', name: 'x' },
      /kind must be one of goal, strategy, planner, action, scoring_engine, scoring_container, data_source, collector, not "scorer"/,
    ],
    [
      'no kind',
      { ...strategy('x'), manifest: { name: 'x' } },
      /plugin x: manifest\.kind must be "strategy", not nothing/,
    ],
    ['no run', { manifest: strategy('x').manifest }, /plugin x: run must be a function/],
    ['a bad name', strategy('Not-Snake'), /manifest\.name must match pattern/],
    ['an unknown field', strategy('x', { colour: 'red' } as object), /manifest\.colour is not allowed/],
    ['a missing field', strategy('x', { goal: undefined }), /manifest\.goal is required/],
    [
      'an unknown metric',
      strategy('x', { metrics: ['mood' as 'host_power'] }),
      /manifest\.metrics\[0\] must be one of/,
    ],
    [
      'a default that is not valid',
      strategy('x', { parameters: { type: 'object', properties: { n: { type: 'integer', default: 'one' } } } }),
      /properties\.n: the default "one" is not valid: it must be integer/,
    ],
    [
      'a broken schema',
      strategy('x', { parameters: { type: 'object', properties: { n: { type: 'whole', default: 1 } } } }),
      /manifest\.parameters is not a JSON Schema of draft 4/,
    ],
    ['a goal without efficacy', { ...goal('x'), globalEfficacy: undefined }, /globalEfficacy must be a function/],
    ['a planner without plan', { ...planner('x'), plan: 1 }, /plugin x: plan must be a function/],
  ])('refuses %s with origin, plugin, field and reason', (_, plugin, reason) => {
    const registry = createPluginRegistry();

    expect(() => registry.add([plugin], outside)).toThrow(OperatorError);
    expect(() => registry.add([plugin], outside)).toThrow(reason);
    expect(() => registry.add([plugin], outside)).toThrow(/^plugin \.\/mine: [^\n]+$/);
  });
});
