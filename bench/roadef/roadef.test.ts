import { expect, test } from 'vitest';
import { Placement, Random } from '#libs/optimizer';
import { Board, boardMemory } from './board.ts';
import { evaluateAssignment } from './evaluator.ts';
import { readRoadefInstance } from './instance.ts';
import { toProblem } from './to-problem.ts';

/**
 * Two resources (the first transient), four machines in two neighbourhoods and three locations, three services, five
 * processes.
 */
const model = `2 1 100 0 10
4
0 0 30 400 16 80 0 1 4 5
0 0 10 240 8 160 1 0 3 4
1 1 15 100 12 80 4 3 0 2
1 2 10 100 8 80 4 3 2 0
3
2 0
1 1 0
1 1 0
5
0 12 10 1000
0 10 20 100
1 6 200 1
1 2 5 2
2 3 4 3
1
0 1 20 10
1 10 100`;

const instance = readRoadefInstance(Buffer.from(model), Buffer.from('0 3 0 1 2 '));

test('the cost of the start follows the rules of the contest', () => {
  // Loads: resource 0 above safety: machine 0 18-16, machine 3 10-8. Resource 1: machine 0 210-80.
  const load = 100 * (2 + 2) + 10 * 130;
  // Balance 20 · free(0) − free(1): machine 0 20·12−190, 1 20·8−235 < 0, 2 20·12−96, 3 20·0−80 < 0.
  const balance = 10 * (50 + 144);

  expect(evaluateAssignment(instance, instance.start)).toEqual({ cost: load + balance, violations: [] });
});

test('moves cost by process, machine and the service that moves most', () => {
  const stay = evaluateAssignment(instance, [0, 3, 0, 1, 2]).cost;
  const moved = evaluateAssignment(instance, [0, 3, 0, 0, 2]);

  expect(moved.violations).toEqual(['two processes of service 1 on one machine']);
  // Process 3 (2 of resource 0, 5 of resource 1) from machine 1 to 0; 0 costs 2·100 + 5·10 more for load, 10·(2·20−5)
  // less for balance.
  expect(moved.cost - stay).toBe(200 + 50 - 350 + 2 + 10 + 100);
});

test('the evaluator reports breaches of each rule', () => {
  const violations = (assignment: number[]) => evaluateAssignment(instance, assignment).violations.join('; ');

  expect(violations([0, 3, 0, 1, 3])).toMatch('machine 3 holds 13 of resource 0');
  expect(violations([0, 1, 0, 3, 2])).toMatch('service 0 uses too few locations');
  expect(violations([0, 1, 0, 3, 2])).toMatch('service 1 lacks service 0 in 1');
  // Process 0 has left machine 0, but still occupies its transient resource there.
  expect(violations([2, 0, 0, 1, 0])).toMatch('machine 0 holds 31 of resource 0');
  expect(violations([0, 3, 0, 1])).toMatch('not one known machine');
});

test('the problem that the kernel gets costs the same, for any assignment', () => {
  const problem = toProblem(instance);
  const random = new Random(1);
  for (let round = 0; round < 200; round += 1) {
    const assignment = Array.from(instance.start, () => random.below(4));
    expect(new Placement(problem, assignment).cost).toBe(evaluateAssignment(instance, assignment).cost);
  }
});

test('a file that ends too early is refused', () => {
  expect(() => readRoadefInstance(Buffer.from(model.slice(0, -8)), Buffer.from('0 3 0 1 2'))).toThrow('ends too early');
});

test('a board returns the newest placement', () => {
  const board = new Board(boardMemory(2));
  expect(board.read()).toBeNull();

  for (const host of [1, 2, 3]) board.publish(Int32Array.of(host, host));

  expect(board.read()).toEqual(Int32Array.of(3, 3));
});
