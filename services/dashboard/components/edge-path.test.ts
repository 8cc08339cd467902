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

test('an edge leaves and reaches the sides that look at each other', () => {
  expect(edgePath(neighbour, box, 'LR')).toBe('M100.0 20.0 C150.0 20.0 150.0 220.0 200.0 220.0');
  expect(edgePath(neighbour, box, 'TB')).toBe('M50.0 40.0 C50.0 120.0 250.0 120.0 250.0 200.0');
});

test('an edge over several ranks keeps the way around what is between', () => {
  const points = [
    { x: 100, y: 20 },
    { x: 150, y: 90 },
    { x: 200, y: 90 },
    { x: 250, y: 20 },
  ];
  const path = edgePath({ from: { x: 50, y: 20 }, to: { x: 350, y: 20 }, points }, box, 'LR');
  expect(path).toContain('150.0 90.0');
  expect(path).toContain('200.0 90.0');
  expect(path.endsWith('300.0 20.0')).toBe(true);
});
