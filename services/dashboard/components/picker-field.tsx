import { FormGroup, FormHelperText, HelperText, HelperTextItem, Label, LabelGroup } from '@patternfly/react-core';
import { useState } from 'react';
import type { FoundEntry } from '../api/find-types.ts';
import { FindBox } from './find-box.tsx';
import { shortId } from './links.tsx';

interface PickerProps {
  id: string;
  kind: FoundEntry['kind'];
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
  /** One at most. */
  isSingle?: boolean;
  /** Takes what is typed as it is too, such as a pattern. */
  allowsText?: boolean;
}

/** Chooses hosts, instances, projects or flavors by searching for them; what was chosen stands above the field. */
export function Picker({ id, kind, chosen, onChange, isSingle = false, allowsText = false }: PickerProps) {
  const [names, setNames] = useState<Readonly<Record<string, string>>>({});
  const add = (value: string) => onChange(isSingle ? [value] : [...chosen.filter((known) => known !== value), value]);
  const noun = kind === 'host' ? 'hosts' : `${kind}s`;
  return (
    <>
      {chosen.length > 0 && (
        <LabelGroup aria-label={`Chosen ${noun}`} numLabels={12}>
          {chosen.map((value) => (
            <Label
              key={value}
              data-literal
              onClose={() => onChange(chosen.filter((known) => known !== value))}
              closeBtnAriaLabel={`Remove ${names[value] ?? value}`}
            >
              {names[value] ?? (kind === 'instance' ? shortId(value) : value)}
            </Label>
          ))}
        </LabelGroup>
      )}
      <FindBox
        id={id}
        kinds={[kind]}
        placeholder={allowsText ? `Search ${noun}, or type a pattern and Enter` : `Search ${noun}`}
        onPick={(entry) => {
          setNames({ ...names, [entry.id]: entry.name });
          add(entry.id);
        }}
        {...(allowsText ? { onText: add } : {})}
      />
    </>
  );
}

/** A picker with its label and a hint. */
export function PickerField({ label, hint, ...picker }: PickerProps & { label: string; hint?: string }) {
  return (
    <FormGroup label={label} fieldId={picker.id}>
      <Picker {...picker} />
      {hint && (
        <FormHelperText>
          <HelperText>
            <HelperTextItem>{hint}</HelperTextItem>
          </HelperText>
        </FormHelperText>
      )}
    </FormGroup>
  );
}
