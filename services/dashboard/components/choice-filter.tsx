import { FormSelect, FormSelectOption } from '@patternfly/react-core';
import { text } from '../texts/texts.ts';

interface ChoiceFilterProps {
  label: string;
  /** Empty: all. */
  value: string;
  choices: readonly string[];
  /** The name of a choice. Default: the choice itself. */
  nameOf?: (choice: string) => string;
  onChange: (value: string) => void;
}

/** A filter for one value or all. */
export function ChoiceFilter({ label, value, choices, nameOf, onChange }: ChoiceFilterProps) {
  return (
    <FormSelect aria-label={label} value={value} onChange={(_event, next) => onChange(next)} className="vigil-filter">
      <FormSelectOption value="" label={text('filter.all', { label })} />
      {choices.map((choice) => (
        <FormSelectOption key={choice} value={choice} label={nameOf?.(choice) ?? choice} />
      ))}
    </FormSelect>
  );
}
