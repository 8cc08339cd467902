import { expect, test } from 'vitest';
import { indicatorText, indicatorTitle, withUnits } from './indicators.ts';

test('a deviation is the same number in percent wherever it is shown', () => {
  expect(indicatorText('standard_deviation_before_audit', 0.2569)).toBe('25.7\u00a0%');
  expect(indicatorText('vcpu_share_deviation', 0.0979)).toBe('9.8\u00a0%');
});

test('counts have no decimals, and indicators of plugins have their unit', () => {
  expect(indicatorText('instances_count', 1200)).toBe('1,200');
  expect(indicatorText('saved_power', 12.34, 'kW')).toBe('12.3\u00a0kW');
  expect(indicatorTitle('saved_power')).toBe('Saved power');
  expect(indicatorText('saved_power', null, 'kW')).toBe('–');
});

test('a deviation of counts is a plain number', () => {
  const indicators = [{ name: 'standard_deviation_before_audit', unit: null, value: 12.669 }];
  const [indicator] = withUnits(indicators, 'allocation_balance');
  expect(indicatorText('standard_deviation_before_audit', indicator?.value, indicator?.unit)).toBe('12.67');
  expect(withUnits(indicators, 'balance_optimizer')[0]?.unit).toBeNull();
  const [share] = withUnits(
    [{ name: 'standard_deviation_before_audit', unit: 'fraction', value: 0.257 }],
    'allocation_balance',
  );
  expect(indicatorText('standard_deviation_before_audit', share?.value, share?.unit)).toBe('25.7\u00a0%');
});
