import { expect, test } from 'vitest';
import { edgePath } from './edge-path.ts';

const box = { width: 100, height: 40 };
const neighbour = {
  from: { x: 50, y: 20 },
  to: { x: 250, y: 220 },
  points: [
    { x: 90, y: 40 },
    { x: 150, y: 120 },
    { x: 240, y: 200 },
  ],
};

/** The points of a path, including its bends. */
const pointsOf = (path: string) => [...path.matchAll(/([\d.]+) ([\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)]);

test('an edge connects the facing sides of two boxes', () => {
  expect(pointsOf(edgePath(neighbour, box, 'LR'))).toEqual([
    [100, 20],
    expect.anything(),
    expect.anything(),
    [200, 220],
  ]);
  expect(pointsOf(edgePath(neighbour, box, 'TB'))).toEqual([
    [50, 40],
    expect.anything(),
    expect.anything(),
    [250, 200],
  ]);
});

test('an edge over several ranks keeps its route around the boxes between', () => {
  const points = [
    { x: 100, y: 20 },
    { x: 150, y: 90 },
    { x: 200, y: 90 },
    { x: 250, y: 20 },
  ];
  const way = pointsOf(edgePath({ from: { x: 50, y: 20 }, to: { x: 350, y: 20 }, points }, box, 'LR'));
  expect(way).toEqual(
    expect.arrayContaining([
      [150, 90],
      [200, 90],
    ]),
  );
  expect(way.at(-1)).toEqual([300, 20]);
});
