import { LinesField } from '../../components/lines-field.tsx';
import { PickerField } from '../../components/picker-field.tsx';
import { text } from '../../texts/texts.ts';
import type { RuleForm } from './rule-form.ts';

interface SelectorFieldsProps {
  form: RuleForm;
  onChange: (form: RuleForm) => void;
}

/** Instances of a rule: those that meet every given condition. */
export function InstanceFields({ form, onChange }: SelectorFieldsProps) {
  return (
    <>
      <LinesField
        id="rule-names"
        label={text('rules.names')}
        hint={text('rules.namesHint')}
        lines={form.names}
        onChange={(names) => onChange({ ...form, names })}
      />
      <PickerField
        id="rule-uuids"
        label={text('rules.single')}
        kind="instance"
        chosen={form.uuids}
        onChange={(uuids) => onChange({ ...form, uuids })}
      />
      <PickerField
        id="rule-projects"
        label={text('rules.projects')}
        kind="project"
        chosen={form.projects}
        allowsText
        onChange={(projects) => onChange({ ...form, projects })}
      />
      <PickerField
        id="rule-flavors"
        label={text('rules.flavors')}
        kind="flavor"
        chosen={form.flavors}
        allowsText
        onChange={(flavors) => onChange({ ...form, flavors })}
      />
      <LinesField
        id="rule-metadata"
        label={text('rules.metadata')}
        hint={text('rules.metadataHint')}
        lines={form.metadata}
        onChange={(metadata) => onChange({ ...form, metadata })}
      />
    </>
  );
}

/** Hosts of a rule: those that meet one of the conditions. */
export function HostFields({ form, onChange }: SelectorFieldsProps) {
  return (
    <>
      <PickerField
        id="rule-hosts"
        label={text('column.hosts')}
        kind="host"
        chosen={form.hosts}
        allowsText
        onChange={(hosts) => onChange({ ...form, hosts })}
      />
      <LinesField
        id="rule-aggregates"
        label={text('rules.aggregates')}
        hint={text('rules.onePerLine')}
        lines={form.aggregates}
        onChange={(aggregates) => onChange({ ...form, aggregates })}
      />
      <LinesField
        id="rule-zones"
        label={text('rules.zones')}
        hint={text('rules.onePerLine')}
        lines={form.zones}
        onChange={(zones) => onChange({ ...form, zones })}
      />
    </>
  );
}
