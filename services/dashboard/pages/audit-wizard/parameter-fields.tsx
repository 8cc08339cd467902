import {
  Button,
  Checkbox,
  ExpandableSection,
  FormFieldGroup,
  FormFieldGroupHeader,
  FormGroup,
} from '@patternfly/react-core';
import { type ReactNode, useState } from 'react';
import { FieldHint } from '../../components/form-parts.tsx';
import { parameterDescription, parameterTitle } from '../../components/parameter-texts.ts';
import { Prose } from '../../components/prose.tsx';
import { text } from '../../texts/texts.ts';
import { type FieldProps, ParameterInput } from './parameter-inputs.tsx';
import {
  changedValues,
  fieldKindOf,
  foldedParts,
  initialValue,
  type ParameterSpec,
  problemOf,
  problemsOf,
} from './parameter-spec.ts';

interface FieldsProps {
  id: string;
  spec: ParameterSpec;
  values: Record<string, unknown>;
  onChange: (values: Record<string, unknown>) => void;
}

/** A form from a parameter schema. */
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

/** A form from a strategy's schema. Advanced parameters are collapsed, unless one was changed or is invalid. */
export function FoldedParameterFields(props: FieldsProps) {
  const { essential, advanced } = foldedParts(props.spec);
  const count = Object.keys(advanced.properties ?? {}).length;
  const inside = Object.fromEntries(Object.keys(advanced.properties ?? {}).map((name) => [name, props.values[name]]));
  const [isOpen, setOpen] = useState(Object.keys(changedValues(advanced, inside)).length > 0);
  return (
    <>
      <ParameterFields {...props} spec={essential} />
      {count > 0 && (
        <ExpandableSection
          toggleText={text('wizard.moreParameters', { count })}
          isExpanded={isOpen || problemsOf(advanced, inside).length > 0}
          onToggle={(_event, next) => setOpen(next)}
          isIndented
        >
          <div className="pf-v6-c-form">
            <ParameterFields {...props} spec={advanced} />
          </div>
        </ExpandableSection>
      )}
    </>
  );
}

function ParameterField(props: FieldProps) {
  const kind = fieldKindOf(props.spec);
  if (kind === 'group') return <GroupField {...props} />;
  if (kind === 'groups') return <GroupsField {...props} />;
  if (kind === 'flag') return <FlagField {...props} />;
  const problem = problemOf(props.spec, props.value);
  return (
    <FormGroup label={parameterTitle(props.name, props.spec)} fieldId={props.id} isRequired={props.isRequired}>
      <ParameterInput {...props} />
      <Hint
        description={problem ? '' : parameterDescription(props.spec)}
        words={problem ?? rangeText(props.spec)}
        isError={problem !== null}
      />
    </FormGroup>
  );
}

interface HintProps {
  /** The plugin's description. */
  description: string;
  words: string;
  isError: boolean;
}

function Hint({ description, words, isError }: HintProps) {
  if (description === '' && words === '') return null;
  return (
    <FieldHint isError={isError}>
      {description !== '' && <Prose text={description} />} {words}
    </FieldHint>
  );
}

function rangeText(spec: ParameterSpec): string {
  const { minimum, maximum } = spec;
  return minimum !== undefined && maximum !== undefined
    ? text('parameter.range', { from: minimum, to: maximum })
    : minimum !== undefined
      ? text('parameter.least', { least: minimum })
      : maximum !== undefined
        ? text('parameter.most', { most: maximum })
        : '';
}

function FlagField({ id, name, spec, value, onChange }: FieldProps) {
  return (
    <FormGroup fieldId={id}>
      <Checkbox
        id={id}
        label={parameterTitle(name, spec)}
        description={parameterDescription(spec) && <Prose text={parameterDescription(spec)} />}
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
    <Group title={parameterTitle(name, spec)} id={id}>
      {spec.description && (
        <p>
          <Prose text={parameterDescription(spec)} />
        </p>
      )}
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
      {text('parameter.add')}
    </Button>
  );
  return (
    <Group title={parameterTitle(name, spec)} id={id} actions={add}>
      {entries.length === 0 && (
        <p>{spec.description ? <Prose text={parameterDescription(spec)} /> : text('parameter.none')}</p>
      )}
      {entries.map((entry, index) => (
        <Group
          key={index}
          id={`${id}-${index}`}
          title={`${parameterTitle(name, spec)} ${index + 1}`}
          actions={
            <Button
              variant="link"
              size="sm"
              aria-label={text('parameter.removeOne', { name: parameterTitle(name, spec), number: index + 1 })}
              onClick={() => replace(entries.filter((_entry, at) => at !== index))}
            >
              {text('parameter.remove')}
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
