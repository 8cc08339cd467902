import { cloneElement, isValidElement } from 'react';

type Values = Record<string, unknown>;

/**
 * Merges properties of React, from left to right. In place of the function of PatternFly's tables, which merges the
 * properties of each cell with lodash: 5 kB of code, and slow. Class names are joined, a child that has one before is
 * put into it, plain objects are merged in depth, and every other value replaces the one before. Empty parts are
 * skipped.
 */
export function mergeProps(...parts: readonly unknown[]): Values {
  const merged: Values = {};
  for (const part of parts) if (isObject(part)) mergeInto(merged, part);
  return merged;
}

function mergeInto(target: Values, source: Values): void {
  for (const [key, value] of Object.entries(source)) {
    const before = target[key];
    if (key === 'className') target[key] = [before, value].filter(Boolean).join(' ');
    else if (key === 'children') target[key] = childrenOf(before, value);
    else if (isPlain(value)) target[key] = mergeProps(before, value);
    else if (value !== undefined || !(key in target)) target[key] = value;
  }
}

function childrenOf(before: unknown, value: unknown): unknown {
  if (!before) return value;
  return value && isValidElement<{ children?: unknown }>(before) ? cloneElement(before, { children: value }) : before;
}

function isObject(value: unknown): value is Values {
  return value !== null && typeof value === 'object';
}

function isPlain(value: unknown): value is Values {
  return isObject(value) && !isValidElement(value) && Object.getPrototypeOf(value) === Object.prototype;
}
