import {
  Checkbox,
  FormSelect,
  FormSelectOption,
  InputGroup,
  InputGroupItem,
  InputGroupText,
  TextArea,
  TextInput,
} from '@patternfly/react-core';
import { useState } from 'react';
import { parameterUnit, valueTitle } from '../../components/parameter-texts.ts';
import { Picker } from '../../components/picker-field.tsx';
import { useMay } from '../../live/dashboard-context.tsx';
import { text } from '../../texts/texts.ts';
import {
  BrokenJson,
  fieldKindOf,
  isInteger,
  type ParameterSpec,
  problemOf,
  searchFieldKindOf,
} from './parameter-spec.ts';

/** A parameter, its value and its setter. */
export interface FieldProps {
  id: string;
  name: string;
  spec: ParameterSpec;
  isRequired: boolean;
  value: unknown;
  onChange: (value: unknown) => void;
}

/** The input for a value that is not a group, by its schema. */
export function ParameterInput(props: FieldProps) {
  const mayFind = useMay('internal:read');
  switch (mayFind ? searchFieldKindOf(props.spec) : fieldKindOf(props.spec)) {
    case 'host':
    case 'hosts':
      return <HostsField {...props} />;
    case 'choice':
      return <ChoiceField {...props} />;
    case 'choices':
      return <ChoicesField {...props} />;
    case 'number':
      return <NumberField {...props} />;
    case 'texts':
      return <TextsField {...props} />;
    case 'text':
      return (
        <TextInput
          id={props.id}
          value={String(props.value ?? '')}
          placeholder={props.isRequired ? undefined : text('parameter.notSet')}
          onChange={(_event, next) => props.onChange(next === '' && !props.isRequired ? undefined : next)}
        />
      );
    default:
      return <JsonField {...props} />;
  }
}

function ChoiceField({ id, spec, value, onChange }: FieldProps) {
  const choices = spec.enum ?? [];
  const pick = (chosen: string) => onChange(choices.find((choice) => String(choice) === chosen));
  return (
    <FormSelect id={id} value={String(value ?? '')} onChange={(_event, next) => pick(next)}>
      {value === undefined && <FormSelectOption value="" label={text('parameter.notSet')} />}
      {choices.map((choice) => (
        <FormSelectOption
          key={String(choice)}
          value={String(choice)}
          label={valueTitle(String(choice), spec) || text('parameter.noneChoice')}
        />
      ))}
    </FormSelect>
  );
}

function ChoicesField({ id, spec, value, onChange }: FieldProps) {
  const chosen = Array.isArray(value) ? value : [];
  return (spec.items?.enum ?? []).map((choice) => (
    <Checkbox
      key={String(choice)}
      id={`${id}-${String(choice)}`}
      label={valueTitle(String(choice), spec)}
      isChecked={chosen.includes(choice)}
      onChange={(_event, isChecked) =>
        onChange(isChecked ? [...chosen, choice] : chosen.filter((known) => known !== choice))
      }
    />
  ));
}

function NumberField({ id, spec, isRequired, value, onChange }: FieldProps) {
  const unit = parameterUnit(spec);
  const unitId = `${id}-unit`;
  const input = (
    <TextInput
      id={id}
      type="number"
      step={isInteger(spec) ? 1 : 'any'}
      validated={problemOf(spec, value) ? 'error' : 'default'}
      placeholder={isRequired ? undefined : text('parameter.notSet')}
      value={typeof value === 'number' && !Number.isNaN(value) ? value : ''}
      onChange={(_event, next) => onChange(next === '' ? undefined : Number(next))}
      aria-describedby={unit === undefined ? undefined : unitId}
    />
  );
  if (unit === undefined) return input;
  return (
    <InputGroup>
      <InputGroupItem isFill>{input}</InputGroupItem>
      <InputGroupText id={unitId}>{unit}</InputGroupText>
    </InputGroup>
  );
}

function HostsField({ id, spec, value, onChange }: FieldProps) {
  const isSingle = fieldKindOf(spec) === 'text';
  const chosen = [value ?? []].flat().map(String).filter(Boolean);
  const change = (hosts: string[]) => onChange(isSingle ? hosts[0] : hosts.length > 0 ? hosts : undefined);
  return <Picker id={id} kind="host" chosen={chosen} isSingle={isSingle} allowsText onChange={change} />;
}

function TextsField({ id, value, onChange }: FieldProps) {
  const [typed, setTyped] = useState(Array.isArray(value) ? value.join('\n') : '');
  const change = (next: string) => {
    setTyped(next);
    const lines = next
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean);
    onChange(lines.length > 0 ? lines : undefined);
  };
  return (
    <TextArea
      id={id}
      value={typed}
      onChange={(_event, next) => change(next)}
      placeholder={text('parameter.onePerLine')}
      resizeOrientation="vertical"
      rows={2}
    />
  );
}

function JsonField({ id, value, onChange }: FieldProps) {
  const [typed, setTyped] = useState(
    value instanceof BrokenJson ? value.text : value === undefined ? '' : JSON.stringify(value, null, 1),
  );
  const change = (next: string) => {
    setTyped(next);
    try {
      onChange(next.trim() === '' ? undefined : JSON.parse(next));
    } catch {
      onChange(new BrokenJson(next));
    }
  };
  return (
    <TextArea
      id={id}
      value={typed}
      validated={value instanceof BrokenJson ? 'error' : 'default'}
      onChange={(_event, next) => change(next)}
      resizeOrientation="vertical"
      rows={3}
      className="vigil-code"
    />
  );
}
