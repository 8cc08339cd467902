import { FormGroup, Label, LabelGroup } from '@patternfly/react-core';
import { useState } from 'react';
import type { FoundEntry } from '../api/find-types.ts';
import { text } from '../texts/texts.ts';
import { FindBox } from './find-box.tsx';
import { FieldHint } from './form-parts.tsx';
import { shortId } from './links.tsx';

interface PickerProps {
  id: string;
  kind: FoundEntry['kind'];
  chosen: readonly string[];
  /** `names` has the names of those that were found by search. */
  onChange: (chosen: string[], names: Readonly<Record<string, string>>) => void;
  /** At most one. */
  isSingle?: boolean;
  /** Also accepts typed text, such as a pattern. */
  allowsText?: boolean;
  /** Inside the empty field. Default: a request to search. */
  placeholder?: string;
}

/** Selects hosts, instances, projects or flavors by search. The selection appears above the field. */
export function Picker({ id, kind, chosen, onChange, isSingle = false, allowsText = false, placeholder }: PickerProps) {
  const [names, setNames] = useState<Readonly<Record<string, string>>>({});
  const add = (value: string, known = names) =>
    onChange(isSingle ? [value] : [...chosen.filter((one) => one !== value), value], known);
  const search = text(`picker.search.${kind}`);
  return (
    <>
      {chosen.length > 0 && (
        <LabelGroup aria-label={text(`picker.chosen.${kind}`)} numLabels={12}>
          {chosen.map((value) => (
            <Label
              key={value}
              data-literal
              onClose={() =>
                onChange(
                  chosen.filter((known) => known !== value),
                  names,
                )
              }
              closeBtnAriaLabel={text('picker.remove', { name: names[value] ?? value })}
            >
              {names[value] ?? (kind === 'instance' ? shortId(value) : value)}
            </Label>
          ))}
        </LabelGroup>
      )}
      <FindBox
        id={id}
        kinds={[kind]}
        placeholder={placeholder ?? (allowsText ? text('picker.orText', { search }) : search)}
        onPick={(entry) => {
          const known = { ...names, [entry.id]: entry.name };
          setNames(known);
          add(entry.id, known);
        }}
        {...(allowsText ? { onText: (typed: string) => add(typed) } : {})}
      />
    </>
  );
}

/** A picker with its label and a hint. */
export function PickerField({ label, hint, ...picker }: PickerProps & { label: string; hint?: string }) {
  return (
    <FormGroup label={label} fieldId={picker.id}>
      <Picker {...picker} />
      {hint && <FieldHint>{hint}</FieldHint>}
    </FormGroup>
  );
}
