import { Button, Flex, FlexItem, TextInput } from '@patternfly/react-core';
import { useState } from 'react';
import { text } from '../../texts/texts.ts';
import { daysOf, monthOf, type Period, periodOf } from './period.ts';

interface PeriodChoiceProps {
  period: Period;
  nowMs: number;
  onPeriod: (period: Period) => void;
}

/** Buttons for the months before and after, and fields for the first and the last day. */
export function PeriodChoice({ period, nowMs, onPeriod }: PeriodChoiceProps) {
  const next = monthOf(period.fromMs, 1);
  return (
    <Flex className="vigil-screen-only" alignItems={{ default: 'alignItemsFlexEnd' }} gap={{ default: 'gapSm' }}>
      <FlexItem>
        <Button variant="secondary" onClick={() => onPeriod(monthOf(period.fromMs, -1))}>
          {text('period.monthBefore')}
        </Button>
      </FlexItem>
      <FlexItem>
        <Button variant="secondary" isDisabled={next.fromMs > nowMs} onClick={() => onPeriod(next)}>
          {text('period.monthAfter')}
        </Button>
      </FlexItem>
      <FlexItem>
        <Days key={`${period.fromMs} ${period.toMs}`} period={period} onPeriod={onPeriod} />
      </FlexItem>
    </Flex>
  );
}

/** Both days count once the form is sent, so that a half-typed year requests nothing. */
function Days({ period, onPeriod }: Pick<PeriodChoiceProps, 'period' | 'onPeriod'>) {
  const [days, setDays] = useState(() => daysOf(period));
  const wanted = periodOf(days.first, days.last);
  const isValid = wanted !== null && wanted.fromMs < wanted.toMs;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isValid) onPeriod(wanted);
      }}
    >
      <Flex alignItems={{ default: 'alignItemsFlexEnd' }} gap={{ default: 'gapSm' }}>
        {(['first', 'last'] as const).map((day) => (
          <FlexItem key={day}>
            <label className="vigil-subtle" htmlFor={`period-${day}`}>
              {text(`period.${day}`)}
            </label>
            <TextInput
              id={`period-${day}`}
              type="date"
              required
              value={days[day]}
              validated={isValid ? 'default' : 'error'}
              onChange={(_event, value) => setDays({ ...days, [day]: value })}
            />
          </FlexItem>
        ))}
        <FlexItem>
          <Button variant="secondary" type="submit" isDisabled={!isValid}>
            {text('period.show')}
          </Button>
        </FlexItem>
      </Flex>
    </form>
  );
}
