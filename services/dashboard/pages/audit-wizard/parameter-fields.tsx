import {
  Button,
  Checkbox,
  FormFieldGroup,
  FormFieldGroupHeader,
  FormGroup,
  FormHelperText,
  FormSelect,
  FormSelectOption,
  HelperText,
  HelperTextItem,
  TextArea,
  TextInput,
} from '@patternfly/react-core';
import { type ReactNode, useState } from 'react';
import { wordsOf } from '#libs/client';
import { Picker } from '../../components/picker-field.tsx';
import { Prose } from '../../components/prose.tsx';
import { useMay } from '../../live/dashboard-context.tsx';
import {
  BrokenJson,
  fieldKindOf,
  initialValue,
  isInteger,
  namedFieldKindOf,
  type ParameterSpec,
  problemOf,
} from './parameter-spec.ts';

interface FieldProps {
  id: string;
  name: string;
  spec: ParameterSpec;
  isRequired: boolean;
  value: unknown;
  onChange: (value: unknown) => void;
}

interface FieldsProps {
  id: string;
  spec: ParameterSpec;
  values: Record<string, unknown>;
  onChange: (values: Record<string, unknown>) => void;
}

/** A form made from a parameter schema. */
export function ParameterFields({ id, spec, values, onChange }: FieldsProps) {
  return Object.entries(spec.properties ?? {}).map(([name, part]) => (
    <ParameterField
      key={name}
      id={`${id}-${name}`}
      name={name}
      spec={part}
      isRequired={(spec.required ?? []).includes(name)}
      value={values[name]}
      onChange={(value) => onChange({ ...values, [name]: value })}
    />
  ));
}

function ParameterField(props: FieldProps) {
  const kind = fieldKindOf(props.spec);
  if (kind === 'group') return <GroupField {...props} />;
  if (kind === 'groups') return <GroupsField {...props} />;
  if (kind === 'flag') return <FlagField {...props} />;
  const problem = problemOf(props.spec, props.value);
  return (
    <FormGroup label={wordsOf(props.name)} fieldId={props.id} isRequired={props.isRequired}>
      <PlainField {...props} />
      <Hint text={problem ?? rangeText(props.spec)} isError={problem !== null} />
    </FormGroup>
  );
}

function PlainField(props: FieldProps) {
  const mayFind = useMay('internal:read');
  switch (mayFind ? namedFieldKindOf(props.name, props.spec) : fieldKindOf(props.spec)) {
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
          onChange={(_event, next) => props.onChange(next === '' && !props.isRequired ? undefined : next)}
        />
      );
    default:
      return <JsonField {...props} />;
  }
}

function Hint({ text, isError }: { text: string; isError: boolean }) {
  if (text === '') return null;
  return (
    <FormHelperText>
      <HelperText>
        <HelperTextItem variant={isError ? 'error' : 'default'}>
          <Prose text={text} />
        </HelperTextItem>
      </HelperText>
    </FormHelperText>
  );
}

function rangeText(spec: ParameterSpec): string {
  const { minimum, maximum, description = '' } = spec;
  const range =
    minimum !== undefined && maximum !== undefined
      ? `From ${minimum} to ${maximum}.`
      : minimum !== undefined
        ? `At least ${minimum}.`
        : maximum !== undefined
          ? `At most ${maximum}.`
          : '';
  return [description, range].filter(Boolean).join(' ');
}

