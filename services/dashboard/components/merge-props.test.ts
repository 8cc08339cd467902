import { createElement, isValidElement } from 'react';
import { describe, expect, it } from 'vitest';
import { mergeProps } from './merge-props.ts';

describe('mergeProps', () => {
  it('joins class names, skips empty parts and lets the last value count', () => {
    expect(mergeProps({ className: 'a', scope: 'col' }, undefined, null, { className: 'b', scope: 'row' })).toEqual({
      className: 'a b',
      scope: 'row',
    });
  });

  it('keeps a value that a later part leaves undefined', () => {
    expect(mergeProps({ width: 10 }, { width: undefined, height: undefined })).toEqual({
      width: 10,
      height: undefined,
    });
  });

  it('merges objects in depth without changing them', () => {
    const first = { style: { width: 1 } };
    expect(mergeProps(first, { style: { height: 2 } })).toEqual({ style: { width: 1, height: 2 } });
    expect(first).toEqual({ style: { width: 1 } });
  });

  it('puts a child into the child before', () => {
    const { children } = mergeProps({ children: createElement('b') }, { children: 'text' });
    expect(isValidElement(children) && children.props).toEqual({ children: 'text' });
    expect(mergeProps({}, { children: 'text' }).children).toBe('text');
  });
});
