import { LinesField } from '../../components/lines-field.tsx';
import { PickerField } from '../../components/picker-field.tsx';
import type { RuleForm } from './rule-form.ts';

interface SelectorFieldsProps {
  form: RuleForm;
  onChange: (form: RuleForm) => void;
}

/** Which instances a rule is about: those that meet every condition that is given. */
export function InstanceFields({ form, onChange }: SelectorFieldsProps) {
  return (
    <>
      <LinesField
        id="rule-names"
        label="Names of instances"
        hint="Patterns with * and ?, one per line: any of them."
        lines={form.names}
        onChange={(names) => onChange({ ...form, names })}
      />
      <PickerField
        id="rule-uuids"
        label="Single instances"
        kind="instance"
        chosen={form.uuids}
        onChange={(uuids) => onChange({ ...form, uuids })}
      />
      <PickerField
        id="rule-projects"
        label="Projects"
        kind="project"
        chosen={form.projects}
        allowsText
        onChange={(projects) => onChange({ ...form, projects })}
      />
      <PickerField
        id="rule-flavors"
        label="Flavors"
        kind="flavor"
        chosen={form.flavors}
        allowsText
        onChange={(flavors) => onChange({ ...form, flavors })}
      />
      <LinesField
        id="rule-metadata"
        label="Metadata"
        hint="key=pattern, one per line: all of them."
        lines={form.metadata}
        onChange={(metadata) => onChange({ ...form, metadata })}
      />
    </>
  );
}

/** Which hosts a rule is about: those that meet one of the conditions. */
export function HostFields({ form, onChange }: SelectorFieldsProps) {
  return (
    <>
      <PickerField
        id="rule-hosts"
        label="Hosts"
        kind="host"
        chosen={form.hosts}
        allowsText
        onChange={(hosts) => onChange({ ...form, hosts })}
      />
      <LinesField
        id="rule-aggregates"
        label="Host aggregates"
        hint="Names, one per line."
        lines={form.aggregates}
        onChange={(aggregates) => onChange({ ...form, aggregates })}
      />
      <LinesField
        id="rule-zones"
        label="Availability zones"
        hint="Names, one per line."
        lines={form.zones}
        onChange={(zones) => onChange({ ...form, zones })}
      />
    </>
  );
}