function ChoiceField({ id, spec, value, onChange }: FieldProps) {
  const choices = spec.enum ?? [];
  const pick = (text: string) => onChange(choices.find((choice) => String(choice) === text));
  return (
    <FormSelect id={id} value={String(value ?? '')} onChange={(_event, next) => pick(next)}>
      {value === undefined && <FormSelectOption value="" label="Not set" />}
      {choices.map((choice) => (
        <FormSelectOption key={String(choice)} value={String(choice)} label={wordsOf(String(choice)) || '(none)'} />
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
      label={wordsOf(String(choice))}
      isChecked={chosen.includes(choice)}
      onChange={(_event, isChecked) =>
        onChange(isChecked ? [...chosen, choice] : chosen.filter((known) => known !== choice))
      }
    />
  ));
}

function NumberField({ id, spec, value, onChange }: FieldProps) {
  return (
    <TextInput
      id={id}
      type="number"
      step={isInteger(spec) ? 1 : 'any'}
      validated={problemOf(spec, value) ? 'error' : 'default'}
      value={typeof value === 'number' && !Number.isNaN(value) ? value : ''}
      onChange={(_event, next) => onChange(next === '' ? undefined : Number(next))}
    />
  );
}

function HostsField({ id, spec, value, onChange }: FieldProps) {
  const isSingle = fieldKindOf(spec) === 'text';
  const chosen = [value ?? []].flat().map(String).filter(Boolean);
  const change = (hosts: string[]) => onChange(isSingle ? hosts[0] : hosts.length > 0 ? hosts : undefined);
  return <Picker id={id} kind="host" chosen={chosen} isSingle={isSingle} allowsText onChange={change} />;
}

function TextsField({ id, value, onChange }: FieldProps) {
  const [text, setText] = useState(Array.isArray(value) ? value.join('\n') : '');
  const change = (next: string) => {
    setText(next);
    const lines = next
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean);
    onChange(lines.length > 0 ? lines : undefined);
  };
  return (
    <TextArea
      id={id}
      value={text}
      onChange={(_event, next) => change(next)}
      placeholder="One per line"
      resizeOrientation="vertical"
      rows={2}
    />
  );
}

function JsonField({ id, value, onChange }: FieldProps) {
  const [text, setText] = useState(
    value instanceof BrokenJson ? value.text : value === undefined ? '' : JSON.stringify(value, null, 1),
  );
  const change = (next: string) => {
    setText(next);
    try {
      onChange(next.trim() === '' ? undefined : JSON.parse(next));
    } catch {
      onChange(new BrokenJson(next));
    }
  };
  return (
    <TextArea
      id={id}
      value={text}
      validated={value instanceof BrokenJson ? 'error' : 'default'}
      onChange={(_event, next) => change(next)}
      resizeOrientation="vertical"
      rows={3}
      className="vigil-code"
    />
  );
}

function FlagField({ id, name, spec, value, onChange }: FieldProps) {
  return (
    <FormGroup fieldId={id}>
      <Checkbox
        id={id}
        label={wordsOf(name)}
        description={spec.description}
        isChecked={value === true}
        onChange={(_event, isChecked) => onChange(isChecked)}
      />
    </FormGroup>
  );
}

function Group({
  title,
  id,
  children,
  actions,
}: {
  title: string;
  id: string;
  children: ReactNode;
  actions?: ReactNode;
}) {
  return (
    <FormFieldGroup header={<FormFieldGroupHeader titleText={{ text: title, id: `${id}-title` }} actions={actions} />}>
      {children}
    </FormFieldGroup>
  );
}

function GroupField({ id, name, spec, value, onChange }: FieldProps) {
  return (
    <Group title={wordsOf(name)} id={id}>
      {spec.description && <p>{spec.description}</p>}
      <ParameterFields id={id} spec={spec} values={(value ?? {}) as Record<string, unknown>} onChange={onChange} />
    </Group>
  );
}

function GroupsField({ id, name, spec, value, onChange }: FieldProps) {
  const entries = (Array.isArray(value) ? value : []) as Record<string, unknown>[];
  const item = spec.items ?? {};
  const replace = (next: Record<string, unknown>[]) => onChange(next.length > 0 ? next : undefined);
  const add = (
    <Button
      variant="secondary"
      size="sm"
      onClick={() => replace([...entries, (initialValue(item) ?? {}) as Record<string, unknown>])}
    >
      Add
    </Button>
  );
  return (
    <Group title={wordsOf(name)} id={id} actions={add}>
      {entries.length === 0 && <p>{spec.description ?? 'None.'}</p>}
      {entries.map((entry, index) => (
        <Group
          key={index}
          id={`${id}-${index}`}
          title={`${wordsOf(name)} ${index + 1}`}
          actions={
            <Button
              variant="link"
              size="sm"
              aria-label={`Remove ${wordsOf(name)} ${index + 1}`}
              onClick={() => replace(entries.filter((_entry, at) => at !== index))}
            >
              Remove
            </Button>
          }
        >
          <ParameterFields
            id={`${id}-${index}`}
            spec={item}
            values={entry}
            onChange={(next) => replace(entries.map((known, at) => (at === index ? next : known)))}
          />
        </Group>
      ))}
    </Group>
  );
}
